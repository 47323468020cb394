"""What a fit should not be silent about: sentences, given as `ModelWarning`s.

In: a finished fit. Out: at most one warning of each kind. Invariant: a sentence says what was seen
and what to do; nothing of the model depends on it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from hardwood.errors import ModelWarning
from hardwood.table import ColumnSchema
from hardwood.training import Training
from hardwood.tree import Tree
from hardwood.tree.numbers import value_text

LEAST_ROWS = 50
"""Fewer rows may be all different by chance."""
MOSTLY_DISTINCT = 0.9
SHOWN = 5


def warn(sentences: Iterable[str]) -> None:
    """Said of the line that called `fit`."""
    for sentence in sentences:
        warnings.warn(sentence, ModelWarning, stacklevel=3)


def tree_remarks(
    grown: Tree, tree: Tree, classes: Sequence[object], max_leaf_nodes: int | None
) -> Iterator[str]:
    if tree.n_leaves == 1 < grown.n_leaves:
        yield (
            f"Pruning left the root alone: the tree says {value_text(classes[tree.label[0]])} for "
            f"every row, where {grown.n_leaves} leaves were grown. Use pruning=None with "
            "max_leaf_nodes, another pruning, or class_weight if a class is rare."
        )
    elif max_leaf_nodes is not None and 2 * tree.n_leaves <= max_leaf_nodes:
        cut = grown.n_leaves - tree.n_leaves
        why = f"growth ended at {grown.n_leaves}, since no leaf could be split further"
        if cut and grown.n_leaves >= max_leaf_nodes:
            why = f"pruning took {cut} away; pruning=None keeps them"
        elif cut:
            why += f", and pruning took {cut} away"
        leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
        yield f"max_leaf_nodes={max_leaf_nodes} gave {leaves}: {why}."


def trimming_remarks(weight_fraction: float, trees: Sequence[Tree]) -> Iterator[str]:
    if weight_fraction < 1 and all(tree.n_nodes == 1 for tree in trees):
        yield (
            f"weight_fraction={weight_fraction:g} leaves so few rows that no tree could be split; "
            "the model says one class. Use a larger weight_fraction."
        )


def column_remarks(training: Training, first_trees: Sequence[Tree]) -> Iterator[str]:
    """first_trees: the tree as grown, or those of a boosted model's first round."""
    schemas, rows = training.schemas, training.rows
    if rows < LEAST_ROWS or len(schemas) < 2:
        return
    texts = [schema.name for schema in schemas if _tells_rows_apart(schema, rows)]
    if texts:
        yield (
            f"{_named(texts)} a different value in nearly each of the {rows:,} rows, which tells "
            "rows apart and not classes. Leave such a column out, or group its values."
        )
    numbers = training.row_numbers()
    if numbers:
        yield (
            f"{_named(numbers)} a whole number that goes up by row, as a row number or the order "
            "of collection does. Leave it out, unless new rows continue it in the same sense."
        )
    teller = _perfect_column(first_trees)
    if teller is not None:
        yield (
            f"Column {schemas[teller].name!r} alone tells the class of every training row. If it "
            "is known only after the target is, or made from it, leave it out."
        )


def _tells_rows_apart(schema: ColumnSchema, rows: int) -> bool:
    return schema.kind == "category" and len(schema.categories) > MOSTLY_DISTINCT * rows


def _named(names: Sequence[str]) -> str:
    few = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
    return f"Column {few} has" if len(names) == 1 else f"Columns {few} have"


def _perfect_column(trees: Sequence[Tree]) -> int | None:
    """The one column of trees that have few leaves, all pure; more leaves could be luck."""
    used = {column for tree in trees for column in tree.used_features}
    if len(used) != 1:
        return None
    for tree in trees:
        weights = tree.class_weights[tree.is_leaf]
        pure = np.count_nonzero(weights > 0, axis=1) == 1
        if not pure.all() or tree.n_leaves > 2 * np.count_nonzero(tree.class_weights[0] > 0):
            return None
    return used.pop()
