"""The arrays of a tree whose rows are elsewhere, and the path of its growth.

In: leaves and splits as they are committed. Out: the dict of arrays that the core's grower returns.
Thresholds are midpoints of adjacent values, rounded as the core rounds them; a split's may come
later than the split itself. The potential is a sum in fixed point, as in the core.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.codebooks import CodePlan, value_of
from hardwood.tree.arrays import GROUPS, INTERVAL, LEAF

_TYPES = {
    "parent": np.int32, "first_child": np.int32, "branches": np.int32, "feature": np.int32,
    "kind": np.uint8, "cut_begin": np.int64, "cut_count": np.int32, "group_begin": np.int64,
    "group_count": np.int32, "missing_branch": np.int32, "missing_seen": np.uint8,
    "default_branch": np.int32, "depth": np.int32, "rows": np.int64, "cost": np.float64,
    "thresholds": np.float64, "integer_thresholds": np.int64, "group_codes": np.int32,
    "group_branches": np.int32, "class_weights": np.float64,
}  # fmt: skip


class TreeRecord:
    def __init__(self, plan: CodePlan, classes: int) -> None:
        self._plan = plan
        self._classes = classes
        self._lists: dict[str, list[Any]] = {name: [] for name in _TYPES}
        self._split_nodes: list[int] = []
        self._exact: list[bool] = []
        self._potential = 0  # times 2^64
        self._error = 0.0
        self._path: list[tuple[float, float]] = []

    def add_leaf(self, parent: int, depth: int, weights: list[float], cost: float) -> int:
        """The new leaf's number; its rows are told by `set_rows`."""
        node = len(self._lists["parent"])
        values = {
            "parent": parent, "first_child": -1, "branches": 0, "feature": -1, "kind": LEAF,
            "cut_begin": 0, "cut_count": 0, "group_begin": 0, "group_count": 0,
            "missing_branch": -1, "missing_seen": 0, "default_branch": -1, "depth": depth,
            "rows": 0, "cost": cost,
        }  # fmt: skip
        for name, value in values.items():
            self._lists[name].append(value)
        self._lists["class_weights"].extend(weights)
        self._potential += fixed_point(cost)
        self._error += sum(weights) - max(weights)
        return node

    def set_rows(self, node: int, rows: int) -> None:
        self._lists["rows"][node] = rows

    def note_path(self) -> None:
        """The tree as it is now becomes a point of the growth's path."""
        self._path.append((math.ldexp(float(self._potential), -64), self._error))

    def split(self, node: int, condition: tuple[Any, ...], missing_seen: bool, exact: bool) -> None:
        """The leaf becomes an inner node; its children are the next leaves added."""
        column, arity, cuts, codes, branches, missing, default = condition[:7]
        own = self._lists
        own["first_child"][node] = len(own["parent"])
        own["branches"][node], own["feature"][node] = arity, column
        own["default_branch"][node], own["missing_branch"][node] = default, missing
        own["missing_seen"][node] = int(missing_seen)
        if self._plan.schemas[column].kind == "category":
            own["kind"][node] = GROUPS
            own["group_begin"][node] = len(own["group_codes"])
            own["group_count"][node] = len(codes)
            for code, branch in sorted(zip(codes, branches, strict=True)):
                own["group_codes"].append(code)
                own["group_branches"].append(branch)
        else:
            own["kind"][node] = INTERVAL
            if cuts:
                own["cut_begin"][node] = len(own["thresholds"])
                own["cut_count"][node] = len(cuts)
                own["thresholds"].extend([math.nan] * len(cuts))
                own["integer_thresholds"].extend([0] * len(cuts))
        self._potential -= fixed_point(own["cost"][node])
        weights = own["class_weights"][node * self._classes : (node + 1) * self._classes]
        self._error -= sum(weights) - max(weights)
        self._split_nodes.append(node)
        self._exact.append(exact)

    def set_cut(self, node: int, place: int, low: int, high: int) -> None:
        """The adjacent keys on the two sides of a cut."""
        kind = self._plan.schemas[self._lists["feature"][node]].kind
        at = self._lists["cut_begin"][node] + place
        below, above = value_of(low, kind), value_of(high, kind)
        if kind == "numeric":
            self._lists["thresholds"][at] = midpoint(float(below), float(above))
            return
        whole = int(below) + (int(above) - int(below)) // 2
        self._lists["integer_thresholds"][at] = whole - 2**64 if whole >= 2**63 else whole

    def arrays(self) -> dict[str, NDArray[Any]]:
        out: dict[str, NDArray[Any]] = {
            name: np.array(self._lists[name], dtype=kind) for name, kind in _TYPES.items()
        }
        out["split_nodes"] = np.array(self._split_nodes, dtype=np.int32)
        out["exact"] = np.array(self._exact, dtype=np.uint8)
        path = np.array(self._path, dtype=np.float64).reshape(-1, 2)
        out["potential"], out["error"] = path[:, 0].copy(), path[:, 1].copy()
        return out


def midpoint(low: float, high: float) -> float:
    """Of two adjacent values, or the lower one where it rounds to the upper."""
    total = low + high
    middle = total / 2 if math.isfinite(total) else low / 2 + high / 2
    return middle if middle < high else low


def fixed_point(x: float) -> int:
    """x times 2^64, cut off."""
    mantissa, exponent = math.frexp(x)
    shift = exponent - 53 + 64
    whole = int(math.ldexp(mantissa, 53))
    return whole << shift if shift >= 0 else whole >> -shift
