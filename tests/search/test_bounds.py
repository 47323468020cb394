"""The two bounds against every stump, every prefix and every set of rows of tiny problems."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardwood.search import exact_bound, rows_needed, weight_order_bound
from tests.effort import trials

NUMBERS, NAMES = (None, -1.5, 0.0, 2.0, 7.0), (None, "a", "b", "c", "d")


@dataclass(frozen=True)
class Problem:
    columns: tuple[tuple[object, ...], ...]
    kinds: tuple[str, ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]

    def table(self) -> pd.DataFrame:
        return pd.DataFrame(
            {
                f"c{j}": pd.Categorical(values, categories=NAMES[1:])
                if kind == "category"
                else np.array([np.nan if v is None else v for v in values], float)
                for j, (values, kind) in enumerate(zip(self.columns, self.kinds, strict=True))
            }
        )

    def order(self) -> list[int]:
        rows = [i for i, weight in enumerate(self.weights) if weight > 0]
        return sorted(rows, key=lambda i: (-self.weights[i], i))

    def stumps(self, j: int) -> list[dict[int, int]]:
        """What each stump of column j says of each row: every allowed pair of sides, both ways."""
        rows, values = self.order(), self.columns[j]
        groups = sorted({values[i] for i in rows} - {None})
        missing = [None] if any(values[i] is None for i in rows) else []
        if self.kinds[j] == "category":
            everything = groups + missing
            sides = [set(s) for r in range(1, len(everything)) for s in combinations(everything, r)]
        else:
            sides = [set(groups[:cut]) for cut in range(1, len(groups))]
            sides += [side | {None} for side in sides if missing]
            sides += [set(groups)] if groups and missing else []
        return [
            {i: one if values[i] in side else 1 - one for i in rows}
            for side in sides
            for one in (0, 1)
        ]

    def least(self, j: int, rows: list[int] | tuple[int, ...]) -> int | None:
        """L of the rows; None when the column offers no stump."""
        wrong = [
            sum(self.weights[i] for i in rows if said[i] != self.labels[i])
            for said in self.stumps(j)
        ]
        return min(wrong, default=None)

    def errors(self) -> dict[int, int]:
        found = {j: self.least(j, self.order()) for j in range(len(self.columns))}
        return {j: error for j, error in found.items() if error is not None}


def brute_force(problem: Problem, ties: str, *, any_rows: bool) -> int:
    rows, errors = problem.order(), problem.errors()
    if not errors:
        return 0
    best = min(errors, key=lambda j: (errors[j], j))
    total = len(rows)
    for j in errors.keys() - {best}:
        target = errors[best] + (ties == "first" and j < best)
        for m in range(len(rows) + 1):
            sets = combinations(rows, m) if any_rows else [tuple(rows[:m])]
            if any(problem.least(j, chosen) >= target for chosen in sets):
                total += m
                break
    return total


def adaptive(problem: Problem) -> int:
    """Assessments of Algorithm 1 (AAA18) with lexicographic comparisons, step by step."""
    rows, columns = problem.order(), sorted(problem.errors())
    ahead = np.cumsum([0] + [problem.weights[i] for i in rows])

    def first_m(weight: int) -> int:
        return min(int(np.searchsorted(ahead, weight)), len(rows))

    seen = dict.fromkeys(columns, first_m(-(-int(ahead[-1]) // 2)))

    def low(j: int) -> int:
        return problem.least(j, rows[: seen[j]])

    def high(j: int) -> int:
        return low(j) + int(ahead[-1] - ahead[seen[j]])

    def advance(j: int, gap: int) -> None:
        if seen[j] < len(rows):
            seen[j] = first_m(int(ahead[seen[j]]) + gap)

    a = min(columns, key=lambda j: (high(j), j))
    while len(columns) > 1:
        b = min((j for j in columns if j != a), key=lambda j: (low(j), j))
        if (high(a), a) <= (low(b), b):
            break
        advance(a, high(a) - low(b) + (b < a))
        gap = high(a) - low(b) + (b < a)
        if gap > 0:
            advance(b, gap)
        if (high(b), b) < (high(a), a):
            a = b
    seen[a] = len(rows)
    assert (problem.errors()[a], a) == min((e, j) for j, e in problem.errors().items())
    return sum(seen.values())


@st.composite
def problems(draw: st.DrawFn, rows: int = 7) -> Problem:
    n = draw(st.integers(2, rows))
    kinds = draw(st.lists(st.sampled_from(["numeric", "category"]), min_size=1, max_size=4))
    columns = tuple(
        tuple(draw(st.sampled_from(NAMES if kind == "category" else NUMBERS)) for _ in range(n))
        for kind in kinds
    )
    labels = (0, 1, *(draw(st.integers(0, 1)) for _ in range(n - 2)))
    weights = tuple(draw(st.integers(0, 6)) for _ in range(n))
    return Problem(columns, tuple(kinds), labels, weights if any(weights) else (1,) * n)


@pytest.mark.parametrize("ties", ["any", "first"])
@given(problem=problems(12))
def test_the_weight_order_bound_is_the_smallest_prefix_that_rules_each_column_out(ties, problem):
    found = weight_order_bound(problem.table(), problem.labels, problem.weights, ties=ties)
    assert found == brute_force(problem, ties, any_rows=False)


@pytest.mark.parametrize("ties", ["any", "first"])
@settings(max_examples=trials(60), deadline=None)
@given(problem=problems())
def test_the_exact_bound_is_the_smallest_set_that_rules_each_column_out(ties, problem):
    found = exact_bound(problem.table(), problem.labels, problem.weights, ties=ties)
    assert found == brute_force(problem, ties, any_rows=True)


@settings(max_examples=trials(60), deadline=None)
@given(problem=problems(10))
def test_no_bound_exceeds_the_next_and_none_what_algorithm_1_assesses(problem):
    X, y, w = problem.table(), problem.labels, problem.weights
    for ties in ("any", "first"):
        assert exact_bound(X, y, w, ties=ties) <= weight_order_bound(X, y, w, ties=ties)
    assert weight_order_bound(X, y, w) <= weight_order_bound(X, y, w, ties="first")
    if problem.errors():
        assert weight_order_bound(X, y, w, ties="first") <= adaptive(problem)


def test_sparse_and_dense_forms_have_the_same_bounds():
    rng = np.random.default_rng(3)
    X = np.where(rng.random((60, 8)) < 0.3, rng.integers(-2, 3, (60, 8)), 0).astype(float)
    X[5, 2] = np.nan
    y, w = rng.integers(0, 2, 60), rng.integers(0, 5, 60)
    assert weight_order_bound(sparse.csr_matrix(X), y, w) == weight_order_bound(X, y, w)
    assert exact_bound(sparse.csr_matrix(X), y, w) == exact_bound(X, y, w)


def test_the_bounds_do_not_depend_on_the_scale_of_the_weights():
    rng = np.random.default_rng(4)
    X, y, w = rng.integers(0, 9, (40, 5)), rng.integers(0, 2, 40), rng.random(40)
    for bound in (weight_order_bound, exact_bound):
        assert bound(X, y, w) == bound(X, y, w * 1024)


def test_weights_of_very_different_size_keep_the_exact_bound_below_the_weight_order_bound():
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 12, (300, 4)), rng.integers(0, 2, 300)
    w = np.exp(rng.normal(scale=6.0, size=300))
    exact = exact_bound(X, y, w, time_limit=2.0)
    assert 300 <= exact <= weight_order_bound(X, y, w) <= X.size


def test_a_program_that_runs_out_of_time_still_gives_a_lower_bound():
    rng = np.random.default_rng(6)
    X, y, w = rng.random((400, 3)), rng.integers(0, 2, 400), rng.random(400)
    hurried = exact_bound(X, y, w, time_limit=1e-3)
    assert 400 <= hurried <= weight_order_bound(X, y, w)


def test_one_column_needs_every_row_and_constant_columns_need_none():
    y = [0, 1, 1, 0]
    assert weight_order_bound([[1], [2], [3], [4]], y) == 4
    assert weight_order_bound([[1, 5], [2, 5], [3, 5], [4, 5]], y) == 4
    assert weight_order_bound([[5], [5], [5], [5]], y) == exact_bound([[5]] * 4, y) == 0


@pytest.mark.parametrize("bound", [weight_order_bound, exact_bound])
def test_wrong_input_gets_a_sentence(bound):
    X = [[1.0], [2.0], [3.0]]
    for y in ([0, 1, 2], [1, 1, 1]):
        with pytest.raises(ValueError, match="two"):
            bound(X, y)
    with pytest.raises(ValueError, match="infinity"):
        bound([[1.0], [np.inf], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match="negative"):
        bound(X, [0, 1, 1], [1, -1, 1])
    with pytest.raises(ValueError, match='"any" or "first"'):
        bound(X, [0, 1, 1], ties="last")


def test_the_time_limit_must_be_positive():
    with pytest.raises(ValueError, match="time_limit"):
        exact_bound([[1.0], [2.0]], [0, 1], time_limit=0)


@settings(max_examples=trials(60), deadline=None)
@given(problem=problems())
def test_the_rows_needed_of_each_column_lie_around_its_smallest_set(problem):
    lower, upper = rows_needed(problem.table(), problem.labels, problem.weights)
    smallest = brute_force(problem, "any", any_rows=True)
    assert lower.sum() <= smallest <= upper.sum()
    assert upper.sum() <= weight_order_bound(problem.table(), problem.labels, problem.weights)


def test_columns_of_many_values_are_bracketed_within_a_few_rows():
    rng = np.random.default_rng(7)
    X, y = rng.integers(0, 40, (1500, 3)).astype(float), rng.integers(0, 2, 1500)
    X[:, 0] += 12 * y
    w = np.exp(rng.normal(size=1500))
    lower, upper = rows_needed(X, y, w)
    assert (upper - lower <= 12).all()
    assert 1500 < lower.sum() < weight_order_bound(X, y, w)


def test_columns_that_tie_with_the_winner_are_bracketed_too():
    """As in the first round of pairs: all weights are equal, and no stump beats the rarer class."""
    rng = np.random.default_rng(8)
    X, y = rng.integers(0, 30, (900, 4)).astype(float), (np.arange(900) % 6 == 0).astype(int)
    X[0], X[1], y[0], y[1] = 0, 29, 1, 1
    X[2:] = np.clip(X[2:], 1, 28)
    lower, upper = rows_needed(X, y)
    assert (upper - lower <= 20).all()
    assert upper.sum() <= weight_order_bound(X, y)
