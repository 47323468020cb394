"""The core's thresholds, and the checker's, against every decimal tried in turn."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import sparse

from hardwood import TreeClassifier
from hardwood._core import integer_threshold_between, threshold_between
from hardwood.certify.checking.thresholds import threshold_between as checked
from tests.oracles.thresholds import threshold_between as tried

finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def decimals(draw: st.DrawFn) -> float:
    """As tables have them: few digits, any magnitude."""
    return float(f"{draw(st.integers(-9999, 9999))}e{draw(st.integers(-7, 3))}")


@st.composite
def close(draw: st.DrawFn) -> tuple[float, float]:
    """Some float64 numbers apart, or a small share of their size."""
    low = draw(finite | decimals())
    high = low
    for _ in range(draw(st.integers(1, 9))):
        high = math.nextafter(high, math.inf)
    return low, max(high, low + abs(low) * draw(st.sampled_from([0.0, 1e-15, 1e-12, 1e-6, 0.01])))


@st.composite
def around_powers(draw: st.DrawFn) -> tuple[float, float]:
    power = float(f"1e{draw(st.integers(-323, 307))}")
    share = st.floats(0.0, 0.5)
    return power * (1 - draw(share)), power * (1 + draw(share))


pairs = st.tuples(finite, finite) | st.tuples(decimals(), decimals()) | close() | around_powers()


def agree(low: float, high: float, whole: bool) -> None:
    found = threshold_between(low, high, whole)
    assert low <= found < high
    assert found == tried(low, high, whole) == checked(low, high, whole)


@given(pair=pairs)
@example(pair=(0.0, 5e-324))
@example(pair=(-5e-324, 5e-324))
@example(pair=(-1.7976931348623157e308, 1.7976931348623157e308))
@example(pair=(9007199254740990.0, 9007199254740996.0))
@example(pair=(1.7976931348623155e308, 1.7976931348623157e308))
def test_the_threshold_is_the_shortest_decimal_in_the_middle_half(pair):
    low, high = min(pair) + 0.0, max(pair) + 0.0
    assume(low < high < math.inf)
    agree(low, high, False)


@given(low=st.integers(-(2**40), 2**40), gap=st.integers(1, 9) | st.integers(1, 2**40))
def test_between_whole_numbers_the_threshold_is_whole(low, gap):
    agree(float(low), float(low + gap), True)
    found = threshold_between(float(low), float(low + gap), True)
    assert found == int(found)


@given(
    one=st.integers(-(2**63), 2**63 - 1),
    other=st.integers(-(2**63), 2**63 - 1),
    gap=st.integers(1, 10**6),
)
def test_between_64_bit_integers_the_threshold_is_the_shortest_whole_number(one, other, gap):
    for low, high in ((min(one, other), max(one, other)), (one, one + gap)):
        if low < high < 2**63:
            found = integer_threshold_between(low, high)
            assert low <= found < high
            assert found == tried(low, high, True) == checked(low, high, True)


def test_a_column_of_whole_numbers_is_cut_at_whole_numbers_in_every_form():
    values = np.array([0, 1, 2, 3, 4, 5] * 4)
    y = (values > 2).astype(int)
    models = [
        TreeClassifier(pruning=None).fit(form, y)
        for form in (
            values[:, None],
            values[:, None].astype(np.float32),
            values[:, None].astype(np.float64),
            sparse.csc_matrix(values[:, None].astype(np.float64)),
            values[:, None].astype(object),
        )
    ]
    assert {model.digest() for model in models} == {models[0].digest()}
    assert models[0].tree_.thresholds.tolist() == [2.0]
    halves = np.append(values, 7.5)[:, None]
    model = TreeClassifier(pruning=None).fit(halves, np.append(y, 1))
    assert model.tree_.thresholds.tolist() == [2.5]
