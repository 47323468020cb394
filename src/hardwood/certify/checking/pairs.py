"""Rounds over (example, class) pairs, replayed from the trees that they left for each class.

In: a `Booster` per class, whose trees of one round were one tree over pairs. Out: a `RoundFacts`
per round. A pair is labelled 1 where the class is its example's own, and weighs what its example
weighs. A node of a class's tree holds the examples that reach it with that class, each with the
weight of its pairs that the tree saw. What cannot be derived: which classes the tree over pairs
kept together, so neither that its leaves say the heavier label nor how many pairs it looked at.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.booster import Booster, compare_repeated
from hardwood.certify.checking.draws import drawn_columns
from hardwood.certify.checking.growth import compare_nodes, replay
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import Seen, follow
from hardwood.certify.checking.rounds import (
    CHANCE,
    NO_ERROR,
    RoundFacts,
    Scores,
    expected_weight,
    kept,
    leaf_factors,
)
from hardwood.certify.checking.structure import fits_together
from hardwood.tree.arrays import LEAF

Units = NDArray[np.int64]
SAYS = np.array([-1.0, 1.0])


def replay_pairs(ledger: Ledger, boosters: list[Booster], rounds: int) -> list[RoundFacts] | None:
    """What each round's record must say; None where a difference makes later rounds pointless."""
    ledger.skip(
        "Which classes a tree over pairs keeps together is not in the model: that its splits are "
        "the best, that its leaves say the heavier label, and its exhaustive_assessments were not "
        "checked."
    )
    first, classes = boosters[0], len(boosters)
    own = np.stack([each.labels for each in boosters], axis=1).ravel()
    scores = Scores(own, 2, np.repeat(first.weights, classes))
    made: list[RoundFacts] = []
    for r in range(len(first.trees)):
        weights = {float(each.tree_weights[r]) for each in boosters}
        ledger.about = f"round {r}: "
        ledger.true(len(weights) == 1, "the trees of the classes have different weights.")
        if made and made[-1].stopped:
            for each in boosters:
                compare_repeated(ledger, each, r)
            continue
        facts = _replay_round(ledger, boosters, r, scores)
        if facts is None:
            ledger.skip("Rounds after the first that differs in its rows were not replayed.")
            return None
        made.append(facts)
    if not made[-1].stopped and len(made) < rounds:
        made.append(RoundFacts(None, scores.bound(), CHANCE, None))
    return made


def _replay_round(
    ledger: Ledger, boosters: list[Booster], r: int, scores: Scores
) -> RoundFacts | None:
    rules, classes = boosters[0].rules, len(boosters)
    units = scores.units()
    seen = kept(units, rules.weight_fraction)
    said = _said(ledger, boosters, r, seen.reshape(-1, classes))
    if said is None:
        return None
    mistakes, total = int(units[said != scores.labels].sum()), int(units.sum())
    claimed = float(boosters[0].tree_weights[r])
    at_chance = 2 * mistakes - total >= -CLOSE * total
    alone = all(each.trees[r].n_nodes == 1 for each in boosters)
    if r == 0 and alone and claimed == 1.0 and at_chance and not rules.skips_chance:
        return RoundFacts(None, scores.bound(), CHANCE, None)
    if rules.skips_chance and claimed == 0.0:
        ledger.true(at_chance, "the tree is better than chance, but has weight 0.")
        return RoundFacts(mistakes / total, scores.bound(), "", None)
    surely = 2 * mistakes - total >= CLOSE * total
    ledger.true(not surely, "the tree is no better than chance, and should have been dropped.")
    weight = expected_weight(rules, 2, mistakes, total)
    if ledger.close("the tree's weight", claimed, weight, weight + 0.01):
        weight = claimed
    by = leaf_factors(rules, SAYS, 2, mistakes / total)
    scores.multiply(SimpleNamespace(leaf=said), by, weight, SAYS)  # type: ignore[arg-type]
    return RoundFacts(mistakes / total, scores.bound(), NO_ERROR if mistakes == 0 else "", None)


def _said(ledger: Ledger, boosters: list[Booster], r: int, seen: Units) -> Units | None:
    """[pairs] 1 where the round says that the class is the example's own; None where a tree's
    nodes do not have the rows that they say."""
    said = np.zeros(seen.shape, dtype=np.int64)
    about, before = ledger.about, len(ledger.differences)
    for label, booster in enumerate(boosters):
        ledger.about = f"{booster.name}{about}"
        tree, data = booster.trees[r], booster.data
        if not fits_together(ledger, tree, data.schemas, 2) or tree.value is None:
            return None
        number = data.n_examples(booster.weights)
        rows = Seen(data, booster.labels, 2, seen.sum(axis=1), data.examples, number)
        # Where a pair was not seen its example may still be in the node, through another pair.
        facts = follow(ledger, tree, rows, as_grown=bool((seen > 0).all()))
        formula = booster.rules.growth.formula
        compare_nodes(ledger, tree, replay(tree, facts, rows.total, formula), 1.0 / rows.total)
        _compare_shape(ledger, booster, r)
        said[:, label] = tree.value[facts.leaf] > 0
    ledger.about = about
    return said.ravel() if len(ledger.differences) == before else None


def _compare_shape(ledger: Ledger, booster: Booster, r: int) -> None:
    """Leaves that say yes or no, no deeper than asked, by the columns that were drawn."""
    tree, depth = booster.trees[r], booster.rules.growth.max_depth
    leaf = tree.kind == LEAF
    expected = np.where(leaf, np.where(np.asarray(tree.value) > 0, 1.0, -1.0), 0.0)
    ledger.close("value", np.asarray(tree.value), expected)
    ledger.true(depth is None or tree.max_depth <= depth, f"the tree is deeper than {depth}.")
    if booster.feature_fraction < 1 and booster.seed is not None:
        drawn = drawn_columns(booster.seed, r, booster.n_columns + 1, booster.feature_fraction)
        outside = set(tree.used_features) - set(drawn.tolist())
        ledger.true(not outside, f"the tree uses columns {sorted(outside)}, which were not drawn.")
