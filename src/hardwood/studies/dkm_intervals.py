"""`dkm-intervals`: the tests inside DKM96's Table 1, problem by problem.

In: the trees of `dkm-table1`, first division. Out: a 95 % interval for the difference of the test
errors, entropy less km, and a paired t test of the sizes, beside the paper's. The paper tallies how
all hypotheses classify each test example and takes the ABC interval (DiCiccio & Efron 1992) for
marginal homogeneity. Here the statistic is the mean over the test examples of the difference
between the shares of entropy's and of km's trees that are wrong on the example.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies import dkm_table1 as table1
from hardwood.studies import study
from hardwood.studies.data import DataFolder
from hardwood.studies.dkm_problems import CRITERIA, OTHER_WAY, PROBLEMS

PAPER: dict[str, tuple[float, float, float, float]] = {
    # 95 % interval of the difference of errors in points; t and p of the sizes
    "letter-H": (-0.02, 0.25, 1.051, 0.328),
    "isolet-E": (-0.31, 0.48, 4.899, 0.016),
    "isolet-P": (-0.03, 0.80, 4.977, 0.016),
    "annealing-3": (-0.20, 0.61, 2.286, 0.106),
    "kr-vs-kp": (-0.07, 0.37, 2.906, 0.062),
    "segmentation-4": (0.38, 1.39, 1.000, 0.139),
    "pima": (-2.40, 5.87, 3.000, 0.205),
    "shuttle-1": (0.02, 0.07, 2.402, 0.096),
    "satimage-4": (-1.36, -0.05, 1.202, 0.316),
}


def abc_interval(values: Any, z: float = 1.959963984540054) -> tuple[float, float]:
    """The ABC interval for a mean. A mean is linear in the weights of the examples, so of the
    method's constants only the acceleration a is left, and the bias z0 equals it."""
    values = np.asarray(values, dtype=np.float64)
    mean = float(values.mean())
    apart = values - mean
    square = float((apart**2).sum())
    if square == 0.0:
        return mean, mean
    a = float((apart**3).sum()) / (6.0 * square**1.5)
    spread = math.sqrt(square) / len(values)
    ends = [mean + spread * w / (1.0 - a * w) ** 2 for w in (a - z, a + z)]
    return ends[0], ends[1]


def _units(settings: study.Settings) -> list[study.Unit]:
    return [study.Unit(name, {"problem": name}) for name in settings["problems"]]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    file, label, count, _ = PROBLEMS[unit.given["problem"]]
    problem = data.read(file)
    if label is not None:
        problem = problem.against_the_rest(table1._label(problem, file, label))
    sets, test = table1._divide(problem, count, 0)
    X, y = problem.rows(test)
    missing = "branch" if unit.given["problem"] in OTHER_WAY else "fractional"
    wrong, sizes = {}, {}
    for criterion in CRITERIA:
        trees = [table1._tree(criterion, missing, *problem.rows(rows)) for rows in sets]
        wrong[criterion] = np.mean([tree.predict(X) != y for tree in trees], axis=0)
        sizes[criterion] = [int(tree.grown_tree_.n_nodes) for tree in trees]
    low, high = abc_interval(100 * (wrong["entropy"] - wrong["km"]))
    t, p = _paired(np.array(sizes["entropy"], float) - np.array(sizes["km"], float))
    return {
        "sets": len(sets),
        "test_rows": len(test),
        "difference": 100 * float((wrong["entropy"] - wrong["km"]).mean()),
        "low": low,
        "high": high,
        "t": t,
        "p": p,
    }


def _paired(difference: Any) -> tuple[float, float]:
    from scipy.stats import ttest_1samp

    if np.ptp(difference) == 0.0:
        return 0.0, 1.0
    found = ttest_1samp(difference, 0.0)
    return float(found.statistic), float(found.pvalue)


def _side(low: float, high: float) -> str:
    return "km" if low > 0 else ("entropy" if high < 0 else "neither")


def _conclusion(ours: str, theirs: str) -> str:
    if ours != theirs:
        return "other conclusion"
    return "neither finds a difference: no evidence" if ours == "neither" else "same conclusion"


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    rows, verdicts = [], []
    for record in records:
        low, high, t, p = PAPER[record["problem"]]
        overlap = record["low"] <= high and low <= record["high"]
        rows.append(
            [
                record["problem"],
                record["sets"],
                record["test_rows"],
                f"[{record['low']:.2f}, {record['high']:.2f}]",
                f"[{low:.2f}, {high:.2f}]",
                record["t"],
                t,
                record["p"],
                p,
            ]
        )
        ours, theirs = _side(record["low"], record["high"]), _side(low, high)
        verdicts.append(
            study.Verdict(
                f"{record['problem']}: which criterion's error is significantly lower",
                theirs,
                ours,
                _conclusion(ours, theirs)
                + ("; the intervals overlap" if overlap else "; the intervals do not overlap"),
            )
        )
    same = sum(verdict.paper == verdict.ours for verdict in verdicts)
    overlaps = sum("do not" not in verdict.verdict for verdict in verdicts)
    sizes = [record["problem"] for record in records if record["p"] < 0.05]
    paragraph = (
        f"The intervals overlap with the paper's on {overlaps} of {len(records)} problems, and "
        f"lead to the same conclusion on {same}; where the paper finds no difference, finding none "
        "either is no evidence for it. The sizes differ at the 5 % level on "
        f"{', '.join(sizes) or 'no problem'} (paper: both isolet problems). With "
        "two to eight training sets a t test has little power, and nine of them at 5 % find "
        "something in 37 of 100 tables where there is nothing. The paper's p for segmentation does "
        "not belong to its t: with three degrees of freedom t = 1.000 has p = .391."
    )
    columns = [
        "problem",
        "training sets",
        "test rows",
        "95 % interval, entropy - km",
        "paper's",
        "t of the sizes",
        "paper's t",
        "p",
        "paper's p",
    ]
    return study.Findings(verdicts, paragraph, [study.Table("Intervals and tests", columns, rows)])


STUDY = study.Study(
    name="dkm-intervals",
    title="Confidence intervals and t tests, problem by problem (DKM96, Table 1)",
    protocol=(
        "The trees of `dkm-table1`, its first division. Positive differences mean that km errs "
        "less, or that entropy's trees are larger. The interval is the ABC interval of the mean, "
        "over the test examples, of the difference between the shares of the trees that are wrong; "
        "it holds the training sets fixed, as the paper's does. The t test is paired and two-sided."
    ),
    full={"problems": list(PAPER)},
    quick={"problems": ["pima", "kr-vs-kp"]},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: sorted({f"{PROBLEMS[p][0]}.parquet" for p in settings["problems"]}),
)
