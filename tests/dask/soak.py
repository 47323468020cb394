"""Workers killed at random moments: every fit must end with the digest of one in memory.

    python -m tests.dask.soak [fits]

Not a test that pytest collects: `make soak` runs it. Each of so many fits loses one worker
(SIGKILL) at a moment drawn from its whole length; after every tenth fit one loses three. Trees and
boosted models take turns. The workers have no nanny: a killed one is started again here, at once.
"""

from __future__ import annotations

import faulthandler
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import Any

import dask.dataframe as dd
import numpy as np
from distributed import Client

import hardwood.dask  # noqa: F401 (so that fit takes Dask collections)
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import worker
from hardwood.dask.tasks import Tasks
from hardwood.dask.team import PartsOnWorkers
from tests.dask.local_cluster import LoopbackCluster
from tests.tables.frames import mixed_frame

WORKERS, PARTITIONS, ROWS = 3, 6, 20_000
LONGEST = 300  # seconds of one fit: more is a hang, which ends the soak with a traceback


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


class Stage:
    """What the fit under way is doing; "" between fits."""

    def __init__(self) -> None:
        self.name = ""
        results, ask = Tasks.results, PartsOnWorkers.ask

        def noted_results(tasks: Tasks, calls: Any, doing: str) -> Any:
            before, self.name = self.name, doing
            try:
                return results(tasks, calls, doing)
            finally:
                self.name = before

        def noted_ask(parts: PartsOnWorkers, calls: Any) -> Any:
            self.name = "growing"
            return ask(parts, calls)

        setattr(Tasks, "results", noted_results)  # noqa: B010
        setattr(PartsOnWorkers, "ask", noted_ask)  # noqa: B010


class Soak:
    def __init__(self, client: Client, workers: Workers) -> None:
        self._client, self._workers, self._stage = client, workers, Stage()
        self._chance = random.Random(1)
        X, y = mixed_frame(np.random.default_rng(0), ROWS, 3)
        self._models: list[Any] = [
            TreeClassifier(max_leaf_nodes=200),
            BoostedTreesClassifier(n_estimators=6),
        ]
        self._expected = [model.fit(X, y).digest() for model in self._models]
        frame = dd.from_pandas(X.assign(label=y), npartitions=PARTITIONS, sort=False)
        self._given = frame[list(X)], frame["label"]
        self._seconds = [0.0, 0.0]  # of an undisturbed fit of each model
        for turn in (0, 1, 0, 1):
            self._seconds[turn], _, equal = self._fit(turn, [])
            assert equal, "an undisturbed fit has another digest"
        self.rebuilt, self.stages = 0, Counter[str]()

    def run(self, turn: int, kills: int) -> bool:
        """A fit that loses workers; again where it was over before all moments came."""
        while True:
            longest = self._seconds[turn]
            moments = sorted(self._chance.uniform(0, longest) for _ in range(kills))
            seconds, stages, equal = self._fit(turn, moments)
            if len(stages) == kills or not equal:
                self.stages.update(stages)
                self.rebuilt += self._models[turn].traffic_.parts_rebuilt
                return equal
            self._seconds[turn] = min(longest, max(seconds, longest / 2))

    def _fit(self, turn: int, moments: list[float]) -> tuple[float, list[str], bool]:
        """Seconds, the stages in which workers died, and whether all is as it should be."""
        self._client.wait_for_workers(WORKERS, timeout=120)
        self._client.run(kept_parts)  # so that what is drawn from is not their imports
        over = threading.Event()
        stages: list[str] = []

        def kill() -> None:
            for moment in moments:
                if over.wait(max(0.0, start + moment - time.monotonic())):
                    return
                stages.append(self._stage.name or "starting")
                self._workers.kill(self._chance.randrange(WORKERS))

        killer = threading.Thread(target=kill)
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        start = time.monotonic()
        killer.start()
        try:
            self._models[turn].fit(*self._given)
            seconds = time.monotonic() - start
        finally:
            over.set()
            killer.join()
            faulthandler.cancel_dump_traceback_later()
            self._stage.name = ""
        kept = sum(self._client.run(kept_parts, on_error="ignore").values())
        equal = self._models[turn].digest() == self._expected[turn] and kept == 0
        return seconds, stages, equal


def kept_parts() -> int:
    return len(worker._PARTS)


def main(fits: int) -> int:
    """The number of fits that did not end as they should."""
    start, wrong, single, several = time.monotonic(), 0, 0, 0
    with (
        LoopbackCluster(0) as made,
        Client(made) as client,
    ):
        workers = Workers(made.scheduler_address)
        try:
            soak = Soak(client, workers)
            while single < fits:
                wrong += not soak.run(single % 2, 1)
                single += 1
                if single % 10 == 0:
                    wrong += not soak.run(several % 2, 3)
                    several += 1
                    print(f"{single} + {several} fits, {wrong} wrong", flush=True)
        finally:
            workers.close()
    moments = ", ".join(f"{count} {name}" for name, count in sorted(soak.stages.items()))
    print(
        f"soak: {single} fits with a kill and {several} with three: "
        f"{single + several - wrong} of {single + several} equal digests; {soak.stages.total()} "
        f"kills ({moments}), {soak.rebuilt} parts made anew, {time.monotonic() - start:.0f} s"
    )
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 100) else 0)
