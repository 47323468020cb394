"""What monotone constraints cost, beside LightGBM: `python -m benchmarks.constraints --out FILE`.

Time: the same fit with and without constraints, ours and LightGBM's, learners taking turns; the
ratio of constrained to unconstrained is what is compared. Error: a generated table whose truth is
monotone in the constrained columns, test error and log loss over several draws, with the least
that any model could reach beside. Tables go to the file that `--out` names. To be run on an idle
machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.report import markdown_table, write_section
from benchmarks.tree import in_turns

TITLE = "Monotone constraints, hardwood and LightGBM"
SIGNS = (1, 1, 1, 1, -1, 0, 0, 0)
METHODS = ("basic", "intermediate", "advanced")
Floats = NDArray[np.float64]


def monotone_table(rows: int, seed: int) -> tuple[Floats, NDArray[np.int64], Floats]:
    """X, y and the true probabilities, which are monotone in the columns that have a sign."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, len(SIGNS)))
    score = X[:, 0] + X[:, 1] + 0.5 * X[:, 2] + 0.5 * np.maximum(X[:, 3], 0) - 0.7 * X[:, 4]
    score += 0.8 * np.sin(2 * X[:, 5]) + 0.4 * X[:, 6] * (X[:, 0] > 0)
    truth = 1 / (1 + np.exp(-1.2 * score))
    return X, (rng.random(rows) < truth).astype(np.int64), truth


def ours(rounds: int, threads: int, constrained: bool, **more: Any) -> Any:
    from hardwood import BoostedTreesClassifier

    signs = list(SIGNS) if constrained else None
    return BoostedTreesClassifier(
        n_estimators=rounds, monotonic_cst=signs, n_jobs=threads, random_state=0, **more
    )


def lightgbm(rounds: int, threads: int, method: str | None, **more: Any) -> Any:
    from lightgbm import LGBMClassifier

    own: dict[str, Any] = {} if method is None else {"monotone_constraints_method": method}
    signs = None if method is None else list(SIGNS)
    return LGBMClassifier(
        n_estimators=rounds, monotone_constraints=signs, n_jobs=threads, verbose=-1, **own, **more
    )


def times(rows: int, rounds: int, threads: int, turns: int) -> list[list[str]]:
    X, y, _ = monotone_table(rows, 0)
    shape = {"max_depth": 5, "learning_rate": 0.1}
    fits: dict[tuple[str, int], Callable[[], Any]] = {}
    for name, constrained in (("hardwood", False), ("hardwood, constrained", True)):
        fits[name, threads] = partial(
            _fit, partial(ours, rounds, threads, constrained, feature_fraction=1.0, **shape), X, y
        )
    for method in (None, *METHODS):
        name = "LightGBM" if method is None else f"LightGBM, {method}"
        fits[name, threads] = partial(
            _fit, partial(lightgbm, rounds, threads, method, num_leaves=32, **shape), X, y
        )
    best = in_turns(fits, dict.fromkeys(fits, turns))
    taken = {name: seconds for (name, _), seconds in best.items()}
    found = []
    for name, seconds in taken.items():
        free = taken["hardwood" if name.startswith("hardwood") else "LightGBM"]
        found.append([name, f"{seconds:.2f}", f"{seconds / free:.2f}"])
    return found


def _fit(make: Callable[[], Any], X: Floats, y: NDArray[np.int64]) -> Any:
    return make().fit(X, y)


def errors(rows: int, rounds: int, threads: int, draws: int) -> list[list[str]]:
    """Means over the draws."""
    sums: dict[str, list[tuple[float, float]]] = {}
    for draw in range(draws):
        X, y, _ = monotone_table(rows, 2 * draw)
        test, seen, truth = monotone_table(50_000, 2 * draw + 1)
        models = {
            "hardwood": ours(rounds, threads, False),
            "hardwood, constrained": ours(rounds, threads, True),
            "LightGBM": lightgbm(rounds, threads, None),
            **{f"LightGBM, {each}": lightgbm(rounds, threads, each) for each in METHODS},
        }
        for name, model in models.items():
            sure = model.fit(X, y).predict_proba(test)[:, 1]
            sums.setdefault(name, []).append(_judged(sure, seen, truth))
        sums.setdefault("the truth", []).append(_judged(truth, seen, truth))
    return [
        [name, *(f"{value:.4f}" for value in np.mean(found, axis=0))]
        for name, found in sums.items()
    ]


def tree_errors(rows: int, draws: int) -> list[list[str]]:
    """Of single trees: with the defaults, and with 50 leaves and no pruning."""
    from hardwood import TreeClassifier

    sums: dict[str, list[tuple[float, ...]]] = {}
    for draw in range(draws):
        X, y, _ = monotone_table(rows, 2 * draw)
        test, seen, truth = monotone_table(50_000, 2 * draw + 1)
        shapes: dict[str, dict[str, Any]] = {
            "": {},
            ", 50 leaves": {"max_leaf_nodes": 50, "pruning": None},
        }
        for shape, own in shapes.items():
            for name, signs in (("tree", None), ("tree, constrained", list(SIGNS))):
                model = TreeClassifier(monotonic_cst=signs, **own).fit(X, y)
                sure = model.predict_proba(test)[:, 1]
                judged = (*_judged(sure, seen, truth), roc_auc_score(seen, sure))
                sums.setdefault(name + shape, []).append(judged)
    return [
        [name, *(f"{value:.4f}" for value in np.mean(found, axis=0))]
        for name, found in sums.items()
    ]


def _judged(sure: Floats, seen: NDArray[np.int64], truth: Floats) -> tuple[float, float]:
    """Error on the labels, and expected log loss."""
    kept = np.clip(sure, 1e-9, 1 - 1e-9)
    loss = -(truth * np.log(kept) + (1 - truth) * np.log(1 - kept)).mean()
    return float(((sure > 0.5) != seen).mean()), float(loss)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--rows", type=int, default=200_000, help="of the timed table")
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--turns", type=int, default=5)
    arguments.add_argument("--draws", type=int, default=5, help="tables of each size for errors")
    arguments.add_argument("--out", type=Path, required=True, help="a Markdown file")
    told = arguments.parse_args()
    head = f"{told.rows:,} x {len(SIGNS)}, {told.rounds} rounds, depth 5, {told.threads} threads"
    table = markdown_table(
        ["fit", "seconds", "over unconstrained"],
        times(told.rows, told.rounds, told.threads, told.turns),
    )
    write_section(told.out, TITLE, f"Time: {head}", table)
    for rows in (1000, 4000, 20_000):
        found = errors(rows, told.rounds, told.threads, told.draws)
        table = markdown_table(["model", "test error", "log loss"], found)
        section = f"Error: {rows:,} rows, {told.rounds} rounds, defaults, {told.draws} draws"
        write_section(told.out, TITLE, section, table)
        table = markdown_table(
            ["model", "test error", "log loss", "AUC"], tree_errors(rows, told.draws)
        )
        write_section(told.out, TITLE, f"Single trees: {rows:,} rows, {told.draws} draws", table)


if __name__ == "__main__":
    main()
