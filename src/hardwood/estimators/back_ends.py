"""Where the rows of X are, and who trains and predicts on them there.

A table in memory is trained on here. Other data has a *back end*: data sets and lazy frames are
known from the start, Dask collections from `import hardwood.dask` on. The estimators ask here
before they read X, so there is one set of estimators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Protocol

from hardwood.stored.back_end import StoredBackEnd
from hardwood.training import FitRequest, MemoryTraining, Training


class BackEnd(Protocol):
    def knows(self, X: Any) -> bool: ...

    def training(self, request: FitRequest) -> Training: ...

    def predicted(self, X: Any, method: Callable[[Any], Any], name: str, model: Any) -> Any:
        """The lazy result of a prediction method on X."""


_BACK_ENDS: list[BackEnd] = [StoredBackEnd()]


def register(back_end: BackEnd) -> None:
    """Let the estimators ask a back end; the latest is asked first."""
    if back_end not in _BACK_ENDS:
        _BACK_ENDS.insert(0, back_end)


def unregister(back_end: BackEnd) -> None:
    """Ask it no longer."""
    _BACK_ENDS.remove(back_end)


def back_end_of(X: Any) -> BackEnd | None:
    """The back end that knows X, or None for a table in memory."""
    back_end = next((each for each in _BACK_ENDS if each.knows(X)), None)
    if back_end is None and type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise TypeError(
            f"X is a Dask collection ({type(X).__name__}); hardwood takes Dask DataFrames and "
            "arrays after `import hardwood.dask`. Add that import, or compute X first."
        )
    return back_end


def check_request(request: FitRequest) -> None:
    """Refuse what does not go with where the rows are, before anything is read."""
    if (request.X_val is None) != (request.y_val is None):
        raise ValueError(
            "X_val and y_val go together: give both, or neither to hold out rows of X."
        )
    if back_end_of(request.X_val) is not None:
        raise TypeError(
            f"X_val is a {type(request.X_val).__name__}, whose rows are not in memory; X_val and "
            "y_val must be tables in memory."
        )
    if back_end_of(request.X) is None:
        for name in ("client", "directory", "checkpoint"):
            if getattr(request, name) is not None:
                raise ValueError(
                    f"fit was given {name}, which is for data that is not in memory (Dask "
                    f"collections, data sets); X is a table in memory. Leave {name} out."
                )


@contextmanager
def training_for(request: FitRequest) -> Iterator[Training]:
    """Read X where its rows are; whatever happens, nothing of it stays with a back end."""
    back_end = back_end_of(request.X)
    try:
        training = MemoryTraining(request) if back_end is None else back_end.training(request)
        request.progress.end()
        try:
            yield training
        finally:
            training.close()
    finally:
        request.progress.end()


def lazily(method: Callable[..., Any]) -> Callable[..., Any]:
    """A prediction method that stays lazy where X is."""

    @wraps(method)
    def predict(self: Any, X: Any) -> Any:
        back_end = back_end_of(X)
        if back_end is None:
            return method(self, X)
        return back_end.predicted(X, lambda block: method(self, block), method.__name__, self)

    return predict
