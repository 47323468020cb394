"""A back end whose parts are pieces of a frame in this process: all of the protocol, no cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from hardwood.distributed.back_ends import Given, register, unregister
from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process


@dataclass
class Pieces:
    parts: list[PartData]


class PiecesBackEnd:
    def knows(self, X: Any) -> bool:
        return isinstance(X, Pieces)

    def training(self, given: Given) -> Any:
        return train_in_process(
            given.X.parts, given.categorical_features, given.class_weight, given.threads
        )


@pytest.fixture(scope="session")
def pieces_of() -> Iterator[type[Pieces]]:
    """Parts as something that fit takes as X."""
    back_end: Any = PiecesBackEnd()  # prediction is of tables only
    register(back_end)
    yield Pieces
    unregister(back_end)
