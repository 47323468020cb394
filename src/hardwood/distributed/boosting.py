"""AdaBoost's rounds over parts: what the core's `Booster` does, by sums over parts
(docs/theory/rules.md#boosting).

A row's factor lives with its part. A round: the parts round weight x factor to whole numbers on the
grid that the exact total gives, a tree grows, each leaf's factor travels back. Leaf values, factors
and tree weights come from the core's own functions, so rounds have the same bits as on one machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import GrowthOptions, leaf_factors, leaf_value, stop_after, tree_weight
from hardwood.boosting.rounds import (
    CRITERION_NUMBERS,
    LEAF_RATIO_CAP_BITS,
    VARIANTS,
    BoostingRules,
    RoundRecord,
    Rounds,
)
from hardwood.distributed import conditions
from hardwood.distributed.codebooks import CodePlan
from hardwood.distributed.growth import Grower, Root, open_listed
from hardwood.distributed.messages import NO_WEIGHT_IS_SEEN, Message
from hardwood.distributed.team import Team
from hardwood.encoding.weights import grid_exponent
from hardwood.growing import tree_of
from hardwood.tree import Tree

_LARGE_TOTAL = 2.0**200
_DIGIT_BITS = 11
NO_ERROR, CHANCE = 1, 2


@dataclass(frozen=True)
class BoosterPlace:
    """Which of the parts' boosters this is; target: its class against the rest, or -1."""

    number: int
    target: int
    classes: int


