"""Worker processes killed at random moments, again and again; every fit must end with one digest.

    python tests/dask/soak.py [kills]

Not a test that pytest collects: `make soak` runs it. Odd fits are trees, even ones boosted models.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dask.dataframe as dd
import numpy as np
from distributed import Client, LocalCluster

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from parts.splitting import mixed_frame


class RandomKiller(threading.Thread):
    """Kills a random worker after random pauses while `busy` is set."""

    def __init__(self, client: Client, wanted: int) -> None:
        super().__init__(daemon=True)
        self._client, self._wanted = client, wanted
        self.busy, self.killed = threading.Event(), 0

    def run(self) -> None:
        chance = random.Random(1)
        while self.killed < self._wanted:
            time.sleep(chance.uniform(0.05, 1.5))
            if not self.busy.wait(timeout=60):
                continue
            try:
                pids = self._client.run(os.getpid, on_error="ignore")
                os.kill(chance.choice(list(pids.values())), signal.SIGKILL)
            except (OSError, IndexError, ProcessLookupError):
                continue
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
            n_workers=3,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=60,
        ) as cluster,
        Client(cluster) as client,
    ):
        killer = RandomKiller(client, kills)
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
    print(f"{kills} kills in {fits} fits: {equal} equal digests, {rebuilt} parts made anew")
    if equal != fits:
        sys.exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
