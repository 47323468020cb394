"""A pruned tree: its rows, and where in the grown tree its splits come from.

In: the grown tree, the pruned one, the rows. Compared: class weights, costs and routes as in a
grown tree; every split is one of the grown tree's, at the place where it was or, raised, at a place
above it, and knows the categories it knew there and those that came with the rows. Which splits
pruning removes is not decided again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.certify.checking.drafted import told_of
from hardwood.certify.checking.growth import GrowthRules, compare_nodes, replay
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.nodes import NodeFacts, Seen, compare_routes, follow
from hardwood.certify.checking.probabilities import Floats, compare_probabilities
from hardwood.certify.checking.structure import fits_together
from hardwood.tree.arrays import GROUPS, LEAF, Tree


def check_pruned(
    ledger: Ledger, model: Any, seen: Seen, unit: float, rules: GrowthRules
) -> Floats | None:
    """`tree_` of a model that was pruned, and what the certificate adds about it. Out: what each
    node would say by itself; None where the arrays do not fit together."""
    tree: Tree = model.tree_
    ledger.about = "pruned tree: "
    own = None
    if fits_together(ledger, tree, seen.data.schemas, seen.classes):
        facts = follow(ledger, tree, seen, as_grown=False)
        found = replay(tree, facts, seen.total, rules.formula)
        compare_nodes(ledger, tree, found, unit)
        compare_routes(ledger, tree, facts, exact=True)
        own = compare_probabilities(ledger, tree, found, seen, float(model.leaf_prior))
        _compare_values_seen(ledger, tree, seen, facts)
        _compare_places(ledger, model.grown_tree_, tree)
        told_of(ledger, model, tree, seen.data.schemas)
        claimed = model.certificate_
        ledger.equal("certificate_.pruned_leaves", claimed.pruned_leaves, tree.n_leaves)
        units, leaves = facts.units, tree.leaf_ids
        wrong = units[leaves].sum() - units[leaves, tree.heaviest[leaves]].sum()
        ledger.close("certificate_.pruned_error", claimed.pruned_error, wrong / seen.total, 1.0)
        ledger.skip("Which splits pruning takes away was not decided again.")
    ledger.about = ""
    return own


def _compare_values_seen(ledger: Ledger, tree: Tree, seen: Seen, facts: NodeFacts) -> None:
    """Missing values and categories of the node's rows are known there."""
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        column, rows = seen.data.column(int(tree.feature[node])), facts.members[node]
        missing = column.missing[rows]
        ledger.true(
            bool(missing.any()) == bool(tree.missing_seen[node]),
            f"missing_seen of node {node} is {tree.missing_seen[node]}; the data say otherwise.",
        )
        if tree.kind[node] == GROUPS:
            present = np.unique(column.values[rows][~missing])
            listed = tree.group_codes[tree.groups(node)]
            ledger.true(
                np.isin(present, listed).all(), f"node {node} does not list all its categories."
            )


def _compare_places(ledger: Ledger, grown: Tree, pruned: Tree) -> None:
    """Bottom-up: for each split of the pruned tree the grown tree's places that can hold it, with
    all that is below it. None stands for any place, a leaf's."""
    asked: dict[tuple[Any, ...], list[int]] = {}
    for node in np.flatnonzero(grown.kind != LEAF).tolist():
        asked.setdefault(_question(grown, node), []).append(node)
    holds: dict[int, set[int] | None] = {}
    for node in reversed(range(pruned.n_nodes)):
        if pruned.kind[node] == LEAF:
            holds[node] = None
            continue
        below = [holds.pop(child) for child in pruned.children(node)]
        sources = [
            source
            for source in asked.get(_question(pruned, node), [])
            if _knows(pruned, node, grown, source)
            and all(
                places is None or child in places
                for child, places in zip(grown.children(source), below, strict=True)
            )
        ]
        if not ledger.true(
            sources, f"node {node} is no split that the grown tree has there or below."
        ):
            return
        holds[node] = _with_ancestors(grown, sources)


def _question(tree: Tree, node: int) -> tuple[Any, ...]:
    cuts = tree.cuts(node)
    whole = tree.integer_thresholds[cuts].tolist()
    floats = np.nan_to_num(tree.thresholds[cuts], nan=0.0).tolist()
    return int(tree.feature[node]), int(tree.branches[node]), tuple(whole), tuple(floats)


def _knows(pruned: Tree, node: int, grown: Tree, source: int) -> bool:
    """The categories of the source take the same branches. Others come with raised rows, and go
    where the default is by then; whether they do, the class weights below tell."""
    mine, own = pruned.groups(node), grown.groups(source)
    branch = dict(
        zip(pruned.group_codes[mine].tolist(), pruned.group_branches[mine].tolist(), strict=True)
    )
    return all(
        branch.get(code, -1) == taken
        for code, taken in zip(
            grown.group_codes[own].tolist(), grown.group_branches[own].tolist(), strict=True
        )
    )


def _with_ancestors(tree: Tree, nodes: list[int]) -> set[int]:
    places: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in places:
            places.add(node)
            node = int(tree.parent[node])
    return places
