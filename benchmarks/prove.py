"""How long proofs take: python -m benchmarks.prove

A boosted model of 500 trees of depth 3, each of which rises with one column, is proved monotone in
it; then the same model with one tree turned around is refuted. Printed are the verdicts and the
best of several times.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier
from hardwood.certify import Monotone, Result, prove

ROWS, COLUMNS, REPEATS = 5000, 10, 5


def rising_model() -> BoostedTreesClassifier:
    """Trained trees whose leaves are given values that rise with the first column: a turn to the
    right at a node about it counts more than all turns below."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=ROWS) > 0).astype(int)
    model = BoostedTreesClassifier(n_estimators=500, max_depth=3).fit(X, y)
    trees = model._run.boosters[0].trees
    for place, tree in enumerate(trees):
        value = np.zeros(tree.n_nodes)
        for node in range(1, tree.n_nodes):
            above = int(tree.parent[node])
            right = tree.feature[above] == 0 and node != tree.first_child[above]
            value[node] = value[above] + right * 2.0 ** -tree.depth[above]
        trees[place] = replace(tree, value=np.where(tree.is_leaf, value / 50, 0.0))
    model._take(model._run)
    return model


def turned_around(model: BoostedTreesClassifier) -> BoostedTreesClassifier:
    """With the first tree that asks about the column falling steeply."""
    trees = model._run.boosters[0].trees
    place = next(i for i, tree in enumerate(trees) if 0 in tree.used_features)
    value = trees[place].value
    assert value is not None
    trees[place] = replace(trees[place], value=-50 * value)
    model._take(model._run)
    return model


def timed(model: Any, claim: Monotone) -> tuple[float, Result]:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        (result,) = prove(model, claim)
        times.append(time.perf_counter() - start)
    return min(times), result


def main() -> None:
    claim = Monotone(column="x0")
    for name, change in (("rising trees", None), ("one tree turned around", turned_around)):
        model = rising_model() if change is None else change(rising_model())
        seconds, result = timed(model, claim)
        print(f"500 trees of depth 3, {name}: {result.status} in {seconds:.3f} s")


if __name__ == "__main__":
    main()
