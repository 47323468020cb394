"""Constraints kept or not, ours and the peers': `python -m benchmarks.approval --out FILE`.

The table of docs/how-to/approve.md with its constraints: income and years employed lower the
probability of default, debt and late payments raise it. For rows of a test table every value of a
grid is put into a constrained column, neighbours on the grid are compared, and those that go the
wrong way by more than rounding are counted, for scores and for probabilities. Two classes,
three classes (LightGBM gives the same sign to every class; CatBoost refuses) and rows whose other
values are missing. Two-class peers are read into our tree records and given to `prove` as well.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import log_loss

from benchmarks.report import markdown_table, write_section
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.certify import Monotone, prove
from tests.tables.credit import credit_table
from tests.tables.peer_trees import from_catboost, from_lightgbm

TITLE = "Constraints of a credit-like table, kept or not"
SIGNS = {"income": -1, "debt": 1, "late_payments": 1, "years_employed": -1, "age": 0}
CLAIMS = [
    Monotone(column=name, direction="increasing" if sign > 0 else "decreasing", label="default")
    for name, sign in SIGNS.items()
    if sign
]
ROUNDING = 1e-9
METHODS = ("basic", "intermediate", "advanced")
COLUMNS = [
    "model",
    "test error",
    "log loss",
    "pairs",
    "scores wrong",
    "probabilities wrong",
    "prove",
]
Floats = NDArray[np.float64]
Ask = Callable[[pd.DataFrame], Floats]


def wrong_pairs(ask: Ask, X: pd.DataFrame, signs: dict[str, int]) -> tuple[int, int]:
    """Pairs of rows that differ in one constrained column, and how many of them go the wrong way.
    `ask`: one number per row, which is to follow the signs."""
    pairs = wrong = 0
    for name, sign in signs.items():
        if not sign:
            continue
        grid = np.unique(np.quantile(X[name].dropna(), np.linspace(0, 1, 41)))
        told = np.stack([ask(X.assign(**{name: value})) for value in grid])
        steps = sign * np.diff(told, axis=0)
        pairs += steps.size
        wrong += int((steps < -ROUNDING).sum())
    return pairs, wrong


def peers(signs: list[int] | None) -> dict[str, Any]:
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier

    found: dict[str, Any] = {}
    for method in METHODS if signs else (None,):
        name = f"LightGBM, {method}" if method else "LightGBM"
        more: dict[str, Any] = {
            "monotone_constraints": signs,
            "monotone_constraints_method": method,
        }
        found[name] = LGBMClassifier(n_jobs=1, verbose=-1, **(more if method else {}))
    found["CatBoost" + (", constrained" if signs else "")] = CatBoostClassifier(
        iterations=200, thread_count=1, verbose=0, random_seed=0, allow_writing_files=False,
        monotone_constraints=signs,
    )  # fmt: skip
    return found


def ours(signs: dict[str, int] | None) -> dict[str, Any]:
    told = {name: {"default": sign} for name, sign in signs.items() if sign} if signs else None
    more = ", constrained" if signs else ""
    return {
        f"hardwood, boosted{more}": BoostedTreesClassifier(monotonic_cst=told, n_jobs=1),
        f"hardwood, a tree{more}": TreeClassifier(monotonic_cst=told, n_jobs=1),
    }


def _score(model: Any, X: pd.DataFrame) -> Floats:
    """Of "default", the first class."""
    kind = type(model).__name__
    if kind == "LGBMClassifier":
        return -np.asarray(model.predict(X, raw_score=True))
    if kind == "CatBoostClassifier":
        return -np.asarray(model.predict(X, prediction_type="RawFormulaVal"))
    if kind == "TreeClassifier":
        return np.asarray(model.predict_proba(X)[:, 0])
    return -np.asarray(model.decision_function(X))


def _share(model: Any, place: int, X: pd.DataFrame) -> Floats:
    return np.asarray(model.predict_proba(X)[:, place])


def _proved(model: Any, X: pd.DataFrame, folder: Path) -> str:
    kind, names, labels = type(model).__name__, list(X.columns), ["default", "paid"]
    own = model
    if kind == "LGBMClassifier":
        own = from_lightgbm(model, names, labels)
    elif kind == "CatBoostClassifier":
        own = from_catboost(model, names, labels, folder)
    results = prove(own, CLAIMS)
    for each in results:  # the peer itself is asked about the rows
        if each.rows:
            first, last = _score(model, pd.DataFrame(each.rows, dtype=float)[names])
            rising = getattr(each.claim, "direction", "") == "increasing"
            assert (last < first) == rising, (each, first, last)
    told = [each.status for each in results]
    return ", ".join(f"{told.count(each)} {each}" for each in sorted(set(told)))


def two_classes(train: Any, test: Any) -> list[list[str]]:
    (X, y), (X_test, y_test) = train, test
    rows = []
    scanned = X_test.head(500)
    models = {**ours(None), **peers(None), **ours(SIGNS)}
    models |= peers([-sign for sign in SIGNS.values()])  # theirs are about "paid", the second class
    for name, model in models.items():
        model.fit(X, y)
        proba = np.asarray(model.predict_proba(X_test))
        error = float(np.mean(np.ravel(model.predict(X_test)) != y_test))
        pairs, scores = wrong_pairs(partial(_score, model), scanned, SIGNS)
        _, shares = wrong_pairs(partial(_share, model, 0), scanned, SIGNS)
        with tempfile.TemporaryDirectory() as folder:
            proved = _proved(model, X, Path(folder))
        told = [f"{error:.4f}", f"{log_loss(y_test, proba):.4f}", f"{pairs:,}"]
        rows.append([name, *told, f"{scores:,}", f"{shares:,}", proved])
    return rows


def three_classes(train: Any, test: Any) -> list[list[str]]:
    """A third class between: defaults of people with more than the median income are "late"."""
    (X, y), (X_test, _) = train, test
    y = np.where((y == "default") & (X.income > X.income.median()), "late", y)
    signs = {"debt": 1, "late_payments": 1}
    scanned = X_test.head(500)
    told = {name: {"default": 1, "late": -1, "paid": -1} for name in signs}
    listed = [signs.get(name, 0) for name in X.columns]
    models = {
        "hardwood, boosted, constrained": BoostedTreesClassifier(monotonic_cst=told, n_jobs=1),
        **peers(listed),
    }
    rows = []
    for name, model in models.items():
        try:
            model.fit(X, y)
        except Exception as error:  # what a peer says of the combination is the result
            print(name, str(error).splitlines()[0])
            rows.append([name, "", "refused"])
            continue
        at = list(model.classes_).index("default")
        pairs, wrong = wrong_pairs(partial(_share, model, at), scanned, signs)
        rows.append([name, f"{pairs:,}", f"{wrong:,}"])
    return rows


def australian() -> list[list[str]]:
    """The Australian credit table (HARDWOOD_DATA): the truth is not known, so signs are those that
    the single columns have."""
    from sklearn.model_selection import cross_val_score

    frame = pd.read_parquet(Path(os.environ["HARDWOOD_DATA"]) / "australian.parquet")
    y, X = frame.iloc[:, -1].astype(str), frame.iloc[:, :-1].select_dtypes("number")
    signs = {name: int(np.sign(np.corrcoef(X[name], y == "1")[0, 1])) for name in X.columns}
    told = {name: {"1": sign} for name, sign in signs.items()}
    rows = []
    for name, cst in (("hardwood, boosted", None), ("hardwood, boosted, constrained", told)):
        model = BoostedTreesClassifier(monotonic_cst=cst, n_jobs=1)
        error = 1 - cross_val_score(model, X, y, cv=10)
        model.fit(X, y)
        _, wrong = wrong_pairs(partial(_share, model, 1), X, signs)
        rows.append([name, f"{error.mean():.4f} ± {error.std() / 10**0.5:.4f}", f"{wrong:,}"])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/RESULTS-approval.md"))
    out = parser.parse_args().out
    train, test = credit_table(4000, 0), credit_table(4000, 1)
    write_section(out, TITLE, "Two classes", markdown_table(COLUMNS, two_classes(train, test)))
    bare = test[0].assign(age=np.nan)
    several = ["model", "pairs", "wrong"]
    heading = "Three classes, the probability of default"
    write_section(out, TITLE, heading, markdown_table(several, three_classes(train, test)))
    write_section(
        out,
        TITLE,
        "Two classes, rows without an age",
        markdown_table(COLUMNS, two_classes(train, (bare, test[1]))),
    )
    if "HARDWOOD_DATA" in os.environ:
        real = ["model", "10-fold error", "pairs wrong"]
        write_section(
            out, TITLE, "Australian credit, six numbers", markdown_table(real, australian())
        )


if __name__ == "__main__":
    main()
