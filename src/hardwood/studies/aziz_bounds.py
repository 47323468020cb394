"""`aziz-bounds`: exact lower bounds of whole trees, of many-valued columns and of pairs (AAA18).

The paper has the exact bound for stumps on two-valued columns (Fig. 1). In: boosted trees of depth
1 to 3. Out: in some rounds, the bounds of every node that was split, beside the assessments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.aziz_runs import RUNS, boosted, files_of, matrix, read_run, round_weights
from hardwood.studies.data import DataFolder

SEARCHES = ("quick", "adaptive")
PIMA = "pima"


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.unit(run, depth, run=run, depth=depth, rounds=rounds)
        for run, depths, rounds in settings["runs"]
        for depth in depths
    ]


def two_class_rows(run: str, data: DataFolder) -> tuple[Any, Any]:
    """Rows and labels of two classes; of several classes a row for each pair of an example and a
    class, with the class as the last column."""
    if run == PIMA:
        problem = data.read(PIMA)
        return matrix(problem.X), problem.y
    X, y = read_run(run, data)[:2]
    if "multiclass" not in RUNS[run].more:
        return X, y
    classes = np.unique(y)
    paired = np.repeat(X, len(classes), axis=0)
    column = np.tile(np.arange(len(classes), dtype=np.float64), len(y))
    own = np.repeat(y, len(classes)) == np.tile(classes, len(y))
    return np.column_stack([paired, column]), own.astype(np.int64)


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    depth, rounds = unit.given["depth"], unit.given["rounds"]
    X, y = two_class_rows(unit.given["run"], data)
    models = {
        search: boosted("a6a", search, max(rounds), max_depth=depth).fit(X, y)
        for search in SEARCHES
    }
    model = models["adaptive"]
    values: study.Values = {
        name: [] for name in ("round", "nodes", *BOUNDS, *SEARCHES, "everything")
    }
    for t, weights in enumerate(round_weights(model, X, y)):
        if t + 1 not in rounds or t >= model.n_estimators_:
            continue
        values["round"].append(t + 1)
        for name, value in _tree_bounds(model.trees_[t], X, y, weights).items():
            values[name].append(value)
        for search in SEARCHES:
            values[search].append(int(models[search].history_["assessments"][t]))
        values["everything"].append(int(model.history_["exhaustive_assessments"][t]))
    return values


BOUNDS = ("lower", "upper", "weight_order", "remembered")


def _tree_bounds(tree: Any, X: Any, y: Any, weights: Any) -> dict[str, int]:
    """Summed over the nodes that were split, and of a search that remembers."""
    from hardwood.search import remembered_bound, rows_needed, weight_order_bound
    from hardwood.table import read_training_table
    from hardwood.tree import decision_path
    from hardwood.tree.route import leaves_of

    passed = decision_path(tree, leaves_of(tree, read_training_table(X), 1)).tocsc()
    split = np.flatnonzero(tree.branches)
    place = {int(node): i for i, node in enumerate(split)}
    needed, found = [], dict.fromkeys(BOUNDS, 0)
    children: list[list[int]] = [[] for _ in split]
    for node in split:
        here = passed.indices[passed.indptr[node] : passed.indptr[node + 1]]
        lower, upper = rows_needed(X[here], y[here], weights[here])
        needed.append(lower)
        found["lower"] += int(lower.sum())
        found["upper"] += int(upper.sum())
        found["weight_order"] += weight_order_bound(X[here], y[here], weights[here])
        above = int(tree.parent[node])
        if above in place:
            children[place[above]].append(place[int(node)])
    found["remembered"] = remembered_bound(np.array(needed), children)
    return {"nodes": len(split), **found}


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    columns = ["run", "depth", "round", "nodes", "all rows times all columns", "exact bound"]
    columns += ["at most", "if it remembers", "weight-order", *SEARCHES]
    names = ("everything", "lower", "upper", "remembered", "weight_order", *SEARCHES)
    rows = [
        [record["run"], record["depth"], record["round"][i], record["nodes"][i]]
        + [record[name][i] for name in names]
        for record in records
        for i in range(len(record["round"]))
    ]
    table = study.Table("Assessments in single rounds", columns, [_in_words(row) for row in rows])
    return study.Findings(
        [verdict for record in records for verdict in _verdicts(record)],
        _paragraph(records),
        [table, _ratios(records)],
        csv=study.Table("", columns, rows),
    )


def _in_words(row: Sequence[Any]) -> list[str]:
    return [*map(str, row[:4]), *[f"{count:,}" for count in row[4:]]]


def _ratios(records: Sequence[study.Record]) -> study.Table:
    """Of the sums over the rounds that were looked at."""
    rows = []
    for record in records:
        total = {name: sum(record[name]) for name in (*BOUNDS, *SEARCHES, "everything")}
        rows.append(
            [
                record["run"],
                record["depth"],
                len(record["round"]),
                (total["upper"] - total["lower"]) / total["lower"],
                *[total[name] / total["lower"] for name in ("weight_order", *SEARCHES[::-1])],
                total["everything"] / total["lower"],
                total["remembered"] / total["lower"],
            ]
        )
    over = ["weight-order", *SEARCHES[::-1], "everything", "if it remembers"]
    columns = ["run", "depth", "rounds", "width of the exact bound"]
    return study.Table("In shares of the exact bound", [*columns, *over], rows)


def _verdicts(record: study.Record) -> list[study.Verdict]:
    lower, upper, by_weight, adaptive, remembered = (
        np.asarray(record[name])
        for name in ("lower", "upper", "weight_order", "adaptive", "remembered")
    )
    in_order = bool(
        np.all(remembered <= lower) and np.all(lower <= upper)
        and np.all(upper <= by_weight) and np.all(by_weight <= adaptive)
    )  # fmt: skip
    median = float(np.median(adaptive / lower - 1))
    what = f"{record['run']}, depth {record['depth']}"
    return [
        study.Verdict(
            f"{what}: remembering <= exact <= weight-order <= adaptive in every round",
            "ours: by definition",
            "yes" if in_order else "no",
            "holds" if in_order else "DOES NOT HOLD",
        ),
        study.Verdict(
            f"{what}: adaptive above the exact bound, median",
            "stumps: within 10-20 %",
            f"{median:.1%}",
            "at most 20 %, as said of stumps" if median <= 0.2 else "above what is said of stumps",
        ),
    ]


def _paragraph(records: Sequence[study.Record]) -> str:
    found = []
    for record in records:
        total = {name: sum(record[name]) for name in (*BOUNDS, *SEARCHES)}
        found.append(
            f"on {record['run']} at depth {record['depth']} adaptive looks at "
            f"{total['adaptive'] / total['lower']:.3f} times the exact bound, quick at "
            f"{total['quick'] / total['lower']:.3f} times"
        )
    return (
        "Summed over the rounds looked at, "
        + "; ".join(found)
        + ". The bound adds up over nodes because these searches look at every node anew. What a "
        "search needs that remembers at a node what it looked up above is a bound of its own, the "
        "last column. For columns of two values the exact bound is found greedily; for others it "
        "is known to a few rows per column, which is the width of the exact bound."
    )


STUDY = study.Study(
    name="aziz-bounds",
    title="Exact lower bounds of whole trees, of many-valued columns and of pairs (after AAA18)",
    protocol=(
        "Figure 1 of the paper compares searches with the exact lower bound for stumps on columns "
        "of two values; for trees, for columns of many values and for pairs it is left open. Here "
        "it is computed, in a few rounds, for every node that was split "
        "(`hardwood.search.rows_needed`), summed over the nodes, and also for a search that "
        "remembers what it looked up at other nodes (`remembered_bound`). The runs are discrete "
        "AdaBoost as in [aziz-table2](../aziz-table2/README.md), by the library's rules; satimage "
        "is a table with one row for each pair of an example and a class, 26,610 rows, the class "
        "as the last of 37 columns. A bound is read with any of the tied columns as the winner."
    ),
    full={
        "runs": [
            ["a6a", [2, 3], [1, 51, 101]],
            ["w4a", [2, 3], [1, 51, 101]],
            [PIMA, [1, 2, 3], [1, 11, 21, 31, 41]],
            ["satimage pairs", [1, 2, 3], [101]],
        ],
    },
    quick={"runs": [[PIMA, [2], [2]]]},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: [
        name
        for run, *_ in settings["runs"]
        for name in (["pima.parquet"] if run == PIMA else files_of([run]))
    ],
)
