"""Who can train and predict on data that is not a table in this process's memory.

A back end registers itself; the estimators ask `registered` before they read X as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from hardwood.distributed.progress import Progress
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
    progress: Progress = field(default_factory=Progress)


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


def registered(X: Any) -> BackEnd | None:
    """The back end that knows X."""
    return next((back_end for back_end in _BACK_ENDS if back_end.knows(X)), None)


def unregister(back_end: BackEnd) -> None:
    """Ask it no longer."""
    _BACK_ENDS.remove(back_end)
