"""One booster's trees, round by round, against the rows and their factors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.candidates import compare_best_splits, compare_drawn
from hardwood.certify.checking.clipped_scores import score_admission, with_clipping
from hardwood.certify.checking.constraints import Asked, compare_interactions
from hardwood.certify.checking.draws import CutDraw, drawn_columns, share_of_cuts
from hardwood.certify.checking.growth import (
    GrowthRules,
    Replay,
    compare_nodes,
    compare_order,
    compare_stops,
    replay,
)
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import NodeFacts, Seen, compare_routes, follow
from hardwood.certify.checking.rounds import (
    CHANCE,
    NO_ERROR,
    NOTHING_LEFT,
    BoostingRules,
    RoundFacts,
    Scores,
    compare_values,
    expected_weight,
    kept,
    leaf_factors,
    leaf_values,
    proved_drop,
)
from hardwood.certify.checking.structure import fits_together
from hardwood.certify.checking.training_rows import TrainingRows
from hardwood.tree.arrays import Tree

Floats = NDArray[np.float64]
Visit = Callable[[int, Tree, Seen, NodeFacts], None]
"""Round, its tree, what it saw, and the rows of its nodes."""


@dataclass(frozen=True, eq=False)
class Booster:
    """Trees of two classes or SAMME, with the labels they learned; `seed` None: not known."""

    name: str
    data: TrainingRows
    labels: NDArray[np.int64]
    classes: int
    weights: Floats
    trees: list[Tree]
    tree_weights: Floats
    rules: BoostingRules
    feature_fraction: float
    asked: Asked
    seed: int | None

    @property
    def n_columns(self) -> int:
        return len(self.data.schemas)

    @property
    def n_allowed(self) -> int:
        share = self.feature_fraction
        return max(1, math.ceil(share * self.n_columns)) if share < 1 else self.n_columns

    def columns(self, r: int) -> NDArray[np.int64]:
        """Those that round r's tree may use."""
        if self.feature_fraction >= 1 or self.seed is None:
            return np.arange(self.n_columns)
        return drawn_columns(self.seed, r, self.n_columns, self.feature_fraction)

    def growth(self, r: int) -> GrowthRules:
        """What round r's tree was grown by, with the cuts that were drawn for it."""
        if not self.draws_cuts or not self.draw_is_known:
            return self.rules.growth
        assert self.seed is not None
        cuts = CutDraw(self.seed, r, self._cut_shares)
        return dataclasses.replace(self.rules.growth, cuts=cuts)

    @cached_property
    def _cut_shares(self) -> tuple[float, ...]:
        """By column; 1 where there are no cuts in order."""
        numeric = [schema.kind != "category" for schema in self.data.schemas]
        values = [self.data.n_values(j) if own else 0 for j, own in enumerate(numeric)]
        return tuple(share_of_cuts(self.rules.cut_fraction, each) for each in values)

    @property
    def draws_cuts(self) -> bool:
        """Whether some column was looked at in part."""
        return self.rules.cut_fraction < 1 and min(self._cut_shares) < 1

    @property
    def draw_is_known(self) -> bool:
        """Whether the columns and cuts that the model looked at can be drawn again. Cuts are drawn
        by the last bits of weights, which are not derived for discrete rounds of another rate."""
        rules = self.rules
        if self.draws_cuts and rules.variant == "discrete" and rules.learning_rate != 1.0:
            return False
        whole = self.feature_fraction >= 1 and not self.draws_cuts
        return whole or self.seed is not None


@dataclass(frozen=True, eq=False)
class Round:
    """`units`: the whole-number weights of all rows, also of those that the tree did not see."""

    number: int
    found: Replay
    units: NDArray[np.int64]
    prior: float


def replay_booster(
    ledger: Ledger, booster: Booster, rounds: int, thorough: bool, visit: Visit | None = None
) -> list[RoundFacts] | None:
    """What each round's record must say; None where a difference makes later rounds pointless.
    `visit` is called with each round that was replayed."""
    logistic = booster.rules.variant == "logistic"
    scores = Scores(booster.labels, booster.classes, booster.weights, logistic)
    made: list[RoundFacts] = []
    for r, tree in enumerate(booster.trees):
        ledger.about = f"{booster.name}round {r}: "
        if made and made[-1].stopped:
            compare_repeated(ledger, booster, r)
            continue
        if booster.tree_weights[r] == 0.0 and made and not booster.rules.skips_chance:
            made.append(RoundFacts(None, scores.bound(), CHANCE, None))
            compare_repeated(ledger, booster, r)
            continue
        facts = _replay_round(ledger, booster, r, tree, scores, thorough, visit)
        if facts is None:
            ledger.skip("Rounds after the first that differs in its rows were not replayed.")
            return None
        made.append(facts)
    if not made[-1].stopped and len(made) < rounds:
        made.append(RoundFacts(None, scores.bound(), CHANCE, None))
    return made


