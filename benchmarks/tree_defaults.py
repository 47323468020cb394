"""How the defaults of `TreeClassifier` were chosen: `python -m benchmarks.tree_defaults`.

In: the data sets of `HARDWOOD_DATA` and the peers' `accuracy.csv` beside it. First pruning, missing
values and `min_samples_leaf` are compared by cross-validation on folds of other seeds than the
peers'. Then every criterion, branching and pruning is run on the peers' own folds, beside Weka's
J48 and scikit-learn's trees. Out: a Markdown page (`--out`), with each set's errors for the
defaults. Finished settings are kept in `--cache`, a CSV file, and not run again.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.accuracy import PEERS_SEED, Job, read_set, run
from benchmarks.report import markdown_table

CHOICE_SEEDS = (7, 8)
PRIOR_HEADING = "## The leaf prior"
"""Of the last section, which `benchmarks.tree_prior` writes."""
PRUNINGS: dict[str, dict[str, Any]] = {
    "none": {"pruning": None},
    "error-based": {"pruning": "error-based"},
    "cost-complexity, cv": {"pruning": "cost-complexity", "ccp_alpha": "cv", "random_state": 0},
    "reduced-error": {"pruning": "reduced-error", "random_state": 0},
}
BRANCHINGS: dict[str, dict[str, Any]] = {
    "binary": {},
    "multi-way": {"branching": "multiway", "max_leaf_nodes": 256},
}
CRITERIA = ("km", "gini", "entropy", "error")
LEAST = (1, 2, 3, 4, 5)
MISSING = ("branch", "fractional")
J48, TUNED = "j48", "skdt_ccp"
ABOUT = (
    "Made by `python -m benchmarks.tree_defaults`. Ten-fold cross-validation (three folds from "
    "5,000 rows on); error is the mean over the sets, leaves the sum over the sets of a tree's "
    f"mean. The peers' folds have seed {PEERS_SEED}; defaults are chosen on others.\n"
)
DECISION = """
## Decision

`pruning="error-based"`, `missing="branch"`, `min_samples_leaf=3`. Error-based pruning has the least
error at every size of leaf, and a missing value that may have a branch of its own does better than
one in parts. Of the leaf sizes 1 to 3, whose errors differ by less than a tenth of a point, 3 gives
the smallest trees; from 4 on the error rises. Sets that are more than three points above J48 on the
peers' folds are small: the difference is about one standard error, other folds move it by more, and
where a set has classes of one or two rows no leaf of three examples can be theirs.
"""


class Runner:
    """Cross-validates a setting, or takes it from the cache."""

    def __init__(self, folder: Path, names: list[str], cache: Path, processes: int) -> None:
        self.folder, self.names, self.cache, self.processes = folder, names, cache, processes
        columns = ["setting", "seed", "name", "error", "leaves"]
        known = pd.read_csv(cache) if cache.exists() else pd.DataFrame(columns=columns)
        self.known = known

    def __call__(self, parameters: dict[str, Any], seed: int) -> pd.DataFrame:
        """Errors and leaves by set."""
        setting = json.dumps(parameters, sort_keys=True)
        found = self.known[(self.known["setting"] == setting) & (self.known["seed"] == seed)]
        if set(found["name"]) >= set(self.names):
            return found.set_index("name").loc[self.names]
        print(setting, "seed", seed, flush=True)
        given = tuple(parameters.items())
        results = run(
            [Job(n, self.folder, "tree", given, seed) for n in self.names], self.processes
        )
        rows = [(setting, seed, r.name, r.error, r.leaves) for r in results]
        fresh = pd.DataFrame(rows, columns=["setting", "seed", "name", "error", "leaves"])
        parts = [part for part in (self.known, fresh) if len(part)]
        self.known = pd.concat(parts, ignore_index=True)
        self.known.to_csv(self.cache, index=False)
        return fresh.set_index("name")


def choice(measure: Runner) -> tuple[str, list[list[str]]]:
    """km, binary: pruning x missing x least examples of a leaf, on folds of other seeds."""
    rows = []
    for pruning, more in PRUNINGS.items():
        for missing in MISSING:
            for least in LEAST:
                setting = {"min_samples_leaf": least, "missing": missing} | more
                results = [measure(setting, seed) for seed in CHOICE_SEEDS]
                error = sum(r["error"].mean() for r in results) / len(results)
                leaves = sum(r["leaves"].sum() for r in results) / len(results)
                rows.append([pruning, missing, str(least), f"{error:.4f}", f"{leaves:.0f}"])
    return "Choosing the defaults", rows


def comparison(measure: Runner, least: int, peers: pd.DataFrame) -> list[list[str]]:
    """Every criterion, branching and pruning on the peers' folds, and the peers."""
    rows = []
    for branching, shape in BRANCHINGS.items():
        for criterion in CRITERIA:
            for pruning, more in PRUNINGS.items():
                setting = {"criterion": criterion, "min_samples_leaf": least} | shape | more
                found = measure(setting, PEERS_SEED)
                means = [f"{found['error'].mean():.4f}", f"{found['leaves'].sum():.0f}"]
                rows.append([f"hardwood, {branching}", criterion, pruning, *means])
    for method, about in (
        (J48, ["Weka J48", "entropy", "error-based"]),
        ("j48u", ["Weka J48", "entropy", "none"]),
        ("skdt", ["scikit-learn", "gini", "none"]),
        (TUNED, ["scikit-learn", "gini", "cost-complexity, cv"]),
    ):
        theirs = peers[peers["method"] == method].set_index("set").loc[measure.names]
        means = [f"{theirs['error'].mean():.4f}", f"{theirs['leaves'].sum():.0f}"]
        rows.append([*about, *means])
    return rows


