"""Multi-way trees against binary ones of the same budget: `python -m benchmarks.multiway`.

Covtype, seven classes; learners take turns and the best of the repeats counts. To reach:
a tree with `max_branches=8` in at most 3 times the binary tree's time.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.data import TASKS
from benchmarks.report import markdown_table, write_section
from benchmarks.tree import in_turns

OUT = Path(__file__).parent / "RESULTS-tree.md"
LEARNERS: dict[str, dict[str, Any]] = {
    "binary": {"leaf_choice": "drop"},
    "multi-way, max_branches=8": {"branching": "multiway", "max_branches": 8},
    "multi-way": {"branching": "multiway"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    task = TASKS["covtype-7"]()
    if task is None:
        return
    from hardwood import TreeClassifier

    rows = []
    for criterion in ("km", "gini"):
        for leaves in (32, 255, 1000):
            jobs = {
                (name, 2): partial(
                    TreeClassifier(
                        criterion=criterion,
                        max_leaf_nodes=leaves,
                        min_samples_leaf=1,
                        pruning=None,
                        n_jobs=2,
                        **more,
                    ).fit,
                    task.X,
                    task.y,
                )
                for name, more in LEARNERS.items()
            }
            seconds = in_turns(jobs, dict.fromkeys(jobs, given.repeats))
            base = seconds["binary", 2]
            for (name, _), taken in seconds.items():
                rows.append([criterion, str(leaves), name, f"{taken:.3f}", f"{taken / base:.2f}"])
    table = markdown_table(["criterion", "budget", "tree", "seconds", "/ binary"], rows)
    note = f"{task.name}, {len(task.y):,} rows, 2 threads. To reach: at most 3 with max_branches=8."
    print(table)
    write_section(OUT, "One tree, hardwood and its peers", "Multi-way trees", f"{note}\n\n{table}")


if __name__ == "__main__":
    main()