class PartsBooster:
    """Stands where the core's `Booster` does in `Rounds`."""

    def __init__(
        self,
        team: Team,
        plan: CodePlan,
        rules: BoostingRules,
        place: BoosterPlace,
        examples: bool,
        rows: int,
    ) -> None:
        self._rows = rows
        self._team, self._plan, self._rules, self._place = team, plan, rules, place
        self._examples = examples
        self._variant = VARIANTS.index(rules.variant)
        self._total: float | None = None  # of weight x factor; None: to be asked for
        self._given_total: float | None = None
        self._log_scale = 0.0
        self._columns = len(plan.codes)

    def run(
        self, rounds: int, allowed: NDArray[np.uint8] | None, threads: int
    ) -> list[dict[str, Any]]:
        """Up to `rounds` rounds, as the core's booster returns them."""
        del threads  # the parts have their own
        done: list[dict[str, Any]] = []
        for r in range(rounds):
            done.append(self._round(None if allowed is None else allowed[r].copy()))
            if done[-1]["stop"]:
                break
        return done

    def _round(self, allowed: NDArray[np.uint8] | None) -> dict[str, Any]:
        weight_total, root = self._start()
        options = self._options(sum(root.weights))
        grower = Grower(self._team, self._plan, options, allowed)
        arrays = grower.run(root)
        out = self._scored(grower, arrays, weight_total, root)
        columns = self._columns if allowed is None else int(allowed.sum())
        out["assessments"] = out["exhaustive_assessments"] = columns * grower.searched_rows
        out["seen_weight"] = sum(root.weights) / weight_total
        return out

    # The round's weights

    def _start(self) -> tuple[float, Root]:
        number = self._place.number
        total = self._known_total()
        before: list[Message] = []
        if not 1 / _LARGE_TOTAL <= total <= _LARGE_TOTAL:  # a power of two: nothing is rounded
            by = 1 / _LARGE_TOTAL if total > _LARGE_TOTAL else _LARGE_TOTAL
            before.append(("scale", number, by))
            self._log_scale += math.log(by)
            total *= by
            self._total = total
        if _near_power_of_two(total):
            answer = self._team.ask(before, [("exact", number)])
            before = []
            total = math.fsum(answer.requests[0].tolist())
        exponent = grid_exponent(Fraction(total))
        weighed: list[Message] = [*before, ("round", number, exponent)]
        if self._rules.weight_fraction == 1:
            least = 1
        else:
            weight_total = int(self._team.ask(weighed, []).events[-1])
            weighed = []
            least = self._least_weight(weight_total)
        start = ("start", self._place.target, least)
        requests: list[Message] = [("histograms", [0]), ("rows", 0), open_listed([0], self._plan)]
        answer = self._team.ask([*weighed, start], requests)
        if weighed:
            weight_total = int(answer.events[-2])
        return float(weight_total), self._root(answer.events[-1], answer.requests)

    def _root(self, sums: NDArray[np.int64], answers: list[Any]) -> Root:
        weights = [float(own) for own in sums[: self._place.classes]]
        examples = float(sums[-1]) if self._examples else None
        listed = {c: (answers[2], i) for i, c in enumerate(self._plan.listed)}
        return Root(weights, examples, int(answers[1]), answers[0].cells(0), listed)

    def _known_total(self) -> float:
        if self._total is None:
            self._total = float(self._team.ask([], [("total", self._place.number)]).requests[0])
        if self._given_total is None:
            self._given_total = self._total
        return self._total

    def _least_weight(self, total: int) -> int:
        """The largest weight w such that rows of at least w hold the wanted share, by digits."""
        wanted = self._rules.weight_fraction * float(total)
        heavier, prefix, shift = 0, 0, 5 * _DIGIT_BITS  # weights are below 2^53
        while shift > 0:
            shift -= _DIGIT_BITS
            request = ("digits", shift, _DIGIT_BITS, prefix)
            sums = self._team.ask([], [request]).requests[0].tolist()
            for digit in range(len(sums) - 1, -1, -1):
                if sums[digit] and float(heavier + sums[digit]) >= wanted:
                    prefix = (prefix << _DIGIT_BITS) + digit
                    break
                heavier += sums[digit]
            else:
                return 1
        return max(prefix, 1)

    def _options(self, weight: float) -> GrowthOptions:
        rules, options = self._rules, GrowthOptions()
        options.criterion = CRITERION_NUMBERS[rules.criterion]
        options.leaf_choice = 2 if rules.criterion == "stump" else 0
        options.max_leaves = rules.max_leaf_nodes or 0
        options.max_depth = rules.max_depth or 0
        options.min_weight = rules.min_weight_fraction_leaf * weight
        options.min_examples = float(rules.min_samples_leaf) if self._examples else 0.0
        return options

    # After the tree

    def _scored(
        self, grower: Grower, arrays: dict[str, Any], weight_total: float, root: Root
    ) -> dict[str, Any]:
        classes, rules = self._place.classes, self._rules
        weights = arrays["class_weights"].reshape(-1, classes)
        leaves = np.flatnonzero(arrays["first_child"] < 0)
        value = np.zeros(len(weights))
        label = weights.argmax(axis=1)
        for node in leaves:
            value[node] = leaf_value(
                self._variant, 2.0**LEAF_RATIO_CAP_BITS, weights[node].tolist()
            )
        mistakes = float(sum(weights[n].sum() - weights[n].max() for n in leaves))
        routed = root.rows < self._rows
        if routed:
            arrays, absent = self._route(grower)
            for node in leaves:
                mistakes += float(absent[node].sum() - absent[node, label[node]])
        error = mistakes / weight_total
        stop = stop_after(mistakes, weight_total, classes)
        if len(weights) == 1 and classes == 2 and value[0] == 0 and mistakes > 0:
            stop = CHANCE
        if stop != CHANCE:
            arrays = self._update(grower, leaves, value, error, routed)
        return {
            "tree": arrays,
            "value": value,
            "tree_weight": tree_weight(
                self._variant, rules.learning_rate, classes, mistakes, weight_total
            ),
            "error": error,
            "bound": self._bound(),
            "stop": stop,
        }

    def _route(self, grower: Grower) -> tuple[dict[str, Any], NDArray[np.int64]]:
        """Rows that the tree did not see go down its finished form."""
        grower.flush()
        arrays = grower.record.arrays()
        tree = tree_of(grower.record.arrays(), self._place.classes, 1.0, 1.0)
        answer = self._team.ask([("route", *conditions.of_tree(self._plan, tree))], [])
        return arrays, answer.events[0].reshape(-1, self._place.classes)

    def _update(
        self,
        grower: Grower,
        leaves: NDArray[np.intp],
        value: NDArray[np.float64],
        error: float,
        routed: bool,
    ) -> dict[str, Any]:
        number = self._place.number
        names = [(name, node) for node in leaves for name in grower.parts_names(node)]
        numbers = [name for name, _ in names]
        factors = self._factors(value[[node for _, node in names]], error)
        events: list[Message] = [("multiply", number, numbers, *factors, False)]
        if routed:
            events.append(("multiply", number, [], *self._factors(value, error), True))
        answer = grower.flush([("total", number)], events)
        self._total = float(answer.requests[0])
        self._note_scale(float(value[-1]), error)
        return grower.record.arrays()

    def _factors(
        self, values: NDArray[np.float64], error: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
        rate, classes = self._rules.learning_rate, self._place.classes
        each = [leaf_factors(self._variant, rate, classes, float(v), error) for v in values]
        same, other, label = zip(*each, strict=True)
        return np.array(same), np.array(other), list(label)

    def _note_scale(self, value: float, error: float) -> None:
        """Discrete: only rows that were right are multiplied, which scales exp(-yF)."""
        if self._rules.variant == "discrete":
            rate, classes = self._rules.learning_rate, self._place.classes
            same = leaf_factors(self._variant, rate, classes, value, error)[0]
            self._log_scale += math.log(same) / 2

    def take_over(self, rounds: list[tuple[Tree, RoundRecord]]) -> bool:
        """Bring the factors to where they were after rounds of an earlier fit on the same rows;
        whether they are the same rows, by the total of the factors after each round."""
        same = True
        self._known_total()
        number = self._place.number
        for tree, record in rounds:
            assert tree.value is not None
            total = self._known_total()
            events: list[Message] = []
            if not 1 / _LARGE_TOTAL <= total <= _LARGE_TOTAL:
                by = 1 / _LARGE_TOTAL if total > _LARGE_TOTAL else _LARGE_TOTAL
                events.append(("scale", number, by))
                self._log_scale += math.log(by)
            events.append(("start", self._place.target, NO_WEIGHT_IS_SEEN))
            events.append(("route", *conditions.of_tree(self._plan, tree)))
            factors = self._factors(tree.value, record.error)
            events.append(("multiply", number, [], *factors, True))
            self._total = float(self._team.ask(events, [("total", number)]).requests[0])
            self._note_scale(float(tree.value[-1]), record.error)
            same = same and math.isclose(self._bound(), record.bound, rel_tol=1e-6, abs_tol=1e-290)
        return same

    def _bound(self) -> float:
        """The product of the normalisers so far."""
        assert self._total is not None
        assert self._given_total is not None
        return math.exp(math.log(self._total / self._given_total) - self._log_scale)


def take_over_rounds(rounds: Rounds, earlier: Rounds) -> bool:
    """Start where an earlier fit left off; whether it was on the same rows."""
    booster: Any = rounds.booster
    kept = zip(earlier.trees, earlier.records, strict=False)
    same = bool(booster.take_over([(tree, each) for tree, each in kept if not each.dropped]))
    rounds.trees = list(earlier.trees)
    rounds.tree_weights = list(earlier.tree_weights)
    rounds.records = list(earlier.records)
    return same


def _near_power_of_two(total: float) -> bool:
    """Rounding the sum could have changed its exponent."""
    mantissa, _ = math.frexp(total)
    return mantissa < 0.5 + 1e-9 or mantissa > 1 - 1e-9
