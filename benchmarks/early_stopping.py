"""How held-out rows should choose the number of rounds: `python -m benchmarks.early_stopping`.

In: the small sets of `HARDWOOD_DATA`. Every fold's training rows give the test loss after each
round, and the losses on rows held out in several ways, so that every patience is judged from the
same fits. Out: the mean test log loss of each way; the table in docs/how-to/boosting.md.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.cross_validation import read_set
from benchmarks.report import markdown_table
from hardwood import BoostedTreesClassifier
from hardwood.boosting.row_losses import RowLoss
from hardwood.encoding.drawn_rows import draw_fold, draw_share, drawn_rows

SETS = (
    "iris", "hepatitis", "heart_statlog", "heart_c", "pima", "breast_w", "wine", "vote",
    "tic_tac_toe", "australian", "crx", "lymph", "glass",
)  # fmt: skip
SHARES, FOLDS, PATIENCES = (0.1, 0.2), 5, (5, 10, 20, 30)
Array = np.ndarray[Any, Any]


class Curves:
    """Of one table to train on: losses by round."""

    def __init__(self, train: tuple[Any, Array], test: tuple[Any, Array], rounds: int) -> None:
        self._rounds = rounds
        (X, y), labels = train, np.unique(train[1], return_inverse=True)[1].astype(np.int32)
        sizes = np.bincount(labels)
        self.full = self._losses(X, y, test)
        self.shares, self.apart, self.folds = {}, {}, []
        for share in SHARES:
            held = drawn_rows(draw_share(sizes, share, 0), labels)
            self.shares[share] = self._losses(X[~held], y[~held], (X[held], y[held]))
            self.apart[share] = self._losses(X[~held], y[~held], test)
        for fold in range(FOLDS):
            held = drawn_rows(draw_fold(sizes, fold, FOLDS, 0), labels)
            held &= np.isin(y, y[~held])
            self.folds.append(self._losses(X[~held], y[~held], (X[held], y[held])))

    def _losses(self, X: Any, y: Array, judged: tuple[Any, Array]) -> Array:
        model = BoostedTreesClassifier(n_estimators=self._rounds).fit(X, y)
        loss = RowLoss("neg_log_loss", len(model.classes_), False, 1)
        labels = np.searchsorted(model.classes_, judged[1])
        staged = model.staged_decision_function(judged[0])
        means = [loss.of(scores.reshape(len(labels), -1), labels).mean() for scores in staged]
        return np.array(means + means[-1:] * (self._rounds - len(means)))


def best(losses: Array, patience: int, most: int) -> int:
    """The round that is kept."""
    found = 0
    for r in range(most):
        if losses[r] < losses[found]:
            found = r
        elif r - found >= patience:
            break
    return found + 1


def ways(curves: Curves, most: int) -> dict[str, float]:
    """Test loss of every way to choose."""
    out = {"no stopping": float(curves.full[most - 1])}
    for patience in PATIENCES:
        for share in SHARES:
            r = best(curves.shares[share], patience, most)
            out[f"{share:g} held out, patience {patience}"] = float(curves.apart[share][r - 1])
            out[f"{share:g} held out, refit, patience {patience}"] = float(curves.full[r - 1])
        chosen = sorted(best(fold, patience, most) for fold in curves.folds)[FOLDS // 2]
        out[f"median of {FOLDS} folds, refit, patience {patience}"] = float(curves.full[chosen - 1])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--seed", type=int, default=11, help="of the folds")
    parser.add_argument("--sets", default=",".join(SETS))
    given = parser.parse_args()
    folder = Path(os.environ["HARDWOOD_DATA"])
    means: dict[int, list[dict[str, float]]] = {most: [] for most in given.rounds}
    for name in given.sets.split(","):
        X, y = read_set(name, folder)
        splits = StratifiedKFold(5, shuffle=True, random_state=given.seed).split(X, y)
        curves = [
            Curves((X.iloc[a], y[a]), (X.iloc[b], y[b]), max(given.rounds)) for a, b in splits
        ]
        for most in given.rounds:
            found = [ways(each, most) for each in curves]
            means[most].append({way: float(np.mean([f[way] for f in found])) for way in found[0]})
        print(name, flush=True)
    rows = [
        [way, *(f"{np.mean([each[way] for each in means[most]]):.4f}" for most in given.rounds)]
        for way in means[given.rounds[0]][0]
    ]
    print(markdown_table(["", *(f"at most {most} rounds" for most in given.rounds)], rows))


if __name__ == "__main__":
    main()
