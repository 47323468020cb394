"""Constructor parameters: how an estimator declares them, and their checks, which say what was
given, what is allowed, what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, dataclass_transform

import numpy as np
from joblib import cpu_count
from joblib.parallel import get_active_backend

LARGEST = 2**62
"""No table has so many rows."""
DEEPEST = 2**31 - 1
"""No tree is so deep."""
MOST_THREADS = 1024


@dataclass_transform(eq_default=False, kw_only_default=True)
def keyword_parameters(estimator: type) -> type:
    """Make the class's annotated values its constructor's keywords, each kept under its name."""
    dataclass(eq=False, repr=False, match_args=False, kw_only=True)(estimator)
    # Dask's tokens and other readers of dataclasses would take the parameters for the whole model.
    del estimator.__dataclass_fields__, estimator.__dataclass_params__  # type: ignore[attr-defined]
    return estimator


def _is(value: Any, kind: type) -> bool:
    """Numbers only: True and False are none."""
    return isinstance(value, kind) and not isinstance(value, (bool, np.bool_))


def _as_float(value: Any) -> float:
    """NaN for what is no number, or a whole number beyond every float."""
    try:
        return float(value) if _is(value, Real) else math.nan
    except OverflowError:
        return math.nan


def _short(value: Any) -> str:
    """As source, or how many bits a whole number has that is too long to print."""
    if _is(value, Integral) and abs(value) > 10**30:
        return f"a whole number of {int(value).bit_length()} bits"
    return repr(value)


def one_of(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """`value` when it is one of the allowed ones."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        choices = ", ".join("None" if choice is None else f'"{choice}"' for choice in allowed)
        raise ValueError(f"{name} must be one of {choices}; given was {value!r}.")
    return value


def whole_number(
    name: str, value: Any, least: int, *, none_allowed: bool = False, most: int = LARGEST
) -> int | None:
    """`value` as an int of at least `least`, or None where that is allowed; beyond `most` it means
    the same as `most`."""
    if value is None and none_allowed:
        return None
    if not _is(value, Integral) or value < least:
        alternative = " or None (no limit)" if none_allowed else ""
        raise ValueError(
            f"{name} must be a whole number of at least {least}{alternative}; given was "
            f"{_short(value)}."
        )
    return min(int(value), most)


def number_between(name: str, value: Any, low: float, high: float) -> float:
    """`value` as a float in [low, high]."""
    number = _as_float(value)
    if not low <= number <= high:
        limits = f"of at least {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}"
        raise ValueError(f"{name} must be a number {limits}; given was {_short(value)}.")
    return number


def finite_number(name: str, value: Any, low: float) -> float:
    """`value` as a float of at least `low`, not infinite."""
    number = _as_float(value)
    if not low <= number < math.inf:
        raise ValueError(
            f"{name} must be a finite number of at least {low:g}; given was {_short(value)}."
        )
    return number


def true_or_false(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; given was {value!r}.")
    return bool(value)


def thread_count(n_jobs: Any) -> int:
    """Threads that n_jobs asks for, as scikit-learn counts them (None: 1 or what parallel_config
    says, -1: all), at most `MOST_THREADS`. joblib's own `effective_n_jobs` counts processes: inside
    a worker of multiprocessing it warns that none can be started, though threads can."""
    if n_jobs is not None and not (_is(n_jobs, Integral) and n_jobs != 0):
        raise ValueError(
            f"n_jobs must be None or a whole number other than 0; given was {n_jobs!r}."
        )
    if n_jobs == 1:
        return 1
    backend, usual = get_active_backend()
    if type(backend).__name__ == "SequentialBackend":  # deep inside joblib's own workers
        return 1
    asked = int(usual or 1) if n_jobs is None else int(n_jobs)
    return min(asked, MOST_THREADS) if asked > 0 else max(cpu_count() + 1 + asked, 1)


def seed_of(random_state: Any) -> int:
    """The integer that columns and held-out rows are drawn from; 0 where none is given."""
    if isinstance(random_state, Integral):
        return int(random_state)
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    raise ValueError(f"random_state must be a whole number or None; given was {random_state!r}.")
