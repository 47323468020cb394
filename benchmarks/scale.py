"""Training on a local Dask cluster of two workers, beside one process and beside the peers.

    python -m benchmarks.scale [--rows 5000000] [--repeats 3] [--task generated covtype ...]

In: generated rows x 54 (and covtype where `HARDWOOD_DATA` has it), persisted on the workers before
the clock starts. Out: seconds and ratios in RESULTS-scale.md, with round trips and bytes. `goals`
times a full tree and 20 boosted rounds of covtype against one process (at most 5 and 3 times its
seconds are aimed at). `traffic`
counts what several fits move and holds it against the cost model of docs/scaling.md. `stored`
measures the fit of a Parquet data set of 20 million rows x 30 with its anonymous memory, in a
process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import TASKS, Task, generated
from benchmarks.report import markdown_table, write_section
from hardwood import BoostedTreesClassifier, TreeClassifier

RESULTS = Path(__file__).with_name("RESULTS-scale.md")
TITLE = "Past one process"
WORKERS = 2
LEAVES = 255


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--stored-rows", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    tasks = ["generated", "covtype", "goals", "traffic", "stored"]
    parser.add_argument("--task", nargs="*", default=tasks, choices=tasks)
    options = parser.parse_args()
    if "generated" in options.task:
        compare(generated(options.rows, LEAVES), options.repeats)
    covtype = TASKS["covtype-binary"]() if {"covtype", "goals"} & set(options.task) else None
    if covtype is not None and "covtype" in options.task:
        compare(covtype, options.repeats)
    if covtype is not None and "goals" in options.task:
        goals(covtype, options.repeats)
    if "traffic" in options.task:
        traffic(1_000_000)
    if "stored" in options.task:
        stored(options.stored_rows)


def compare(task: Task, repeats: int) -> None:
    """Ours on the cluster, ours in one process, and the peers on the cluster, in turn."""
    with cluster_of(WORKERS) as client:
        X, y = persisted(task, 2 * WORKERS)
        runs = _runs(task, X, y, client)
        best = dict.fromkeys(runs, np.inf)
        for _ in range(repeats):
            for name, run in runs.items():
                start = time.perf_counter()
                run()
                best[name] = min(best[name], time.perf_counter() - start)
                print(f"{task.name}: {name} {best[name]:.2f} s", flush=True)
        here = TreeClassifier(pruning=None, max_leaf_nodes=LEAVES, n_jobs=WORKERS).fit(
            task.X, task.y
        )
        there = TreeClassifier(pruning=None, max_leaf_nodes=LEAVES).fit(X, y)
    assert here.digest() == there.digest()
    local = best["hardwood, one process, 2 threads"]
    table = markdown_table(
        ["a tree of 255 leaves", "seconds", "against one process"],
        [[name, f"{took:.2f}", f"{took / local:.2f}"] for name, took in best.items()],
    )
    moved = there.traffic_
    text = (
        f"{table}\n\nBest of {repeats}, rows persisted on the workers before timing. Digests of "
        f"both hardwood fits are equal. On the cluster: {moved.round_trips} round trips, "
        f"{moved.bytes_sent / 1e6:.2f} MB sent and {moved.bytes_received / 1e6:.2f} MB received by "
        "the coordinator."
    )
    write_section(RESULTS, TITLE, task.name, text)


def goals(task: Task, repeats: int) -> None:
    """A tree without a leaf budget and some boosted rounds, on the cluster and in one process."""
    models: dict[str, tuple[Any, float]] = {
        "full tree": (TreeClassifier(pruning=None, n_jobs=WORKERS), 5.0),
        "boosted, 20 rounds": (BoostedTreesClassifier(n_estimators=20, n_jobs=WORKERS), 3.0),
    }
    table, moved = [], []
    with cluster_of(WORKERS):
        X, y = persisted(task, 2 * WORKERS)
        for name, (model, goal) in models.items():
            here, there, digests = np.inf, np.inf, set()
            for _ in range(repeats):
                here = min(here, _seconds(model, task.X, task.y))
                digests.add(model.digest())
                there = min(there, _seconds(model, X, y))
                digests.add(model.digest())
            assert len(digests) == 1
            ratio = f"{there / here:.2f}"
            table.append([name, f"{here:.2f}", f"{there:.2f}", ratio, f"{goal:g}"])
            traffic = model.traffic_  # of the fit on the cluster, which was the last
            moved.append(
                f"{name}: {traffic.round_trips} round trips, {traffic.bytes_sent / 1e6:.2f} MB "
                f"sent, {traffic.bytes_received / 1e6:.2f} MB received"
            )
            print(*table[-1], moved[-1], flush=True)
    columns = ["", "one process, s", "Dask, s", "times", "goal"]
    text = (
        f"{markdown_table(columns, table)}\n\nTwo threads here, two workers there, best of "
        f"{repeats}, equal digests. {'; '.join(moved)}."
    )
    write_section(RESULTS, TITLE, f"{task.name}, against one process", text)


def _seconds(model: Any, X: Any, y: Any) -> float:
    start = time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start


@contextmanager
def cluster_of(workers: int) -> Iterator[Any]:
    """Processes on this machine, of one thread each."""
    from distributed import Client, LocalCluster

    import hardwood.dask  # noqa: F401 (so that fit takes Dask collections)

    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def persisted(task: Task, partitions: int) -> tuple[Any, Any]:
    """The task's rows on the workers."""
    import dask.array as da
    from distributed import wait

    chunk = -(-len(task.y) // partitions)
    X = da.from_array(task.X, chunks=(chunk, -1)).persist()
    y = da.from_array(task.y, chunks=chunk).persist()
    wait([X, y])
    return X, y


def _runs(task: Task, X: Any, y: Any, client: Any) -> dict[str, Callable[[], Any]]:
    runs: dict[str, Callable[[], Any]] = {
        "hardwood, one process, 2 threads": lambda: TreeClassifier(
            pruning=None, max_leaf_nodes=LEAVES, n_jobs=WORKERS
        ).fit(task.X, task.y),
        "hardwood, Dask, 2 workers": lambda: TreeClassifier(
            pruning=None, max_leaf_nodes=LEAVES
        ).fit(X, y),
    }
    try:
        from lightgbm.dask import DaskLGBMClassifier

        runs["lightgbm.dask, 2 workers"] = lambda: DaskLGBMClassifier(
            client=client, n_estimators=1, num_leaves=LEAVES, learning_rate=1.0, verbose=-1
        ).fit(X, y)
    except ImportError:
        print("lightgbm is not installed: left out")
    try:
        from xgboost import dask as xgboost_dask

        runs["xgboost.dask, 2 workers"] = lambda: xgboost_dask.DaskXGBClassifier(
            n_estimators=1,
            max_leaves=LEAVES,
            max_depth=0,
            grow_policy="lossguide",
            tree_method="hist",
            learning_rate=1.0,
        ).fit(X, y)
    except ImportError:
        print("xgboost is not installed: left out")
    return runs


# What travels


def traffic(rows: int) -> None:
    """Counts of several fits; what the coordinator received must lie below the model's bound."""
    task = generated(rows, LEAVES)
    cells = 10 * 257 + 44 * 2  # a class's: buckets and a code for missing values, or two codes
    fits: dict[str, Any] = {
        "tree, 31 leaves": TreeClassifier(pruning=None, max_leaf_nodes=31),
        "tree, 255 leaves": TreeClassifier(pruning=None, max_leaf_nodes=255),
        "multi-way, 31 leaves": TreeClassifier(
            pruning=None, max_leaf_nodes=31, branching="multiway", max_branches=4
        ),
        "boosted, 10 rounds": BoostedTreesClassifier(n_estimators=10),
    }
    table = []
    for workers in (1, 2, 3):
        with cluster_of(workers):
            X, y = persisted(task, 6)
            for name, model in fits.items():
                moved = model.fit(X, y).traffic_
                size = 8 if "boosted" in name else 4  # of a count; weights are wider
                classes = 2 + (model.min_samples_leaf > 1 and "boosted" in name)
                bound = moved.histograms * classes * cells * size
                bound += moved.keys * (24 + classes * size) + 1000 * moved.round_trips
                assert moved.bytes_received <= workers * bound
                numbers = (moved.round_trips, moved.histograms, moved.keys)
                sizes = (moved.bytes_sent, moved.bytes_received, workers * bound)
                counts = [f"{number:,}" for number in numbers]
                table.append([name, str(workers), *counts, *(f"{s / 1e6:.2f}" for s in sizes)])
    columns = ["fit", "workers", "round trips", "histograms", "keys", "MB sent", "MB received"]
    table_text = markdown_table([*columns, "MB at most"], table)
    text = (
        f"{table_text}\n\n{rows:,} rows x 54 in six partitions. "
        "At most: the bound of docs/scaling.md for these histograms and keys."
    )
    print(text)
    write_section(RESULTS, TITLE, "What travels", text)


# The data set larger than memory is to be


def stored(rows: int) -> None:
    """Write the data set, fit it in a fresh process, and fit a tenth of it in memory."""
    with tempfile.TemporaryDirectory() as place:
        _write_rows(Path(place), rows)
        took, memory, digest = _in_a_process("measure", place)
        sample, _, _ = _in_a_process("in-memory", place)
    table = markdown_table(
        ["20 columns of float64, 10 of 0/1; 255 leaves", "seconds", "per million rows"],
        [
            [f"data set, {rows:,} rows", f"{took:.1f}", f"{took / rows * 1e6:.2f}"],
            [f"in memory, {rows // 10:,} rows", f"{sample:.1f}", f"{sample / rows * 1e7:.2f}"],
        ],
    )
    text = (
        f"{table}\n\nTwo threads, reading of the files included on both sides. Peak of anonymous "
        f"memory of the data set's fit: {memory / 2**30:.2f} GiB. Digest {digest[:16]}."
    )
    print(text)
    write_section(RESULTS, TITLE, "A Parquet data set", text)


def _write_rows(place: Path, rows: int, each: int = 1_000_000) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number, first in enumerate(range(0, rows, each)):
        rng = np.random.default_rng(number)
        n = min(each, rows - first)
        columns = {f"n{i}": rng.normal(size=n) for i in range(20)}
        columns |= {f"b{i}": (rng.random(n) < 0.3).astype(np.int8) for i in range(10)}
        score = columns["n0"] + columns["n1"] * columns["n2"] + columns["b0"] - columns["b1"]
        columns["label"] = (score + rng.normal(size=n) > 0).astype(np.int8)
        pq.write_table(pa.table(columns), place / f"{number:04d}.parquet", row_group_size=262_144)


def _in_a_process(what: str, place: str) -> tuple[float, int, str]:
    command = [sys.executable, "-m", "benchmarks.scale_stored", what, place]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    took, memory, digest = done.stdout.split()[-3:]
    return float(took), int(memory), digest


def anonymous_peak(run: Callable[[], Any]) -> tuple[Any, int]:
    """The result, and the largest anonymous resident memory seen (Linux), in bytes."""
    done, peak = threading.Event(), [0]
    status = Path("/proc/self/status")

    def watch() -> None:
        while not done.wait(0.02):
            for line in status.read_text().splitlines():
                if line.startswith("RssAnon:"):
                    peak[0] = max(peak[0], int(line.split()[1]) * 1024)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return run(), peak[0]
    finally:
        done.set()
        watcher.join()


if __name__ == "__main__":
    main()
