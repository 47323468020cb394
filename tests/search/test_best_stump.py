"""The best stump and what must be read to find it, against searches that read row by row."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from hardwood import search
from tests.effort import trials
from tests.oracles import stump_search
from tests.oracles.topdown_problem import Column, integer_weights

pytestmark = pytest.mark.grid

SEARCHES = ("exhaustive", "quick", "adaptive", "auto")


def small_problem(rng: random.Random, *, rows: int, kinds: tuple[str, ...], missing: bool):
    """Few values, so that stumps tie; some columns constant, some rows of weight 0."""
    n = rng.randint(1, rows)
    columns = []
    for _ in range(rng.randint(1, 4)):
        kind: Any = rng.choice(kinds)
        size = rng.randint(1, 4)
        ladder = "abcd" if kind == "category" else (-1.0, 0.0, 0.5, 3.0)
        values = [rng.choice(ladder[:size]) for _ in range(n)]
        if missing and rng.random() < 0.3:
            values = [None if rng.random() < 0.4 else value for value in values]
        columns.append(Column(kind, tuple(values)))
    labels = [rng.randint(0, 1) for _ in range(n)]
    weights = [rng.choice([0, 1, 1, 2, 3, rng.randint(1, 999)]) for _ in range(n)]
    weights[rng.randrange(n)] += 1
    return columns, labels, weights


@pytest.mark.parametrize("seed", range(4))
def test_all_plain_searches_find_one_stump_and_keep_the_order_of_their_costs(seed):
    rng = random.Random(seed)
    for _ in range(trials(500)):
        problem = small_problem(rng, rows=8, kinds=("numeric", "numeric", "category"), missing=True)
        every = stump_search.exhaustive(stump_search.prepare(*problem))
        adaptive = stump_search.adaptive(stump_search.prepare(*problem))
        start, batches = rng.choice([0.1, 0.5, 0.9]), rng.randint(1, 5)
        quick = stump_search.quick(stump_search.prepare(*problem), start, batches)
        for found in (adaptive, quick):
            assert (found.column, found.stump, found.error) == (
                every.column,
                every.stump,
                every.error,
            )
            assert found.assessments <= every.assessments
        in_order = stump_search.weight_order_bound(stump_search.prepare(*problem))
        assert in_order <= min(adaptive.assessments, quick.assessments)
        assert stump_search.exact_bound(stump_search.prepare(*problem)) <= in_order


def table_of(problem: Any) -> tuple[Any, Any, Any]:
    columns, labels, weights = problem
    X = np.array([[np.nan if v is None else v for v in c.values] for c in columns], float).T
    return X, np.array(labels), np.array(weights, float)


def two_class_problem(rng: random.Random, *, missing: bool, rows: int = 12) -> Any:
    while True:
        problem = small_problem(rng, rows=rows, kinds=("numeric",), missing=missing)
        columns, labels, weights = problem
        if len({label for label, w in zip(labels, weights, strict=True) if w > 0}) == 2:
            return columns, labels, list(integer_weights(list(map(float, weights)))[0])


def given_weights(problem: Any) -> Any:
    """Whole numbers again: a power of two changes no search."""
    columns, labels, integers = problem
    shared = min((w & -w for w in integers if w), default=1)
    return columns, labels, [w // shared for w in integers]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("how", ["exhaustive", "adaptive"])
def test_the_best_stump_and_its_assessments_are_those_of_the_plain_search(how, missing):
    rng = random.Random(how + str(missing))
    plain = {"exhaustive": stump_search.exhaustive, "adaptive": stump_search.adaptive}[how]
    for _ in range(trials(150)):
        problem = two_class_problem(rng, missing=missing)
        found = plain(stump_search.prepare(*problem))
        if found.stump is None or found.stump.threshold is None:
            continue
        stump = search.best_stump(*table_of(given_weights(problem)), search=how)
        assert stump.feature == found.column
        assert stump.threshold == found.stump.threshold
        assert stump.error == pytest.approx(found.error / sum(problem[2]), abs=1e-14)
        assert stump.assessments == found.assessments


@pytest.mark.parametrize("most", [3, 2000, 10**9])
def test_many_rows_are_looked_at_in_the_order_of_the_plain_search(most):
    """More rows than are sorted by comparing; weights tie often, sometimes or never."""
    rng = random.Random(most)
    n = 1200
    labels = [rng.randint(0, 1) for _ in range(n)]
    weights = [rng.randint(1, most) for _ in range(n)]
    columns = [
        Column("numeric", tuple(float((rng.random() < noise) != label) for label in labels))
        for noise in (0.4, 0.38, 0.42)
    ]
    problem = columns, labels, list(integer_weights(list(map(float, weights)))[0])
    for how, plain in (("adaptive", stump_search.adaptive), ("quick", stump_search.quick)):
        found = plain(stump_search.prepare(*problem))
        stump = search.best_stump(*table_of(given_weights(problem)), search=how)
        assert (stump.feature, stump.assessments) == (found.column, found.assessments)


def test_quick_search_counts_as_the_plain_one():
    rng = random.Random(5)
    for _ in range(trials(150)):
        problem = two_class_problem(rng, missing=False)
        start, batches = rng.choice([0.1, 0.3, 0.5, 0.9]), rng.randint(1, 6)
        found = stump_search.quick(stump_search.prepare(*problem), start, batches)
        if found.stump is not None:
            how = search.Quick(start=start, batches=batches)
            stump = search.best_stump(*table_of(given_weights(problem)), search=how)
            key = (stump.feature, stump.threshold, stump.assessments)
            assert key == (found.column, found.stump.threshold, found.assessments)


@pytest.mark.parametrize("criterion", ["error", "km", "gini", "entropy"])
def test_all_searches_return_the_same_stump(criterion):
    rng = random.Random(criterion)
    for _ in range(trials(60)):
        X, y, w = table_of(given_weights(two_class_problem(rng, missing=False)))
        if all(len(np.unique(column[w > 0])) == 1 for column in X.T):
            continue
        stumps = [search.best_stump(X, y, w, search=how, criterion=criterion) for how in SEARCHES]
        assert len({stump[:4] for stump in stumps}) == 1
        costs = {how: s.assessments for how, s in zip(SEARCHES, stumps, strict=True)}
        assert costs["exhaustive"] == np.count_nonzero(w) * X.shape[1]
        assert max(costs.values()) == costs["exhaustive"]


def test_the_error_is_that_of_the_stump_that_was_returned():
    # polarity +1: values above the threshold are said to be of the second class.
    rng = np.random.default_rng(3)
    for _ in range(trials(40)):
        X, y, w = rng.normal(size=(50, 3)), rng.integers(0, 2, 50), rng.gamma(1.0, size=50)
        stump = search.best_stump(X, y, w)
        assert stump.polarity in (-1, 1)
        above = X[:, stump.feature] > stump.threshold
        said = above if stump.polarity == 1 else ~above
        assert stump.error == pytest.approx(np.sum(w * (said != y)) / np.sum(w), abs=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_the_lower_bounds_are_those_of_the_plain_searches(missing):
    rng = random.Random(missing)
    for _ in range(trials(60)):
        problem = two_class_problem(rng, missing=missing, rows=8)
        table = table_of(given_weights(problem))
        plain = stump_search.prepare(*problem)
        in_order = search.weight_order_bound(*table)
        assert in_order == stump_search.weight_order_bound(plain)
        exact = search.exact_bound(*table)
        assert exact == stump_search.exact_bound(plain)
        assert exact <= in_order


def test_adaptive_search_costs_no_more_than_everything_and_no_less_than_the_bound():
    rng = np.random.default_rng(7)
    for n, k in ((200, 5), (500, 12)):
        X = np.round(rng.normal(size=(n, k)), 1)
        y, w = (X[:, 0] + rng.normal(size=n) > 0).astype(int), rng.gamma(0.3, size=n)
        stump = search.best_stump(X, y, w, search="adaptive")
        assert search.weight_order_bound(X, y, w) <= stump.assessments <= n * k


def test_a_table_without_any_stump_is_refused_in_words():
    with pytest.raises(ValueError, match="(?i)constant|stump"):
        search.best_stump(np.ones((6, 2)), np.arange(6) % 2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"search": "fast"}, "fast"),
        ({"criterion": "twoing"}, "twoing"),
        ({"y": np.zeros(6, int)}, "(?i)class"),
    ],
)
def test_a_wrong_request_for_a_stump_is_named(changes, sentence):
    given = {"X": np.arange(12.0).reshape(6, 2), "y": np.arange(6) % 2, **changes}
    with pytest.raises(ValueError, match=sentence):
        search.best_stump(given.pop("X"), given.pop("y"), **given)


@pytest.mark.parametrize("wrong", [{"start": 0.0}, {"start": 1.5}, {"batches": 0}])
def test_quick_search_refuses_a_share_or_a_number_of_batches_that_cannot_be(wrong):
    name, value = next(iter(wrong.items()))
    with pytest.raises(ValueError, match=f"{name}(.|\n)*{value}"):
        search.Quick(**wrong)
