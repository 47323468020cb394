"""The probabilities of a tree's nodes: against the formula in fractions, and laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hardwood
from hardwood import TreeClassifier
from hardwood.certify import check
from hardwood.tree.leaf_prior import probabilities
from tests.effort import trials
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid


def in_fractions(weights, parent, prior):
    """Slow and obvious; where heaviest classes tie, the largest shares above decide."""
    rows = [[Fraction(w) for w in row] for row in weights.tolist()]
    shares = [[w / sum(row) for w in row] for row in rows]
    found = []
    for node, row in enumerate(rows):
        above, at = [], int(parent[node])
        while at >= 0:
            above.append(shares[at])
            at = int(parent[at])
        if not above or prior == 0:
            found.append(shares[node])
            continue
        classes = range(len(row))
        label = max(classes, key=lambda c: (row[c], sum(a[c] for a in above), -c))
        mean = [Fraction(0)] * len(row)
        for each in above:
            raised = [max(each) if c == label else each[c] for c in classes]
            mean = [m + r / sum(raised) / len(above) for m, r in zip(mean, raised, strict=True)]
        total = sum(row) + Fraction(prior)
        found.append([(row[c] + Fraction(prior) * mean[c]) / total for c in classes])
    return found


@st.composite
def counted_trees(draw):
    """Class counts of a random binary tree, node by node, and the parents."""
    classes = draw(st.integers(2, 4))
    leaf = st.lists(st.integers(0, 5), min_size=classes, max_size=classes).filter(any)
    parent, leaves = [-1], [0]
    for _ in range(draw(st.integers(0, 5))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        leaves += [len(parent), len(parent) + 1]
        parent += [node, node]
    counts = np.zeros((len(parent), classes))
    for node in leaves:
        counts[node] = draw(leaf)
    for node in reversed(range(1, len(parent))):
        counts[parent[node]] += counts[node]
    return counts, np.array(parent, dtype=np.int32), sorted(leaves)


PRIORS = st.sampled_from([0.25, 1.0, 8.0, 40.0])


@given(counted_trees(), PRIORS)
@settings(max_examples=trials(200))
def test_probabilities_are_those_of_the_formula_in_fractions(tree, prior):
    counts, parent, _ = tree
    found = probabilities(counts, parent, prior)
    expected = np.array([[float(p) for p in row] for row in in_fractions(counts, parent, prior)])
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@given(counted_trees(), PRIORS)
@settings(max_examples=trials(200))
def test_the_most_probable_class_is_a_heaviest_one_and_no_probability_is_zero(tree, prior):
    counts, parent, _ = tree
    found = probabilities(counts, parent, prior)
    nodes = np.arange(len(counts))
    assert np.array_equal(counts[nodes, found.argmax(axis=1)], counts.max(axis=1))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-14)
    assert np.array_equal(found[1:] > 0, np.broadcast_to(counts[0] > 0, found[1:].shape))


@given(counted_trees(), PRIORS, st.data())
@settings(max_examples=trials(300))
def test_more_weight_of_a_class_in_a_leaf_never_lowers_its_probability(tree, prior, data):
    counts, parent, leaves = tree
    leaf = data.draw(st.sampled_from(leaves))
    label = data.draw(st.integers(0, counts.shape[1] - 1))
    more, at = counts.copy(), leaf
    while at >= 0:
        more[at, label] += data.draw(st.just(1.0))
        at = int(parent[at])
    before = in_fractions(counts, parent, Fraction(prior))[leaf][label]
    assert in_fractions(more, parent, Fraction(prior))[leaf][label] >= before


WAYS = {
    "defaults": {},
    "grown": {"pruning": None, "min_samples_leaf": 1},
    "multi-way": {"branching": "multiway", "max_leaf_nodes": 20},
    "fractional": {"missing": "fractional"},
    "balanced": {"class_weight": "balanced"},
    "reduced-error": {"pruning": "reduced-error", "random_state": 1},
}


@pytest.mark.parametrize("prior", [0, 0.5, 8.0, 1000])
@pytest.mark.parametrize("way", WAYS)
def test_predict_is_the_most_probable_class_and_the_data_agree(way, prior, tmp_path):
    X, y = mixed_frame(np.random.default_rng(5), 300, 3)
    model = TreeClassifier(leaf_prior=prior, **WAYS[way]).fit(X, y)
    proba = model.predict_proba(X)
    assert np.array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-13)
    assert prior == 0 or model.get_n_leaves() == 1 or (proba > 0).all()
    report = check(model, X, y)
    assert report, str(report)
    hardwood.save(model, tmp_path / "tree.hardwood")
    again = hardwood.load(tmp_path / "tree.hardwood")
    assert again.digest() == model.digest()
    assert np.array_equal(again.predict_proba(X), proba)
    assert again.leaf_prior == prior
    assert not check(model.set_params(leaf_prior=prior + 1), X, y)


@pytest.mark.parametrize("way", WAYS)
def test_the_prior_changes_probabilities_and_nothing_else(way):
    X, y = mixed_frame(np.random.default_rng(5), 300, 3)
    raw = TreeClassifier(leaf_prior=0, **WAYS[way]).fit(X, y)
    moved = TreeClassifier(leaf_prior=8, **WAYS[way]).fit(X, y)
    assert str(raw.certificate_) == str(moved.certificate_)
    assert np.array_equal(raw.apply(X), moved.apply(X))
    assert np.array_equal(raw.tree_.class_weights, moved.tree_.class_weights)
    assert np.array_equal(raw.tree_.shares, moved.tree_.raw_shares)
    assert raw.digest() != moved.digest()
    if way != "fractional":  # parts of a row together may have another heaviest class
        leaf = moved.apply(X)
        weights = moved.tree_.class_weights[leaf]
        label = np.searchsorted(moved.classes_, moved.predict(X))
        assert np.array_equal(weights[np.arange(len(y)), label], weights.max(axis=1))


def test_a_row_of_weight_two_is_the_row_twice_and_a_weight_of_zero_the_row_absent():
    X, y = mixed_frame(np.random.default_rng(5), 200, 3)
    weights = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), weights)
    model = TreeClassifier().fit(X, y, weights)
    copies = TreeClassifier().fit(X.iloc[rows], np.asarray(y)[rows])
    assert np.array_equal(model.predict_proba(X), copies.predict_proba(X))


@pytest.mark.parametrize("factor", [0.5, 3.0, 1e-3])
def test_a_factor_on_weights_that_are_no_counts_changes_no_probability(factor):
    X, y = mixed_frame(np.random.default_rng(5), 200, 3)
    weights = np.random.default_rng(0).uniform(0.1, 2.0, len(y))
    one = TreeClassifier(pruning=None).fit(X, y, weights).predict_proba(X)
    other = TreeClassifier(pruning=None).fit(X, y, factor * weights).predict_proba(X)
    np.testing.assert_allclose(one, other, rtol=1e-9)


def test_a_class_that_has_weight_zero_has_probability_zero():
    X, y = mixed_frame(np.random.default_rng(5), 200, 3)
    weights = np.where(np.asarray(y) == np.unique(y)[0], 0.0, 1.0)
    proba = TreeClassifier().fit(X, y, weights).predict_proba(X)
    assert not proba[:, 0].any()
    assert (proba[:, 1:] > 0).all()


def test_one_class_is_certain():
    model = TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize("wrong", [-1, -1e-9, np.inf, np.nan, "8", None, True, [8]])
def test_a_wrong_prior_gets_a_sentence(wrong):
    with pytest.raises(ValueError, match="leaf_prior must be a finite number of at least 0; given"):
        TreeClassifier(leaf_prior=wrong).fit([[1.0], [2.0]], [0, 1])


UNMET = "that a split did not meet in training"


def test_text_and_rules_tell_probability_and_rows():
    X = np.arange(40.0)[:, None]
    y = np.where(X[:, 0] < 10, "low", "high")
    model = TreeClassifier(leaf_prior=4.0).fit(X, y)
    assert model.to_text().splitlines() == [
        "2 leaves, depth 1; prior 4  label  rows  right   high    low",
        "├─ x0 <= 9                  low      10     10  0.143  0.857",
        "└─ x0 > 9                   high     30     30  0.971  0.029",
        f"A missing value {UNMET} takes its branch with the most rows.",
    ]
    assert str(model.rules()[0]) == "if x0 <= 9 then low (85.71%; 100% of 10 rows)"
    assert str(model.explain([3.0])).startswith("low: 85.71%; 100% of 10 training rows")
    assert model.to_dict()["prior"] == 4.0
