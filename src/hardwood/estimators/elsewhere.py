"""Estimators on data that is not a table in this process's memory.

A back end registers itself (`import hardwood.dask`); data sets and lazy frames are known from the
start. The estimators ask here before they read X as a table, so there is one set of estimators.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from hardwood.distributed.back_ends import BackEnd, Given, register, registered
from hardwood.stored.back_end import StoredBackEnd

__all__ = ["BackEnd", "Given", "back_end_of", "lazily", "refuse_options"]

register(StoredBackEnd())


def back_end_of(X: Any) -> BackEnd | None:
    """The back end that knows X, or None for a table in memory."""
    back_end = registered(X)
    if back_end is not None:
        return back_end
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise TypeError(
            f"X is a Dask collection ({type(X).__name__}); hardwood takes Dask DataFrames and "
            "arrays after `import hardwood.dask`. Add that import, or compute X first."
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
