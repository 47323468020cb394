"""A column may be stored in four ways; the tree does not depend on which."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hardwood import TreeClassifier
from tests.encoding.same_tree import assert_same_tree, storages
from tests.oracles.topdown_problem import integer_weights
from tests.search.scanning import best_root_split, split_of
from tests.tables.frames import WIDE, every_storage, widened
from tests.tables.small import CRITERIA

pytestmark = pytest.mark.grid

MISSING = ("rare2", "spike1")  # missing values make them common


def test_the_mixed_table_takes_every_storage_and_a_wide_one_moves_rare_columns_to_entries():
    frame, _, _ = every_storage(0)
    narrow, wide = storages(frame), storages(widened(frame))
    assert set(narrow) == {"constant", "lane", "bundle", "entries"}
    assert wide[frame.shape[1] :] == ["constant"] * WIDE
    moved = [name for name, a, b in zip(frame, narrow, wide, strict=False) if a != b]
    assert moved == [
        name for name in frame if name.startswith(("rare", "spike")) and name not in MISSING
    ]
    assert {wide[frame.columns.get_loc(name)] for name in moved} == {"entries"}
    by_name = dict(zip(frame, narrow, strict=True))
    assert by_name["same"] == by_name["gone"] == "constant"
    assert by_name["category5"] == by_name["few0"] == by_name["rare0"] == "bundle"
    assert (
        by_name["category40"] == by_name["any0"] == by_name["large"] == by_name["spike0"] == "lane"
    )
    assert by_name["category700"] == "entries"


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_constant_columns_beside_a_table_change_no_split(criterion, n_classes):
    frame, y, weights = every_storage(n_classes, n_classes=n_classes)
    wide = widened(frame)
    for sample_weight, rules in (
        (None, {"max_leaf_nodes": 40}),
        (weights, {"max_leaf_nodes": 25, "min_samples_leaf": 7}),
    ):
        one = TreeClassifier(pruning=None, criterion=criterion, **rules).fit(
            frame, y, sample_weight
        )
        other = TreeClassifier(pruning=None, criterion=criterion, **rules).fit(
            wide, y, sample_weight
        )
        assert_same_tree(one, other)
        np.testing.assert_array_equal(one.predict_proba(frame), other.predict_proba(wide))


@pytest.mark.threads
def test_a_wide_table_gives_the_same_tree_for_any_number_of_threads():
    frame, y, weights = every_storage(9, n_classes=3)
    model = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=40)
    fits = [model.set_params(n_jobs=n).fit(widened(frame), y, weights).digest() for n in (1, 2, 3)]
    assert len(set(fits)) == 1


@pytest.mark.parametrize("distinct", [3, 200, 2000])
def test_rows_without_weight_that_turn_a_column_into_entries_change_nothing(distinct):
    rng = np.random.default_rng(distinct)
    values = 1.0 + rng.permutation(1500) % distinct
    values[::50] = 0.0
    y = (values * 7 % 5 + rng.normal(size=len(values)) > 2).astype(int)
    alone = sp.hstack([sp.csc_array(values[:, None]), sp.csc_array((len(y), WIDE))]).tocsc()
    empty = 200_000
    beside = sp.vstack([alone, sp.csc_array((empty, 1 + WIDE))]).tocsc()
    assert storages(alone)[0] == ("bundle" if distinct == 3 else "lane")
    assert storages(beside)[0] == "entries"
    model = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=12)
    weights, labels = np.r_[np.ones(len(y)), np.zeros(empty)], np.r_[y, np.zeros(empty, int)]
    assert model.fit(beside, labels, weights).digest() == model.fit(alone, y).digest()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("size", [5, 40])
def test_categories_that_never_occur_turn_a_column_into_entries_and_change_nothing(
    size, criterion, n_classes
):
    frame, y, weights = every_storage(6, n_classes=n_classes)
    used = frame[[f"category{size}", "few4"]]
    more = [*used.iloc[:, 0].cat.categories, *(f"w{k:03d}" for k in range(300))]
    declared = used.assign(**{f"category{size}": used.iloc[:, 0].cat.set_categories(more)})
    assert [storages(table)[0] for table in (used, declared)] == [
        "bundle" if size == 5 else "lane",
        "entries",
    ]
    model = TreeClassifier(
        pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=20
    ).fit(used, y, weights)
    other = TreeClassifier(
        pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=20
    ).fit(declared, y, weights)
    assert_same_tree(model, other)


def numeric_table(seed: int, columns: int, n: int = 1500):
    """Mostly zero columns with negative, missing, repeated and all-distinct values."""
    rng = np.random.default_rng(seed)
    X = np.zeros((n, columns))
    for j in range(min(columns, 24)):
        there = rng.random(n) < (0.01, 0.05, 0.12, 0.3, 0.9, 1.0)[j % 6]
        values = rng.normal(size=n) if j % 4 else rng.integers(-2, 3, n).astype(float)
        X[there, j] = values[there]
        if j % 5 == 0:
            X[rng.random(n) < 0.03, j] = np.nan
    X[rng.random(n) < 0.05, 3] = -0.0
    score = np.nan_to_num(X[:, :12]).sum(axis=1) + rng.normal(size=n) / 2
    return X, np.digitize(score, [-0.5, 0.7]), rng.gamma(1.0, size=n)


@pytest.mark.parametrize("columns", [24, 24 + WIDE])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_dense_and_sparse_tables_give_the_same_tree_in_both_widths(criterion, columns):
    X, y, weights = numeric_table(2, columns)
    model = TreeClassifier(pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=30)
    dense = model.fit(X, y, weights).digest()
    leaves = model.apply(X)
    for form in (sp.csr_array, sp.csc_matrix):
        assert model.fit(form(X), y, weights).digest() == dense
        np.testing.assert_array_equal(model.apply(form(X)), leaves)
        np.testing.assert_array_equal(model.apply(X), leaves)


def test_a_zero_that_a_sparse_matrix_stores_is_the_zero_it_leaves_out():
    X, y, _ = numeric_table(3, 24 + WIDE)
    plain = sp.csc_array(X)
    row, column = np.nonzero((X == 0.0) & (np.random.default_rng(0).random(X.shape) < 0.05))
    full = sp.coo_array(X)
    stored = sp.coo_array(
        (
            np.r_[full.data, np.zeros(len(row))],
            (np.r_[full.row, row], np.r_[full.col, column]),
        ),
        shape=X.shape,
    )
    assert stored.nnz > plain.nnz
    model = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=30)
    assert model.fit(stored, y).digest() == model.fit(plain, y).digest()


def text_table(seed: int, terms: int, n: int = 2000):
    """Word counts of Zipf's law times inverse document frequency, rows of length 1."""
    rng = np.random.default_rng(seed)
    words = np.minimum(rng.zipf(1.3, size=(n, 40)) - 1, terms - 1)
    topic = rng.integers(0, 3, n)
    words[:, :3] = 5 + 7 * topic[:, None] + rng.integers(0, 5, (n, 3))
    counts = sp.csr_array(
        (np.ones(words.size), (np.repeat(np.arange(n), 40), words.ravel())), shape=(n, terms)
    )
    documents = np.maximum((counts > 0).sum(axis=0), 1)
    X = sp.csr_array(counts * np.log((1 + n) / documents)[None, :])
    lengths = np.sqrt((X * X).sum(axis=1))
    X = sp.csr_array(X / lengths[:, None])
    y = np.where(rng.random(n) < 0.85, topic, rng.integers(0, 3, n))
    return X, y


