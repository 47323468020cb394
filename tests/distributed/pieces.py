"""A back end whose parts are pieces of a table in this process: all of the protocol, no cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process
from hardwood.training import FitRequest


@dataclass
class Pieces:
    """Parts as something that fit takes as X, while a `PiecesBackEnd` is registered."""

    parts: list[PartData]


class PiecesBackEnd:
    def knows(self, X: Any) -> bool:
        return isinstance(X, Pieces)

    def training(self, request: FitRequest) -> Any:
        return train_in_process(
            request.X.parts,
            request.categorical_features,
            request.class_weight,
            request.threads,
            request.missing,
        )
