"""One booster's rounds, replayed: factors, whole-number weights, errors, leaf values, bounds.

In: the trees and tree weights of two classes or SAMME, the rows, the `BoostingRules`. Out: a
`RoundFacts` per round. The rules (docs/theory/rules.md#boosting, #exact-arithmetic): a row's factor
starts at 1 and is multiplied once a round by a number that its leaf and class share; the round's
weights are weight_i round(2^e g_i) while all weights are whole, round(2^e weight_i g_i) otherwise,
e from the total of weight x g; g is the factor f, or f/(1 + f) for logistic. Real and logistic:
leaf value ln((W+ + p)/(W- + p))/2, p the prior; without one the ratio is kept within 2^+-12;
gentle: (W+ - W-)/(W+ + W- + 2p); discrete: the heavier class, tree weight ln((1-err)/err)/2. The
exponential is the model's own (a series whose bits no machine changes), written out here again, so
that rows that tie for the model tie here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.constraints import (
    Asked,
    clipped_labels,
    compare_monotone,
    intervals,
)
from hardwood.certify.checking.growth import GrowthRules
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import NodeFacts
from hardwood.certify.checking.training_rows import grid_exponent
from hardwood.tree.arrays import LEAF, Tree

Floats = NDArray[np.float64]
CAP = 2.0**12
SMALLEST_ERROR = 2.0**-53
MOST_COUNTED = 2.0**32
RESCALED = 2.0**200
LARGEST_FACTOR = 2.0**1000
VANISHED = 2.0**-900
NO_ERROR, CHANCE = "error 0", "no better than chance"
NOTHING_LEFT = "nothing left to learn"


@dataclass(frozen=True)
class BoostingRules:
    variant: str
    learning_rate: float
    weight_fraction: float
    leaf_prior: float
    growth: GrowthRules
    skips_chance: bool = False
    cut_fraction: float = 1.0


@dataclass(frozen=True)
class RoundFacts:
    """`error` and `exhaustive` are None where the tree was dropped and cannot be looked at."""

    error: float | None
    bound: float
    stopped: str
    exhaustive: tuple[int, int] | None
    """The least and the largest number of assessments an exhaustive search can have asked for."""
    loss: float = math.nan
    proved_drop: float = math.nan


@dataclass
class Scores:
    """What the rounds so far did to the rows."""

    labels: NDArray[np.int64]
    classes: int
    weights: Floats
    logistic: bool = False
    factors: Floats = field(init=False)
    margins: Floats = field(init=False)
    """y F(x), two classes."""

    def __post_init__(self) -> None:
        self.factors = np.ones(len(self.labels))
        self.margins = np.zeros(len(self.labels))
        self.scale, self.exponent = 1.0, 0

    def _in_round(self) -> Floats:
        return self.factors / (1 + self.factors) if self.logistic else self.factors

    def _counted(self) -> bool:
        """A row of whole weight w is taken for w rows."""
        whole = bool((self.weights == np.floor(self.weights)).all())
        return whole and math.fsum(self.weights) <= MOST_COUNTED

    def example(self) -> float:
        """The weight of one example in the units of the round that `units` claimed last."""
        counted = self.weights > 0
        whole = self._counted()
        mean = 1.0 if whole else math.fsum(self.weights) / int(counted.sum())
        return mean * math.ldexp(self.scale, self.exponent)

    def units(self) -> NDArray[np.int64]:
        """The round's whole-number weights."""
        total = math.fsum(self.weights * self._in_round())
        if not self.logistic and not 1 / RESCALED <= total <= RESCALED:
            by = 1 / RESCALED if total > RESCALED else RESCALED
            self.factors *= by
            self.scale *= by
            total *= by
        self.exponent = grid_exponent(Fraction(total))
        scale = math.ldexp(1.0, self.exponent)
        factors = np.where(self.weights > 0, self._in_round(), 0.0)  # others have no limit
        if self._counted():
            return self.weights.astype(np.int64) * np.rint(factors * scale).astype(np.int64)
        return np.rint(self.weights * factors * scale).astype(np.int64)

    def bound(self) -> float:
        """sum w exp(-yF) / sum w, which is the product of the normalisers; logistic: the mean loss
        over ln 2, since a row that is wrong has a loss of at least ln 2."""
        if self.logistic:
            return self.loss() / math.log(2)
        top = float(-self.margins[self.weights > 0].min())
        scaled = math.fsum(self.weights * np.exp(-self.margins - top))
        log = math.log(scaled) + top - math.log(math.fsum(self.weights))
        return math.exp(log) if log < 700 else math.inf

    def loss(self) -> float:
        """The mean of ln(1 + exp(-yF)); NaN for the other variants."""
        if not self.logistic:
            return math.nan
        each = np.logaddexp(0.0, -self.margins)
        return math.fsum(self.weights * each) / math.fsum(self.weights)

    def vanished(self) -> bool:
        return self.logistic and math.fsum(self.weights * self._in_round()) < VANISHED

    def multiply(self, facts: NodeFacts, by: Floats, tree_weight: float, value: Floats) -> None:
        """`by[leaf, class]` on the factors, and the tree's score on the margins."""
        self.factors = np.minimum(self.factors * by[facts.leaf, self.labels], LARGEST_FACTOR)
        if self.classes == 2:
            sign = np.where(self.labels == 1, 1.0, -1.0)
            self.margins += sign * tree_weight * value[facts.leaf]


