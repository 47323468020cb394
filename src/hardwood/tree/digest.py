"""SHA-256 of a fitted model; the way in which it was computed does not matter.

In: trees, classes, column schemas, tree weights. Out: a hex digest over structure, cuts, category
sets, routes of missing and unknown values (or shares, where missing ones go down every branch),
class shares of the leaves, tree weights, classes, column names, kinds and categories, and costs of
mistakes where they differ; not over parameters, history, row counts or versions.

Layout: every item is tag (1 byte), length of the payload (8 bytes), payload; numbers are
little-endian and of fixed width, -0.0 is written as 0.0. Since each payload says how long it is and
the items come in a fixed order, two different models never share bytes.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hardwood.table.schema import ColumnSchema
from hardwood.tree.arrays import Tree
from hardwood.tree.numbers import plain_value


def digest(
    trees: Sequence[Tree],
    classes: Sequence[object],
    schemas: Sequence[ColumnSchema],
    tree_weights: Sequence[float] | NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
) -> str:
    """64 hexadecimal characters."""
    parts = [
        _item(b"C", b"".join(map(_value, classes))),
        _item(b"S", b"".join(map(_schema, schemas))),
        _item(b"T", b"".join(_item(b"t", tree_digest_bytes(tree, schemas)) for tree in trees)),
    ]
    if tree_weights is not None:
        parts.append(_item(b"W", _floats(np.asarray(tree_weights, dtype=np.float64))))
    if costs is not None:  # they decide labels, so they are part of the model
        parts.append(_item(b"M", _floats(costs.ravel())))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def tree_digest_bytes(tree: Tree, schemas: Sequence[ColumnSchema]) -> bytes:
    """The encoding of one tree; cuts and groups are taken in the order of their nodes."""
    cut_nodes, cuts = _ranges(tree.cut_begin, tree.cut_count)
    _, groups = _ranges(tree.group_begin, tree.group_count)
    by_float = np.array([schema.kind == "numeric" for schema in schemas], dtype=bool)
    in_floats = by_float[tree.feature[cut_nodes]]
    float_cuts, whole_cuts = cuts[in_floats], cuts[~in_floats]
    integers: Iterable[NDArray[np.integer]] = (
        tree.first_child,
        tree.branches,
        tree.feature,
        tree.kind,
        tree.cut_count,
        tree.group_count,
        tree.missing_branch,
        tree.default_branch,
        tree.integer_thresholds[whole_cuts],
        tree.group_codes[groups],
        tree.group_branches[groups],
    )
    parts = [_item(b"i", np.asarray(array, dtype="<i8").tobytes()) for array in integers]
    parts.append(_item(b"f", _floats(tree.thresholds[float_cuts])))
    values = tree.shares if tree.value is None else tree.value
    parts.append(_item(b"f", _floats(values[tree.is_leaf])))
    if tree.share is not None:
        parts.append(_item(b"f", _floats(tree.share)))
    return b"".join(parts)


def _ranges(begin: NDArray[np.int64], count: NDArray[np.int32]) -> tuple[NDArray[np.intp], ...]:
    """For every entry of every node's part of a flat array: its node, and its place there."""
    nodes = np.repeat(np.arange(len(count)), count)
    first = np.cumsum(count, dtype=np.int64) - count
    return nodes, begin[nodes] + np.arange(len(nodes)) - first[nodes]


def _item(tag: bytes, payload: bytes) -> bytes:
    return tag + struct.pack("<Q", len(payload)) + payload


def _floats(values: NDArray[np.float64]) -> bytes:
    return np.asarray(values + 0.0, dtype="<f8").tobytes()


def _schema(schema: ColumnSchema) -> bytes:
    categories = b"".join(map(_value, schema.categories))
    return _value(schema.name) + _value(schema.kind) + _item(b"K", categories)


def _value(value: object) -> bytes:
    """A class or category with its type: 1, 1.0, True and "1" are four different values."""
    plain = plain_value(value)
    if plain is None:
        return _item(b"n", b"")
    if isinstance(plain, bool):
        return _item(b"b", bytes([plain]))
    if isinstance(plain, int):
        return _item(b"l", str(plain).encode("ascii"))
    if isinstance(plain, float):
        return _item(b"d", struct.pack("<d", plain + 0.0))
    if isinstance(plain, bytes):
        return _item(b"y", plain)
    if isinstance(plain, str):
        return _item(b"s", plain.encode("utf-8", "surrogatepass"))
    return _item(b"o", _value(type(plain).__qualname__) + _value(str(plain)))
