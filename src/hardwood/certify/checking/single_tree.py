"""A fitted TreeClassifier: the tree as grown, its history and certificate, and the pruned tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.candidates import compare_best_splits
from hardwood.certify.checking.certificate import compare_certificate
from hardwood.certify.checking.growth import (
    GrowthRules,
    Replay,
    compare_history,
    compare_nodes,
    compare_order,
    compare_stops,
    replay,
)
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.nodes import Seen, compare_routes, follow
from hardwood.certify.checking.structure import fits_together
from hardwood.certify.checking.training_rows import TrainingRows, integer_weights
from hardwood.tree.arrays import Tree


def check_tree(ledger: Ledger, model: Any, data: TrainingRows, thorough: bool) -> None:
    weights = data.weights(model.class_weight)
    units, unit = integer_weights(weights)
    seen = Seen(data, data.labels, len(data.classes), units, data.examples * (units > 0))
    grown: Tree = model.grown_tree_
    if not fits_together(ledger, grown, data.schemas, seen.classes):
        return
    rules = rules_of(model)
    found = replay(grown, follow(ledger, grown, seen), seen.total, rules.formula)
    compare_nodes(ledger, grown, found, unit)
    compare_routes(ledger, grown, found.facts.units, exact=True)
    known = grown.share is None and not rules.multiway
    compare_history(ledger, model.history_, found, _exact(seen, found, rules) if known else None)
    compare_order(ledger, found, rules)
    compare_stops(ledger, found, rules)
    compare_certificate(ledger, model.certificate_, found, model.criterion)
    if thorough:
        compare_best_splits(ledger, seen, found, rules, np.arange(len(data.schemas)))
    if model.tree_ is not grown:
        _check_pruned(ledger, model, seen, unit, rules)


def _exact(seen: Seen, found: Replay, rules: GrowthRules) -> NDArray[np.bool_]:
    """Per split: whether no column of categories was searched by a rule of thumb, which is so for
    two classes with limits on the branches and for more classes and more than ten categories."""
    limited = rules.min_samples_leaf > 1 or rules.min_weight_fraction_leaf > 0
    columns = [j for j, s in enumerate(seen.data.schemas) if s.kind == "category"]
    exact = np.ones(len(found.order), dtype=bool)
    for place, node in enumerate(found.order.tolist()):
        members = found.facts.members[node]
        classes = np.count_nonzero(found.facts.units[node])
        most = 10 if classes > 2 else 2 if limited else np.inf
        for j in columns:
            column = seen.data.column(j)
            here = members[~column.missing[members]]
            exact[place] &= len(np.unique(column.values[here])) <= max(most, 2)
    return exact


def rules_of(model: Any) -> GrowthRules:
    multiway = getattr(model, "branching", "binary") == "multiway"
    by_gamma = multiway and getattr(model, "price", "log2") == "gamma"
    return GrowthRules(
        criterion=model.criterion,
        leaf_choice="weight" if multiway else model.leaf_choice,
        max_leaf_nodes=model.max_leaf_nodes,
        max_depth=model.max_depth,
        min_samples_leaf=model.min_samples_leaf,
        min_weight_fraction_leaf=model.min_weight_fraction_leaf,
        min_gain=model.min_gain,
        multiway=multiway,
        max_branches=getattr(model, "max_branches", None),
        price_gamma=model.gamma if by_gamma else None,
    )


def _check_pruned(ledger: Ledger, model: Any, seen: Seen, unit: float, rules: GrowthRules) -> None:
    """Rows sent down the pruned tree must make its class weights; its conditions are some of the
    grown tree's, and which of them pruning keeps is not decided again."""
    ledger.about = "pruned tree: "
    tree: Tree = model.tree_
    if fits_together(ledger, tree, seen.data.schemas, seen.classes):
        facts = follow(ledger, tree, seen, as_grown=False)
        found = replay(tree, facts, seen.total, rules.formula)
        compare_nodes(ledger, tree, found, unit)
        told = model.certificate_
        ledger.equal("certificate_.pruned_leaves", told.pruned_leaves, tree.n_leaves)
        ledger.close("certificate_.pruned_error", told.pruned_error, found.error[-1], 1.0)
        ledger.skip("Which splits pruning takes away was not decided again.")
    ledger.about = ""
