"""How long people wait at the workshop: alternatives of a node, growing again, the first page.

Goals, on an idle machine: alternatives of any node of a 20-leaf tree on 100,000 x 50 within 200 ms
(1,000,000 x 50 within 1 s), growing again within 500 ms, and the first page within 1.5 s of the
command on a CSV file of 10,000 rows.

python -m benchmarks.workshop [ROWS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import urllib.request
import warnings
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.command_line import write_table
from hardwood import TreeClassifier
from hardwood.workshop import Session

COLUMNS, REPEATS = 50, 5


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Continuous columns of which five matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, COLUMNS))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.abs(X[:, 3]) - X[:, 4] ** 2
    return X, (score + rng.normal(size=rows) > 0).astype(int)


def median_seconds(work: object) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()  # type: ignore[operator]
        seconds.append(perf_counter() - start)
    return float(np.median(seconds))


def first_page() -> float:
    """From the command to the whole page, the shortest of several runs."""
    seconds = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder / "table.csv")
        command = [sys.executable, "-m", "hardwood", "workshop", "table.csv"]
        command += ["--target", "bought", "--no-browser"]
        for _ in range(REPEATS):
            start = perf_counter()
            with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
                assert server.stdout is not None
                url = server.stdout.readline().split()[-1]
                with urllib.request.urlopen(url) as page:
                    page.read()
                seconds.append(perf_counter() - start)
                server.terminate()
    return min(seconds)


def main() -> None:
    warnings.simplefilter("ignore")
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    X, y = table(rows)
    session = Session(TreeClassifier(max_leaf_nodes=20, pruning=None, n_jobs=-1), X, y)
    nodes = range(session.model.tree_.n_nodes)
    slowest = max(median_seconds(lambda node=node: session.alternatives(node)) for node in nodes)
    print(f"alternatives, slowest node, {rows:,} x {COLUMNS}   {1000 * slowest:6.0f} ms")
    step = {"do": "leaf", "node": 1}

    def there_and_back() -> None:
        session.act(session.version, step)
        session.act(session.version, {"do": "undo"})

    again = median_seconds(there_and_back) / 2
    print(f"growing again, {rows:,} x {COLUMNS}                {1000 * again:6.0f} ms")
    print(f"first page of the command, 10,000 x 20      {1000 * first_page():6.0f} ms")


if __name__ == "__main__":
    main()
