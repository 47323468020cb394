"""What is inside the lists, dicts, tuples and objects that cpp/bind takes and gives.

`INSIDE` is by place: function or Class.method, and argument or "return". `ANYWHERE` is by the name
of an argument, wherever it is opaque and has no place of its own.
"""

from __future__ import annotations

ALIASES = """
CoreColumn = tuple[int, NDArray[Any], NDArray[np.bool_] | None, NDArray[np.int32] | None, int]
"""

ANYWHERE = {
    "columns": "list[CoreColumn | None]",
    "trees": "list[Any]",
}

INSIDE = {
    "EncodedTable.storages.return": "list[str]",
    "encode.columns": "list[CoreColumn]",
    "exact_addends.return": "NDArray[np.float64]",
    "grow.return": "dict[str, NDArray[Any]]",
    "Booster.run.return": "list[dict[str, Any]]",
    "summarise.columns": "list[CoreColumn]",
    "summarise.return": "list[tuple[NDArray[np.uint64], bool, bool]]",
    "TablePlan.__init__.columns": "list[tuple[int, int, bool, int, NDArray[np.uint64]]]",
    "encode_part.columns": "list[CoreColumn]",
    "encode_part.return": "dict[str, list[Any]]",
    "HistogramBatch.cells.return": "NDArray[np.int64]",
    "Part.__init__.stored": "dict[str, Any]",
    "Part.start.return": "NDArray[np.int64]",
    "Part.split.splits": "list[tuple[int, tuple[Any, ...], list[int]]]",
    "Part.split.return": (
        "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]"
    ),
    "Part.open.questions": "list[tuple[int, int, list[tuple[int, int, int]]]]",
    "Part.place.tree": "dict[str, NDArray[Any]]",
    "Part.change.changes": "list[tuple[Any, ...]]",
    "Part.exact_parts.return": "NDArray[np.float64]",
    "Part.weight_digits.return": "NDArray[np.int64]",
    "Part.route_absent.conditions": "list[tuple[Any, ...] | None]",
    "Part.route_absent.return": "NDArray[np.int64]",
    "MergedSearch.wanted.return": "list[tuple[int, list[tuple[int, int, int]], float]]",
    "MergedSearch.best.return": "dict[str, Any] | None",
    "MergedSearch.wide.keys": "dict[int, tuple[KeySumsBatch, int]]",
    "MergedSearch.wide.return": "dict[str, Any] | None",
    "leaf_factors.return": "tuple[float, float, int]",
    "find_leaves.return": "NDArray[np.int32]",
    "combine_shares.return": "tuple[NDArray[np.int32], NDArray[np.float64]]",
    "add_scores.addends": "list[NDArray[np.float64]]",
    "add_scores.outputs_of_leaves": "list[NDArray[np.int32]]",
    "add_scores.return": "NDArray[np.float64]",
    "shap_values.weights": "list[NDArray[np.float64]]",
    "shap_values.values": "list[NDArray[np.float64]]",
    "shap_values.outputs_of_values": "list[NDArray[np.int32]]",
    "shap_values.return": "NDArray[np.float64]",
    "prune_by_error.rows": (
        "tuple[Any, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], float, bool]"
    ),
    "prune_by_error.return": "dict[str, NDArray[Any]]",
    "RaisingTrials.next.return": ("tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]"),
    "RaisingTrials.changes.return": "list[tuple[Any, ...]]",
    "RaisingTrials.homes.return": "NDArray[np.int32]",
    "RaisingTrials.splits.return": "NDArray[np.int32]",
    "RaisingTrials.pruned.return": "dict[str, NDArray[Any]]",
}
