"""What `train` remarks on, and the scores that it prints."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import log_loss, roc_auc_score

from hardwood import TreeClassifier
from hardwood.cli.validation import _dealt, cross_validate


@pytest.fixture
def noise(tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(300, 3)), columns=["a", "b", "c"])
    table["y"] = np.where(random.random(300) < 0.3, "yes", "no")
    path = tmp_path / "noise.csv"
    table.to_csv(path, index=False)
    return path


def words(text):
    return " ".join(text.split())


def test_a_model_worse_than_the_largest_class_says_so(noise, hardwood, tmp_path):
    train = ["train", noise, "--target", "y", "--pruning", "none", "--out", tmp_path / "m.hardwood"]
    code, out, _ = hardwood(*train)
    assert code == 0
    error, usual = map(float, re.search(r"Error (\S+) .* errs (\S+)\.\n", out).groups())
    assert error > usual
    assert "the model errs more than always saying no" in words(out)
    assert "Note:" not in hardwood(*train, "--no-notes")[1]


def test_remarks_of_the_fit_are_printed_once_and_not_by_the_folds(noise, hardwood, tmp_path):
    file = tmp_path / "m.hardwood"
    train = ["train", noise, "--target", "y", "--max-leaf-nodes", 200, "--pruning", "none"]
    out = words(hardwood(*train, "--out", file)[1])
    assert out.count("max_leaf_nodes=200 gave") == 1


@pytest.mark.parametrize("classes", [2, 3])
def test_the_scores_are_scikit_learns_of_rows_not_seen(classes):
    random = np.random.default_rng(1)
    X = random.normal(size=(240, 3))
    y = np.digitize(X[:, 0] + random.normal(size=240), [0.0, 1.0][: classes - 1])
    scores = cross_validate(TreeClassifier(), csr_matrix(X), y, 5, lambda: None)
    fold = _dealt(y, 5)
    proba = np.zeros((240, classes))
    for each in range(5):
        fitted = TreeClassifier().fit(X[fold != each], y[fold != each])
        proba[fold == each] = fitted.predict_proba(X[fold == each])
    assert scores.error == np.mean(proba.argmax(axis=1) != y)
    assert scores.log_loss == log_loss(y, proba)
    given = proba[:, 1] if classes == 2 else proba
    assert scores.auc == roc_auc_score(y, given, multi_class="ovr")
    shares = np.bincount(y) / len(y)
    assert scores.usual_error == pytest.approx(1 - shares.max())
    assert scores.usual_log_loss == pytest.approx(log_loss(y, np.tile(shares, (240, 1))))


def test_weighted_training_says_which_error_counts_rows(noise, hardwood, tmp_path):
    file = tmp_path / "m.hardwood"
    train = ["train", noise, "--target", "y", "--class-weight", "balanced", "--folds", 0]
    out = hardwood(*train, "--pruning", "none", "--max-leaf-nodes", 4, "--out", file)[1]
    table = pd.read_csv(noise)
    import hardwood as package

    wrong = np.mean(package.load(file).predict(table[["a", "b", "c"]]) != table["y"])
    assert f"Training error {wrong:.4f} of the rows; the certificate counts weights." in out
