"""How long people wait at the workshop: alternatives of a node, growing again, the first page.

Goals, on an idle machine: alternatives of any node of a 20-leaf tree on 100,000 x 50 within 200 ms
(1,000,000 x 50 within 1 s), growing again within 500 ms, and the first page within 1.5 s of the
command on a CSV file of 10,000 rows.

python -m benchmarks.workshop [--rows ROWS] [--columns COLUMNS] [--repeats TIMES] [--no-page]
"""

from __future__ import annotations

import argparse
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

REPEATS = 5


def table(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Continuous columns of which five matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.abs(X[:, 3]) - X[:, 4] ** 2
    return X, (score + rng.normal(size=rows) > 0).astype(int)


def median_seconds(work: object, repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = perf_counter()
        work()  # type: ignore[operator]
        seconds.append(perf_counter() - start)
    return float(np.median(seconds))


def first_page() -> tuple[float, float]:
    """From the command to the whole page, and to the tree, the shortest of several runs."""
    pages, trees = [], []
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
                pages.append(perf_counter() - start)
                with urllib.request.urlopen(url + "state") as state:
                    state.read()
                trees.append(perf_counter() - start)
                server.terminate()
    return min(pages), min(trees)


def main() -> None:
    warnings.simplefilter("ignore")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--columns", type=int, default=50)
    options.add_argument("--repeats", type=int, default=REPEATS)
    options.add_argument("--no-page", action="store_true", help="without the command")
    given = options.parse_args()
    X, y = table(given.rows, given.columns)
    size = f"{given.rows:,} x {given.columns:,}"

    def tell(what: str, seconds: float) -> None:
        print(f"{what:<50} {1000 * seconds:7.0f} ms", flush=True)

    start = perf_counter()
    session = Session(TreeClassifier(max_leaf_nodes=20, pruning=None, n_jobs=-1), X, y)
    tell(f"reading, coding, the first tree, {size}", perf_counter() - start)
    nodes = range(session.model.tree_.n_nodes)
    for what, ask in (
        ("alternatives", session.alternatives),
        ("columns by class", lambda node: session.columns(node, 0)),
    ):
        each = [median_seconds(lambda n=n, ask=ask: ask(n), given.repeats) for n in nodes]
        tell(f"{what}, slowest node, {size}", max(each))

    def there_and_back() -> None:
        session.act(session.version, {"do": "leaf", "node": 1})
        session.act(session.version, {"do": "undo"})

    tell(f"growing again, {size}", median_seconds(there_and_back, given.repeats) / 2)
    if not given.no_page:
        page, tree = first_page()
        tell("first page of the command, 10,000 x 20", page)
        tell("its tree", tree)


if __name__ == "__main__":
    main()
