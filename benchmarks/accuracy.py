"""Error, log loss, Brier score and AUC of our estimators beside the peers'.

In: a model, its parameters as JSON, and the peers' figures (`probabilities.csv` in the folder
`peers` beside `HARDWOOD_DATA`, 5 folds; or `accuracy.csv`, errors over 10 folds). `--live lgbm,cat`
trains peers here on the same folds instead: the CSV has no AUC. Out: a table per figure and the
means over all sets, and over the sets that a peer has, beside ours on the same sets.
`cross_validation` says what is computed. Another `--seed` gives other folds, on which defaults are
chosen.

    python -m benchmarks.accuracy --model boosted --params '{"max_depth": 3}' --sets pima,glass
    python -m benchmarks.accuracy --write            # the results file beside this one
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.cross_validation import METRICS, MODELS, PEERS_SEED, Job, as_row, read_set, run
from benchmarks.peer_models import PEERS
from benchmarks.report import markdown_table, write_section

__all__ = ["PEERS_SEED", "Job", "read_set", "run"]

OURS = "hardwood"
RESULTS = Path(__file__).with_name("RESULTS-accuracy").with_suffix(".md")
WORDS = {"error": "error", "log_loss": "log loss", "brier": "Brier score", "auc": "AUC"}


def figures_of(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """[set, method], ours first; methods without any figure are left out."""
    if metric not in rows:
        return pd.DataFrame()
    table = rows.pivot(index="set", columns="method", values=metric).dropna(axis=1, how="all")
    ours = [name for name in (OURS,) if name in table]
    return table[[*ours, *sorted(set(map(str, table)) - {OURS})]]


def table_of_sets(rows: pd.DataFrame, metric: str) -> str:
    """One row per set, ours and every peer."""
    table = figures_of(rows, metric)
    body = [
        [str(name), *map(_number, row)]
        for name, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    return markdown_table([WORDS[metric], *map(str, table.columns)], body)


def table_of_means(rows: pd.DataFrame) -> str:
    """A peer's means over the sets that it has, ours on the same sets, and who wins how often."""
    body = []
    for metric in METRICS:
        table = figures_of(rows, metric)
        sign = -1.0 if metric == "auc" else 1.0
        for method in table.columns.drop(OURS, errors="ignore"):
            both = table[[OURS, method]].dropna()
            if both.empty:
                continue
            ours, theirs = both[OURS], both[method]
            lead = sign * (theirs - ours)
            better, worse = int((lead > 5e-5).sum()), int((lead < -5e-5).sum())
            means = [_number(theirs.mean()), _number(ours.mean())]
            counts = [str(len(both)), str(better), str(worse)]
            body.append([WORDS[metric], str(method), *means, *counts])
    head = ["figure", "peer", "its mean", "ours", "sets", "we are better", "worse"]
    return markdown_table(head, body)


def our_means(rows: pd.DataFrame) -> str:
    """Over all sets, and over those that CatBoost has."""
    ours = rows[rows["method"] == OURS].set_index("set")
    places = {"all": list(ours.index)}
    has = rows[(rows["method"] == "cat") & rows["error"].notna()]["set"]
    if len(has):
        places["those of CatBoost"] = [name for name in ours.index if name in set(has)]
    body = [
        [name, str(len(sets)), *(_number(ours.loc[sets, metric].mean()) for metric in METRICS)]
        for name, sets in places.items()
        if sets
    ]
    return markdown_table(["our means", "sets", *(WORDS[metric] for metric in METRICS)], body)


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--model", choices=MODELS, default="boosted")
    parser.add_argument("--params", type=json.loads, default={}, help="a JSON object")
    parser.add_argument("--seed", type=int, default=PEERS_SEED, help="of the folds")
    parser.add_argument("--sets", help="names, with commas between them; default all")
    parser.add_argument("--live", default="", help=f"peers to train: {','.join(PEERS)}")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--peers", type=Path, help="probabilities.csv or accuracy.csv")
    parser.add_argument("--out", type=Path, help="a CSV file for the figures of this run")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    given = parser.parse_args()
    if "HARDWOOD_DATA" not in os.environ:
        parser.error("set HARDWOOD_DATA to the folder that holds the data sets")
    given.folder = Path(os.environ["HARDWOOD_DATA"])
    given.peers = given.peers or given.folder.parent / "peers" / "probabilities.csv"
    given.live = [name for name in given.live.split(",") if name]
    if set(given.live) - set(PEERS):
        parser.error(f"--live knows {', '.join(PEERS)}; given was {','.join(given.live)}")
    if given.seed != PEERS_SEED and not given.live:
        print(f"The folds differ from the peers', which have seed {PEERS_SEED}.")
    return given


def main() -> None:
    given = parsed()
    peers = pd.read_csv(given.peers)
    names = given.sets.split(",") if given.sets else sorted(peers["set"].unique())
    unknown = sorted(set(names) - set(peers["set"]))
    if unknown:
        raise SystemExit(
            f"no set named {unknown[0]}; there are {', '.join(sorted(peers['set'].unique()))}"
        )
    folds = 5 if "log_loss" in peers else 10
    parameters = tuple(given.params.items())
    jobs = [Job(name, given.folder, given.model, parameters, given.seed, folds) for name in names]
    jobs += [
        Job(name, given.folder, peer, (), given.seed, folds)
        for peer in given.live
        for name in names
    ]
    methods = [OURS if job.model in MODELS else job.model for job in jobs]
    found = pd.DataFrame(map(as_row, methods, run(jobs, given.processes)))
    stored = peers[peers["set"].isin(names) & ~peers["method"].isin(given.live)]
    rows = pd.concat([found, stored], ignore_index=True)
    sets = [table_of_sets(rows, metric) for metric in METRICS if not figures_of(rows, metric).empty]
    asked = f"{given.model} {json.dumps(given.params)}, seed {given.seed}, {folds} folds"
    asked += " (3 from 5,000 rows on)."
    text = "\n\n".join([asked, our_means(rows), table_of_means(rows), *sets])
    print(f"\n{text}")
    if given.out:
        found.to_csv(given.out, index=False)
    if given.write:
        heading = {"tree": "One tree", "boosted": "Boosted trees"}[given.model]
        write_section(RESULTS, "Accuracy and probabilities", heading, text)


if __name__ == "__main__":
    main()
