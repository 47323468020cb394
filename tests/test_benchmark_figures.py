"""The figures of `benchmarks.accuracy` against scikit-learn's metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from benchmarks.accuracy import our_means, table_of_means
from benchmarks.cross_validation import of_probabilities


@pytest.mark.parametrize("classes", [2, 4])
def test_log_loss_brier_score_and_auc(classes):
    rng = np.random.default_rng(0)
    names = np.array(list("abcd"[:classes]))
    y = names[rng.integers(0, classes, 200)]
    given = rng.dirichlet(np.ones(classes), 200)
    loss, brier, auc = of_probabilities(given, names, y)
    assert loss == pytest.approx(log_loss(y, given, labels=names), rel=1e-4)
    one_hot = (y[:, None] == names).astype(float)
    assert brier == pytest.approx(((given - one_hot) ** 2).sum(axis=1).mean(), rel=1e-4)
    expected = roc_auc_score(one_hot, given, average="macro")
    assert auc == pytest.approx(expected)


def test_probabilities_of_0_are_clipped_and_classes_that_are_absent_do_not_count():
    given = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    loss, brier, auc = of_probabilities(given, np.array(["a", "b", "c"]), np.array(["b", "b"]))
    assert loss == pytest.approx(-np.log(1e-6 / (1 + 2e-6)) / 2, rel=1e-5)
    assert brier == pytest.approx(1.0, abs=1e-4)
    assert np.isnan(auc)


def test_means_are_over_the_sets_that_a_peer_has():
    ours = {"error": [0.1, 0.3], "log_loss": [0.2, 0.4], "brier": [0.1, 0.1], "auc": [0.9, 0.7]}
    rows = pd.DataFrame({"set": ["s", "t"], "method": "hardwood", **ours})
    peer = pd.DataFrame({"set": ["s"], "method": "cat", "error": [0.2], "log_loss": [0.1]})
    both = pd.concat([rows, peer], ignore_index=True)
    lines = [line.split() for line in table_of_means(both).splitlines()[2:]]
    assert [(line[1], line[-10::2]) for line in lines] == [
        ("error", ["0.2000", "0.1000", "1", "1", "0"]),
        ("log", ["0.1000", "0.2000", "1", "0", "1"]),
    ]
    means = our_means(both).splitlines()
    assert means[2].split()[3::2] == ["2", "0.2000", "0.3000", "0.1000", "0.8000"]
    assert means[3].split("|")[2:4] == ["    1 ", " 0.1000 "]