@pytest.mark.parametrize(
    ("criterion", "weighted"),
    [("km", True), ("gini", False), ("entropy", False), ("error", True)],
)
def test_the_root_of_a_table_of_text_is_the_best_of_all_columns(criterion, weighted):
    X, y = text_table(1, 4500)
    y = (y == 1).astype(int) if weighted else y
    weights = np.random.default_rng(2).gamma(2.0, size=len(y)) if weighted else np.ones(len(y))
    model = TreeClassifier(pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=2)
    model.fit(X, y, weights if weighted else None)
    integers = np.array(integer_weights(weights.tolist())[0])
    expected = best_root_split(X.toarray(), y, integers, criterion)
    assert split_of(model, X.toarray(), integers, y) == expected
    assert storages(X).count("entries") > 1500


def test_a_tree_of_text_is_the_same_dense_sparse_and_beside_half_of_its_columns():
    X, y = text_table(3, 3000)
    model = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=40)
    assert model.fit(X, y).digest() == model.fit(X.toarray(), y).digest()
    narrow = TreeClassifier(pruning=None, min_samples_leaf=1, max_leaf_nodes=40).fit(X[:, :500], y)
    model.fit(sp.hstack([X[:, :500], sp.csr_array((X.shape[0], WIDE))]).tocsr(), y)
    assert_same_tree(narrow, model)
