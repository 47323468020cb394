"""The growth of one tree, replayed: node facts, history, order of the leaves, stop rules.

In: a grown tree, the facts found by `nodes.follow`, the rules growth was given. Compared: class
weights, rows, costs w(l)G(l); after each split drop = w(l)G(l) - sum of its branches', gain =
drop/w(l), relative gain = gain/G(l) (Hatano 2004), advantage (Dietterich, Kearns & Mansour 1996,
eq. 7), potential and error of the tree (docs/theory/rules.md#criteria, #advantage). Nodes are
numbered in order of creation, so the order of the splits follows from the numbers of their
children.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.constraints import Admission
from hardwood.certify.checking.drafted import Told
from hardwood.certify.checking.draws import CutDraw
from hardwood.certify.checking.formulas import advantage, cost, e_gamma, price
from hardwood.certify.checking.ledger import CLOSE, Ledger
from hardwood.certify.checking.nodes import NodeFacts, Rows, Seen
from hardwood.tree.arrays import LEAF, Tree

Floats = NDArray[np.float64]
HISTORY = (
    "node", "feature", "branches", "exact", "weight", "q", "gain", "drop", "relative_gain",
    "advantage", "potential", "error",
)  # fmt: skip


@dataclass(frozen=True)
class GrowthRules:
    """What growth was claimed; `criterion` "stump" is the error of Aziz, Anderton & Aslam 2018."""

    criterion: str
    leaf_choice: str = "drop"
    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_drop: float = 0.0
    min_category_size: int = 1
    multiway: bool = False
    max_branches: int | None = None
    price_gamma: float | None = None
    """gamma of Mansour & McAllester's price; None for Hatano's."""
    told: Told = field(default_factory=Told)
    """What a draft asked for."""
    cuts: CutDraw | None = None
    """None: all cuts of numeric columns count."""

    @property
    def formula(self) -> str:
        """The criterion of a node's cost."""
        return "error" if self.criterion == "stump" else self.criterion

    def price(self, branches: int) -> float:
        return price(branches, self.price_gamma)


@dataclass(frozen=True, eq=False)
class Replay:
    """What the data say of a tree: per node cost and drop as shares, splits in growth order."""

    tree: Tree
    facts: NodeFacts
    total: float
    cost: Floats
    drop: Floats
    order: NDArray[np.int64]
    potential: Floats
    """Of the root, and after each split; so is `error`."""
    error: Floats

    @property
    def weight(self) -> Floats:
        return np.asarray(self.facts.units.sum(axis=1) / self.total)

    @property
    def leaves_before(self) -> NDArray[np.int64]:
        """Leaves of the tree at each split."""
        gained = self.tree.branches[self.order].astype(np.int64) - 1
        return 1 + np.cumsum(gained) - gained


def replay(tree: Tree, facts: NodeFacts, total: float, formula: str) -> Replay:
    """Potential and error after each split, from the class weights alone."""
    costs = cost(facts.units, formula) / total
    wrong = (facts.units.sum(axis=1) - facts.units.max(axis=1)) / total
    split = np.flatnonzero(tree.kind != LEAF)
    order = split[np.argsort(tree.first_child[split], kind="stable")]
    drop, error = np.zeros(len(costs)), [float(wrong[0])]
    for node in order.tolist():
        children = tree.children(node)
        drop[node] = max(math.fsum([costs[node], *(-costs[children])]), 0.0)
        error.append(math.fsum([error[-1], -wrong[node], *wrong[children]]))
    return Replay(
        tree, facts, total, costs, drop, order, _potentials(costs, tree, order), np.array(error)
    )


def _potentials(costs: Floats, tree: Tree, order: NDArray[np.int64]) -> Floats:
    """Backwards from the leaves, so that nothing is lost where little potential is left."""
    after = [math.fsum(costs[tree.kind == LEAF])]
    for node in order[::-1].tolist():
        after.append(math.fsum([after[-1], costs[node], *(-costs[tree.children(node)])]))
    return np.array(after[::-1])


def compare_nodes(ledger: Ledger, claimed: Tree, found: Replay, unit: float) -> bool:
    """Rows, class weights (in the user's weights: units x `unit`) and costs."""
    same = ledger.equal("rows", claimed.rows, found.facts.rows)
    if claimed.class_rows is not None:
        same &= ledger.equal("class_rows", claimed.class_rows, found.facts.class_rows)
    same &= ledger.close("class_weights", claimed.class_weights, found.facts.units * unit)
    return ledger.close("cost", claimed.cost, found.cost) and same


