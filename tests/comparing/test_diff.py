"""`hardwood.diff`: what it names is there in the models, and every row that changed is told why."""

from __future__ import annotations

import re

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.explain.all_changes import customers

X, Y = customers(200, 4)
X3, Y3 = customers(200, 4, 3)


def test_a_model_and_its_file_are_the_same(tmp_path):
    for model in (TreeClassifier().fit(X, Y), BoostedTreesClassifier(n_estimators=4).fit(X3, Y3)):
        hardwood.save(model, tmp_path / "model")
        found = hardwood.diff(model, hardwood.load(tmp_path / "model"), X)
        assert found.same
        assert found.changed_rows == 0
        for part in (found.parameters, found.columns, found.classes, found.splits, found.size):
            assert part == ()
        assert "one model" in str(found)


def test_parameters_columns_and_classes_are_named():
    old = TreeClassifier(max_depth=2).fit(X, Y)
    wider = X.drop(columns="age").assign(height=np.arange(len(X)), flag=X["flag"].astype(str))
    new = TreeClassifier(criterion="gini").fit(wider, Y3)
    found = hardwood.diff(old, new)
    assert {each.name for each in found.parameters} == {"criterion", "max_depth"}
    assert {each.name: (str(each.old), str(each.new)) for each in found.columns} == {
        "age": ("numeric", "absent"),
        "height": ("absent", "numeric"),
        "flag": ("numeric", "category {False, True}"),
    }
    assert [(each.name, each.old, each.new) for each in found.classes] == [
        ("z", "absent", "a class")
    ]
    assert found.rows is None


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_trees_part_where_it_is_said(seed):
    """Above the node named both trees ask the same; there they do not, and the row passes it."""
    rng = np.random.default_rng(seed)
    kept = rng.random(len(X)) < 0.9
    old = TreeClassifier(pruning=None, max_leaf_nodes=9).fit(X, Y)
    new = TreeClassifier(pruning=None, max_leaf_nodes=9).fit(X[kept], Y[kept])
    found = hardwood.diff(old, new, X)
    moved = sorted(row for each in found.answers for row in each.rows)
    assert moved == np.flatnonzero(old.predict(X) != new.predict(X)).tolist()
    assert found.rows == len(X)
    passed = old.decision_path(X).toarray(), new.decision_path(X).toarray()
    for each in found.answers:
        place = [c for c in found.splits if each.why.startswith(f"{c.where} the old tree has")]
        assert len(place) == 1
        for row in each.rows:
            assert old.predict(X)[row] == each.old
            assert new.predict(X)[row] == each.new
            assert passed[0][row, place[0].old_node]
            assert passed[1][row, place[0].new_node]


def test_splits_are_aligned_by_path_and_categories_by_value():
    table = pd.DataFrame({"city": ["b", "a", "c", "a"] * 10, "n": [1, 2, 3, 4] * 10})
    y = (table["city"] == "a") | (table["n"] > 2)
    options = {"pruning": None, "min_samples_leaf": 1, "min_category_size": 1}
    old = TreeClassifier(**options).fit(table, y)
    recoded = table.assign(city=pd.Categorical(table["city"], categories=["c", "b", "a", "d"]))
    new = TreeClassifier(**options).fit(recoded, y)
    found = hardwood.diff(old, new, table)
    assert found.changed_rows == 0
    splits_of_n = [each for each in found.splits if "n <=" in each.old and "n <=" in each.new]
    assert not splits_of_n


def test_leaves_whose_numbers_alone_changed_are_counted():
    old = TreeClassifier(max_depth=1, leaf_prior=0).fit(X, Y)
    new = TreeClassifier(max_depth=1, leaf_prior=20).fit(X, Y)
    found = hardwood.diff(old, new, X)
    assert not found.same
    assert [str(each) for each in found.size] == ["leaves on the same path with other numbers: 2"]


def test_more_rounds_are_more_rounds():
    old = BoostedTreesClassifier(n_estimators=4).fit(X, Y)
    new = BoostedTreesClassifier(n_estimators=7).fit(X, Y)
    told = [str(each) for each in hardwood.diff(old, new).size]
    assert told == ["rounds: 4 -> 7", "rounds that are the same, from the first: 4"]


@pytest.mark.parametrize(
    ("options", "classes"),
    [({}, 2), ({}, 3), ({"variant": "discrete"}, 3), ({"variant": "discrete"}, 2)],
)
def test_rows_of_boosted_models_have_a_column_to_blame(options, classes):
    rows, labels = (X, Y) if classes == 2 else (X3, Y3)
    old = BoostedTreesClassifier(n_estimators=5, max_depth=2, **options).fit(rows, labels)
    new = BoostedTreesClassifier(n_estimators=5, max_depth=2, **options).fit(
        rows.assign(amount=0.0), labels
    )
    found = hardwood.diff(old, new, rows)
    moved = sorted(row for each in found.answers for row in each.rows)
    assert moved == np.flatnonzero(old.predict(rows) != new.predict(rows)).tolist()
    assert moved
    assert found.splits
    for each in found.answers:
        assert re.match(rf"mostly by ({'|'.join(rows.columns)})$", each.why)


def test_a_tree_and_a_boosted_model_are_compared_by_their_answers():
    tree, boosted = TreeClassifier().fit(X, Y), BoostedTreesClassifier(n_estimators=4).fit(X, Y)
    found = hardwood.diff(tree, boosted, X)
    expected = np.count_nonzero(tree.predict(X) != boosted.predict(X))
    assert found.changed_rows == expected
    assert "kind: TreeClassifier -> BoostedTreesClassifier" in str(found)


def test_each_model_takes_its_own_columns_of_a_frame():
    old = TreeClassifier().fit(X[["age", "amount"]], Y)
    new = TreeClassifier().fit(X[["city", "age"]], Y)
    by_pandas = hardwood.diff(old, new, X)
    by_polars = hardwood.diff(old, new, pl.from_pandas(X))
    assert by_pandas.answers == by_polars.answers
    with pytest.raises(ValueError, match="lacks the column 'amount'"):
        hardwood.diff(old, new, X[["city", "age"]])


def test_the_page_has_every_name_as_text_and_loads_nothing():
    evil = X.rename(columns={"amount": "<script>alert(1)</script>", "age": "größe"})
    old = TreeClassifier(pruning=None, max_leaf_nodes=3).fit(evil, Y)
    new = TreeClassifier(pruning=None, max_leaf_nodes=6, criterion="gini").fit(evil, Y3)
    page = hardwood.diff(old, new, evil).to_html()
    assert page.isascii()
    assert "<script" not in page
    assert "http:" not in page.replace("http-equiv", "")
    assert "https:" not in page
    assert "Content-Security-Policy" in page
    assert page.count("<section") == len(list(hardwood.diff(old, new, evil).parts()))


def test_rows_that_are_not_there_yet_are_asked_for():
    model = TreeClassifier().fit(X, Y)
    for lazy in (pl.from_pandas(X).lazy(), dd.from_pandas(X, npartitions=2)):
        with pytest.raises(TypeError, match="whose rows are not there yet"):
            hardwood.diff(model, model, lazy)


def test_only_fitted_models_are_compared():
    model = TreeClassifier().fit(X, Y)
    with pytest.raises(TypeError, match=r"hardwood\.load"):
        hardwood.diff(model, "model.hardwood")
    with pytest.raises(ValueError, match="not fitted"):
        hardwood.diff(model, TreeClassifier())
