"""Hand-built trees in the Shapley oracle's form, and rows that ask them about everything.

In: nodes of `hand_built` over its SCHEMAS. Out: the same tree for `oracles.shapley`, made from the
nodes and not from the library's arrays; rows of plain values, and the same rows as a pandas frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from tests import hand_built
from tests.hand_built import SCHEMAS
from tests.oracles import shapley

CITIES = SCHEMAS[1].categories


def oracle_tree(node: hand_built.Node, scores: dict[int, tuple[float, ...]]) -> shapley.Node:
    """`scores` by the identity of the leaf."""
    weight = float(node.weights.sum())
    if not node.children:
        return shapley.Node(weight, scores[id(node)])
    heaviest = int(np.argmax([child.weights.sum() for child in node.children]))
    missing = heaviest if node.missing is None else node.missing
    if node.cuts is not None:
        branch = shapley.interval_branch(node.cuts, missing)
    else:
        groups = {CITIES[code]: b for b, group in enumerate(node.groups) for code in group}
        branch = shapley.group_branch(groups, missing, heaviest)
    children = tuple(oracle_tree(child, scores) for child in node.children)
    return shapley.Node(weight, (), node.column, branch, children)


def leaves(node: hand_built.Node) -> list[hand_built.Node]:
    return [leaf for child in node.children for leaf in leaves(child)] or [node]


def splits(node: hand_built.Node) -> list[hand_built.Node]:
    below = [split for child in node.children for split in splits(child)]
    return [node, *below] if node.children else []


def repeats_a_column(node: hand_built.Node, above: frozenset[int] = frozenset()) -> bool:
    return bool(node.children) and (
        node.column in above
        or any(repeats_a_column(child, above | {node.column}) for child in node.children)
    )


def random_rows(rng: np.random.Generator, root: hand_built.Node, count: int) -> list[list[Any]]:
    """Values at thresholds and between them, missing ones, and cities that no schema has."""
    rows = []
    for _ in range(count):
        number = float(rng.normal(scale=100))
        row: list[Any] = [
            number,
            str(rng.choice([*map(str, CITIES), "Atlantis"])),
            2**63 + int(1000 * number),
            2**60 + int(rng.normal(scale=1e5)),
            float(rng.normal(scale=100)),
        ]
        for split in splits(root):
            if split.cuts and rng.random() < 0.2:
                row[split.column] = split.cuts[int(rng.integers(len(split.cuts)))]
        rows.append([None if rng.random() < 0.15 else value for value in row])
    return rows


def frame(rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """As users have them; missing values are NaN, None or NA by the column's type."""
    types: list[Any] = ["float64", object, "UInt64", "Int64", "float64"]
    columns = list(zip(*rows, strict=True))
    return pd.DataFrame(
        {
            schema.name: pd.Series(pd.array(list(values), dtype=dtype))
            if dtype in ("UInt64", "Int64")
            else pd.Series(list(values), dtype=dtype)
            for schema, dtype, values in zip(SCHEMAS, types, columns, strict=True)
        }
    )
