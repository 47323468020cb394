"""The compiled core (cpp/bind)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

CoreColumn = tuple[int, NDArray[Any], NDArray[np.bool_] | None, NDArray[np.int32] | None, int]

class InfiniteValueError(ValueError): ...

class EncodedTable:
    @property
    def rows(self) -> int: ...
    @property
    def lanes(self) -> int: ...
    @property
    def storages(self) -> list[str]: ...

class GrowthOptions:
    criterion: int
    leaf_choice: int
    threads: int
    max_leaves: int
    max_depth: int
    min_drop: float
    min_weight: float
    min_examples: float

def encode(columns: list[CoreColumn], rows: int, threads: int) -> EncodedTable: ...
def sum_weights(weights: NDArray[np.float64]) -> tuple[list[int], list[int]]: ...
def grow(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    examples: NDArray[np.int64] | None,
    options: GrowthOptions,
) -> dict[str, NDArray[Any]]: ...
def find_leaves(
    tree: object, columns: list[CoreColumn | None], rows: int, threads: int
) -> NDArray[np.int32]: ...
def limit_instruction_set(widest: str) -> None: ...
def instruction_set() -> str: ...
