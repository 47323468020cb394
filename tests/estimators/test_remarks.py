"""A fit says what its user should know, and is silent otherwise."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.errors import ModelWarning
from hardwood.studies.criteria_study import SETS
from hardwood.studies.data import DataFolder

FOLDER = os.environ.get("HARDWOOD_DATA")
BOTH = [TreeClassifier(), BoostedTreesClassifier(n_estimators=3)]


def said(model, X, y):
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert all(note.category is ModelWarning for note in notes)
    return [str(note.message) for note in notes]


def noise(n=400, columns=4, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, columns)), random.integers(0, 2, n)


def test_a_tree_that_pruning_cut_to_its_root_says_so():
    X, _ = noise()
    y = np.random.default_rng(1).random(len(X)) < 0.1
    model = TreeClassifier(confidence=0.01)
    notes = said(model, X, y)
    assert model.tree_.n_leaves == 1 < model.grown_tree_.n_leaves
    assert len(notes) == 1
    assert notes[0].startswith("Pruning left the root alone: the tree says False for every row")
    assert said(TreeClassifier(pruning=None, max_leaf_nodes=8), X, y) == []


def test_a_budget_that_was_not_used_says_why():
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier(max_leaf_nodes=12, pruning=None, min_samples_leaf=10)
    notes = said(model, X, y)
    leaves = model.tree_.n_leaves
    assert 2 * leaves <= 12
    why = f"growth ended at {leaves}, since no leaf could be split further."
    assert notes == [f"max_leaf_nodes=12 gave {leaves} leaves: {why}"]
    X, y = load_breast_cancer(return_X_y=True)
    model = TreeClassifier(max_leaf_nodes=12, pruning="cost-complexity", ccp_alpha=0.05)
    notes = said(model, X, y)
    leaves = model.tree_.n_leaves
    why = f"pruning took {12 - leaves} away; pruning=None keeps them."
    assert notes == [f"max_leaf_nodes=12 gave {leaves} leaves: {why}"]


@pytest.mark.parametrize("model", BOTH)
def test_a_column_of_different_strings_is_named(model):
    X, y = noise()
    table = pd.DataFrame(X, columns=list("abcd")).assign(name=[f"person {i}" for i in range(400)])
    assert ["'name'" in each for each in said(model, table, y + (X[:, 0] > 0))] == [True]
    table["name"] = [f"town {i % 40}" for i in range(400)]
    assert said(model, table, y + (X[:, 0] > 0)) == []


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize("order", ["rising", "shuffled", "with gaps"])
def test_a_column_that_numbers_the_rows_is_named(model, order):
    X, y = noise()
    y = y + (X[:, 0] > 0)
    number = np.arange(1000, 1400)
    if order == "shuffled":
        number = np.random.default_rng(2).permutation(number)
    if order == "with gaps":
        number = np.cumsum(np.random.default_rng(2).integers(1, 9, 400))
    table = pd.DataFrame(X, columns=list("abcd")).assign(number=number)
    assert [each.startswith("Column 'number' has") for each in said(model, table, y)] == [True]
    table["number"] = np.random.default_rng(2).permutation(np.arange(0, 2000, 5))
    assert said(model, table, y) == []


@pytest.mark.parametrize("model", BOTH)
def test_a_column_that_gives_the_target_away_is_named(model):
    X, y = noise()
    X[:, 2] = np.where(y == 1, 1, -1) * (0.1 + np.abs(X[:, 2]))
    notes = said(model, X, y)
    assert len(notes) == 1
    assert notes[0].startswith("Column 'x2' alone tells the class of every training row.")
    X[0, 2] *= -1
    assert said(model, X, y) == []


def test_one_of_the_remarks_can_be_turned_off():
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier(max_leaf_nodes=30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelWarning, match="max_leaf_nodes=30 gave"):
            model.fit(X, y)
        warnings.filterwarnings("ignore", message="max_leaf_nodes", category=ModelWarning)
        model.fit(X, y)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("model", BOTH)
def test_real_tables_are_fitted_in_silence(load, model):
    X, y = load(return_X_y=True)
    assert said(model, X, y) == []


LARGE = ("covtype", "kddcup99_10pct", "mnist", "isolet")


@pytest.mark.skipif(not FOLDER, reason="HARDWOOD_DATA names no folder")
def test_the_data_sets_are_fitted_in_silence():
    folder = DataFolder(Path(FOLDER))
    found = {}
    for name in [name for name in SETS if name not in LARGE]:
        problem = folder.read(name)
        for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=1)):
            notes = said(model, problem.X, problem.y)
            if notes:
                found[name] = notes
    assert found == {}
