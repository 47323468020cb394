"""Seconds from the shell's point of view: `hardwood --help`, and `train` on 10,000 x 20 CSV.

python -m benchmarks.command_line
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

ROWS, REPEATS = 10_000, 5


def write_table(path: Path) -> None:
    """Eighteen numbers, a category, a count, and a target that depends on four of them."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(ROWS, 18)).round(4)
    colour = rng.choice(["red", "green", "blue", "black"], ROWS)
    count = rng.integers(0, 50, ROWS)
    score = numbers[:, 0] + numbers[:, 1] * numbers[:, 2] + (colour == "red")
    bought = np.where(score + 0.5 * rng.normal(size=ROWS) > 0, "yes", "no")
    header = ",".join([f"n{j}" for j in range(18)] + ["colour", "count", "bought"])
    lines = [
        ",".join([*map(str, numbers[i].tolist()), colour[i], str(count[i]), bought[i]])
        for i in range(ROWS)
    ]
    path.write_text("\n".join([header, *lines]) + "\n")


def best_seconds(arguments: list[str], folder: Path) -> float:
    """The shortest of several runs, interpreter start included."""
    command = [sys.executable, "-m", "hardwood", *arguments]
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        seconds.append(perf_counter() - start)
    return min(seconds)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder / "table.csv")
        print(f"hardwood --help          {best_seconds(['--help'], folder):.2f} s")
        for model in ("tree", "boosted"):
            arguments = ["train", "table.csv", "--target", "bought", "--model", model]
            print(f"hardwood train {model:<10}{best_seconds(arguments, folder):.2f} s")


if __name__ == "__main__":
    main()
