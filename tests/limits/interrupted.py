"""Ctrl-C during long work: python -m tests.limits.interrupted, which reads names of actions.

Every action is a process of its own, forked from one that has its imports done. It prepares, begins
and gets SIGINT a moment later. Printed for each: how it ended, and the CPU seconds that it took
after the signal, which a busy machine does not lengthen.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier, TreeClassifier, certify
from hardwood.distributed.describing import PartData
from hardwood.estimators.back_ends import register
from hardwood.tree.pools import pooled
from tests.distributed.pieces import Pieces, PiecesBackEnd

DELAY = 0.3
"""CPU seconds from the beginning to the signal."""
TICKS = os.sysconf("SC_CLK_TCK")
Work = Callable[[], object]


def noise(rows: int, columns: int, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((rows, columns)), rng.integers(0, classes, rows)


def drawn_cuts() -> Work:
    model = BoostedTreesClassifier(n_estimators=100_000, cut_fraction=0.15, n_jobs=2)
    return partial(model.fit, *noise(3_000, 10))


def drawn_cuts_of_large_nodes() -> Work:
    model = BoostedTreesClassifier(n_estimators=100_000, cut_fraction=0.03, n_jobs=2)
    return partial(model.fit, *noise(400_000, 10))


def pairs() -> Work:
    model = BoostedTreesClassifier(n_estimators=100_000, multiclass="pairs", variant="discrete")
    return partial(model.fit, *noise(20_000, 10, 5))


def parts() -> Work:
    register(PiecesBackEnd())  # type: ignore[arg-type]
    X, y = noise(20_000, 10, 5)
    pieces = Pieces([PartData(X[k::3], y[k::3], None) for k in range(3)])
    model = BoostedTreesClassifier(n_estimators=100_000, cut_fraction=0.15)
    return partial(model.fit, pieces, None)


def unpruned(rows: int, columns: int) -> TreeClassifier:
    return TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=None).fit(
        *noise(rows, columns)
    )


def pools() -> Work:
    model = unpruned(60_000, 50)
    return partial(pooled, model.tree_, np.ones((50, 2), dtype=np.int8), model._schemas)


def draft() -> Work:
    model = unpruned(200_000, 10)
    return partial(model.fit, *noise(200_000, 10), draft=model.edit())


def change() -> Work:
    """Of the row that is farthest from the other answer."""
    X, _ = noise(3_000, 12)
    height = np.sin(6 * X).sum(axis=1)
    model = BoostedTreesClassifier(n_estimators=400, max_depth=6, feature_fraction=1.0)
    model.fit(X, height > np.median(height))
    far = int(np.argmin(model.decision_function(X)))
    return partial(model.counterfactual, X[far : far + 1], time_limit=1000.0)


def prove() -> Work:
    model = BoostedTreesClassifier(
        n_estimators=200, max_depth=6, feature_fraction=1.0, learning_rate=0.3
    )
    model.fit(*noise(1_000, 40))
    return partial(certify.prove, model, certify.Within(at_most=0.9999999), time_limit=None)


ACTIONS: dict[str, Callable[[], Work]] = {
    "drawn-cuts": drawn_cuts,
    "drawn-cuts-of-large-nodes": drawn_cuts_of_large_nodes,
    "pairs": pairs,
    "parts": parts,
    "pools": pools,
    "draft": draft,
    "change": change,
    "prove": prove,
}


def fields(process: int) -> list[str]:
    told = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    return told.rsplit(")", 1)[1].split()


def cpu_seconds(process: int) -> float:
    user, system = fields(process)[11:13]
    return (int(user) + int(system)) / TICKS


def running(process: int) -> bool:
    return fields(process)[0] != "Z"


def child(prepare: Callable[[], Work], say: Callable[[str], Any]) -> None:
    expected = TreeClassifier(n_jobs=2).fit(*noise(300, 4)).digest()
    try:
        work = prepare()
        say("begins\n")
        work()
        say("it was over before the signal")
    except KeyboardInterrupt:
        took = time.process_time()
        again = TreeClassifier(n_jobs=2).fit(*noise(300, 4)).digest()
        say(f"{took} {'interrupted' if again == expected else 'the next fit is another'}")
    except BaseException as error:
        say(f"{type(error).__name__}: {error}")


def interrupted(prepare: Callable[[], Work]) -> str:
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            child(prepare, lambda text: os.write(writing, text.encode()))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        begins = pipe.readline()
        start = before = cpu_seconds(process)
        while before < start + DELAY and running(process):
            time.sleep(0.02)
            before = cpu_seconds(process)
        os.kill(process, signal.SIGINT)
        took, _, end = pipe.read().partition(" ")
    os.waitpid(process, 0)
    if begins != "begins\n" or end != "interrupted":
        return f"{begins}{took} {end}\t0"
    return f"{end}\t{float(took) - before:.2f}"


def main() -> None:
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name = line.rstrip("\n")
        print(name, interrupted(ACTIONS[name]), sep="\t", flush=True)


if __name__ == "__main__":
    main()
