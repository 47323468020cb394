"""`aziz-figure1`: the searches between the exact lower bound and everything (AAA18, Fig. 1).

In: boosted stumps. Out: every tenth round's assessments and bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.aziz_runs import boosted, files_of, read_run, round_weights
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels

SEARCHES = ("quick", "adaptive")
COMPARED = {"weight_order": "weight-order bound", "quick": "quick", "adaptive": "adaptive"}
"""What is compared with the exact bound, and its name in the figure."""


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.Unit(run, {"run": run, "rounds": settings["rounds"], "step": settings["step"]})
        for run in settings["runs"]
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    from hardwood.search import exact_bound, weight_order_bound

    run, rounds, step = (unit.given[name] for name in ("run", "rounds", "step"))
    X, y = read_run(run, data)[:2]
    models = {s: boosted(run, s, rounds, max_depth=1).fit(X, y) for s in SEARCHES}
    model = models["adaptive"]
    values: study.Values = {name: [] for name in ("round", "exact", "weight_order", *SEARCHES)}
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


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    rows, lines = [], {}
    for record in records:
        shares = _shares(record)
        lines[record["run"]] = {
            label: (record["round"], shares[name]) for name, label in COMPARED.items()
        }
        means = [float(np.mean(shares[name])) for name in COMPARED]
        rows.append([record["run"], len(record["round"]), *means, *_over(record).values()])
    columns = ["run", "rounds looked at", "weight-order: share of the gap", *SEARCHES]
    columns += [f"{name} / exact" for name in ("weight-order", *SEARCHES)]
    paragraph = (
        "In single rounds of stumps, "
        + "; ".join(map(_sentence, records))
        + ". Quick depends on its parameters, "
        "which the paper does not give. Every column here has two values, for which the exact "
        "bound needs no integer program: the smallest set of rows is found greedily."
    )
    draw = partial(panels, series=lines, xlabel="round", ylabel="share of the unnecessary work")
    return study.Findings(
        [verdict for record in records for verdict in _verdicts(record)],
        paragraph,
        [study.Table("Means over the rounds", columns, rows)],
        {"figure1": draw},
        _long(records),
    )


def _shares(record: study.Record) -> dict[str, Any]:
    """In each round, of the gap between the exact bound and everything."""
    exact = np.asarray(record["exact"], dtype=float)
    gap = record["everything"] - exact
    return {name: (np.asarray(record[name]) - exact) / gap for name in COMPARED}


def _over(record: study.Record) -> dict[str, float]:
    """The mean ratio to the exact bound."""
    exact = np.asarray(record["exact"], dtype=float)
    return {name: float(np.mean(np.asarray(record[name]) / exact)) for name in COMPARED}


def _verdicts(record: study.Record) -> list[study.Verdict]:
    run, quick = record["run"], _shares(record)["quick"]
    exact, by_weight, adaptive = (
        np.asarray(record[name]) for name in ("exact", "weight_order", "adaptive")
    )
    in_order = bool(np.all(exact <= by_weight) and np.all(by_weight <= adaptive))
    return [
        *_readings(record),
        study.Verdict(
            f"{run}: exact <= weight-order <= adaptive in every round",
            "by definition",
            "yes" if in_order else "no",
            "agrees" if in_order else "DIFFERS",
        ),
        study.Verdict(
            f"{run}: share of the unnecessary work that quick does, mean and median",
            "often half to all",
            f"{np.mean(quick):.0%}, {np.median(quick):.0%}",
            "agrees: median at least half"
            if np.median(quick) >= 0.5
            else "differs: less than half",
        ),
    ]


def _readings(record: study.Record) -> list[study.Verdict]:
    """ "Within 10-20% of the exact lower bound": of the bound, or of the gap above it (the axis of
    the figure); the rule is that the median is at most 20 %."""
    exact = np.asarray(record["exact"], dtype=float)
    shares = _shares(record)
    found = []
    for name in ("weight_order", "adaptive"):
        above = {"the exact bound": np.asarray(record[name]) / exact - 1, "the gap": shares[name]}
        for of, values in above.items():
            median = float(np.median(values))
            found.append(
                study.Verdict(
                    f"{record['run']}: {COMPARED[name]} above the exact bound, in shares of {of}: "
                    "median (mean, quarters)",
                    "within 10-20 %",
                    f"{median:.1%} ({np.mean(values):.1%}, {np.quantile(values, 0.25):.1%} to "
                    f"{np.quantile(values, 0.75):.1%})",
                    "agrees: median at most 20 %"
                    if median <= 0.2
                    else "differs: median above 20 %",
                )
            )
    return found


def _sentence(record: study.Record) -> str:
    mean = {name: np.mean(share) for name, share in _shares(record).items()}
    return (
        f"on {record['run']} adaptive does {mean['adaptive']:.1%} of the work that "
        f"the exact bound shows to be unnecessary, quick {mean['quick']:.1%}, and "
        f"searching in the order of the weights costs {mean['weight_order']:.1%}"
    )


def _long(records: Sequence[study.Record]) -> study.Table:
    names = ("round", "exact", "weight_order", *SEARCHES)
    rows = [
        [record["run"], *[record[name][i] for name in names], record["everything"]]
        for record in records
        for i in range(len(record["round"]))
    ]
    return study.Table("", ["run", *names, "everything"], rows)


STUDY = study.Study(
    name="aziz-figure1",
    title="Single rounds between the exact lower bound and everything (AAA18, Figure 1)",
    protocol=(
        "Stumps, 500 rounds, every 10th round: assessments of adaptive and quick, the "
        "weight-order bound and the exact bound for that round's weights, as shares of the gap "
        "between the exact bound (0) and all rows times all columns (1)."
    ),
    full={"runs": ["w4a", "a6a"], "rounds": 500, "step": 10},
    quick={"runs": ["a6a"], "rounds": 10, "step": 5},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of(settings["runs"]),
)
