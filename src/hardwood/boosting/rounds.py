"""Rounds of AdaBoost in the core -> trees, tree weights and a record per round.

A `Rounds` object is one booster: two classes, or SAMME's many. One-versus-rest has one per class.
Logistic: the weights are those of the log loss, f/(1 + f) with f = exp(-yF), and `leaf_prior`
examples of each class are added to a leaf: 1/2 ln((W+ + e)/(W- + e)). Real: leaf value
1/2 ln(W+/W-), the ratio kept within 2^+-LEAF_RATIO_CAP_BITS, a rule in weights
alone (so that weight 2 is the row twice). Gentle: (W+ - W-)/(W+ + W-). Discrete: +1 or -1, weighted
by 1/2 ln((1-err)/err) (Dietterich, Kearns & Mansour 1996, Fig. 2).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import (
    Booster,
    BoostingOptions,
    ConstraintOptions,
    Criterion,
    EncodedTable,
    MemoryBooster,
    PartsBooster,
    Stop,
    Variant,
    run_together,
)
from hardwood.encoding import UserWeights
from hardwood.encoding.weights import examples_of, n_examples
from hardwood.growing import Constraints, tree_of
from hardwood.search.strategies import Strategy, set_search
from hardwood.table import Table
from hardwood.tree import Tree
from hardwood.tree.route import leaves_of

LEAF_RATIO_CAP_BITS = 12

VARIANTS = tuple(variant.name for variant in Variant)
CHANCE_ROUNDS = ("stop", "skip")
STOP_REASONS = {
    Stop.not_yet: "",
    Stop.no_error: "error 0",
    Stop.chance: "no better than chance",
    Stop.nothing_left: "nothing left to learn",
}
STOPPED = tuple(STOP_REASONS[stop] for stop in Stop)
"""By the number that a model file has for them."""
DROPPED = STOP_REASONS[Stop.chance]


@dataclass(frozen=True, slots=True)
class BoostingRules:
    """`criterion` "stump" is AAA18's stump error. None: no limit."""

    variant: str
    criterion: str
    learning_rate: float
    max_depth: int | None
    max_leaf_nodes: int | None
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    min_category_size: int
    weight_fraction: float
    leaf_prior: float
    chance_rounds: str
    search: Strategy


@dataclass(frozen=True, slots=True)
class RoundRecord:
    error: float
    bound: float
    assessments: int
    exhaustive_assessments: int
    stopped: str
    seen_weight: float
    loss: float = math.nan
    proved_drop: float = math.nan

    @property
    def dropped(self) -> bool:
        """The round's tree was no better than chance: no row's factor changed."""
        return self.stopped == DROPPED


@dataclass
class Rounds:
    """One booster and what it has trained so far."""

    booster: Booster | None  # None once training is over
    classes: int
    trees: list[Tree] = field(default_factory=list)
    tree_weights: list[float] = field(default_factory=list)
    records: list[RoundRecord] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return bool(self.records) and self.records[-1].stopped != ""

    def run(self, rounds: int, allowed: NDArray[np.uint8] | None, threads: int) -> None:
        """Train up to `rounds` more trees; none once training has ended."""
        if self.ended or rounds < 1 or self.booster is None:
            return
        self.add_all(self.booster.run(rounds, allowed, threads))

    def add_all(self, rounds: list[dict[str, Any]]) -> None:
        """Keep what the core has trained."""
        for done in rounds:
            self._add(done)

    def _add(self, done: dict[str, Any]) -> None:
        arrays, value, weight, record = self._read(done)
        if arrays is not None:
            total = float(arrays["class_weights"][: self.classes].sum())
            self.trees.append(tree_of(arrays, self.classes, 1 / total, total, value))
            self.tree_weights.append(weight)
        self.records.append(record)

    def _read(
        self, done: dict[str, Any]
    ) -> tuple[dict[str, NDArray[Any]] | None, NDArray[np.float64], float, RoundRecord]:
        """The tree's arrays, its leaf values and its weight, and what is recorded of the round. No
        arrays: the tree is dropped."""
        arrays, value, weight = done["tree"], done["value"], float(done["tree_weight"])
        record = RoundRecord(
            float(done["error"]),
            float(done["bound"]),
            int(done["assessments"]),
            int(done["exhaustive_assessments"]),
            STOP_REASONS[done["stop"]],
            float(done["seen_weight"]),
            float(done["loss"]),
            float(done["proved_drop"]),
        )
        if record.dropped and self.trees:
            return None, value, weight, record
        if record.dropped:  # the first: the model is one leaf
            arrays, value, weight = _root_alone(arrays, value), value[:1].copy(), 1.0
            value[0] = _root_value(arrays, self.classes)
        return arrays, value, weight, record

    def rounds_that_count(self) -> Iterator[tuple[Tree, RoundRecord]]:
        """Those that changed factors: not the ones no better than chance."""
        rounds = zip(self.trees, self.tree_weights, self.records, strict=False)
        return ((tree, each) for tree, weight, each in rounds if weight and not each.dropped)

    def replay(self, earlier: Rounds, table: Table, threads: int) -> None:
        """Take over the rounds of an earlier fit on the same rows."""
        assert isinstance(self.booster, MemoryBooster)
        for tree, record in earlier.rounds_that_count():
            leaves = leaves_of(tree, table, threads)
            assert tree.value is not None
            self.booster.replay(leaves, tree.value, record.error)
        self._take(earlier)

    def replay_over_parts(self, earlier: Rounds) -> bool:
        """The same where rows are not in memory; whether they are the same rows, by the bound after
        each round."""
        assert isinstance(self.booster, PartsBooster)
        same = True
        for tree, record in earlier.rounds_that_count():
            assert tree.value is not None
            bound = self.booster.replay(tree, tree.value, record.error)
            same = same and math.isclose(bound, record.bound, rel_tol=1e-6, abs_tol=1e-290)
        self._take(earlier)
        return same

    def _take(self, earlier: Rounds) -> None:
        self.trees = list(earlier.trees)
        self.tree_weights = list(earlier.tree_weights)
        self.records = list(earlier.records)


