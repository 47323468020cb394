"""Actions under a limit: python -m tests.limits.under_limits KIND FOLDER ACTION...

KIND is `threads` (no process or thread may be started any more) or `memory` (the address space may
grow by a few megabytes, then by more and more). An action may end with MemoryError; after that,
with the limit gone, it must give what it gave before. Prints for each action how many attempts
ended in which way. Every action is a process of its own, forked from one that has done nothing yet.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from hardwood import BoostedTreesClassifier, TreeClassifier, certify, load, save
from hardwood.report import report

ROWS = 30_000
FEW = 300
THREADS = 32
FOLDER = Path(sys.argv[2]) if len(sys.argv) > 3 else Path()
HEADROOM = (0, 1, 3, 6, 12, 90)
"""Megabytes above what is used. A thread's stack takes 8 of them."""
NOBODY = 65534


@cache
def table_of(rows: int, missing: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(rows, 6))
    X[:, 1] = np.round(X[:, 1], 1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=rows) > 0).astype(int)
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


def table(missing: bool = False) -> tuple[np.ndarray, np.ndarray]:
    return table_of(FEW if TRYING else ROWS, missing)


def threads() -> int:
    """One at first: every thread leaves memory behind that later ones could use."""
    return 1 if TRYING else THREADS


def tree() -> str:
    X, y = table()
    return TreeClassifier(n_jobs=threads(), max_leaf_nodes=200).fit(X, y).digest()


def fractional() -> str:
    X, y = table(missing=True)
    model = TreeClassifier(missing="fractional", n_jobs=threads(), max_leaf_nodes=40)
    return model.fit(X, y).digest()


def multiway() -> str:
    X, y = table()
    model = TreeClassifier(branching="multiway", n_jobs=threads(), max_leaf_nodes=60)
    return model.fit(X, y).digest()


def boosted(search: str, cut_fraction: float = 1.0) -> str:
    X, y = table(missing=True)
    model = BoostedTreesClassifier(
        n_estimators=3, search=search, cut_fraction=cut_fraction, n_jobs=threads()
    )
    return model.fit(X, y).digest()


def pairs() -> str:
    X, y = table()
    model = BoostedTreesClassifier(
        n_estimators=3, multiclass="pairs", variant="discrete", n_jobs=threads()
    )
    return model.fit(X, y + (X[:, 3] > 1)).digest()


def pools() -> str:
    X, y = table()
    model = TreeClassifier(
        monotonic_cst=[1, 1, -1, 1, -1, 1], max_leaf_nodes=400, pruning=None, n_jobs=threads()
    )
    return model.fit(X, y).digest()


def draft() -> str:
    X, y = table()
    model = TreeClassifier(n_jobs=threads(), max_leaf_nodes=100).fit(X, y)
    return model.fit(X, y, draft=model.edit()).digest()


def parts() -> str:
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    X, y = table()
    names = [f"x{j}" for j in range(X.shape[1])]
    path = FOLDER / f"{len(X)}.parquet"
    if not path.exists():
        pq.write_table(pa.table({**dict(zip(names, X.T, strict=True)), "y": y}), path)
    model = TreeClassifier(n_jobs=threads(), max_leaf_nodes=50)
    return model.fit(ds.dataset(path), "y").digest()


TRYING: list[bool] = []
FITTED: dict[str, Any] = {}


def fitted() -> Any:
    """One model, trained in another process so that none of its memory is left in this one."""
    path = FOLDER / "trained.hardwood"
    if not path.exists():
        in_fork(train)
    if not FITTED:
        FITTED["model"] = load(path)
    return FITTED["model"].set_params(n_jobs=threads())


def train() -> str:
    model = BoostedTreesClassifier(n_estimators=20).fit(*table(missing=True))
    save(model, FOLDER / "trained.hardwood")
    return "trained"


def predict() -> str:
    return float(np.asarray(fitted().predict_proba(table(missing=True)[0])).sum()).hex()