def _replay_round(
    ledger: Ledger,
    booster: Booster,
    r: int,
    tree: Tree,
    scores: Scores,
    thorough: bool,
    visit: Visit | None,
) -> RoundFacts | None:
    rules, units = booster.rules, scores.units()
    examples = booster.data.examples
    seen_units = kept(units, rules.weight_fraction)
    ledger.true(tree.prior == 0.0, "a boosted tree has a leaf prior as single trees have.")
    number = booster.data.n_examples(booster.weights)
    seen = Seen(booster.data, booster.labels, booster.classes, seen_units, examples, number)
    if not fits_together(ledger, tree, booster.data.schemas, booster.classes):
        return None
    if not ledger.true(tree.value is not None, "the tree has no leaf values."):
        return None
    facts = follow(ledger, tree, seen)
    found = replay(tree, facts, seen.total, rules.growth.formula)
    prior = rules.leaf_prior * scores.example() if rules.leaf_prior > 0 else 0.0
    admission = score_admission(booster.asked, tree, facts.units, rules.variant, prior)
    clipped = with_clipping(found, admission)
    if not _compare_tree(ledger, booster, found, clipped, r):
        return None
    if visit is not None:
        visit(r, tree, seen, facts)
    this = Round(r, found, units, prior)
    discrete = rules.variant == "discrete"
    if discrete and not rules.skips_chance and _is_first_by_chance(booster, this):
        _compare_one_leaf(ledger, booster, found)
        return RoundFacts(None, scores.bound(), CHANCE, None)
    if not booster.draw_is_known:
        ledger.skip("Splits were not compared with others, since what was drawn is not known.")
    elif thorough:
        compare_best_splits(ledger, seen, clipped, booster.growth(r), booster.columns(r), admission)
    return _add_tree(ledger, booster, this, scores)


def _add_tree(ledger: Ledger, booster: Booster, this: Round, scores: Scores) -> RoundFacts:
    """Error, leaf values and tree weight; then the rows' factors for the next round."""
    rules, tree, facts = booster.rules, this.found.tree, this.found.facts
    claimed = float(booster.tree_weights[this.number])
    value = compare_values(ledger, tree, rules, facts.units, this.prior, booster.asked)
    mistakes, total = _mistakes(booster, this, value), int(this.units.sum())
    over = booster.classes * mistakes - (booster.classes - 1) * total
    discrete = rules.variant == "discrete"
    if discrete and rules.skips_chance and mistakes and _at_chance(claimed, over, total):
        ledger.equal("the weight of a tree that is no better than chance", claimed, 0.0)
        looked_at = _assessments(booster, this.found)
        return RoundFacts(mistakes / total, scores.bound(), "", looked_at)
    ledger.true(
        not discrete or over < CLOSE * total or mistakes == 0,
        "the tree is no better than chance, and should have been dropped.",
    )
    error = mistakes / total
    weight = expected_weight(rules, booster.classes, mistakes, total)
    if ledger.close("the tree's weight", claimed, weight, weight + 0.01):
        weight = claimed
    drop = _drop(booster, this, scores, value)
    scores.multiply(facts, leaf_factors(rules, value, booster.classes, error), weight, value)
    stopped = NO_ERROR if discrete and mistakes == 0 else ""
    still = not booster.draws_cuts and tree.n_nodes == 1 and value[0] == 0
    if not discrete and (scores.vanished() or still):
        stopped = NOTHING_LEFT
    looked_at = _assessments(booster, this.found)
    return RoundFacts(error, scores.bound(), stopped, looked_at, scores.loss(), drop)


def _at_chance(told: float, over: int, total: int) -> bool:
    """Whether the mistakes are too many; what the model says where rounding could decide."""
    return told == 0.0 if abs(over) < CLOSE * total else over >= 0


def _drop(booster: Booster, this: Round, scores: Scores, value: Floats) -> float:
    """Of the mean loss, over all rows, also those that the tree did not see."""
    if not scores.logistic:
        return math.nan
    reached = np.zeros((len(value), 2))
    np.add.at(reached, (this.found.facts.leaf, booster.labels), this.units)
    proved = proved_drop(booster.rules.learning_rate, value, reached)
    return math.ldexp(proved, -scores.exponent) / math.fsum(scores.weights)