def compare_history(ledger: Ledger, history: dict[str, NDArray[Any]], found: Replay) -> bool:
    """Every array of a tree's `history_` but "exact"; False where one is lacking."""
    tree, order, facts = found.tree, found.order, found.facts
    missing = [name for name in HISTORY if name not in history]
    if not ledger.true(not missing, f"history_ lacks {', '.join(missing)}."):
        return False
    names = {name: f"history_[{name!r}]" for name in HISTORY}

    def close(name: str, expected: Any, scale: Any = None) -> None:
        ledger.close(names[name], history[name], expected, scale, "split")

    ledger.equal(names["node"], history["node"], order, "split")
    ledger.equal(names["feature"], history["feature"], tree.feature[order], "split")
    ledger.equal(names["branches"], history["branches"], tree.branches[order], "split")
    weight, node_cost, drop = found.weight[order], found.cost[order], found.drop[order]
    two = facts.units.shape[1] == 2
    unknown = np.full(len(order), np.nan)
    close("weight", weight)
    close("q", facts.units[order, 1] / facts.units[order].sum(axis=1) if two else unknown)
    close("drop", drop, node_cost)
    close("gain", drop / weight, node_cost / weight)
    close("relative_gain", drop / node_cost, np.ones(len(order)))
    apart = [advantage(facts.units[tree.children(node)]) for node in order] if two else unknown
    close("advantage", apart, np.ones(len(order)))
    close("potential", found.potential[1:])
    close("error", found.error[1:], np.ones(len(order)))
    return True


def places(
    seen: Seen, values: NDArray[Any], rows: Rows, node: int, rules: GrowthRules
) -> tuple[int, NDArray[np.intp]]:
    """How many places the categories of a node have, and that of each row: rare categories share
    the place of the first of them (docs/theory/rules.md#categories)."""
    distinct, place = np.unique(values, return_inverse=True)
    weights = [int(w) for w in np.bincount(place, seen.units[rows], minlength=len(distinct))]
    size, total, count = rules.min_category_size, int(seen.total), seen.n_examples
    rare = np.array([w * count < size * total and 20 * w < node for w in weights], dtype=np.bool_)
    if size <= 1 or rare.sum() < 2:
        return len(distinct), place
    kept = ~rare
    kept[rare.argmax()] = True
    number = np.cumsum(kept) - 1
    number[rare] = number[rare.argmax()]
    return int(kept.sum()), number[place]


def compare_exactness(
    ledger: Ledger,
    claimed: NDArray[Any],
    found: Replay,
    rules: GrowthRules,
    seen: Seen,
    admission: Admission,
) -> None:
    """A search is exact unless some column offered categories to a rule of thumb: more than ten of
    them among more than two classes, or more than two under limits on branches
    (docs/theory/rules.md#categories)."""
    order = found.order
    if not ledger.true(claimed.shape == order.shape, "history_['exact'] has a wrong length."):
        return
    if rules.multiway or found.tree.share is not None:
        ledger.skip("Where a rule of thumb took part in a search was not looked for again.")
        return
    always = rules.min_samples_leaf > 1 or rules.min_weight_fraction_leaf > 0.0
    kinds = [schema.kind for schema in seen.data.schemas]
    columns = np.array([j for j, kind in enumerate(kinds) if kind == "category"], dtype=np.int64)
    expected = np.ones(len(order), dtype=np.bool_)
    for i, node in enumerate(order.tolist()):
        two = np.count_nonzero(found.facts.units[node]) == 2
        limits = always or admission.binds(node)
        most = (2 if limits else math.inf) if two else 10
        if node in rules.told.splits:  # nothing was searched
            continue
        for j in rules.told.columns(node, admission.columns(node, columns)):
            if j not in columns:
                continue
            rows = found.facts.members[node]
            codes = seen.data.column(j).values[rows]
            present = codes >= 0
            place = places(seen, codes[present], rows[present], seen.units[rows].sum(), rules)[1]
            expected[i] &= len(np.unique(place)) <= most
    ledger.equal("history_['exact']", claimed.astype(np.bool_), expected, "split")


def compare_order(ledger: Ledger, found: Replay, rules: GrowthRules) -> None:
    """The tree's numbering is an order of growth, and each split was of the leaf whose turn it
    was among those that were split at all."""
    tree, order = found.tree, found.order
    merit = found.drop if rules.leaf_choice == "drop" and not rules.multiway else found.cost
    if rules.criterion == "stump":
        ledger.true((np.diff(order) > 0).all(), "the nodes were not split in order of number.")
        return
    told = rules.told.order
    if told:
        begun = tuple(order[: len(told)].tolist())
        ledger.true(begun == told, "the splits of the draft did not come first.")
    split = set(order.tolist()) - set(told)
    heap = [(-merit[0], 0)] if 0 in split else []
    done: set[int] = set()
    for step, node in enumerate(order.tolist()):
        if node in told:
            for child in split & set(tree.children(node)):
                heapq.heappush(heap, (-merit[child], child))
            continue
        while heap and heap[0][1] in done:
            heapq.heappop(heap)
        first = heap[0][1] if heap else node
        if node != first:
            near = merit[node] >= merit[first] - CLOSE * found.cost[first]
            tie = merit[node] == merit[first]
            tie &= _signature(found, first, rules) == _signature(found, node, rules)
            ledger.true(
                near and not (tie and first < node),
                f"split {step} was of node {node}, but it was the turn of node {first}.",
            )
        done.add(node)
        for child in split & set(tree.children(node)):
            heapq.heappush(heap, (-merit[child], child))


