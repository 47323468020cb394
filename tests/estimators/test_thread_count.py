"""`n_jobs` counts threads: no rule for processes limits it, and no other library speaks up."""

import subprocess
import sys

import pytest
from joblib import cpu_count, effective_n_jobs, parallel_config

from hardwood.estimators.parameters import thread_count

SCRIPT = """
import multiprocessing
import numpy as np
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.estimators.parameters import thread_count

def work(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(4000, 5))
    y = X[:, 0] * X[:, 1] > 0
    tree = TreeClassifier(max_leaf_nodes=8, pruning=None, n_jobs=2).fit(X, y)
    boosted = BoostedTreesClassifier(n_estimators=3, n_jobs=2).fit(X, y)
    boosted.predict_proba(X)
    tree.predict(X)
    return tree.digest() + boosted.digest(), thread_count(2)

if __name__ == "__main__":
    here = [work(seed) for seed in range(2)]
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        assert multiprocessing.current_process().daemon is False
        print(pool.map(work, range(2)) == here, pool.apply(thread_count, (-1,)))
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_multiprocessing_use_their_threads_in_silence(method, tmp_path):
    if method == "fork" and sys.platform == "win32":
        pytest.skip("there is no fork")
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("{method!r}", repr(method)))
    command = [sys.executable, "-W", "always", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.split() == ["True", str(cpu_count())]


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 7, -1, -2, -1000])
def test_elsewhere_the_number_is_the_one_of_joblib(n_jobs):
    assert thread_count(n_jobs) == effective_n_jobs(n_jobs)
    for backend in ("loky", "threading", "multiprocessing"):
        with parallel_config(backend, n_jobs=3):
            assert thread_count(n_jobs) == effective_n_jobs(n_jobs)


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True])
def test_what_is_no_number_of_threads_is_refused(n_jobs):
    with pytest.raises(ValueError, match="n_jobs must be None or a whole number other than 0"):
        thread_count(n_jobs)
