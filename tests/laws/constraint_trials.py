"""Random (constrained model, pair of rows) trials: a pair differs in one constrained column alone.

    python -m tests.laws.constraint_trials 100000 [seed]

Models are trees of every pruning and boosted trees of every variant, of two or three classes, on
random tables with missing values, few and many values, and ordered categories. Counted are exact
comparisons: `predict_proba` and labels of trees, scores and, of two classes, labels and
probabilities of boosted trees. Every constraint of every model is also given to `prove`.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify import Monotone, prove
from hardwood.criteria import Criterion

CRITERIA: tuple[Criterion, ...] = ("km", "gini", "entropy", "error")
PAIRS = 100
"""Per model and constrained column."""


@dataclass
class Found:
    pairs: int = 0
    violations: int = 0
    claims: int = 0
    not_proved: int = 0


def random_table(rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    rows, columns = int(rng.integers(40, 1500)), int(rng.integers(2, 6))
    made = {}
    for j in range(columns):
        values = rng.normal(size=rows)
        if rng.random() < 0.4:
            values = np.round(values * 2)
        if rng.random() < 0.3:
            values[rng.random(rows) < 0.1] = np.nan
        made[f"c{j}"] = values
    frame = pd.DataFrame(made)
    score = np.nan_to_num(frame.to_numpy()) @ rng.normal(size=columns)
    score += np.nan_to_num(frame["c0"].to_numpy()) * np.nan_to_num(frame["c1"].to_numpy())
    frame["size"] = pd.Categorical(
        rng.choice(["s", "m", "l"], size=rows), categories=["s", "m", "l"], ordered=True
    )
    frame["word"] = pd.Categorical(rng.choice(list("uvwxyz"), size=rows))
    score += 0.5 * frame["size"].cat.codes.to_numpy()
    classes = int(rng.integers(2, 4))
    noisy = score + rng.normal(size=rows)
    y = np.searchsorted(np.quantile(noisy, np.arange(1, classes) / classes), noisy)
    y[:classes] = np.arange(classes)
    return frame, y


def random_model(rng: np.random.Generator, told: Any, classes: int) -> Any:
    if rng.random() < 0.5:
        return TreeClassifier(
            criterion=CRITERIA[rng.integers(4)],
            pruning=[None, "error-based", "cost-complexity", "reduced-error"][rng.integers(4)],
            leaf_prior=float(rng.choice([0.0, 0.7, 8.0])),
            min_samples_leaf=int(rng.integers(1, 6)),
            max_leaf_nodes=[None, 12][rng.integers(2)],
            monotonic_cst=told,
        )
    return BoostedTreesClassifier(
        variant=str(rng.choice(["logistic", "real", "gentle", "discrete"])),
        multiclass="ovr" if classes > 2 else None,
        n_estimators=int(rng.integers(1, 12)),
        max_depth=int(rng.integers(1, 6)),
        weight_fraction=float(rng.choice([1.0, 0.8])),
        monotonic_cst=told,
        interaction_cst=[None, "pairwise"][rng.integers(2)],
    )


def outputs(model: Any, X: pd.DataFrame, label: int) -> list[np.ndarray]:
    """What must be in order, for the class."""
    if isinstance(model, TreeClassifier):
        found = [model.predict_proba(X)[:, label]]
    else:
        scores = model.decision_function(X)
        found = [scores[:, label] if scores.ndim == 2 else scores * (1 if label == 1 else -1)]
        if scores.ndim == 1:
            found.append(model.predict_proba(X)[:, label])
    if len(model.classes_) == 2:
        found.append((model.predict(X) == label).astype(float))
    return found


def compare_pairs(rng: np.random.Generator, model: Any, frame: pd.DataFrame, told: Any) -> Found:
    found = Found()
    for column, by_class in told.items():
        rows = frame.iloc[rng.integers(0, len(frame), PAIRS)].reset_index(drop=True)
        for other in frame.columns:  # rows that training never saw
            rows[other] = frame[other].iloc[rng.integers(0, len(frame), PAIRS)].array
        values = frame[column].dropna()
        if column == "size":
            codes = np.sort(rng.integers(0, 3, (PAIRS, 2)), axis=1)
            ends = [pd.Categorical.from_codes(each, dtype=frame[column].dtype) for each in codes.T]
        else:
            drawn = values.to_numpy()[rng.integers(0, len(values), (PAIRS, 2))]
            ends = list(np.sort(drawn + rng.normal(size=(PAIRS, 2)) * 0.2, axis=1).T)
        low, high = rows.assign(**{column: ends[0]}), rows.assign(**{column: ends[1]})
        for label, sign in by_class.items():
            pairs = zip(outputs(model, low, label), outputs(model, high, label), strict=True)
            broken = np.zeros(PAIRS, dtype=bool)
            for before, after in pairs:
                broken |= (after - before) * sign < 0
            found.pairs += PAIRS
            found.violations += int(broken.sum())
    return found


def claims_of(model: Any, told: Any) -> list[Monotone]:
    """Of boosted models about scores: those of several classes are what is promised."""
    of = "probability" if isinstance(model, TreeClassifier) else "score"
    ways = {1: "increasing", -1: "decreasing"}
    return [
        Monotone(column=column, direction=ways[sign], label=label, of=of)
        for column, by_class in told.items()
        for label, sign in by_class.items()
    ]


def trials(pairs: int, seed: int) -> Found:
    """At least so many pairs."""
    rng, found = np.random.default_rng(seed), Found()
    while found.pairs < pairs:
        frame, y = random_table(rng)
        classes = int(y.max()) + 1
        numbers = [name for name in frame.columns if name != "word" and frame[name].notna().any()]
        chosen = rng.choice(numbers, size=int(rng.integers(1, len(numbers) + 1)), replace=False)
        told = {
            str(name): {int(rng.integers(classes)): int(rng.choice([-1, 1]))} for name in chosen
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = random_model(rng, told, classes).fit(frame, y)
        own = compare_pairs(rng, model, frame, told)
        found.pairs += own.pairs
        found.violations += own.violations
        results = prove(model, claims_of(model, told))
        found.claims += len(results)
        found.not_proved += sum(not each.proved for each in results)
    return found


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    result = trials(asked, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(
        f"{result.violations} violations in {result.pairs} pairs of rows; {result.not_proved} of "
        f"{result.claims} constraints not proved."
    )
    sys.exit(1 if result.violations or result.not_proved else 0)
