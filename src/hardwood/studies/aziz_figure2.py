"""`aziz-figure2`: cumulative assessments beside the weight-order bound (AAA18, Fig. 2).

In: boosted trees. Out: assessments per round, and the bound summed over every node that was split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.aziz_runs import boosted, files_of, read_run, round_weights
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels

SEARCHES = ("quick", "adaptive")


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.unit(run, what, run=run, what=what, rounds=rounds)
        for run, rounds in settings["runs"].items()
        for what in ("exhaustive", *SEARCHES, "bound")
        if what != "bound" or "pairs" not in run
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    run, what, rounds = (unit.given[name] for name in ("run", "what", "rounds"))
    X, y = read_run(run, data)[:2]
    model = boosted(run, "auto" if what == "bound" else what, rounds).fit(X, y)
    if what == "bound":
        per_round = _node_bounds(model, X, y)
    else:
        per_round = model.history_["assessments"].tolist()
    return {"per_round": [int(count) for count in per_round]}


def _node_bounds(model: Any, X: Any, y: Any) -> list[int]:
    """Per round the weight-order bound, summed over the nodes that were split."""
    from hardwood.search import weight_order_bound
    from hardwood.table import read_training_table
    from hardwood.tree import decision_path
    from hardwood.tree.route import leaves_of

    table, by_column = read_training_table(X), np.ascontiguousarray(X.T)
    found = []
    for tree, weights in zip(model.trees_, round_weights(model, X, y), strict=False):
        passed = decision_path(tree, leaves_of(tree, table, 1)).tocsc()
        total = 0
        for node in np.flatnonzero(tree.branches):
            here = passed.indices[passed.indptr[node] : passed.indptr[node + 1]]
            total += weight_order_bound(by_column[:, here].T, y[here], weights[here])
        found.append(total)
    return found


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    runs = list(dict.fromkeys(record["run"] for record in records))
    lines: dict[str, Any] = {}
    verdicts, rows = [], []
    for run in runs:
        totals = {}
        lines[run] = {}
        for record in study.by(records, run=run):
            name = "weight-order bound" if record["what"] == "bound" else record["what"]
            sums = np.cumsum(record["per_round"], dtype=float)
            lines[run][name] = (np.arange(1, len(sums) + 1), sums)
            totals[record["what"]] = float(sums[-1])
        rows.append(
            [
                run,
                len(next(iter(study.by(records, run=run)))["per_round"]),
                *[totals.get(what, float("nan")) for what in ("exhaustive", *SEARCHES, "bound")],
            ]
        )
        verdicts.append(
            study.Verdict(
                f"{run}: adaptive / quick",
                "below 1",
                f"{totals['adaptive'] / totals['quick']:.3f}",
                "agrees" if totals["adaptive"] < totals["quick"] else "differs",
            )
        )
        if "bound" in totals:
            over = totals["adaptive"] / totals["bound"]
            verdicts.append(
                study.Verdict(
                    f"{run}: adaptive / weight-order bound",
                    "almost 1",
                    f"{over:.3f}",
                    "agrees: at most 10 % above" if 1 <= over <= 1.1 else "differs: more than 10 %",
                )
            )
    overs = [row[4] / row[5] for row in rows if row[5] == row[5]]
    paragraph = (
        "Adaptive search stays "
        + (f"{min(overs):.3f} to {max(overs):.3f} times above" if overs else "unmeasured against")
        + " the weight-order bound, and beats quick on "
        f"{sum(row[4] < row[3] for row in rows)} of {len(rows)} sets. The bound is summed over "
        "every node that was split, which takes longer than the boosting; it is for two "
        "classes and not for pairs, so satimage has none."
    )
    columns = ["run", "rounds", "exhaustive", "quick", "adaptive", "weight-order bound"]
    draw = {
        "figure2": lambda figure: panels(figure, lines, xlabel="round", ylabel="assessments so far")
    }
    long = study.Table(
        "",
        ["run", "what", "round", "assessments"],
        [
            [record["run"], record["what"], t + 1, count]
            for record in records
            for t, count in enumerate(record["per_round"])
        ],
    )
    return study.Findings(verdicts, paragraph, [study.Table("Totals", columns, rows)], draw, long)


STUDY = study.Study(
    name="aziz-figure2",
    title="Cumulative assessments (AAA18, Figure 2)",
    protocol=(
        "Depth 3, 500 rounds, as in the paper: exhaustive, quick and "
        "adaptive, and the weight-order bound of every node of the same models; satimage is "
        'boosted by `multiclass="pairs"`.'
    ),
    full={"runs": {"a6a": 500, "w4a": 500, "satimage pairs": 500}},
    quick={"runs": {"a6a": 3}},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
