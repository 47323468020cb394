"""What the columns offer at one node: the core's exact search, column by column.

In: an encoded table, labels, weights, which rows are the node's, the rules of the tree. Out:
`OfferedSplit`s in the order of candidates, those that the tree's constraints admit below the splits
above the node. A row that is not the node's has weight 0 here, which is the same as being absent.
Of fractional examples the node's are the pieces that the splits above it leave of all rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import (
    GrowthOptions,
    Instruction,
    InstructionKind,
    RankingRequest,
    SplitAbove,
    ToldAbove,
    rank_splits,
    told_split,
    weights_of_pieces,
)
from hardwood.criteria import Criterion, cost
from hardwood.draft import Line
from hardwood.encoding import EncodedTable, Labels, Weights
from hardwood.growing.constraints import Constraints
from hardwood.growing.instructed import describe_split
from hardwood.growing.topdown import (
    Prices,
    StopRules,
    example_units,
    growth_options,
    set_constraints,
    set_limits,
)
from hardwood.table import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.numbers import json_value


@dataclass(frozen=True, eq=False)
class OfferedSplit:
    """`drop` is a share of the root's weight, `class_weights` [branches, classes] the user's.
    price: of so many branches, 1 for two (docs/theory/rules.md#multiway)."""

    line: Line
    column: int
    drop: float
    class_weights: NDArray[np.float64]
    exact: bool
    price: float = 1.0

    @property
    def errors(self) -> float:
        """The weight that the branches, as leaves, mislabel."""
        return float((self.class_weights.sum(axis=1) - self.class_weights.max(axis=1)).sum())


@dataclass(frozen=True, eq=False)
class Above:
    """A split above a node. class_weights: [branches, classes] the user's. parts_values: by a
    threshold, not missing values against the rest."""

    column: int
    branch: int
    parts_values: bool
    class_weights: NDArray[np.float64]


def splits_above(tree: Tree, node: int) -> tuple[Above, ...]:
    found = []
    while node:
        parent = int(tree.parent[node])
        children = tree.children(parent)
        found.append(
            Above(
                int(tree.feature[parent]),
                node - int(children[0]),
                bool(tree.cut_count[parent]),
                tree.class_weights[children],
            )
        )
        node = parent
    return tuple(found[::-1])


@dataclass(frozen=True, eq=False)
class NodePlace:
    """Where a node stands. above: the splits above it, from the root on. told: the same as lines
    with the branch that is taken, where examples are fractional; else None. leaves: of the tree
    when the node is split, which decides how many branches a multi-way split may have."""

    above: tuple[Above, ...]
    told: tuple[tuple[Line, int], ...] | None = None
    leaves: int = 1


@dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows of one node of a tree, and the tree's rules. mine: [rows] whether a row is there;
    of fractional examples all are."""

    table: EncodedTable
    schemas: Sequence[ColumnSchema]
    labels: Labels
    weights: Weights
    mine: NDArray[np.bool_]
    criterion: Criterion
    rules: StopRules
    threads: int
    constraints: Constraints | None
    prices: Prices | None
    place: NodePlace

    def ranked(self, most: int, every_threshold: bool) -> list[OfferedSplit]:
        """The best split of each column, or all thresholds, at most so many."""
        options, examples, scale = self._options(), self.weights.examples, 1
        if options.fractional and examples is not None:
            scale = example_units(int(examples.sum()))
        counted = set_limits(options, self.rules, self.weights, scale)
        request = RankingRequest()
        request.most, request.every_threshold = most, every_threshold
        request.leaves = self.place.leaves
        found = rank_splits(
            self.table,
            self.labels.codes,
            len(self.labels.classes),
            self._own,
            np.where(self.mine, examples, 0) * scale if counted and examples is not None else None,
            options,
            float(self.weights.total),
            request,
            self._path(),
            self._told,
        )
        return [self._offered(each) for each in found]

    def told(self, line: Line) -> OfferedSplit | None:
        """One split as a line says it; None where a branch would have no rows. Its drop is -inf
        where constraints do not admit it."""
        if all(schema.name != line.column for schema in self.schemas):
            raise ValueError(f"X has no column {line.column!r}.")
        options = self._options()
        options.draft = [self._instruction(line)]
        rows = self.table, self.labels.codes, len(self.labels.classes), self._own
        found = told_split(*rows, options, self._path(), self._told)
        return None if found is None else self._offered(found)

    @property
    def class_weights(self) -> NDArray[np.float64]:
        """[classes] of the node, in the user's units."""
        options, classes = self._options(), len(self.labels.classes)
        if options.fractional:
            rows = self.table, self.labels.codes, classes, self._own
            pieces = np.asarray(weights_of_pieces(*rows, options, self._told), dtype=np.float64)
            return pieces * self.weights.unit
        sums = np.bincount(self.labels.codes, self._own, classes)
        return np.asarray(sums * self.weights.unit)

    def _options(self) -> GrowthOptions:
        options = growth_options(self.criterion, "drop", self.rules, self.prices)
        options.threads = self.threads
        options.fractional = self.place.told is not None
        set_constraints(options, self.constraints, self.weights)
        return options

    def _instruction(self, line: Line) -> Instruction:
        told = Instruction()
        told.kind = InstructionKind.split
        told.column = next(j for j, each in enumerate(self.schemas) if each.name == line.column)
        describe_split(told, line, self.schemas[told.column])
        return told

    @cached_property
    def _told(self) -> list[ToldAbove]:
        found = []
        for line, branch in self.place.told or ():
            each = ToldAbove()
            each.split, each.branch = self._instruction(line), branch
            found.append(each)
        return found

    def _path(self) -> list[SplitAbove]:
        found = []
        for above in self.place.above if self.constraints is not None else ():
            each = SplitAbove()
            each.column, each.branch = above.column, above.branch
            each.parts_values = above.parts_values
            each.weights = (above.class_weights / self.weights.unit).ravel().tolist()
            found.append(each)
        return found

    @cached_property
    def _own(self) -> NDArray[np.int64]:
        whole = self.weights.weights
        return np.where(self.mine, 1 if whole is None else whole, 0).astype(np.int64)

    def _offered(self, found: dict[str, Any]) -> OfferedSplit:
        branches, classes = found["branches"], len(self.labels.classes)
        weights = np.zeros((branches, classes))
        weights[:, found["labels"]] = found["weights"].reshape(branches, -1)
        drop = float(cost(weights.sum(axis=0), self.criterion)) - found["cost"]
        drop = drop if math.isinf(drop) else max(drop, 0.0)
        return OfferedSplit(
            split_as_line(found, self.schemas[found["column"]], self.place.told is not None),
            int(found["column"]),
            drop / self.weights.total,
            weights * self.weights.unit,
            bool(found["exact"]),
            found["price"],
        )


def split_as_line(found: dict[str, Any], schema: ColumnSchema, fractional: bool) -> Line:
    """The core's split as a line of a draft, about the root."""
    missing = int(found["missing_branch"])
    told = None if missing < 0 or fractional else missing
    if schema.kind == "category":
        groups: list[list[Any]] = [[] for _ in range(found["branches"])]
        for code, branch in zip(found["codes"], found["branch_of"], strict=True):
            groups[branch].append(json_value(schema.categories[code]))
        return Line("split", (), schema.name, (), tuple(map(tuple, groups)), told)
    if schema.kind == "numeric":
        cuts = found["thresholds"].tolist()
        if schema.ordered:
            cuts = [json_value(schema.categories[int(cut)]) for cut in cuts]
    else:
        whole = found["integer_thresholds"]
        cuts = (whole.view(np.uint64) if schema.kind == "unsigned" else whole).tolist()
    return Line("split", (), schema.name, tuple(cuts), None, told)
