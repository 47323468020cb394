"""The nine problems of Dietterich, Kearns & Mansour 1996, Table 1, with the numbers they found."""

from __future__ import annotations

PROBLEMS: dict[str, tuple[str, str | None, int, tuple[float, float, float, float]]] = {
    # file, class against the rest, training sets; paper: error km, entropy; size km, entropy
    "letter-H": ("letter", "H", 8, (2.52, 2.63, 118.75, 122.00)),
    "isolet-E": ("isolet", "E", 4, (3.53, 3.61, 26.50, 34.50)),
    "isolet-P": ("isolet", "P", 4, (3.26, 3.62, 29.00, 37.50)),
    "annealing-3": ("annealing", "3", 4, (3.78, 3.94, 23.50, 32.50)),
    "annealing-3-fractional": ("annealing", "3", 4, (3.78, 3.94, 23.50, 32.50)),
    "kr-vs-kp": ("kr_vs_kp", None, 4, (1.69, 1.83, 49.75, 52.50)),
    "segmentation-4": ("segmentation", "4", 4, (3.21, 4.06, 21.00, 22.00)),
    "pima": ("pima", None, 2, (28.91, 30.66, 98.00, 95.00)),
    "shuttle-1": ("shuttle", "1", 4, (0.04, 0.08, 20.00, 25.00)),
    "satimage-4": ("satimage", "4", 4, (9.53, 9.14, 104.50, 112.00)),
}
CRITERIA = ("km", "entropy")
OTHER_WAY = {"annealing-3": "annealing-3-fractional"}
"""Annealing's gaps mostly mean "does not apply". As a value of their own they count; the other way,
C4.5's fractional examples, is shown beside it."""
