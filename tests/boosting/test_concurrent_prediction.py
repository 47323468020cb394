"""One model, asked by many threads; and a row that is answered without a thread of the core's."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier

CALLERS = 8
THREADS = Path("/proc/self/task")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 5))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=600) / 2 > 0).astype(int)


@pytest.mark.threads
@pytest.mark.parametrize("rows", [1, 300])
def test_many_threads_get_the_answers_of_one_while_another_model_is_fitted(data, rows):
    X, y = data
    expected = BoostedTreesClassifier(n_estimators=30).fit(X, y).predict_proba(X)
    model = BoostedTreesClassifier(n_estimators=30, n_jobs=2).fit(X, y)  # not asked before
    other, done = BoostedTreesClassifier(n_estimators=10), threading.Event()
    start = threading.Barrier(CALLERS + 1)

    def ask(first):
        start.wait()
        for i in range(40):
            at = (first + i) * 7 % (len(X) - rows)
            table = X[at : at + rows] if i % 4 else pd.DataFrame(X[at : at + rows])
            if not np.array_equal(model.predict_proba(table), expected[at : at + rows]):
                return False
        return True

    def fit_again():
        start.wait()
        fits = 0
        while not done.is_set():
            other.fit(X, y if fits % 2 else 1 - y).predict(X[:1])
            fits += 1
        return fits

    with ThreadPoolExecutor(CALLERS + 1) as pool:
        fitting = pool.submit(fit_again)
        asking = [pool.submit(ask, first) for first in range(CALLERS)]
        try:
            assert all(each.result() for each in asking)
        finally:
            done.set()
        assert fitting.result() > 0


def most_threads_during(call):
    """The largest number of threads of this process that were seen while the call ran."""
    done, seen = threading.Event(), []

    def watch():
        while not done.is_set():
            seen.append(len(list(THREADS.iterdir())))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        call()
    finally:
        done.set()
        watcher.join()
    return max(seen)


@pytest.mark.skipif(not THREADS.is_dir(), reason="threads are counted in /proc")
def test_a_row_starts_no_thread(data):
    X, y = data
    model = BoostedTreesClassifier(n_estimators=5).fit(X, y).set_params(n_jobs=64)
    frame, many = pd.DataFrame(X[:1]), np.tile(X, (400, 1))
    before = most_threads_during(lambda: model.predict(X[:1]))

    def ask():
        for _ in range(200):
            model.predict_proba(X[:1])
            model.predict(frame)

    assert most_threads_during(ask) == before
    assert most_threads_during(lambda: model.predict(many)) > before