def change() -> str:
    found = fitted().counterfactual(table(missing=True)[0][:1], time_limit=1000.0)
    return float(found.cost).hex()


def prove() -> str:
    claims = [certify.Monotone(column=3), certify.Within(at_most=0.9)]
    return str(certify.prove(fitted(), claims, time_limit=None))


def shap() -> str:
    X, _ = table(missing=True)
    return float(np.asarray(fitted().shap_values(X[:2000])).sum()).hex()


def saving() -> str:
    save(fitted(), FOLDER / "model.hardwood")
    return str(load(FOLDER / "model.hardwood").digest())


def page() -> str:
    X, y = table(missing=True)
    report(fitted(), X, y, FOLDER / "report.html")
    return str((FOLDER / "report.html").stat().st_size)


ACTIONS: dict[str, Callable[[], str]] = {
    "tree": tree,
    "fractional": fractional,
    "multiway": multiway,
    "boosted-auto": lambda: boosted("auto"),
    "boosted-adaptive": lambda: boosted("adaptive"),
    "boosted-quick": lambda: boosted("quick"),
    "boosted-exhaustive": lambda: boosted("exhaustive"),
    "boosted-cuts": lambda: boosted("auto", cut_fraction=0.15),
    "pairs": pairs,
    "pools": pools,
    "draft": draft,
    "parts": parts,
    "predict": predict,
    "shap": shap,
    "save": saving,
    "report": page,
    "change": change,
    "prove": prove,
}
OF_A_MODEL = ("predict", "shap", "save", "report", "change", "prove")


def used() -> int:
    """The least limit in bytes under which a page can be had."""
    low, high = 0, 2**37
    while high - low > 2**16:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle, resource.RLIM_INFINITY))
        try:
            mmap.mmap(-1, 2**12).close()
            high = middle
        except (OSError, MemoryError):
            low = middle
    return high


def in_fork(work: Callable[[], str]) -> str:
    """What a child says or how it died: every attempt starts with the memory of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = "an exception"
        try:
            said = work()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, said.encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else f"died with status {status}"


def fill() -> list[np.ndarray]:
    """Takes the memory that was freed but not given back, in blocks of a megabyte and smaller."""
    resource.setrlimit(resource.RLIMIT_AS, (used(), resource.RLIM_INFINITY))
    blocks: list[np.ndarray] = []
    for size in (2**20, 2**16, 2**13):
        with contextlib.suppress(MemoryError):
            blocks.extend(np.empty(size, np.uint8) for _ in range(10_000))
    return blocks


def pressed(action: Callable[[], str], expected: str, megabytes: int) -> str:
    kept = fill()
    resource.setrlimit(resource.RLIMIT_AS, (used() + megabytes * 2**20, resource.RLIM_INFINITY))
    try:
        return "done" if action() == expected else "wrong"
    except MemoryError:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    kept.clear()
    return "memory" if action() == expected else "wrong afterwards"


def under_memory(action: Callable[[], str], expected: str) -> Counter[str]:
    return Counter(in_fork(partial(pressed, action, expected, m)) for m in HEADROOM)


def under_threads(action: Callable[[], str], expected: str) -> Counter[str]:
    if os.getuid() == 0:  # whom the limit does not concern
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    return Counter(["done" if action() == expected else "wrong" for _ in range(2)])


def ends(kind: str, name: str) -> str:
    action = ACTIONS[name]
    if name in OF_A_MODEL:
        fitted()
    expected = in_fork(action)
    TRYING.append(True)
    action()  # imports what it needs
    TRYING.clear()
    return str(dict((under_memory if kind == "memory" else under_threads)(action, expected)))


def main() -> None:
    warnings.simplefilter("ignore")
    kind, _, *names = sys.argv[1:]
    table(), table(missing=True)
    for name in names:
        print(name, in_fork(partial(ends, kind, name)), sep="\t", flush=True)


if __name__ == "__main__":
    main()
