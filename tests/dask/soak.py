"""Worker processes killed at random moments, again and again; every fit must end with one digest.

    python tests/dask/soak.py [kills]

Not a test that pytest collects: `make soak` runs it. Odd fits are trees, even ones boosted models.
The workers have no nanny: a killed one is started again here, at once, so there are always three.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dask.dataframe as dd
import numpy as np
from distributed import Client, LocalCluster

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from parts.splitting import mixed_frame

WORKERS = 3


class Workers:
    """Processes that are killed and started again."""

    def __init__(self, scheduler: str) -> None:
        self._command = [
            sys.executable, "-m", "distributed.cli.dask_worker", scheduler,
            "--no-nanny", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0",
        ]  # fmt: skip
        self._running = [self._start() for _ in range(WORKERS)]

    def _start(self) -> Any:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(self._command, stdout=quiet, stderr=quiet)

    def kill(self, number: int) -> None:
        """SIGKILL, and a new worker in its place."""
        self._running[number].kill()
        self._running[number].wait()
        self._running[number] = self._start()

    def close(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()


class RandomKiller(threading.Thread):
    """Kills a random worker after random pauses, while a fit is under way and two workers are."""

    def __init__(self, client: Client, workers: Workers, wanted: int) -> None:
        super().__init__(daemon=True)
        self._client, self._workers, self._wanted = client, workers, wanted
        self.busy, self.killed = threading.Event(), 0

    def run(self) -> None:
        chance = random.Random(1)
        while self.killed < self._wanted:
            time.sleep(chance.uniform(0.02, 0.8))
            if self.busy.wait(timeout=1) and len(self._client.nthreads()) > 1:
                self._workers.kill(chance.randrange(WORKERS))
                self.killed += 1


def main(kills: int) -> None:
    assert hardwood.dask.DaskBackEnd
    rng = np.random.default_rng(0)
    X, y = mixed_frame(rng, 20_000, 3)
    models = [TreeClassifier(max_leaf_nodes=60), BoostedTreesClassifier(n_estimators=3)]
    expected = [model.fit(X, y).digest() for model in models]
    frame = dd.from_pandas(X.assign(label=y), npartitions=6, sort=False)
    fits = equal = rebuilt = 0
    with (
        LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1", silence_logs=60
        ) as made,
        Client(made) as client,
    ):
        workers = Workers(made.scheduler_address)
        try:
            client.wait_for_workers(WORKERS, timeout=120)
            killer = RandomKiller(client, workers, kills)
            killer.start()
            while killer.killed < kills:
                model = models[fits % 2]
                killer.busy.set()
                model.fit(frame[list(X)], frame["label"])
                killer.busy.clear()
                equal += model.digest() == expected[fits % 2]
                fits += 1
                rebuilt += model.traffic_.parts_rebuilt
                print(f"{killer.killed} kills, {fits} fits, {equal} equal digests", flush=True)
        finally:
            workers.close()
    print(f"{killer.killed} kills in {fits} fits: {equal} equal digests, {rebuilt} parts made anew")
    if equal != fits:
        sys.exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
