"""`aziz-figure1`: the searches between the exact lower bound and everything (AAA18, Fig. 1).

In: boosted stumps. Out: every tenth round's assessments and bounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.studies.aziz_runs import (
    boosted,
    files_of,
    read_run,
    round_weights,
)
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels
from hardwood.studies.study import (
    Findings,
    Record,
    Settings,
    Study,
    Table,
    Unit,
    Values,
    Verdict,
)

SEARCHES = ("quick", "adaptive")


def _units1(settings: Settings) -> list[Unit]:
    return [
        Unit(run, {"run": run, "rounds": settings["rounds"], "step": settings["step"]})
        for run in settings["runs"]
    ]


def _measure1(unit: Unit, data: DataFolder) -> Values:
    from hardwood.search import exact_bound, weight_order_bound

    run, rounds, step = (unit.given[name] for name in ("run", "rounds", "step"))
    X, y = read_run(run, data)[:2]
    models = {s: boosted(run, s, rounds, max_depth=1).fit(X, y) for s in SEARCHES}
    model = models["adaptive"]
    values: Values = {name: [] for name in ("round", "exact", "weight_order", *SEARCHES)}
    values["everything"] = int(X.shape[0] * X.shape[1])
    for t, weights in enumerate(round_weights(model, X, y)):
        if t % step or t >= model.n_estimators_:
            continue
        values["round"].append(t + 1)
        values["exact"].append(exact_bound(X, y, weights))
        values["weight_order"].append(weight_order_bound(X, y, weights))
        for search in SEARCHES:
            values[search].append(int(models[search].history_["assessments"][t]))
    return values


def _conclude1(records: Sequence[Record]) -> Findings:
    lines, verdicts, rows, sentences = {}, [], [], []
    for record in records:
        exact = np.asarray(record["exact"], dtype=float)
        shares = {
            name: (np.asarray(record[name]) - exact) / (record["everything"] - exact)
            for name in ("weight_order", *SEARCHES)
        }
        lines[record["run"]] = {
            label: (record["round"], shares[name])
            for label, name in (
                ("weight-order bound", "weight_order"),
                ("quick", "quick"),
                ("adaptive", "adaptive"),
            )
        }
        over = {name: float(np.mean(np.asarray(record[name]) / exact)) for name in shares}
        in_order = bool(
            np.all(exact <= record["weight_order"])
            and np.all(np.asarray(record["weight_order"]) <= record["adaptive"])
        )
        rows.append(
            [
                record["run"],
                len(exact),
                *[float(np.mean(shares[name])) for name in shares],
                *over.values(),
            ]
        )
        verdicts += [
            Verdict(
                f"{record['run']}: weight-order bound and adaptive over the exact bound",
                "within 10-20 %",
                f"{over['weight_order'] - 1:+.1%} and {over['adaptive'] - 1:+.1%}",
                "agrees" if over["adaptive"] <= 1.2 else "differs",
            ),
            Verdict(
                f"{record['run']}: exact <= weight-order <= adaptive in every round",
                "by definition",
                "yes" if in_order else "no",
                "agrees" if in_order else "DIFFERS",
            ),
            Verdict(
                f"{record['run']}: share of the unnecessary work that quick does, mean and median",
                "often half to all",
                f"{np.mean(shares['quick']):.0%}, {np.median(shares['quick']):.0%}",
                "agrees" if np.median(shares["quick"]) >= 0.5 else "less than the paper's",
            ),
        ]
        sentences.append(
            f"on {record['run']} adaptive does {np.mean(shares['adaptive']):.1%} of the work that "
            f"the exact bound shows to be unnecessary, quick {np.mean(shares['quick']):.1%}, and "
            f"searching in the order of the weights costs {np.mean(shares['weight_order']):.1%}"
        )
    columns = [
        "run",
        "rounds looked at",
        "weight-order: share of the gap",
        "quick",
        "adaptive",
        "weight-order / exact",
        "quick / exact",
        "adaptive / exact",
    ]
    paragraph = (
        "In single rounds of stumps, "
        + "; ".join(sentences)
        + ". Quick depends on its parameters, "
        "which the paper does not give. Every column here has two values, for which the exact "
        "bound needs no integer program: the smallest set of rows is found greedily."
    )
    draw = {
        "figure1": lambda figure: panels(
            figure, lines, xlabel="round", ylabel="share of the unnecessary work"
        )
    }
    return Findings(
        verdicts, paragraph, [Table("Means over the rounds", columns, rows)], draw, _long(records)
    )


def _long(records: Sequence[Record]) -> Table:
    names = ("round", "exact", "weight_order", *SEARCHES)
    rows = [
        [record["run"], *[record[name][i] for name in names], record["everything"]]
        for record in records
        for i in range(len(record["round"]))
    ]
    return Table("", ["run", *names, "everything"], rows)


FIGURE1 = Study(
    name="aziz-figure1",
    title="Single rounds between the exact lower bound and everything (AAA18, Figure 1)",
    protocol=(
        "Stumps, 500 rounds, every 10th round: assessments of adaptive and quick, the "
        "weight-order bound and the exact bound for that round's weights, as shares of the gap "
        "between the exact bound (0) and all rows times all columns (1)."
    ),
    full={"runs": ["w4a", "a6a"], "rounds": 500, "step": 10},
    quick={"runs": ["a6a"], "rounds": 10, "step": 5},
    units=_units1,
    measure=_measure1,
    conclude=_conclude1,
    files=lambda settings: files_of(settings["runs"]),
)
