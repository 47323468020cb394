"""Cross-validated error of our estimators beside the peers': `python -m benchmarks.accuracy`.

In: a model, its parameters as JSON, and `accuracy.csv` of the peers (by default in the folder
`peers` beside `HARDWOOD_DATA`). Folds are those of the peers: `StratifiedKFold(10, shuffle=True,
random_state=1)`, 3 folds from 5,000 rows on, `split` ignored, classes with a single row left out;
another `--seed` gives other folds, on which defaults are chosen. Strings and dictionaries are
categories, everything else is float. Out: errors per set, and means over the sets; the mean of a
peer is over those of the sets that it has, beside ours on the same sets.

    python -m benchmarks.accuracy --model boosted --params '{"max_depth": 3}' --sets pima,glass
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.report import markdown_table

PEERS_SEED = 1
MODELS = {"tree": "TreeClassifier", "boosted": "BoostedTreesClassifier"}


@dataclass(frozen=True)
class Job:
    name: str
    folder: Path
    model: str
    parameters: tuple[tuple[str, Any], ...]
    seed: int


@dataclass(frozen=True)
class Result:
    """seconds: of fit and prediction, per fold; leaves: mean of a tree's, 0 for boosted models."""

    name: str
    folds: int
    error: float
    leaves: float
    seconds: float


def read_set(name: str, folder: Path) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """The table with categories as pandas categoricals and numbers as float64, and the labels."""
    frame = pd.read_parquet(folder / f"{name}.parquet").drop(columns="split", errors="ignore")
    size = frame.groupby("class", observed=True)["class"].transform("size")
    frame = frame[size.to_numpy() > 1].reset_index(drop=True)
    y = frame.pop("class").astype(str).to_numpy()
    for column in frame.columns:
        if isinstance(frame[column].dtype, pd.CategoricalDtype) or not _is_number(frame[column]):
            frame[column] = frame[column].astype("category")
        else:
            frame[column] = frame[column].astype(np.float64)
    return frame, y


def _is_number(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype)


def cross_validate(job: Job) -> Result:
    """The mean of the folds' errors, as the peers' figures are."""
    import hardwood

    warnings.simplefilter("ignore")
    X, y = read_set(job.name, job.folder)
    folds = 10 if len(y) < 5000 else 3
    splitter = StratifiedKFold(folds, shuffle=True, random_state=job.seed)
    errors, leaves, start = [], [], time.perf_counter()
    for train, test in splitter.split(X, y):
        model = getattr(hardwood, MODELS[job.model])(**dict(job.parameters))
        model.fit(X.iloc[train], y[train])
        errors.append(float(np.mean(model.predict(X.iloc[test]) != y[test])))
        leaves.append(model.get_n_leaves() if job.model == "tree" else 0)
    seconds = (time.perf_counter() - start) / folds
    return Result(job.name, folds, float(np.mean(errors)), float(np.mean(leaves)), seconds)


def run(jobs: list[Job], processes: int) -> list[Result]:
    """The results in the order of the jobs, as they come; the largest sets are started first."""
    size = {job: (job.folder / f"{job.name}.parquet").stat().st_size for job in jobs}
    found: dict[str, Result] = {}
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        largest_first = sorted(jobs, key=lambda job: -size[job])
        for result in pool.map(cross_validate, largest_first):
            print(f"{result.name}: {result.error:.4f}, {result.seconds:.2f} s a fold", flush=True)
            found[result.name] = result
    return [found[job.name] for job in jobs]


def table_of_sets(results: list[Result], peers: pd.DataFrame) -> str:
    """One row per set, ours and every peer."""
    methods = list(peers.columns)
    rows = []
    for result in results:
        theirs = [_number(float(peers[method][result.name])) for method in methods]
        own = [f"{result.error:.4f}", f"{result.leaves:.1f}", f"{result.seconds:.2f}"]
        rows.append([result.name, *own, *theirs])
    return markdown_table(["set", "hardwood", "leaves", "s/fold", *methods], rows)


def table_of_means(results: list[Result], peers: pd.DataFrame) -> str:
    """Mean errors over the sets that a peer has, ours over the same, and who wins how often."""
    ours = pd.Series({result.name: result.error for result in results})
    rows = []
    for method in peers.columns:
        theirs = peers.loc[list(ours.index), method].dropna()
        if theirs.empty:
            continue
        same = ours[theirs.index]
        better, worse = int((same < theirs - 5e-5).sum()), int((same > theirs + 5e-5).sum())
        counts = [str(len(theirs)), str(better), str(worse)]
        rows.append([method, f"{theirs.mean():.4f}", f"{same.mean():.4f}", *counts])
    return markdown_table(["peer", "its mean", "ours", "sets", "we are better", "worse"], rows)


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--model", choices=MODELS, default="boosted")
    parser.add_argument("--params", type=json.loads, default={}, help="a JSON object")
    parser.add_argument("--seed", type=int, default=PEERS_SEED, help="of the folds")
    parser.add_argument("--sets", help="names, with commas between them; default all")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--peers", type=Path, help="accuracy.csv")
    parser.add_argument("--out", type=Path, help="a CSV file for our figures, as accuracy.csv")
    given = parser.parse_args()
    if "HARDWOOD_DATA" not in os.environ:
        parser.error("set HARDWOOD_DATA to the folder that holds the data sets")
    folder = Path(os.environ["HARDWOOD_DATA"])
    path = given.peers or folder.parent / "peers" / "accuracy.csv"
    peers = pd.read_csv(path).pivot(index="set", columns="method", values="error")
    names = given.sets.split(",") if given.sets else list(pd.read_csv(path)["set"].unique())
    unknown = sorted(set(names) - set(peers.index))
    if unknown:
        parser.error(f"no set named {unknown[0]}; there are {', '.join(sorted(peers.index))}")
    parameters = tuple(given.params.items())
    jobs = [Job(name, folder, given.model, parameters, given.seed) for name in names]
    results = run(jobs, given.processes)
    mean = np.mean([result.error for result in results])
    print(f"\n{table_of_sets(results, peers)}\n\n{table_of_means(results, peers)}")
    print(f"\n{given.model} {json.dumps(given.params)}, seed {given.seed}: mean error {mean:.4f}")
    if given.seed != PEERS_SEED:
        print(f"The folds differ from the peers', which have seed {PEERS_SEED}.")
    if given.out:
        pd.DataFrame([vars(result) for result in results]).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
