"""Trees over ordered categories, told in sets of categories.

An ordered category is a number in the trees, its rank, and is cut at thresholds. Those who meet the
values themselves (exports, the report page) take the same tree with a set of categories per branch.
Invariant: every row takes the same branches; a value that the column does not declare goes where a
missing one goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hardwood.table.schema import Column, ColumnSchema
from hardwood.tree.arrays import GROUPS, INTERVAL, Tree


def as_categories(schemas: Sequence[ColumnSchema]) -> tuple[ColumnSchema, ...]:
    """Ordered columns as columns of categories."""
    return tuple(_category(schema) if schema.ordered else schema for schema in schemas)


def category_column(column: Column) -> Column:
    """An ordered column's ranks as codes of categories; any other column as it is."""
    if not column.schema.ordered:
        return column
    codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int32)
    return Column(_category(column.schema), codes)


def in_sets(tree: Tree, schemas: Sequence[ColumnSchema]) -> Tree:
    """The tree with a set of categories for each branch of a cut of an ordered column."""
    cut = np.flatnonzero(tree.kind == INTERVAL)
    ranked = [n for n in cut.tolist() if schemas[tree.feature[n]].ordered]
    if not ranked:
        return tree
    kind, cut_count, default = tree.kind.copy(), tree.cut_count.copy(), tree.default_branch.copy()
    begin, count = tree.group_begin.copy(), tree.group_count.copy()
    codes, branches = [tree.group_codes], [tree.group_branches]
    used = len(tree.group_codes)
    for node in ranked:
        ranks = np.arange(len(schemas[tree.feature[node]].categories), dtype=np.int32)
        codes.append(ranks)
        cuts = tree.thresholds[tree.cuts(node)]
        branches.append(np.searchsorted(cuts, ranks).astype(np.int32))
        kind[node], cut_count[node] = GROUPS, 0
        default[node] = tree.missing_branch[node]
        begin[node], count[node] = used, len(ranks)
        used += len(ranks)
    return replace(
        tree,
        kind=kind,
        cut_count=cut_count,
        default_branch=default,
        group_begin=begin,
        group_count=count,
        group_codes=np.concatenate(codes),
        group_branches=np.concatenate(branches),
    )


def _category(schema: ColumnSchema) -> ColumnSchema:
    return ColumnSchema(schema.name, "category", schema.categories)