def by_set(measure: Runner, peers: pd.DataFrame) -> list[list[str]]:
    """The defaults, set by set."""
    ours = measure({}, PEERS_SEED)
    theirs = peers.pivot(index="set", columns="method", values=["error", "leaves"])
    rows = []
    for name in measure.names:
        error, leaves = ours["error"][name], ours["leaves"][name]
        other, size = theirs["error", J48][name], theirs["leaves", J48][name]
        tuned = theirs["error", TUNED][name]
        points = f"{100 * (error - other):+.1f}"
        rows.append([name, f"{error:.4f}", f"{other:.4f}", points, f"{tuned:.4f}",
                     f"{leaves:.1f}", f"{size:.1f}"])  # fmt: skip
    return rows


def worse_sets(measure: Runner, peers: pd.DataFrame) -> list[list[str]]:
    """Where the defaults are more than three points above J48: rows, and other folds."""
    j48 = peers[peers["method"] == J48].set_index("set")["error"]
    ours = {seed: measure({}, seed)["error"] for seed in (PEERS_SEED, *CHOICE_SEEDS)}
    rows = []
    for name in measure.names:
        if ours[PEERS_SEED][name] > j48[name] + 0.03:
            y = read_set(name, measure.folder)[1]
            spread = (ours[PEERS_SEED][name] * (1 - ours[PEERS_SEED][name]) / len(y)) ** 0.5
            errors = [f"{found[name]:.4f}" for found in ours.values()]
            shape = [str(len(y)), str(len(set(y))), f"{spread:.3f}"]
            rows.append([name, *shape, f"{j48[name]:.4f}", *errors])
    return rows


def page(measure: Runner, least: int, peers: pd.DataFrame) -> str:
    title, rows = choice(measure)
    parts = [
        "# Trees: error and size over 26 data sets\n",
        ABOUT,
        f"## {title}\n",
        f"Criterion km, binary, folds of seeds {' and '.join(map(str, CHOICE_SEEDS))}.\n",
        markdown_table(["pruning", "missing", "min_samples_leaf", "error", "leaves"], rows),
        "\n## Every criterion, branching and pruning\n",
        f"`min_samples_leaf={least}`; multi-way trees have a budget of 256 leaves.\n",
        markdown_table(
            ["learner", "criterion", "pruning", "error", "leaves"],
            comparison(measure, least, peers),
        ),
        "\n## The defaults, set by set\n",
        "Points: our error less J48's, in percent.\n",
        markdown_table(
            ["set", "hardwood", "J48", "points", "scikit-learn, tuned", "leaves", "J48's leaves"],
            by_set(measure, peers),
        ),
        "\n## More than three points above J48\n",
        markdown_table(
            ["set", "rows", "classes", "one standard error", "J48, seed 1"]
            + [f"hardwood, seed {seed}" for seed in (PEERS_SEED, *CHOICE_SEEDS)],
            worse_sets(measure, peers),
        ),
        DECISION,
    ]
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/RESULTS-tree-defaults.md"))
    parser.add_argument("--cache", type=Path, default=Path("build/tree_defaults.csv"))
    parser.add_argument("--least", type=int, default=3, help="min_samples_leaf of the comparison")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if "HARDWOOD_DATA" not in os.environ:
        parser.error("set HARDWOOD_DATA to the folder that holds the data sets")
    folder = Path(os.environ["HARDWOOD_DATA"])
    peers = pd.read_csv(folder.parent / "peers" / "accuracy.csv")
    given.cache.parent.mkdir(parents=True, exist_ok=True)
    measure = Runner(folder, list(peers["set"].unique()), given.cache, given.processes)
    told = given.out.read_text() if given.out.exists() else ""
    _, heading, prior = told.partition(PRIOR_HEADING)
    text = page(measure, given.least, peers)
    given.out.write_text(f"{text}\n{heading}{prior}" if heading else text)


if __name__ == "__main__":
    main()
