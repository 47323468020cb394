"""Times of `counterfactual`: a tree, and 100 boosted trees of depth 3.

python -m benchmarks.counterfactuals [ROWS]

Goals: the tree's median under 1 ms; the boosted model's median under 1 s to a proved optimum, or a
stated gap. Rows stand at even distances in the table; one row is a dict, as a service has it.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from hardwood import BoostedTreesClassifier, TreeClassifier


def main(rows: int = 40) -> None:
    print("| data | model | rows | median ms | slowest ms | proved | largest gap |")
    print("|---|---|---|---|---|---|---|")
    for load in (load_breast_cancer, load_wine, load_iris):
        X, y = load(return_X_y=True, as_frame=True)
        models = {
            "tree": TreeClassifier().fit(X, y),
            "boosted": BoostedTreesClassifier(n_estimators=100, max_depth=3).fit(X, y),
        }
        chosen = np.linspace(0, len(X) - 1, min(rows, len(X))).astype(int)
        for name, model in models.items():
            told = _measured(model, [X.iloc[number].to_dict() for number in chosen.tolist()])
            print(f"| {load.__name__.removeprefix('load_')} | {name} | {len(chosen)} | {told} |")


def _measured(model: Any, rows: list[dict[Any, Any]]) -> str:
    model.counterfactual(rows[0])  # what is kept with the model is made once
    times, found = [], []
    for row in rows:
        start = time.perf_counter()
        found.append(model.counterfactual(row))
        times.append(1000 * (time.perf_counter() - start))
    proved = sum(each.optimal for each in found)
    gap = max((each.cost - each.bound for each in found if not each.optimal), default=0.0)
    return f"{np.median(times):.3g} | {max(times):.3g} | {proved} | {gap:.3g}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
