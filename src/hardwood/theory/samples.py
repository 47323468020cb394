"""What a training error says about the true error: Occam's razor and the growth function.

Kearns & Mansour 1996 (Theorem 1), Hatano 2004 (section 2.1) and Mansour & McAllester 2002 (section
1) end with "standard arguments"; here they are, with constants. Rows are drawn independently from
one distribution; with probability at least 1 - delta over the draw the statement holds for all
trees of a class at once, so also for the one that was grown. docs/theory/true-error.md.
"""

from __future__ import annotations

import math

from hardwood.theory.arguments import share, whole


def tree_bits(leaves: int, questions: int, classes: int = 2) -> float:
    """Bits of a code for binary trees: of this many leaves, with one of so many questions (fixed
    before the data are seen) at each split and a class at each leaf.

    lg of the number of such trees, Catalan(L - 1) questions^(L-1) classes^L, and lg(L (L + 1)) for
    L itself: the sum of 2^-bits over all trees is at most 1.
    """
    leaves, questions = whole("leaves", leaves, 1), whole("questions", questions, 1)
    classes = whole("classes", classes, 2)
    return (
        _lg_shapes(leaves)
        + (leaves - 1) * math.log2(questions)
        + leaves * math.log2(classes)
        + math.log2(leaves * (leaves + 1))
    )


def occam_bound(error: float, rows: int, bits: float, delta: float = 0.05) -> float:
    """The true error is at most this, for all hypotheses of a code at once: the largest p with
    rows * kl(error || p) <= bits ln 2 + ln(1/delta).

    `error` is the training error over `rows` rows and `bits` the length of the hypothesis in a
    prefix code that does not depend on them (`tree_bits`). By Chernoff's inequality for one
    hypothesis with its part 2^-bits of delta, and the union of all (Blumer et al. 1987).
    """
    error, rows = share("error", error, zero=True), whole("rows", rows, 1)
    delta = share("delta", delta, ends=False)
    if not (isinstance(bits, (int, float)) and math.isfinite(bits) and bits >= 0):
        raise ValueError(f"bits must be a finite number of at least 0; given was {bits!r}.")
    most = (bits * math.log(2.0) - math.log(delta)) / rows
    low, high = error, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _kl(error, middle) <= most else (low, middle)
    return high


def vc_bound(
    error: float,
    rows: int,
    leaves: int,
    columns: int,
    delta: float = 0.05,
    *,
    classes: int = 2,
) -> float:
    """The true error is at most this for all binary trees of at most so many leaves whose questions
    are thresholds on so many numeric columns, chosen from the data:

        error + 2 sqrt(error K) + 4 K,   K = (ln Pi(2 rows) + ln(4/delta)) / rows

    Pi(n), the number of ways in which such trees can label n rows, is at most Catalan(L - 1)
    (columns (n + 1))^(L-1) classes^L. (Vapnik & Chervonenkis' inequality for relative deviations.)
    At most 1.
    """
    error, rows = share("error", error, zero=True), whole("rows", rows, 1)
    leaves, columns = whole("leaves", leaves, 1), whole("columns", columns, 1)
    classes, delta = whole("classes", classes, 2), share("delta", delta, ends=False)
    ways = (
        _lg_shapes(leaves)
        + (leaves - 1) * math.log2(columns * (2 * rows + 1))
        + leaves * math.log2(classes)
    )
    k = (ways * math.log(2.0) + math.log(4.0 / delta)) / rows
    return min(error + 2.0 * math.sqrt(error * k) + 4.0 * k, 1.0)


def _lg_shapes(leaves: int) -> float:
    """lg of the Catalan number of binary trees with so many leaves."""
    n = leaves - 1
    return (math.lgamma(2 * n + 1) - math.lgamma(n + 1) - math.lgamma(n + 2)) / math.log(2.0)


def _kl(error: float, p: float) -> float:
    if p >= 1.0:
        return 0.0 if error >= 1.0 else math.inf
    found = 0.0
    if error > 0.0:
        found += error * math.log(error / p)
    if error < 1.0:
        found += (1.0 - error) * math.log((1.0 - error) / (1.0 - p))
    return found
