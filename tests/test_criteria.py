"""The criteria against their definitions, in exact or high-precision arithmetic."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from hardwood.criteria import CRITERIA, cost, impurity


def definition(weights: list[float], criterion: str) -> float:
    with localcontext() as context:
        context.prec = 60
        a = [Decimal(w) for w in weights]
        total = sum(a)
        if criterion == "km":
            value = sum((w * (total - w)).sqrt() for w in a)
        elif criterion == "gini":
            value = 2 * sum(w * (total - w) for w in a) / total
        elif criterion == "error":
            value = 2 * (total - max(a))
        else:
            value = sum(w * (total / w).ln() for w in a if w) / Decimal(2).ln()
        return float(value)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("classes", [1, 2, 3, 7])
def test_the_cost_is_its_definition_to_the_last_digits(criterion, classes):
    rng = np.random.default_rng(classes)
    weights = 10.0 ** rng.uniform(-20, 3, size=(50, classes))
    weights[rng.random(weights.shape) < 0.2] = 0.0
    weights[:, 0] += 1e-3
    expected = [definition(row.tolist(), criterion) for row in weights]
    np.testing.assert_allclose(cost(weights, criterion), expected, rtol=1e-14)
    shares = weights / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(impurity(weights, criterion), cost(shares, criterion), rtol=1e-15)


@pytest.mark.parametrize(
    ("criterion", "uniform"), [("gini", 1.75), ("entropy", 3), ("km", 7**0.5), ("error", 1.75)]
)
def test_even_classes_have_the_impurity_of_the_table(criterion, uniform):
    assert impurity([5.0, 5.0], criterion) == 1.0
    assert impurity([2.0] * 8, criterion) == pytest.approx(uniform, rel=1e-15)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_pure_or_empty_node_costs_nothing(criterion):
    np.testing.assert_array_equal(cost([[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]], criterion), [0.0, 0.0])
    assert impurity([0.0, 0.0], criterion) == 0.0


@pytest.mark.parametrize("criterion", CRITERIA)
def test_children_never_cost_more_than_the_parent(criterion):
    rng = np.random.default_rng(0)
    children = rng.integers(0, 50, size=(2, 500, 4)).astype(float)
    below = cost(children[0], criterion) + cost(children[1], criterion)
    assert (below <= cost(children.sum(axis=0), criterion) * (1 + 1e-14)).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_twice_the_error_never_exceeds_the_cost(criterion):
    weights = np.random.default_rng(1).integers(0, 50, size=(500, 5)).astype(float)
    assert (cost(weights, "error") <= cost(weights, criterion) * (1 + 1e-14) + 1e-13).all()
