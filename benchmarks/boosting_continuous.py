"""Boosting on columns of all-distinct values: `python -m benchmarks.boosting_continuous`.

Exact trees of ours against histograms of at most 256 bins, in one run: as many rounds, leaves and
threads for everybody, rate 0.1. The tables are generated and need no file. Learners take turns and
the best of their turns counts. The last table says what a round costs early and late, from fits of
so many rounds. Tables go to `benchmarks/RESULTS-boosting-continuous.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import markdown_table, write_section
from benchmarks.tree import in_turns
from hardwood.boosting.rounds import Rounds

OUT = Path(__file__).parent / "RESULTS-boosting-continuous.md"
TITLE = "Boosting on continuous columns, hardwood and its peers"
STEPS = (0, 10, 40, 50, 90, 100)


@dataclass(frozen=True)
class Shape:
    """What all learners are asked for. depth 0: only the leaves limit a tree."""

    rows: int
    classes: int
    rounds: int
    leaves: int = 31
    depth: int = 0

    @property
    def title(self) -> str:
        limit = f"{self.leaves} leaves" if self.depth == 0 else f"depth {self.depth}"
        return f"{self.rows:,} x 28, {self.classes} classes, {self.rounds} rounds, {limit}"


SHAPES = {
    "large": Shape(500_000, 2, 100),
    "large-long": Shape(500_000, 2, 300),
    "large-depth6": Shape(500_000, 2, 100, 64, 6),
    "medium": Shape(50_000, 2, 300),
    "classes": Shape(100_000, 10, 30),
}


def table(shape: Shape) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Normal columns: some matter alone, some in pairs, twelve not at all; half of it is noise."""
    rng = np.random.default_rng(shape.rows)
    X = rng.standard_normal((shape.rows, 28))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + 0.5 * np.abs(X[:, 4])
    score += 0.5 * X[:, 5] * X[:, 6] * (X[:, 7] > 0) + 0.15 * X[:, 8:16].sum(axis=1)
    score += 1.5 * rng.standard_normal(shape.rows)
    return X, score.argsort().argsort() * shape.classes // shape.rows


def _hardwood(shape: Shape, rounds: int, threads: int) -> Any:
    from hardwood import BoostedTreesClassifier

    return BoostedTreesClassifier(
        n_estimators=rounds,
        learning_rate=0.1,
        max_depth=shape.depth or None,
        max_leaf_nodes=shape.leaves,
        feature_fraction=1.0,  # as the peers
        n_jobs=threads,
    )


def _lightgbm(shape: Shape, rounds: int, threads: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=rounds,
        learning_rate=0.1,
        num_leaves=shape.leaves,
        max_depth=shape.depth or -1,
        n_jobs=threads,
        verbose=-1,
    )


def _xgboost(method: str, shape: Shape, rounds: int, threads: int) -> Any:
    from xgboost import XGBClassifier

    leafwise: dict[str, Any] = {
        "max_leaves": shape.leaves,
        "max_depth": 0,
        "grow_policy": "lossguide",
    }
    if shape.depth or method == "exact":
        leafwise = {"max_depth": shape.depth or 5}
    return XGBClassifier(
        n_estimators=rounds, learning_rate=0.1, tree_method=method, n_jobs=threads, **leafwise
    )


def _sklearn(shape: Shape, rounds: int, threads: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        max_iter=rounds,
        learning_rate=0.1,
        max_leaf_nodes=shape.leaves,
        max_depth=shape.depth or None,
        early_stopping=False,
    )

    class Limited:
        def fit(self, X: Any, y: Any) -> Any:
            with threadpool_limits(threads, user_api="openmp"):
                return model.fit(X, y)

    return Limited()


Builder = Callable[[Shape, int, int], Any]
LEARNERS: dict[str, Builder] = {
    "hardwood": _hardwood,
    "LightGBM": _lightgbm,
    "XGBoost hist": partial(_xgboost, "hist"),
    "scikit-learn HGB": _sklearn,
}


