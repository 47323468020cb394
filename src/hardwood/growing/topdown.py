"""TopDown (Kearns & Mansour 1996, Fig. 1): encoded table, labels, weights and rules -> a tree.

The loop itself is in the core; here its options are set and its whole-number sums are turned into
the user's weights (exactly: the unit is a whole number of a power of two).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import Criterion, GrowthOptions, LeafChoice
from hardwood._core import grow as grow_in_core
from hardwood.encoding import EncodedTable, Labels, Weights
from hardwood.growing.constraints import Constraints
from hardwood.growing.growth import Growth
from hardwood.growing.instructed import Instructions
from hardwood.tree.arrays import Tree

CRITERIA = ("km", "gini", "entropy", "error")
LEAF_CHOICES = ("drop", "weight")
MISSING = ("branch", "fractional")

_TREE_ARRAYS = (
    "parent", "first_child", "branches", "feature", "kind", "cut_begin", "cut_count", "thresholds",
    "integer_thresholds", "group_begin", "group_count", "group_codes", "group_branches",
    "missing_branch", "missing_seen", "default_branch", "depth", "rows",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StopRules:
    """None: no limit. `min_drop` is a share of the root's weight."""

    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_drop: float = 0.0
    min_category_size: int = 1


@dataclass(frozen=True, slots=True)
class Prices:
    """Multi-way growth: Hatano's price, or with `gamma` Mansour & McAllester's."""

    gamma: float | None = None
    max_branches: int | None = None


def grow(
    table: EncodedTable,
    labels: Labels,
    weights: Weights,
    *,
    criterion: str,
    leaf_choice: str,
    rules: StopRules,
    prices: Prices | None = None,
    constraints: Constraints | None = None,
    threads: int,
    missing: str = "branch",
    told: Instructions | None = None,
) -> Growth:
    """Grow a tree; identical for any number of threads. With `prices` splits have several branches
    (TOPDOWN-M, Hatano 2004), and the leaf of largest w(l)G(l) is split next. With
    `missing="fractional"` the weights of a table with missing values must be on the grid
    (`read_weights`, not counted). Splits that were `told` come first."""
    options = growth_options(criterion, leaf_choice, rules, prices)
    options.threads = threads
    options.fractional = missing == "fractional" and table.has_missing
    if told is not None:
        set_draft(options, told, rules)
    scale = 1
    if options.fractional and weights.examples is not None:
        scale = example_units(int(weights.examples.sum()))
    counted = set_limits(options, rules, weights, scale)
    set_constraints(options, constraints, weights)
    examples = None if weights.examples is None or not counted else weights.examples * scale
    grown = grow_in_core(
        table, labels.codes, len(labels.classes), weights.weights, examples, options
    )
    if missing == "fractional" and not options.fractional:
        grown["share"] = whole_shares(grown, len(labels.classes))
    growth = growth_of(grown, weights, len(labels.classes), _counted(weights))
    if told is None:
        return growth
    return replace(growth, followed=told.followed(grown["told"], grown["outcome"]))


def set_draft(options: GrowthOptions, told: Instructions, rules: StopRules) -> None:
    """Splits that were told come first; options.fractional is set before."""
    if options.fractional:
        told.refuse_routes()
    most, least = rules.max_leaf_nodes, told.least_leaves
    if most is not None and least > most:
        raise ValueError(
            f"The draft asks for {least} leaves, and max_leaf_nodes={most} allows fewer. Raise "
            "max_leaf_nodes, or take splits out of the draft."
        )
    options.draft = told.core


def growth_options(
    criterion: str, leaf_choice: str, rules: StopRules, prices: Prices | None
) -> GrowthOptions:
    """What the core is told, but for the limits on branches."""
    options = GrowthOptions()
    options.criterion = Criterion[criterion]
    options.leaf_choice = LeafChoice[leaf_choice]
    options.max_leaves = rules.max_leaf_nodes or 0
    options.max_depth = 0 if rules.max_depth is None else rules.max_depth
    options.min_drop = rules.min_drop
    options.min_category_size = rules.min_category_size
    if prices is not None:
        options.multiway = True
        options.leaf_choice = LeafChoice.weight
        options.gamma = prices.gamma or 0.0
        options.max_branches = prices.max_branches or 0
    return options


def set_constraints(
    options: GrowthOptions, constraints: Constraints | None, weights: Weights
) -> None:
    if constraints is not None:
        weight = weight_of_example(weights, _counted(weights))
        options.constraints = constraints.for_tree(weight, weights.unit)


def example_units(examples: int) -> int:
    """Units of an example where examples come in pieces: a power of two, so that all of them add
    up to less than 2^52."""
    return 1 << max(52 - examples.bit_length(), 0)


def set_limits(options: GrowthOptions, rules: StopRules, weights: Weights, units: int = 1) -> bool:
    """The limits on branches and categories; whether examples are counted apart, in so many units
    each. One example is no limit unless examples come in pieces."""
    options.min_weight = rules.min_weight_fraction_leaf * weights.total
    options.examples = min(weights.n_examples, 1 << 62)
    least = rules.min_samples_leaf
    if least == 1 and not options.fractional:
        return False
    if weights.examples is None:
        least_weight = math.ceil(least * weights.units_per_example)
        options.min_weight = max(options.min_weight, least_weight)
        return False
    options.min_examples = float(least * units)
    return True


def whole_shares(grown: dict[str, NDArray[Any]], classes: int) -> NDArray[np.float64]:
    """Of a tree whose table misses nothing: all of a node's weight is present."""
    weight = grown["class_weights"].reshape(-1, classes).sum(axis=1)
    return np.asarray(np.append(1.0, weight[1:] / weight[grown["parent"][1:]]))


def tree_of(
    grown: dict[str, NDArray[Any]],
    classes: int,
    unit: float,
    total: float,
    value: NDArray[np.float64] | None = None,
) -> Tree:
    """The core's arrays as a tree; sums times `unit` are the user's, `total` is the root's sum."""
    arrays = {name: grown[name] for name in _TREE_ARRAYS}
    arrays["class_weights"] = grown["class_weights"].reshape(-1, classes) * unit
    arrays["cost"] = grown["cost"] / total
    if "share" in grown:
        arrays["share"] = grown["share"]
    if value is not None:
        arrays["value"] = value
    for array in arrays.values():
        array.flags.writeable = False
    return Tree(**arrays)  # type: ignore[arg-type]


def _counted(weights: Weights) -> int | None:
    """The examples of the rows that have weight, where these are counted apart."""
    if weights.examples is None:
        return None
    assert weights.weights is not None
    return int(weights.examples[weights.weights > 0].sum())


def weight_of_example(weights: Weights, examples: int | None) -> float:
    """In the user's units; examples: of all rows, None where they follow from the weights."""
    if examples is not None:
        return weights.total * weights.unit / examples
    return float(Fraction(weights.unit) * weights.units_per_example)


def growth_of(
    grown: dict[str, NDArray[Any]], weights: Weights, classes: int, examples: int | None
) -> Growth:
    """The core's record of a growth in the user's units. examples: of all rows, None where they
    follow from the weights."""
    potential = grown["potential"] / weights.total
    error = np.asarray(grown["error"] / weights.total)
    return Growth(
        tree=tree_of(grown, classes, weights.unit, weights.total),
        split_nodes=grown["split_nodes"],
        exact=grown["exact"].astype(bool),
        potential=potential[1:],
        error=error[1:],
        root_potential=float(potential[0]),
        root_error=float(error[0]),
        example_weight=weight_of_example(weights, examples),
    )
