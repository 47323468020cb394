"""From import to a first model: what is loaded only where it is asked for."""

from __future__ import annotations

import subprocess
import sys

LATER = ("dask", "distributed", "matplotlib", "polars", "sklearn.metrics")
"""Not pyarrow: scikit-learn imports pandas where it is installed, and pandas imports pyarrow."""


def test_a_first_fit_loads_no_library_that_it_does_not_need():
    lines = (
        "import sys",
        "from hardwood import BoostedTreesClassifier, TreeClassifier",
        "for kind in (TreeClassifier, BoostedTreesClassifier):",
        "    kind().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])",
        f"print(*[name for name in {LATER!r} if name in sys.modules])",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