def compare(name: str, threads: list[int], repeats: int, exact: bool) -> None:
    """Whole fits."""
    shape = SHAPES[name]
    X, y = table(shape)
    learners = dict(LEARNERS)
    if exact:
        learners["XGBoost exact, depth 5"] = partial(_xgboost, "exact")
    rows = []
    for count in threads:
        jobs = {
            (learner, count): partial(build(shape, shape.rounds, count).fit, X, y)
            for learner, build in learners.items()
        }
        turns = {key: 1 if "exact" in key[0] else repeats for key in jobs}
        seconds = in_turns(jobs, turns)
        base = seconds["LightGBM", count]
        rows += [
            [learner, str(count), f"{taken:.2f}", f"{taken / base:.2f}"]
            for (learner, _), taken in seconds.items()
        ]
    text = markdown_table(["learner", "threads", "seconds", "/ LightGBM"], rows)
    print(f"{shape.title}\n{text}\n", flush=True)
    write_section(OUT, TITLE, shape.title, text)


def cost_of_rounds(name: str, threads: int, repeats: int) -> None:
    """What a round costs early and late."""
    shape = SHAPES[name]
    X, y = table(shape)
    jobs = {
        (learner, rounds): partial(LEARNERS[learner](shape, max(rounds, 1), threads).fit, X, y)
        for learner in ("hardwood", "LightGBM")
        for rounds in STEPS
    }
    seconds = in_turns(jobs, dict.fromkeys(jobs, repeats))
    rows = []
    for learner in ("hardwood", "LightGBM"):
        spans = [
            (seconds[learner, last] - seconds[learner, first]) / (last - max(first, 1)) * 1000
            for first, last in ((0, 10), (40, 50), (90, 100))
        ]
        rows.append([learner, *(f"{span:.0f}" for span in spans), f"{spans[2] / spans[0]:.2f}"])
    names = ["ms a round", "rounds 2-10", "41-50", "91-100", "late / early"]
    text = markdown_table(names, rows)
    heading = f"Rounds of {shape.rows:,} x 28, {shape.leaves} leaves, {threads} threads"
    print(f"{heading}\n{text}\n", flush=True)
    write_section(OUT, TITLE, heading, text)


def opened_buckets(name: str) -> None:
    """Which share of the rows, over columns and nodes, lies in buckets that were opened: by weight,
    one thread."""
    shape = SHAPES[name]
    X, y = table(shape)
    shares: list[float] = []
    keep = Rounds.add_all

    def noting(self: Rounds, rounds: list[dict[str, Any]]) -> None:
        shares.extend(each["opened_rows"] / each["exhaustive_assessments"] for each in rounds)
        keep(self, rounds)

    with patch.object(Rounds, "add_all", noting):
        _hardwood(shape, STEPS[-1], 1).fit(X, y)
    spans = [
        np.mean(shares[first:last]) for first, last in zip(STEPS[::2], STEPS[1::2], strict=True)
    ]
    names = ["rounds 1-10", "41-50", "91-100"]
    text = markdown_table(names, [[f"{span:.3f}" for span in spans]])
    heading = f"Share of the rows in opened buckets, {shape.rows:,} x 28, {shape.leaves} leaves"
    print(f"{heading}\n{text}\n", flush=True)
    write_section(OUT, TITLE, heading, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument(
        "--only", nargs="*", choices=[*SHAPES, "rounds"], default=[*SHAPES, "rounds"]
    )
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--exact", action="store_true", help="XGBoost's exact method too")
    given = parser.parse_args()
    for name in given.only:
        if name == "rounds":
            cost_of_rounds("large", max(given.threads), given.repeats)
            opened_buckets("large")
        else:
            compare(name, given.threads, given.repeats, given.exact and name == "large")


if __name__ == "__main__":
    main()
