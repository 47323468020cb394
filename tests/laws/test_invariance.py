"""What must not change the model: threads, row order, the form of the table, repeated rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from hardwood import TreeClassifier
from tests.laws.kinds import kind_of
from tests.laws.reading import fit
from tests.oracles.topdown_problem import Column, Rules, integer_weights
from tests.tables.matrices import shapes_of_columns
from tests.tables.small import CRITERIA, SmallTable, any_rules, tables


@pytest.mark.threads
@given(table=tables(), rules=any_rules)
def test_the_digest_is_the_same_for_any_number_of_threads(table, rules):
    assert len({fit(table, rules, n_jobs=n).digest() for n in (1, 2, 3)}) == 1


@pytest.mark.threads
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_digest_of_a_larger_table_is_the_same_for_any_number_of_threads(criterion, n_classes):
    X, y, w = shapes_of_columns(1, n_classes)
    model = TreeClassifier(criterion=criterion, max_leaf_nodes=40, pruning=None)
    order = np.random.default_rng(0).permutation(len(y))
    digests = {model.set_params(n_jobs=n).fit(X, y, w).digest() for n in (1, 2, 3)}
    digests.add(model.fit(X[order], y[order], w[order]).digest())
    assert len(digests) == 1


@given(table=tables(), rules=any_rules, data=st.data())
def test_the_digest_is_the_same_for_any_order_of_the_rows(table, rules, data):
    order = data.draw(st.permutations(range(table.n_rows)))
    assert fit(table.take(list(order)), rules).digest() == fit(table, rules).digest()


@given(table=tables(kinds=("numeric",)), rules=any_rules)
def test_the_digest_is_the_same_for_dense_and_sparse_tables(table, rules):
    dense = fit(table, rules)
    for form in (sp.csr_matrix, sp.csc_array, sp.coo_array):
        model = TreeClassifier(**dense.get_params())
        model.fit(form(table.X), table.y, table.sample_weight)
        assert model.digest() == dense.digest()
        assert np.array_equal(model.apply(form(table.X)), dense.apply(table.X))


@given(table=tables(kinds=("numeric",)), rules=any_rules)
def test_the_digest_does_not_depend_on_how_the_matrix_lies_in_memory(table, rules):
    X, expected = table.X, fit(table, rules)
    padded = np.full((2 * X.shape[0], 3 * X.shape[1]), 99.0)
    padded[::2, ::3] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    for view in (np.asfortranarray(X), padded[::2, ::3], frozen, X[::-1].copy()[::-1]):
        model = TreeClassifier(**expected.get_params()).fit(view, table.y, table.sample_weight)
        assert model.digest() == expected.digest()
        assert np.array_equal(model.predict_proba(view), expected.predict_proba(X))


@given(table=tables(kinds=("numeric", "integer")), rules=any_rules, data=st.data())
def test_any_increasing_transform_of_a_column_gives_the_same_partition(table, rules, data):
    columns = []
    for column in table.columns:
        ladder = sorted({v for v in column.values if v is not None})
        steps = data.draw(st.lists(st.integers(1, 9), min_size=len(ladder), max_size=len(ladder)))
        images = dict(zip(ladder, np.cumsum(steps) ** 3 / 7.0 - 50.0, strict=True))
        columns.append(Column("numeric", tuple(images.get(v) for v in column.values)))
    moved = replace(table, columns=tuple(columns))
    # A row without weight may lie on either side of a threshold.
    counted = np.array(integer_weights(table.weights or (1.0,) * table.n_rows)[0]) > 0
    leaves = fit(table, rules).apply(table.X)
    assert np.array_equal(fit(moved, rules).apply(moved.X)[counted], leaves[counted])


@given(table=tables(weights=("whole",)), rules=any_rules)
def test_a_weight_of_two_equals_the_row_twice(table, rules):
    rows = [i for i, w in enumerate(table.weights) for _ in range(int(w))]
    assume({table.labels[i] for i in rows} == set(table.labels))
    repeated = replace(table.take(rows), weights=None)
    assume([kind_of(c) for c in repeated.columns] == [kind_of(c) for c in table.columns])
    assert fit(repeated, rules).digest() == fit(table, rules).digest()


@given(table=tables(weights=("dyadic", "any")), rules=any_rules)
def test_a_weight_of_zero_equals_the_row_absent(table, rules):
    rows = [i for i, w in enumerate(table.weights) if w > 0]
    assume({table.labels[i] for i in rows} == set(table.labels))
    present = table.take(rows)
    assume([kind_of(c) for c in present.columns] == [kind_of(c) for c in table.columns])
    assert fit(present, rules).digest() == fit(table, rules).digest()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_columns_matters_for_ties_alone(criterion, seed):
    # Normal columns and gamma weights make ties impossible while leaves hold 100 rows or more.
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(1500, 5)), rng.gamma(1.0, size=1500)
    y = (X[:, 1] + X[:, 2] * X[:, 4] + rng.normal(size=1500) > 0).astype(int)
    order = rng.permutation(5)
    model = TreeClassifier(
        criterion=criterion, max_leaf_nodes=12, min_samples_leaf=100, pruning=None
    )
    leaves = model.fit(X, y, w).apply(X)
    features = model.history_["feature"]
    assert np.array_equal(model.fit(X[:, order], y, w).apply(X[:, order]), leaves)
    assert np.array_equal(order[model.history_["feature"]], features)


@given(table=tables(kinds=("numeric",), weights=("dyadic",)), rules=any_rules)
def test_a_power_of_two_in_all_weights_changes_no_leaf(table, rules):
    wide = replace(rules, min_samples_leaf=1)
    scaled = replace(table, weights=tuple(w * 2.0**40 for w in table.weights))
    assert np.array_equal(fit(scaled, wide).apply(table.X), fit(table, wide).apply(table.X))


def test_a_table_of_text_has_the_digest_of_its_categories():
    letters = ("b", "a", "c", "a", "b", "c", "c", None)
    table = SmallTable((Column("category", letters),), (0, 1, 0, 1, 0, 1, 0, 1))
    frame = table.frame
    frame["c0"] = frame["c0"].cat.set_categories(["a", "b", "c"])
    rules = Rules("gini")
    model = fit(table, rules)
    plain = TreeClassifier(**model.get_params()).fit(frame["c0"].astype(object).to_frame(), table.y)
    typed = TreeClassifier(**model.get_params()).fit(frame, table.y)
    assert plain.digest() == typed.digest()
