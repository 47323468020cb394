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
    def has_missing(self) -> bool: ...
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
    multiway: bool
    gamma: float
    max_branches: int
    fractional: bool

def encode(columns: list[CoreColumn], rows: int, threads: int) -> EncodedTable: ...
def exact_total(weights: NDArray[np.float64]) -> float: ...
def grow(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    examples: NDArray[np.int64] | None,
    options: GrowthOptions,
) -> dict[str, NDArray[Any]]: ...

class BoostingOptions:
    variant: int
    criterion: int
    classes: int
    max_leaves: int
    max_depth: int
    learning_rate: float
    leaf_ratio_cap: float
    weight_fraction: float
    min_weight_fraction_leaf: float
    min_examples: float
    multiway: bool
    gamma: float
    max_branches: int
    whole_weights: bool
    search: int
    quick_start: float
    quick_batches: int

class Booster:
    def __init__(
        self,
        table: EncodedTable,
        labels: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        examples: NDArray[np.int64] | None,
        options: BoostingOptions,
    ) -> None: ...
    def run(
        self, rounds: int, allowed: NDArray[np.uint8] | None, threads: int
    ) -> list[dict[str, Any]]: ...
    def replay(
        self,
        leaf: NDArray[np.int32],
        value: NDArray[np.float64],
        tree_weight: float,
        error: float,
    ) -> None: ...

def add_scores(
    trees: list[Any],
    addends: list[NDArray[np.float64]],
    outputs_of_leaves: list[NDArray[np.int32]],
    columns: list[CoreColumn | None],
    rows: int,
    outputs: int,
    threads: int,
) -> NDArray[np.float64]: ...
def find_leaves(
    tree: object, columns: list[CoreColumn | None], rows: int, threads: int
) -> NDArray[np.int32]: ...
def shap_values(
    trees: list[Any],
    weights: list[NDArray[np.float64]],
    values: list[NDArray[np.float64]],
    outputs_of_values: list[NDArray[np.int32]],
    columns: list[CoreColumn | None],
    rows: int,
    outputs: int,
    threads: int,
) -> NDArray[np.float64]: ...
def prune_by_error(
    tree: object,
    class_weights: NDArray[np.float64],
    classes: int,
    log_confidence: float,
    deviation: float,
    rows: tuple[Any, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], float, bool],
) -> dict[str, NDArray[Any]]: ...
def pessimistic_errors(
    log_confidence: float, deviation: float, weight: float, errors: float
) -> float: ...
def combine_shares(
    tree: object,
    shares: NDArray[np.float64],
    columns: list[CoreColumn | None],
    rows: int,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def limit_instruction_set(widest: str) -> None: ...
def instruction_set() -> str: ...
