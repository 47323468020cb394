"""Processes, threads, signals and borrowed memory: the estimator behaves among them.

What may hang runs in a Python process of its own with a time limit, so that it fails in words.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from hardwood import TreeClassifier

SETTING = """
import numpy as np
from hardwood import TreeClassifier

def table(n=20000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, (X[:, 0] * X[:, 1] + rng.normal(size=n) > 0).astype(int)

def digest(seed=0):
    return TreeClassifier(max_leaf_nodes=30, n_jobs=2).fit(*table(seed=seed)).digest()
"""


def run(script: str, folder: Path, timeout: float = 240) -> list[str]:
    """The lines that a fresh process prints."""
    path = folder / "script.py"
    path.write_text(SETTING + script)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(path)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def table(n: int = 20_000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, (X[:, 0] * X[:, 1] + rng.normal(size=n) > 0).astype(int)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_process_forked_after_a_fit_can_fit_and_predict(tmp_path):
    lines = run(
        """
import os
X, y = table()
model = TreeClassifier(max_leaf_nodes=30, n_jobs=2).fit(X, y)
expected = model.predict(X)
child = os.fork()
if child == 0:
    same = np.array_equal(model.predict(X), expected) and digest() == model.digest()
    os._exit(0 if same else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), digest() == model.digest())
""",
        tmp_path,
    )
    assert lines == ["0", "True"]


@pytest.mark.thorough  # test_thread_count.py does so on a smaller table
def test_fits_inside_multiprocessing_workers_give_the_same_trees(tmp_path):
    lines = run(
        """
import multiprocessing
if __name__ == "__main__":
    here = [digest(seed) for seed in range(3)]
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(digest, range(3)) == here)
""",
        tmp_path,
    )
    assert lines == ["True", "True"]


def test_fits_inside_joblib_workers_give_the_same_trees(tmp_path):
    lines = run(
        """
from joblib import parallel_config
from sklearn.model_selection import cross_val_score
if __name__ == "__main__":
    X, y = table()
    model = TreeClassifier(max_leaf_nodes=30)
    scores = cross_val_score(model, X, y, cv=3)
    for backend in ("loky", "threading", "multiprocessing"):
        with parallel_config(backend, n_jobs=2):
            print(np.array_equal(cross_val_score(model, X, y, cv=3), scores))
""",
        tmp_path,
    )
    assert lines == ["True", "True", "True"]


@pytest.mark.threads
def test_threads_that_predict_with_one_tree_agree():
    X, y = table()
    model = TreeClassifier(max_leaf_nodes=60, n_jobs=2).fit(X, y)
    expected = model.predict_proba(X)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: model.predict_proba(X), range(40)))
    assert all(np.array_equal(result, expected) for result in results)


def patience() -> float:
    """Seconds; more under a sanitizer."""
    return float(os.environ.get("HARDWOOD_PATIENCE", "1"))


@pytest.mark.threads
def test_threads_that_fit_at_the_same_time_do_not_meet():
    jobs = [(*table(seed=seed), seed) for seed in range(4)]

    def digest(job):
        X, y, _ = job
        return TreeClassifier(max_leaf_nodes=40, n_jobs=2).fit(X, y).digest()

    expected = [digest(job) for job in jobs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(digest, jobs * 3)) == expected * 3


@pytest.mark.threads
def test_other_python_threads_run_while_a_tree_is_grown():
    X, y = table(200_000)
    ticks, done = [], []

    def grow():
        TreeClassifier(max_leaf_nodes=2000, min_samples_leaf=1, pruning=None, n_jobs=1).fit(X, y)
        done.append(True)

    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(grow)
        while not work.done():
            ticks.append(time.perf_counter())
            time.sleep(0.005)
        work.result()
    assert done
    assert max(np.diff([*ticks, time.perf_counter()])) < patience()


TREE = """TreeClassifier(max_leaf_nodes=None, max_depth=None, min_samples_leaf=1, min_drop=0.0,
                       pruning=None, n_jobs={threads})"""
CLASSES = "BoostedTreesClassifier(n_estimators=500, n_jobs={threads})"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize(
    ("model", "n_classes", "delay", "threads"),
    [
        pytest.param(TREE, 2, 0.1, 2, id="tree-early"),
        pytest.param(TREE, 2, 2.0, 1, id="tree-alone", marks=pytest.mark.thorough),
        pytest.param(TREE, 2, 2.0, 2, id="tree"),
        pytest.param(CLASSES, 5, 2.0, 2, id="classes-together"),
    ],
)
def test_ctrl_c_during_a_long_fit_raises_within_a_second(
    model, n_classes, delay, threads, tmp_path
):
    path = tmp_path / "script.py"
    path.write_text(f"""
