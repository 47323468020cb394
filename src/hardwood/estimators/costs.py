"""`costs`: what each kind of mistake costs, checked.

In: None, a matrix, or a dict of (true class, predicted class); later the classes. Out: [C, C] with
0 on the diagonal, in the order of the classes. A wrong one gets a sentence; what does not depend on
the classes is refused before any row is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FORM = (
    "costs takes None, a matrix whose rows are the true classes and whose columns the predicted "
    "ones, in the order of classes_, or a dict of (true, predicted) -> cost"
)

LEAST, MOST = 1e-100, 1e100
ALLOWED = "a cost is 0, or a number between 1e-100 and 1e100"


def check_costs(costs: Any) -> None:
    """What can be said without the classes."""
    if costs is None:
        return
    if isinstance(costs, Mapping):
        for pair, cost in costs.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError(f"costs has the key {pair!r}; {FORM}.")
            _check_cost(cost, f"costs[{pair!r}]")
        return
    try:
        matrix = np.asarray(costs, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"costs has a number beyond every float; {ALLOWED}.") from None
    except (TypeError, ValueError):
        raise ValueError(f"costs is {costs!r}; {FORM}.") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"costs has the shape {matrix.shape}; {FORM}.")
    for (truth, said), cost in np.ndenumerate(matrix):
        _check_cost(float(cost), f"costs[{truth}][{said}]")
        if truth == said and cost != 0:
            raise ValueError(_diagonal(f"costs[{truth}][{said}]", float(cost)))


def cost_matrix(costs: Any, classes: Sequence[Any]) -> Floats | None:
    """For these classes; `check_costs` has been passed."""
    if costs is None:
        return None
    if isinstance(costs, Mapping):
        matrix = _from_pairs(costs, classes)
    else:
        matrix = np.array(costs, dtype=np.float64)
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"costs has the shape {matrix.shape}, but y has {len(classes)} classes; give a row and "
            "a column for each class."
        )
    if len(classes) > 1 and not matrix.any():
        raise ValueError("All costs are 0, so that no answer is better than another; give others.")
    return matrix


def _from_pairs(costs: Mapping[Any, Any], classes: Sequence[Any]) -> Floats:
    place = {label: number for number, label in enumerate(classes)}
    text = {str(label): number for number, label in enumerate(classes)}
    matrix = np.full((len(classes), len(classes)), np.nan)
    np.fill_diagonal(matrix, 0.0)
    for pair, cost in costs.items():
        found = [place.get(label, text.get(label)) for label in pair]
        for label, number in zip(pair, found, strict=True):
            if number is None:
                few = ", ".join(map(repr, list(classes)[:8]))
                raise ValueError(f"costs names the class {label!r}; the classes of y are {few}.")
        truth, said = found
        if truth == said and cost != 0:
            raise ValueError(_diagonal(f"costs[{pair!r}]", cost))
        matrix[truth, said] = float(cost)
    absent = np.argwhere(np.isnan(matrix))
    if len(absent):
        pair = tuple(classes[int(each)] for each in absent[0])
        raise ValueError(
            f"costs does not say what {pair!r} costs: {pair[0]!r} taken for {pair[1]!r}. Give "
            "every pair of different classes, 0 where a mistake costs nothing."
        )
    return matrix


def _check_cost(cost: Any, name: str) -> None:
    number: Any = cost if isinstance(cost, Real) else np.nan
    if not (number == 0 or LEAST <= number <= MOST):
        raise ValueError(f"{name} is {str(cost)[:80]}; {ALLOWED}.")


def _diagonal(name: str, cost: Any) -> str:
    return f"{name} is {cost!r}, but a right answer costs nothing; give 0 there."