def kept(units: NDArray[np.int64], fraction: float) -> NDArray[np.int64]:
    """Weight trimming: the heaviest rows that hold the share, with all that tie with the lightest
    of them; 0 for the others."""
    if fraction >= 1.0:
        return units
    falling = np.sort(units)[::-1]
    enough = np.cumsum(falling).astype(np.float64) >= fraction * float(units.sum())
    least = max(int(falling[enough.argmax()]), 1)
    return np.where(units >= least, units, 0)


def leaf_values(variant: str, classes: int, units: Floats, prior: float) -> Floats:
    """[N] the score that each node would have as a leaf; `prior` in the units of the round."""
    if classes > 2:
        return np.asarray(units.argmax(axis=1), dtype=np.float64)
    minus, plus = units[:, 0], units[:, 1]
    if variant == "discrete":
        return np.asarray(np.where(plus > minus, 1.0, -1.0))
    if variant == "gentle":
        return np.asarray((plus - minus) / (plus + minus + 2 * prior))
    high, low = np.maximum(plus, minus / CAP), np.maximum(minus, plus / CAP)
    if prior > 0:
        high, low = plus + prior, minus + prior
    # ln(a/b) as log1p((a - b)/b), which keeps its digits where the classes nearly tie.
    size = np.log1p(np.abs(high - low) / np.minimum(high, low))
    return np.asarray(np.sign(high - low) * size / 2.0)


def proved_drop(rate: float, value: Floats, units: Floats) -> float:
    """What leaves with these values and class weights prove the logistic loss to fall by."""
    step = rate * value
    return math.fsum(units[:, 1] * -np.expm1(-step)) + math.fsum(units[:, 0] * -np.expm1(step))


def compare_values(
    ledger: Ledger, tree: Tree, rules: BoostingRules, units: Floats, prior: float, asked: Asked
) -> Floats:
    """The leaf scores to go on with: the model's where they agree up to rounding."""
    classes = units.shape[1]
    own = leaf_values(rules.variant, classes, units, prior)
    if asked.monotone:
        clip = clipped_labels if rules.variant == "discrete" else np.clip
        low, high = intervals(tree, asked, own[:, None], clip)
        own = clip(own, low[:, 0], high[:, 0])
        compare_monotone(ledger, tree, asked, np.asarray(tree.value)[:, None])
    expected = np.where(tree.kind == LEAF, own, 0.0)
    assert tree.value is not None
    if rules.variant == "discrete":  # a label: leaves whose classes nearly tie may say either
        claimed = np.clip(tree.value if classes > 2 else (tree.value + 1) / 2, 0, classes - 1)
        near = units[np.arange(len(units)), claimed.astype(np.intp)] >= units.max(axis=1) * (
            1 - CLOSE
        )
        label = np.isin(tree.value, np.arange(classes) if classes > 2 else (-1.0, 1.0))
        tie = near & label & (tree.kind == LEAF) & (rules.learning_rate != 1.0)
        expected = np.where(tie, tree.value, expected)
    return tree.value if ledger.close("value", tree.value, expected) else expected


def leaf_factors(rules: BoostingRules, value: Floats, classes: int, error: float) -> Floats:
    """[N, classes] what a leaf does to the factor of a row of each class."""
    nodes, rate = np.arange(len(value)), rules.learning_rate
    label = value.astype(np.int64) if classes > 2 else (value > 0).astype(np.int64)
    by = np.ones((len(value), classes))
    if rules.variant == "discrete":
        err = error if error > 0 else SMALLEST_ERROR
        odds = err / (1 - err) / (classes - 1)
        by[nodes, label] = odds if rate == 1 else odds**rate
        return by
    growth = exponential(rate * np.abs(value))
    by[nodes, label] = 1 / growth
    by[nodes, 1 - label] = growth
    by[value == 0] = 1.0
    return by


def expected_weight(rules: BoostingRules, classes: int, mistakes: int, total: int) -> float:
    if rules.variant != "discrete":
        return rules.learning_rate
    wrong, right = (mistakes, total - mistakes) if mistakes else (1, 2**53 - 1)
    log_odds = math.log1p((right - wrong) / wrong)
    many = log_odds + math.log(classes - 1) if classes > 2 else log_odds / 2
    return rules.learning_rate * many


def exponential(x: Floats) -> Floats:
    """exp(x): x = k ln 2 + r and 13 terms of the series, in this order of operations."""
    k = np.floor(x * 1.4426950408889634 + 0.5)
    r = (x - k * float.fromhex("0x1.62e42fefa0000p-1")) - k * float.fromhex("0x1.cf79abc9e3b39p-40")
    series = np.ones_like(x)
    for i in range(13, 0, -1):
        series = 1 + series * r / i
    return np.ldexp(series, k.astype(np.int64))