def _compare_one_leaf(ledger: Ledger, booster: Booster, found: Replay) -> None:
    """The first tree was no better than chance: the model is one leaf of weight 1."""
    heaviest = int(found.facts.units[0].argmax())
    label = float(heaviest) if booster.classes > 2 else (1.0 if heaviest == 1 else -1.0)
    ledger.close("value", np.asarray(found.tree.value), [label])
    ledger.close("the tree's weight", booster.tree_weights[0], 1.0)


def _mistakes(booster: Booster, this: Round, value: Floats) -> int:
    """Weight of the rows, seen or not, whose leaf says another class."""
    facts = this.found.facts
    label = facts.units.argmax(axis=1)
    if booster.rules.variant == "discrete":
        label = value.astype(np.int64) if booster.classes > 2 else (value > 0).astype(np.int64)
    return int(this.units[label[facts.leaf] != booster.labels].sum())


def _is_first_by_chance(booster: Booster, this: Round) -> bool:
    """Whether a first tree of one leaf stands for one that was no better than chance. A grown tree
    is at least as good as its root, unless rows were trimmed away; then what the leaf says tells.
    """
    tree = this.found.tree
    if this.number > 0 or tree.n_nodes > 1:
        return False
    expected = leaf_values(
        booster.rules.variant, booster.classes, this.found.facts.units, this.prior
    )
    mistakes, total = _mistakes(booster, this, expected), int(this.units.sum())
    if booster.classes * mistakes >= (booster.classes - 1) * total:
        return True
    weight = expected_weight(booster.rules, booster.classes, mistakes, total)
    silent = Ledger()
    return booster.rules.weight_fraction < 1 and not (
        silent.close("weight", booster.tree_weights[0], weight, weight + 0.01)
        and silent.close("value", np.asarray(tree.value), expected)
    )


def _compare_tree(ledger: Ledger, booster: Booster, found: Replay, clipped: Replay, r: int) -> bool:
    """`clipped`: with what clipping adds to costs."""
    before = len(ledger.differences)
    rules, tree = booster.rules, found.tree
    exact = rules.learning_rate == 1.0 or rules.variant != "discrete"
    compare_nodes(ledger, tree, found, 1.0 / found.total)
    compare_routes(ledger, tree, found.facts, exact=exact)
    same = len(ledger.differences) == before
    compare_order(ledger, clipped, rules.growth)
    compare_interactions(ledger, tree, booster.asked)
    compare_stops(ledger, found, rules.growth)
    outside = set(tree.used_features) - set(booster.columns(r).tolist())
    ledger.true(not outside, f"the tree uses columns {sorted(outside)}, which were not drawn.")
    cuts = booster.growth(r).cuts
    if cuts is not None and same:
        compare_drawn(ledger, found, cuts)
    return same


def compare_repeated(ledger: Ledger, booster: Booster, r: int) -> None:
    """A booster that has ended repeats its last tree with weight 0."""
    ledger.true(booster.tree_weights[r] == 0.0, "a tree has weight after training ended.")
    tree, last = booster.trees[r], booster.trees[r - 1]
    if tree is not last:
        for array in dataclasses.fields(tree):
            one, two = (np.asarray(getattr(each, array.name)) for each in (tree, last))
            same = one.shape == two.shape and ((one == two) | (one != one)).all()
            ledger.true(same, f"{array.name} is not that of the last tree.")


def _assessments(booster: Booster, found: Replay) -> tuple[int, int]:
    """Rows x columns over the nodes where a split was sought: not pure, not too deep, heavy enough
    for two branches; not those of a last split that spent the budget (threads may look ahead)."""
    rules, tree, facts = booster.rules.growth, found.tree, found.facts
    sought = (facts.units > 0).sum(axis=1) >= 2
    if rules.max_depth is not None:
        sought &= tree.depth < rules.max_depth
    if rules.min_samples_leaf > 1:
        sought &= facts.examples >= 2 * rules.min_samples_leaf
    least = 2 * rules.min_weight_fraction_leaf
    surely = sought & (found.weight >= least * (1 + CLOSE))
    if rules.max_leaf_nodes is not None and tree.n_leaves >= rules.max_leaf_nodes:
        surely[tree.children(int(found.order[-1]))] = False
    maybe = sought & (found.weight >= least * (1 - CLOSE))
    low, high = (int(facts.rows[each].sum()) * booster.n_allowed for each in (surely, maybe))
    return low, high
