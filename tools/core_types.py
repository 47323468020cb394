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
    "isotonic_groups.return": "NDArray[np.int32]",
    "Meetings.pairs.return": "tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]",
    "Meetings.first_wrong.return": "tuple[int, int] | None",
    "Meetings.nearest.return": "NDArray[np.int32]",
    "rank_splits.return": "list[dict[str, Any]]",
    "told_split.return": "dict[str, Any] | None",
    "grow_parts.return": "dict[str, Any]",
    "cuts_of_tree.return": "NDArray[np.uint64]",
    "Booster.run.return": "list[dict[str, Any]]",
    "run_together.return": "list[list[dict[str, Any]]]",
    "summarise.columns": "list[CoreColumn]",
    "summarise.return": "list[tuple[NDArray[np.uint64], bool, bool, bool]]",
    "TablePlan.__init__.columns": "list[tuple[int, int, bool, bool, int, NDArray[np.uint64]]]",
    "encode_part.columns": "list[CoreColumn]",
    "encode_part.return": "dict[str, list[Any]]",
    "Part.__init__.stored": "dict[str, Any]",
    "Part.start.return": "NDArray[np.int64]",
    "Part.split.return": (
        "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64], "
        "NDArray[np.uint64]]"
    ),
    "Part.begin_pruning.tree": "dict[str, NDArray[Any]]",
    "Part.change.changes": "list[tuple[Any, ...]]",
    "Part.factor_totals.return": "NDArray[np.float64]",
    "Part.exact_parts.return": "NDArray[np.float64]",
    "Part.weight_digits.return": "NDArray[np.int64]",
    "Part.route_absent.return": "NDArray[np.int64]",
    "Part.sum_pairs.return": "NDArray[np.int64]",
    "find_leaves.return": "NDArray[np.int32]",
    "combine_shares.return": "tuple[NDArray[np.int32], NDArray[np.float64]]",
    "ScoringForest.__init__.addends": "list[NDArray[np.float64]]",
    "ScoringForest.__init__.outputs_of_leaves": "list[NDArray[np.int32]]",
    "ScoringForest.score.return": "NDArray[np.float64]",
    "ScoringForest.score_matrix.matrix": "NDArray[Any]",
    "ScoringForest.score_matrix.return": "NDArray[np.float64]",
    "CellForest.__init__.arrays": "dict[str, NDArray[Any]]",
    "CellForest.cheapest_change.rule": "dict[str, Any]",
    "CellForest.cheapest_change.return": (
        "tuple[bool, bool, float, float, NDArray[np.int32], int]"
    ),
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
    "FractionalTrials.changes.return": "list[tuple[Any, ...]]",
    "RaisingTrials.where_rows_are.return": "NDArray[np.int32]",
    "FractionalTrials.where_rows_are.return": "NDArray[np.int32]",
    "RaisingTrials.splits.return": "NDArray[np.int32]",
    "FractionalTrials.splits.return": "NDArray[np.int32]",
    "RaisingTrials.pruned.return": "dict[str, NDArray[Any]]",
    "FractionalTrials.pruned.return": "dict[str, NDArray[Any]]",
}
