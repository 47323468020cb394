"""A fitted model as proofs see it: its trees, what their leaves add, and the model itself to ask.

In: a TreeClassifier or a BoostedTreesClassifier. Out: a `Reading`. Trees stand in the order in
which prediction adds them. Invariant: `ask` is `predict_proba`, so that a row that refutes a claim
was answered by the model; and before anything is proved, random rows are scored both ways and must
agree to the bit (`agrees`).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.proving.cells import Cells
from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree

Floats = NDArray[np.float64]
Link = Literal["shares", "one", "logistic", "rest", "votes"]
"""From leaves to probabilities: shares of one tree; one class; logistic of one score; logistics of
one score per class, normalised; a softmax of votes."""


@dataclass(frozen=True, eq=False)
class Added:
    """A tree and what its nodes add to one output."""

    tree: Tree
    values: Floats
    output: int
    name: str


@dataclass(frozen=True, eq=False)
class Reading:
    model: Any
    schemas: tuple[ColumnSchema, ...]
    classes: tuple[Any, ...]
    link: Link
    added: tuple[Added, ...]
    """Empty for a single tree."""
    outputs: int = 1
    slope: int = 1
    costs: Floats | None = None
    """[C, C] of mistakes where they differ; what `predict` goes by."""

    @cached_property
    def trees(self) -> list[Tree]:
        """Every tree that can change an answer, once."""
        if self.link == "shares":
            return [self.model.tree_]
        return list({id(each.tree): each.tree for each in self.added}.values())

    @property
    def tree(self) -> Tree:
        """The tree of a TreeClassifier."""
        found: Tree = self.model.tree_
        return found

    @property
    def names(self) -> dict[int, str]:
        """What a tree is called, by id."""
        if self.link == "shares":
            return {id(self.tree): "the tree"}
        return {id(each.tree): each.name for each in reversed(self.added)}

    def of_output(self, output: int) -> list[Added]:
        return [each for each in self.added if each.output == output]

    def ask(self, rows: Sequence[Sequence[Any]]) -> Floats:
        """`predict_proba` of rows of values."""
        return np.asarray(self._call(self.model.predict_proba, rows))

    def scores(self, rows: Sequence[Sequence[Any]]) -> Floats:
        """`decision_function`, as [rows, outputs]."""
        found = np.asarray(self._call(self.model.decision_function, rows))
        return found.reshape(len(rows), -1)

    def answers(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """`predict` of rows of values."""
        found: list[Any] = self._call(self.model.predict, rows).tolist()
        return found

    def _call(self, method: Any, rows: Sequence[Sequence[Any]]) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the values stand in the order of the columns
            return method(self._matrix(rows))

    def _matrix(self, rows: Sequence[Sequence[Any]]) -> NDArray[Any]:
        if all(each.kind == "numeric" and not each.categories for each in self.schemas):
            return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.schemas))
        table = np.empty((len(rows), len(self.schemas)), dtype=object)
        for place, row in enumerate(rows):
            table[place, :] = row
        return table

    def class_number(self, label: Any) -> int:
        """Of a claim's class; the second of two, if none is given."""
        if label is None:
            if len(self.classes) == 2:
                return 1
            raise ValueError(f"The model has {len(self.classes)} classes; say which one is meant.")
        for same in (_equal, _same_text):
            found = [place for place, each in enumerate(self.classes) if same(each, label)]
            if found:
                return found[0]
        few = ", ".join(map(repr, self.classes[:8]))
        raise ValueError(
            f"The model has no class {label!r}; its classes are {few}"
            f"{', ...' if len(self.classes) > 8 else ''}."
        )

    def row(self, cells: Sequence[Cells], picked: Sequence[int]) -> list[Any]:
        """A row of values from a cell of every column."""
        return [own.value(cell) for own, cell in zip(cells, picked, strict=True)]

    def named(self, row: Sequence[Any]) -> dict[str, Any]:
        return {schema.name: value for schema, value in zip(self.schemas, row, strict=True)}


def read_model(model: Any) -> Reading:
    """The reading, or a sentence why there is none."""
    reading = _read(model)
    costs = getattr(model, "costs_", None)
    if costs is not None and len(np.unique(costs[~np.eye(len(costs), dtype=bool)])) > 1:
        return replace(reading, costs=costs)
    return reading


def _read(model: Any) -> Reading:
    boosted, single = hasattr(model, "trees_"), hasattr(model, "tree_")
    if not (boosted or single) or not hasattr(model, "_schemas"):
        raise TypeError(
            "prove needs a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}, which has neither tree_ nor trees_. Call fit first."
        )
    classes, schemas = tuple(model.classes_.tolist()), tuple(model._schemas)
    if not boosted:
        return Reading(model, schemas, classes, "shares", ())
    if len(classes) == 1:
        return Reading(model, schemas, classes, "one", ())
    slope = 1 if model._run.plan.rules.variant == "logistic" else 2
    weights = np.asarray(model.tree_weights_, dtype=np.float64)
    if isinstance(model.trees_[0], list):
        added = [
            Added(tree, weights[r, c] * _values(tree), c, f"round {r + 1}, class {classes[c]}")
            for r, each in enumerate(model.trees_)
            for c, tree in enumerate(each)
            if weights[r, c] != 0
        ]
        return Reading(model, schemas, classes, "rest", tuple(added), len(classes), slope)
    link: Link = "logistic" if len(classes) == 2 else "votes"
    added = []
    for r, tree in enumerate(model.trees_):
        if weights[r] == 0:
            continue
        if link == "logistic":
            added.append(Added(tree, weights[r] * _values(tree), 0, f"round {r + 1}"))
            continue
        for c in range(len(classes)):
            votes = np.where(_values(tree) == c, weights[r], 0.0)
            added.append(Added(tree, votes, c, f"round {r + 1}"))
    outputs = 1 if link == "logistic" else len(classes)
    return Reading(model, schemas, classes, link, tuple(added), outputs, slope)


def _values(tree: Tree) -> Floats:
    assert tree.value is not None
    return tree.value


def _equal(known: Any, given: Any) -> bool:
    return type(known) is type(given) and bool(known == given)


def _same_text(known: Any, given: Any) -> bool:
    return bool(known == given) or str(known) == str(given)