import time
import numpy as np
from hardwood import BoostedTreesClassifier, TreeClassifier
rng = np.random.default_rng(0)
X = rng.random((1_000_000, 12))
y = rng.integers(0, {n_classes}, len(X))
model = {model.format(threads=threads)}
model.fit(X[:1000], y[:1000])
before = model.digest()
print("fitting", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print(time.time(), model.digest() == before, flush=True)
""")
    with subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().split() == ["fitting"]
        time.sleep(delay)
        start = time.time()
        process.send_signal(signal.SIGINT)
        try:
            answer, _ = process.communicate(timeout=20)
        finally:
            process.kill()
    assert answer, "the fit ended, or went on, without a KeyboardInterrupt"
    stopped, unchanged = answer.split()
    assert float(stopped) - start < patience()
    assert unchanged == "True"


def test_the_callers_data_are_never_changed():
    X, y = table(3000)
    X[::7, 2] = np.nan
    w = np.random.default_rng(1).gamma(1.0, size=len(y))
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(
        kind=pd.Categorical(np.where(X[:, 0] > 0, "hot", "cold"))
    )
    sparse = sp.csc_array(np.where(np.abs(X) > 1.5, X, 0.0))
    copies = (X.copy(), y.copy(), w.copy(), frame.copy(deep=True), sparse.copy())
    for form in (X, frame, sparse):
        model = TreeClassifier(max_leaf_nodes=20, class_weight="balanced", n_jobs=2)
        model.fit(form, y, sample_weight=w)
        model.predict_proba(form)
    assert np.array_equal(X, copies[0], equal_nan=True)
    assert np.array_equal(y, copies[1])
    assert np.array_equal(w, copies[2])
    pd.testing.assert_frame_equal(frame, copies[3])
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(sparse, name), getattr(copies[4], name))


def test_sparse_columns_with_unsorted_indices_are_read_and_left_alone():
    dense = np.array([[0.0, 2.0], [1.0, 0.0], [3.0, 4.0], [0.0, 0.0]] * 5)
    sparse = sp.csc_array(dense)
    order = np.concatenate([np.arange(a, b)[::-1] for a, b in pairwise(sparse.indptr)])
    shuffled = sp.csc_array(
        (sparse.data[order], sparse.indices[order], sparse.indptr), shape=dense.shape
    )
    y = np.arange(20) % 4 % 2
    before = shuffled.indices.copy()
    model = TreeClassifier(pruning=None)
    assert model.fit(shuffled, y).digest() == model.fit(dense, y).digest()
    assert np.array_equal(shuffled.indices, before)


def test_read_only_strided_and_memory_mapped_tables_give_the_same_tree(tmp_path):
    X, y = table(3000)
    expected = TreeClassifier(max_leaf_nodes=20).fit(X, y)
    frozen, labels = X.copy(), y.copy()
    frozen.flags.writeable = labels.flags.writeable = False
    spaced = np.zeros((6000, 12))
    spaced[::2, ::2] = X
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    swapped = X.astype(X.dtype.newbyteorder())
    for form in (frozen, spaced[::2, ::2], mapped, np.asfortranarray(X), X[::-1][::-1], swapped):
        model = TreeClassifier(max_leaf_nodes=20).fit(form, labels)
        assert model.digest() == expected.digest()
        assert np.array_equal(model.predict(form), expected.predict(X))
    del mapped, form


def test_a_column_of_float32_is_compared_as_it_is():
    X, y = table(3000)
    narrow = X.astype(np.float32)
    assert (
        TreeClassifier(max_leaf_nodes=20).fit(narrow, y).digest()
        == TreeClassifier(max_leaf_nodes=20).fit(narrow.astype(np.float64), y).digest()
    )


def test_values_that_float32_cannot_tell_apart_are_split():
    X = np.array([1.0, np.nextafter(1.0, 2.0)] * 10).reshape(-1, 1)
    y = np.arange(20) % 2
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)
    assert np.array_equal(model.predict(X), y)