def run_all(
    boosters: list[Rounds], rounds: int, allowed: NDArray[np.uint8] | None, threads: int
) -> None:
    """Train up to `rounds` more trees of each booster; in memory several at the same time."""
    active = [each for each in boosters if not each.ended and each.booster is not None]
    cores = [each.booster for each in active if isinstance(each.booster, MemoryBooster)]
    if rounds < 1 or len(active) < 2 or len(cores) < len(active):
        for each in active:
            each.run(rounds, allowed, threads)
        return
    for each, done in zip(active, run_together(cores, rounds, allowed, threads), strict=True):
        each.add_all(done)


def boosting_options(rules: BoostingRules, classes: int, examples: int) -> BoostingOptions:
    """What the core is told; examples: how many there are."""
    options = BoostingOptions()
    options.variant = Variant[rules.variant]
    options.criterion = Criterion[rules.criterion]
    options.classes = classes
    options.max_leaves = rules.max_leaf_nodes or 0
    options.max_depth = rules.max_depth or 0
    options.learning_rate = rules.learning_rate
    options.leaf_ratio_cap = 2.0**LEAF_RATIO_CAP_BITS
    options.leaf_prior = rules.leaf_prior
    options.weight_fraction = rules.weight_fraction
    options.min_weight_fraction_leaf = rules.min_weight_fraction_leaf
    options.pass_over_chance = rules.chance_rounds == "skip"
    options.min_category_size = rules.min_category_size
    options.examples = min(examples, 1 << 62)
    if rules.min_samples_leaf > 1:
        options.min_examples = float(rules.min_samples_leaf)
    set_search(options, rules.search)
    return options


def booster_constraints(constraints: Constraints | None, label: int) -> ConstraintOptions:
    """Of the booster whose second class is this one."""
    return ConstraintOptions() if constraints is None else constraints.for_booster(label)


def start_rounds(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: UserWeights,
    rules: BoostingRules,
    constraints: ConstraintOptions,
) -> Rounds:
    """A booster before its first round."""
    return Rounds(start_booster(table, labels, classes, weights, rules, constraints), classes)


def start_booster(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: UserWeights,
    rules: BoostingRules,
    constraints: ConstraintOptions,
    pairs: int = 0,
) -> MemoryBooster:
    """pairs: every row with each of so many classes is an example of two classes; 0: rows are."""
    values = np.ones(len(labels)) if weights.values is None else weights.values
    examples = examples_of(values) if weights.examples is None else weights.examples
    count = n_examples(examples, values, weights.whole_given) * max(pairs, 1)
    options = boosting_options(rules, classes, count)
    options.whole_weights = weights.whole
    options.constraints = constraints
    options.pairs = pairs
    counted = examples if rules.min_samples_leaf > 1 else None
    return MemoryBooster(table, labels, weights.values, counted, options)


def _root_alone(
    arrays: dict[str, NDArray[np.generic]], value: NDArray[np.float64]
) -> dict[str, NDArray[np.generic]]:
    """The tree's root as a leaf."""
    nodes = len(value)
    root = {
        name: array[: len(array) // nodes] if name == "class_weights" else array[:1].copy()
        for name, array in arrays.items()
    }
    for name in ("thresholds", "integer_thresholds", "group_codes", "group_branches"):
        root[name] = arrays[name][:0]
    for name in ("first_child", "feature", "missing_branch", "default_branch"):
        root[name][0] = -1
    for name in ("branches", "kind", "cut_count", "group_count", "missing_seen"):
        root[name][0] = 0
    return root


def _root_value(arrays: dict[str, NDArray[np.generic]], classes: int) -> float:
    heaviest = int(np.argmax(arrays["class_weights"][:classes]))
    return float(heaviest) if classes > 2 else (1.0 if heaviest == 1 else -1.0)
