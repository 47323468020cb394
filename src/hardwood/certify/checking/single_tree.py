"""A fitted TreeClassifier: the tree as grown, its history and certificate, and the pruned tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.checking.candidates import compare_best_splits
from hardwood.certify.checking.certificate import compare_certificate
from hardwood.certify.checking.constraints import (
    Admission,
    Asked,
    asked_of,
    compare_interactions,
    path_columns,
)
from hardwood.certify.checking.drafted import told_of
from hardwood.certify.checking.growth import (
    GrowthRules,
    compare_exactness,
    compare_history,
    compare_nodes,
    compare_order,
    compare_stops,
    replay,
)
from hardwood.certify.checking.held_out import held_out, seed_of
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.nodes import Seen, compare_routes, follow
from hardwood.certify.checking.pools import compare_pools, compare_split_order
from hardwood.certify.checking.probabilities import branch_probability, compare_probabilities
from hardwood.certify.checking.pruned import check_pruned
from hardwood.certify.checking.structure import fits_together
from hardwood.certify.checking.training_rows import TrainingRows, integer_weights
from hardwood.tree.arrays import Tree

Floats = NDArray[np.float64]


def check_tree(ledger: Ledger, model: Any, data: TrainingRows, thorough: bool) -> None:
    units, unit = integer_weights(data.weights(model.class_weight))
    if getattr(model, "pruning", None) == "reduced-error":
        seed = seed_of(ledger, model, drawn=True) or 0
        units = np.where(held_out(data, float(model.validation_fraction), seed), 0, units)
    examples, number = data.examples, data.n_examples(units)
    seen = Seen(data, data.labels, len(data.classes), units, examples, number)
    grown: Tree = model.grown_tree_
    if not fits_together(ledger, grown, data.schemas, seen.classes):
        return
    rules = replace(rules_of(model), told=told_of(ledger, model, grown, data.schemas))
    facts = follow(ledger, grown, seen, given=rules.told.splits)
    found = replay(grown, facts, seen.total, rules.formula)
    compare_nodes(ledger, grown, found, unit)
    compare_routes(ledger, grown, found.facts, exact=True)
    own = compare_probabilities(ledger, grown, found, seen, float(model.leaf_prior))
    asked = asked_of(model, data)
    admission = admission_of(asked, grown, found.facts.units, grown.prior / unit)
    compare_interactions(ledger, grown, asked)
    compare_split_order(ledger, grown, asked, own)
    if model.tree_ is grown and asked.monotone:
        compare_pools(ledger, grown, asked, own, data.schemas)
    if compare_history(ledger, model.history_, found):
        compare_exactness(ledger, model.history_["exact"], found, rules, seen, admission)
    compare_order(ledger, found, rules)
    compare_stops(ledger, found, rules)
    compare_certificate(ledger, model.certificate_, found, model.criterion)
    if thorough and grown.share is None:
        columns = np.arange(len(data.schemas))
        compare_best_splits(ledger, seen, found, rules, columns, admission)
    elif thorough:
        ledger.skip("Splits of fractional examples were not searched again.")
    if getattr(model, "pruning", None) is not None:
        said = check_pruned(ledger, model, seen, unit, rules)
        ledger.about = "pruned tree: "
        compare_interactions(ledger, model.tree_, asked)
        if asked.monotone and said is not None and model.tree_ is not grown:
            compare_pools(ledger, model.tree_, asked, said, data.schemas)
        ledger.about = ""


def admission_of(asked: Asked, tree: Tree, units: Floats, prior: float) -> Admission:
    """prior: in units."""
    free = np.full((tree.n_nodes, tree.n_classes), np.inf)
    probability = branch_probability(tree, units, prior)
    return Admission(asked, path_columns(tree), -free, free, probability)


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
        min_drop=model.min_drop,
        min_category_size=model.min_category_size,
        multiway=multiway,
        max_branches=getattr(model, "max_branches", None),
        price_gamma=model.gamma if by_gamma else None,
    )
