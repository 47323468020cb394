"""Cross-validated figures of classifiers on the data sets, on the folds of the peers' figures.

Folds: `StratifiedKFold(shuffle=True, random_state=seed)`, 3 of them from 5,000 rows on; `split` is
ignored, and classes with a single row are left out. Strings and dictionaries are categories,
everything else is float. Probabilities are clipped at 1e-6 and normalised; the Brier score is a sum
over the classes; the AUC is the mean over the classes of one against the rest, where a test fold
has both. A figure is the mean over the folds.
"""

from __future__ import annotations

import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

PEERS_SEED = 1
MODELS = {"tree": "TreeClassifier", "boosted": "BoostedTreesClassifier"}
METRICS = ("error", "log_loss", "brier", "auc")
LARGE = 5000


@dataclass(frozen=True)
class Job:
    """model: ours, of MODELS, or a peer of `peer_models`; folds: below LARGE rows."""

    name: str
    folder: Path
    model: str
    parameters: tuple[tuple[str, Any], ...]
    seed: int
    folds: int = 10


@dataclass(frozen=True)
class Result:
    """seconds: of fit and prediction, per fold; leaves: mean of a tree's, 0 for boosted models."""

    name: str
    folds: int
    error: float
    leaves: float
    seconds: float
    log_loss: float = np.nan
    brier: float = np.nan
    auc: float = np.nan


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
    """The means of the folds' figures, as the peers' are."""
    warnings.simplefilter("ignore")
    X, y = read_set(job.name, job.folder)
    folds = job.folds if len(y) < LARGE else 3
    splitter = StratifiedKFold(folds, shuffle=True, random_state=job.seed)
    figures, leaves, start = [], [], time.perf_counter()
    for train, test in splitter.split(X, y):
        model = _model(job).fit(X.iloc[train], y[train])
        classes, given = np.asarray(model.classes_), model.predict_proba(X.iloc[test])
        wrong = float(np.mean(np.asarray(model.predict(X.iloc[test])) != y[test]))
        figures.append((wrong, *of_probabilities(given, classes, y[test])))
        leaves.append(model.get_n_leaves() if job.model == "tree" else 0)
    seconds = (time.perf_counter() - start) / folds
    error, log_loss, brier, auc = np.mean(figures, axis=0).tolist()
    return Result(job.name, folds, error, float(np.mean(leaves)), seconds, log_loss, brier, auc)


def _model(job: Job) -> Any:
    import hardwood
    from benchmarks.peer_models import PEERS

    if job.model in PEERS:
        return PEERS[job.model]()
    return getattr(hardwood, MODELS[job.model])(**dict(job.parameters))


def of_probabilities(
    given: np.ndarray[Any, Any], classes: np.ndarray[Any, Any], y: np.ndarray[Any, Any]
) -> tuple[float, float, float]:
    """Log loss, Brier score and AUC."""
    clipped = np.clip(given, 1e-6, None)
    clipped = clipped / clipped.sum(axis=1, keepdims=True)
    own = clipped[np.arange(len(y)), np.searchsorted(classes, y)]
    brier = float(((clipped**2).sum(axis=1) - 2 * own + 1).mean())
    of_class = [(y == label, given[:, c]) for c, label in enumerate(classes)]
    if len(classes) == 2:
        of_class = of_class[1:]
    areas = [roc_auc_score(is_it, p) for is_it, p in of_class if is_it.any() and not is_it.all()]
    return float(-np.log(own).mean()), brier, float(np.mean(areas)) if areas else np.nan


def failed(job: Job) -> Result:
    """Of a peer that could not be trained."""
    return Result(job.name, 0, np.nan, 0.0, np.nan)


def attempted(job: Job) -> Result:
    """A peer that fails on a set has no figures there; ours must not fail."""
    if job.model in MODELS:
        return cross_validate(job)
    try:
        return cross_validate(job)
    except Exception as error:
        print(f"{job.model} failed on {job.name}: {str(error)[:200]}", flush=True)
        return failed(job)


def run(jobs: list[Job], processes: int) -> list[Result]:
    """The results in the order of the jobs, as they come; the largest sets are started first."""
    size = {job: (job.folder / f"{job.name}.parquet").stat().st_size for job in jobs}
    found: dict[Job, Result] = {}
    largest_first = sorted(jobs, key=lambda job: -size[job])
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for job, result in zip(largest_first, pool.map(attempted, largest_first), strict=True):
            told = f"{result.error:.4f}, {result.seconds:.2f} s a fold"
            print(f"{result.name}, {job.model}: {told}", flush=True)
            found[job] = result
    return [found[job] for job in jobs]


def as_row(method: str, result: Result) -> dict[str, Any]:
    """As a line of the peers' CSV."""
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    return {"set": values.pop("name"), "method": method, **values}
