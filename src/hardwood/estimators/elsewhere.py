"""Data that is not a table in this process's memory: who can train on it, who can predict on it.

A back end registers itself (`import hardwood.dask`); data sets and lazy frames are known from the
start. The estimators ask here before they read X as a table, so there is one set of estimators.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Protocol

from hardwood.distributed.training import PartsTraining


@dataclass(frozen=True)
class Given:
    """What fit was given, beside the estimator's own parameters."""

    X: Any
    y: Any
    sample_weight: Any
    categorical_features: Any
    class_weight: Any
    threads: int
    client: Any = None
    directory: Any = None


class BackEnd(Protocol):
    def knows(self, X: Any) -> bool: ...

    def training(self, given: Given) -> PartsTraining: ...

    def predicted(self, X: Any, method: Callable[[Any], Any], name: str, model: Any) -> Any:
        """The lazy result of a prediction method on X."""


_BACK_ENDS: list[BackEnd] = []


def register(back_end: BackEnd) -> None:
    """Let the estimators ask a back end; the latest is asked first."""
    if back_end not in _BACK_ENDS:
        _BACK_ENDS.insert(0, back_end)


def back_end_of(X: Any) -> BackEnd | None:
    """The back end that knows X, or None for a table in memory."""
    for back_end in _BACK_ENDS:
        if back_end.knows(X):
            return back_end
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise TypeError(
            f"X is a Dask collection ({type(X).__name__}); hardwood takes these after "
            "`import hardwood.dask`. Add that import, or compute X first."
        )
    return None


def refuse_options(**options: Any) -> None:
    """Options of fit that belong to a back end, given with a table in memory."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(
                f"fit was given {name}, which is for data that is not in memory (Dask collections, "
                f"data sets); X is a table in memory. Leave {name} out."
            )


def lazily(method: Callable[..., Any]) -> Callable[..., Any]:
    """A prediction method that stays lazy where X is."""

    @wraps(method)
    def predict(self: Any, X: Any) -> Any:
        back_end = back_end_of(X)
        if back_end is None:
            return method(self, X)
        return back_end.predicted(X, lambda block: method(self, block), method.__name__, self)

    return predict
