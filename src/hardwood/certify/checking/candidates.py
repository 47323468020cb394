"""Every binary split of a node, by brute force, to see that the one taken is the best.

In: the rows of a node and its columns. Out: for each column the class weights and examples of the
left branch of every candidate (docs/theory/rules.md#categories, #missing-values): cuts between
adjacent values, missing values on either side or alone; subsets of categories in order of class
share for two classes, all subsets for up to ten categories and more classes; for the error of Aziz,
Anderton & Aslam 2018 each category on the side of its heavier class. Invariant: only a candidate
that surely is admissible and surely costs less, beyond rounding, is held against the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.constraints import SURELY, Admission
from hardwood.certify.checking.draws import CutDraw
from hardwood.certify.checking.formulas import cost
from hardwood.certify.checking.growth import GrowthRules, Replay, drop_is_positive, places
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import Rows, Seen
from hardwood.tree.arrays import LEAF

Floats = NDArray[np.float64]
ENUMERATED = 10


@dataclass(frozen=True, eq=False)
class Best:
    """The cheapest candidate that surely is admissible; `cost` in units."""

    cost: float
    column: int
    left: Floats


def compare_best_splits(
    ledger: Ledger,
    seen: Seen,
    found: Replay,
    rules: GrowthRules,
    columns: NDArray[np.int64],
    admission: Admission,
) -> None:
    """Each split is the best binary candidate, and a leaf that was left has none or no turn."""
    tree = found.tree
    left_over = {}
    for node in range(tree.n_nodes):
        told = rules.told
        if node in told.splits or node in told.leaves:
            continue
        deep = rules.max_depth is not None and tree.depth[node] >= rules.max_depth
        if deep and node not in told.preferred:
            continue
        offered = np.array(told.columns(node, columns), dtype=np.int64)
        limits = replace(rules, min_drop=0.0) if node in told.preferred else rules
        best = _best(ledger, seen, found, limits, node, offered, admission)
        if best is None:
            continue
        if tree.kind[node] == LEAF:
            left_over[node] = best
            continue
        _compare_taken(ledger, found, rules, node, best, admission)
    _compare_left_over(ledger, found, rules, left_over)


def _compare_taken(
    ledger: Ledger,
    found: Replay,
    rules: GrowthRules,
    node: int,
    best: Best,
    admission: Admission,
) -> None:
    tree, units = found.tree, found.facts.units
    whole = float(cost(units[node], rules.formula) + admission.excess(node, units[[node]])[0])
    branches = units[tree.children(node)]
    taken = split_cost(branches[:1], branches[1:2], rules)[0]
    taken += admission.excess(node, branches).sum()
    rival = best.cost
    if tree.branches[node] > 2:
        price = rules.price(int(tree.branches[node]))
        rival = whole - (whole - best.cost) * price
        taken = float(cost(branches, rules.formula).sum())
    ledger.true(
        taken <= rival + CLOSE * whole,
        f"node {node} is split on column {tree.feature[node]} at cost {taken / found.total:.12g}; "
        f"column {best.column} offers {rival / found.total:.12g}.",
    )
    same = tree.branches[node] == 2 and any((best.left == side).all() for side in branches)
    ledger.true(
        not same or best.column >= tree.feature[node],
        f"node {node} is split on column {tree.feature[node]}; column {best.column}, which comes "
        "first, makes the same branches.",
    )


def compare_drawn(ledger: Ledger, found: Replay, cuts: CutDraw) -> None:
    """The splits of numeric columns were among the cuts that were drawn."""
    tree, units = found.tree, found.facts.units
    for node in np.flatnonzero((tree.kind != LEAF) & (tree.cut_count > 0)).tolist():
        left = units[tree.children(node)][:1]
        ledger.true(
            bool(cuts.takes(int(tree.feature[node]), left, units[node])[0]),
            f"node {node} is split at a cut that was not drawn.",
        )


def _compare_left_over(
    ledger: Ledger, found: Replay, rules: GrowthRules, left_over: dict[int, Best]
) -> None:
    """A leaf that could be split is left only by a spent budget, and then its turn had not come."""
    tree = found.tree
    budget = rules.max_leaf_nodes
    spent = budget is not None and tree.n_leaves >= budget
    by_weight = rules.leaf_choice == "weight" or rules.multiway
    made = np.zeros(tree.n_nodes, dtype=np.int64)
    for step, node in enumerate(found.order.tolist()):
        made[tree.children(node)] = step + 1
    for node, best in left_over.items():
        if not ledger.true(spent, f"node {node} could be split on column {best.column}."):
            continue
        drop = found.cost[node] - best.cost / found.total
        merit = found.cost[node] if by_weight else drop
        later = found.order[made[node] :]
        later = later[~np.isin(later, rules.told.order)]
        merits = (found.cost if by_weight else found.drop)[later]
        ledger.true(
            (merits >= merit - CLOSE * found.cost[node]).all(),
            f"node {node} was left, but its turn came before that of a node that was split.",
        )


def _best(
    ledger: Ledger,
    seen: Seen,
    found: Replay,
    rules: GrowthRules,
    node: int,
    columns: NDArray[np.int64],
    admission: Admission,
) -> Best | None:
    total, rows = found.facts.units[node], found.facts.members[node]
    if np.count_nonzero(total) < 2:
        return None
    best: Best | None = None
    own = float(admission.excess(node, total[None])[0])
    as_leaf = float(cost(total, rules.formula)) + own
    for j in admission.columns(node, columns).tolist():
        for left, examples in _lefts(ledger, seen, j, rows, rules):
            costs = split_cost(left, total - left, rules)
            more = admission.excess(node, left) + admission.excess(node, total - left)
            costs = costs + more
            fine = _within_limits(seen, found, rules, node, left, examples)
            fine &= (costs < as_leaf * (1 - SURELY)) | ((more == 0) & (own == 0))
            if rules.min_drop > 0:
                drop = (as_leaf - costs) / found.total
                fine &= drop >= rules.min_drop * (1 + CLOSE) + CLOSE
            for i in np.argsort(costs, kind="stable").tolist():
                if best is not None and costs[i] >= best.cost:
                    break
                sides = np.array([left[i], total - left[i]])
                kept = admission.admits(node, j, *sides) if fine[i] else False
                if kept and _lowers(total, sides, rules):
                    best = Best(float(costs[i]), j, left[i])
                    break
    return best


def _lowers(total: Floats, sides: Floats, rules: GrowthRules) -> bool:
    return rules.criterion == "stump" or drop_is_positive(total, sides, rules)


def split_cost(left: Floats, right: Floats, rules: GrowthRules) -> Floats:
    """In units; the stump error is the lighter of the two ways to label the sides."""
    if rules.criterion == "stump":
        one, other = left[:, 0] + right[:, 1], left[:, 1] + right[:, 0]
        return np.minimum(one, other)
    return cost(left, rules.formula) + cost(right, rules.formula)


def _within_limits(
    seen: Seen, found: Replay, rules: GrowthRules, node: int, left: Floats, examples: Floats
) -> NDArray[np.bool_]:
    all_examples = found.facts.examples[node]
    fine = np.minimum(examples, all_examples - examples) >= rules.min_samples_leaf
    weight = left.sum(axis=1)
    lighter = np.minimum(weight, found.facts.units[node].sum() - weight)
    least = rules.min_weight_fraction_leaf * seen.total * (1 + CLOSE)
    return np.asarray(fine & (lighter >= least) & (lighter > 0))


def _lefts(
    ledger: Ledger, seen: Seen, j: int, rows: Rows, rules: GrowthRules
) -> Iterator[tuple[Floats, Floats]]:
    """Class weights and examples of the left branches that column j offers."""
    column = seen.data.column(j)
    values, missing = column.values[rows], column.missing[rows]
    present = rows[~missing]
    if not len(present):
        return
    if column.schema.kind == "category":
        count, place = places(seen, values[~missing], present, seen.units[rows].sum(), rules)
    else:
        distinct, place = np.unique(values[~missing], return_inverse=True)
        count = len(distinct)
    sums = _sums(seen, present, place, count)
    gone = _sums(seen, rows[missing], np.zeros(int(missing.sum()), dtype=np.intp), 1)[0]
    if column.schema.kind == "category":
        subsets = _subsets(ledger, sums[:, :-1], rules)
        lefts = np.array([sums[chosen].sum(axis=0) for chosen in subsets]).reshape(
            -1, sums.shape[1]
        )
    else:
        lefts = np.cumsum(sums, axis=0)[:-1]
    if missing.any():
        lefts = np.concatenate((lefts + gone, lefts))
    if rules.cuts is not None and column.schema.kind != "category":
        whole = sums.sum(axis=0) + gone
        lefts = lefts[rules.cuts.takes(j, lefts[:, :-1], whole[:-1])]
    if missing.any():
        lefts = np.concatenate((lefts, [sums.sum(axis=0)]))
    if len(lefts):
        yield lefts[:, :-1], lefts[:, -1]


def _sums(seen: Seen, rows: Rows, place: NDArray[np.intp], count: int) -> Floats:
    """[count, classes + 1] class weights and examples by place."""
    cells = place * seen.classes + seen.labels[rows]
    weights = seen.units[rows].astype(np.float64)
    table = np.bincount(cells, weights, minlength=count * seen.classes)
    examples = np.bincount(place, seen.examples[rows], minlength=count)
    return np.column_stack((table.reshape(count, seen.classes), examples))


def _subsets(ledger: Ledger, units: Floats, rules: GrowthRules) -> list[NDArray[np.intp]]:
    """Categories of one side of each candidate."""
    if rules.criterion == "stump":
        return _heavier_sides(units)
    classes = np.flatnonzero(units.sum(axis=0))
    if len(classes) <= 2:
        return _by_share(units, int(classes[-1]))
    if len(units) > ENUMERATED:
        ledger.skip("Subsets of more than ten categories and two classes were not searched again.")
        return []
    masks = range(1, (1 << len(units)) - 1, 2)
    return [np.flatnonzero([mask >> i & 1 for i in range(len(units))]) for mask in masks]


def _by_share(units: Floats, label: int) -> list[NDArray[np.intp]]:
    shares = [Fraction(int(row[label]), int(row.sum())) for row in units]
    order = sorted(range(len(shares)), key=lambda i: shares[i])
    return [
        np.array(order[: i + 1])
        for i in range(len(order) - 1)
        if shares[order[i]] != shares[order[i + 1]]
    ]


def _heavier_sides(units: Floats) -> list[NDArray[np.intp]]:
    if len(units) < 2:
        return []
    second = units[:, 1] > units[:, 0]
    if second.all() or not second.any():
        crossing = int(np.abs(units[:, 1] - units[:, 0]).argmin())
        second[crossing] = not second[crossing]
    return [np.flatnonzero(second)]
