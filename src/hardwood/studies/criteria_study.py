"""`criteria`: the four criteria on all data sets, and what they do to rare classes.

In: the data sets of the folder. Out: cross-validated test error and leaves of pruned trees per
criterion, and for two-class problems with a rare class its recall, F1 and average precision from
unpruned and pruned trees. km picks the split of a node that Hellinger distance picks, which does
not change with the classes' shares (docs/theory/rules.md#criteria); what that is worth is measured
here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.criteria import CRITERIA
from hardwood.studies import study
from hardwood.studies.criteria_findings import conclude
from hardwood.studies.data import DataFolder, Problem

SETS = [
    "a9a",
    "adult",
    "annealing",
    "audiology",
    "australian",
    "breast_w",
    "car",
    "covtype",
    "crx",
    "glass",
    "heart_c",
    "heart_statlog",
    "hepatitis",
    "hypothyroid",
    "ionosphere",
    "iris",
    "isolet",
    "kddcup99_10pct",
    "kr_vs_kp",
    "labor",
    "letter",
    "lymph",
    "mnist",
    "mushroom",
    "optdigits",
    "pima",
    "primary_tumor",
    "promoters",
    "satimage",
    "segmentation",
    "shuttle",
    "sonar",
    "tic_tac_toe",
    "vehicle",
    "vote",
    "vowel",
    "w4a",
    "wine",
]
RARE = [
    ["w4a", "1"],
    ["letter", "H"],
    ["isolet", "E"],
    ["satimage", "4"],
    ["covtype", "4"],
    ["shuttle", "3"],
    ["hypothyroid", "primary_hypothyroid"],
    ["glass", "vehic wind float"],
]
MOST_ROWS = 6000
FOLDS = 5


def _units(settings: study.Settings) -> list[study.Unit]:
    tasks: list[tuple[str, str, str | None]] = [(name, name, None) for name in settings["sets"]]
    tasks += [(f"{file}: {label} or not", file, label) for file, label in settings["rare"]]
    return [
        study.unit(task, criterion, task=task, file=file, label=label, criterion=criterion)
        for task, file, label in tasks
        for criterion in CRITERIA
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    problem, label = data.read(unit.given["file"]), unit.given["label"]
    if label is not None:
        problem = problem.against_the_rest(label)
    rows = np.random.default_rng(1996).permutation(len(problem.y))[:MOST_ROWS]
    fold = np.empty(len(rows), dtype=np.int64)
    order = np.argsort(problem.y[rows], kind="stable")
    fold[order] = np.arange(len(rows)) % FOLDS  # every class spread evenly
    parts = [_fold(unit, problem, rows[fold != k], rows[fold == k]) for k in range(FOLDS)]
    values = {name: float(np.mean([part[name] for part in parts])) for name in parts[0]}
    return {"rows": len(rows), "classes": len(np.unique(problem.y[rows])), **values}


def _fold(unit: study.Unit, problem: Problem, train: Any, test: Any) -> dict[str, float]:
    from hardwood import TreeClassifier

    X, y = problem.rows(test)
    values: dict[str, float] = {}
    for kind, pruning in (("pruned", "error-based"), ("grown", None)):
        tree = TreeClassifier(
            criterion=unit.given["criterion"], min_samples_leaf=2, pruning=pruning, n_jobs=-1
        ).fit(*problem.rows(train))
        values[f"error_{kind}"] = 1 - float(tree.score(X, y))
        values[f"leaves_{kind}"] = float(tree.tree_.n_leaves)
        if unit.given["label"] is not None:
            found = _rare(tree, X, y == unit.given["label"], unit.given["label"])
            values.update({f"{name}_{kind}": value for name, value in found.items()})
    if unit.given["label"] is not None:
        values["share"] = float(np.mean(y == unit.given["label"]))
    return values


def _rare(tree: Any, X: Any, truth: Any, label: str) -> dict[str, float]:
    from sklearn.metrics import average_precision_score

    guess = tree.predict(X) == label
    hits = float(np.sum(guess & truth))
    score = tree.predict_proba(X)[:, tree.classes_.tolist().index(label)]
    return {
        "recall": hits / max(float(truth.sum()), 1.0),
        "f1": 2 * hits / max(float(guess.sum() + truth.sum()), 1.0),
        "average_precision": float(average_precision_score(truth, score)) if truth.any() else 0.0,
    }


STUDY = study.Study(
    name="criteria",
    title="Four criteria on all data sets, and on rare classes",
    protocol=(
        "5-fold cross-validation, classes spread evenly over the folds, at most 6,000 rows per "
        "set (drawn once), `min_samples_leaf=2`, pruned error-based or not at all. Rare classes "
        "are one class against the rest. No table of the papers corresponds; DKM96's finding "
        "about km and entropy is set beside ours."
    ),
    full={"sets": SETS, "rare": RARE},
    quick={"sets": ["iris", "vote"], "rare": [["iris", "Iris-setosa"]]},
    units=_units,
    measure=_measure,
    conclude=conclude,
    files=lambda settings: [
        f"{name}.parquet"
        for name in dict.fromkeys([*settings["sets"], *[file for file, _ in settings["rare"]]])
    ],
)