def _signature(found: Replay, node: int, rules: GrowthRules) -> Any:
    units, tree = found.facts.units, found.tree
    if rules.leaf_choice == "weight" or rules.multiway:
        return units[node].tolist()
    return [units[node].tolist(), *sorted(units[tree.children(node)].tolist())]


def compare_stops(ledger: Ledger, found: Replay, rules: GrowthRules) -> None:
    """Budget, depth, and what each branch must have."""
    tree, facts = found.tree, found.facts
    leaves = int(np.count_nonzero(tree.kind == LEAF))
    if rules.max_leaf_nodes is not None:
        ledger.true(
            leaves <= rules.max_leaf_nodes,
            f"the tree has {leaves} leaves; max_leaf_nodes is {rules.max_leaf_nodes}.",
        )
    if rules.max_depth is not None:
        deepest = int(tree.depth[_free_branches(tree, rules.told.order)].max(initial=0))
        ledger.true(
            deepest <= rules.max_depth, f"depth {deepest} is beyond max_depth {rules.max_depth}."
        )
    branch = _free_branches(tree, rules.told.splits)
    ledger.true(
        (facts.examples[branch] >= rules.min_samples_leaf * (1 - CLOSE)).all(),
        f"a branch has fewer than min_samples_leaf={rules.min_samples_leaf} examples.",
    )
    ledger.true(
        (
            facts.known[branch].sum(axis=1)
            >= rules.min_weight_fraction_leaf * found.total * (1 - CLOSE)
        ).all(),
        f"a branch weighs less than min_weight_fraction_leaf={rules.min_weight_fraction_leaf}.",
    )
    free = found.order[~np.isin(found.order, rules.told.order)]
    gained = found.drop[free]
    ledger.true(
        (gained >= rules.min_drop - CLOSE * found.cost[free]).all(),
        f"a split has a drop below min_drop={rules.min_drop}.",
    )
    if rules.criterion != "stump":
        _compare_drops(ledger, found, rules)
    _compare_arities(ledger, found, rules)


def _free_branches(tree: Tree, told: Collection[int]) -> NDArray[np.bool_]:
    """[N] the branches of splits that are none of the told ones."""
    return np.asarray((tree.parent >= 0) & ~np.isin(tree.parent, list(told)))


def _compare_drops(ledger: Ledger, found: Replay, rules: GrowthRules) -> None:
    """A positive drop. Parts of examples are rounded, so that only those with a value tell."""
    for node in found.order.tolist():
        known = found.facts.known[found.tree.children(node)]
        if rules.criterion == "error" and found.tree.share is not None:
            continue
        if node in rules.told.splits:
            continue
        ledger.true(
            drop_is_positive(known.sum(axis=0), known, rules),
            f"the split of node {node} lowers nothing.",
        )


def drop_is_positive(node: Floats, branches: Floats, rules: GrowthRules) -> bool:
    """Decided in integers: error compares sums, the others ask for proportional branches."""
    whole = [[int(a) for a in branch] for branch in branches.tolist()]
    total = [int(a) for a in node.tolist()]
    if rules.criterion == "error":
        return sum(map(max, whole)) > max(total)
    weight = sum(total)
    return any(
        a * weight != b * sum(branch)
        for branch in whole
        for a, b in zip(branch, total, strict=True)
    )


def _compare_arities(ledger: Ledger, found: Replay, rules: GrowthRules) -> None:
    """Every split is binary, or acceptable by the price's rule at the size of the tree."""
    for node, present in zip(found.order.tolist(), found.leaves_before.tolist(), strict=True):
        k = int(found.tree.branches[node])
        if k == 2 or node in rules.told.splits:
            continue
        budget = rules.max_leaf_nodes or 0
        room = budget / present
        if rules.price_gamma is not None:
            room *= rules.price_gamma * e_gamma(k, rules.price_gamma) / 2
        ledger.true(
            rules.multiway and k <= room * (1 + CLOSE) and k <= (rules.max_branches or k),
            f"the {k}-way split of node {node} was not acceptable at {present} leaves.",
        )
