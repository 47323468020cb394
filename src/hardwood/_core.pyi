"""The compiled core (cpp/bind), as `make stubs` reads it from the built module."""

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CoreColumn = tuple[int, NDArray[Any], NDArray[np.bool_] | None, NDArray[np.int32] | None, int]

class Criterion(enum.IntEnum):
    km = 0
    gini = 1
    entropy = 2
    error = 3
    stump = 4

class LeafChoice(enum.IntEnum):
    drop = 0
    weight = 1
    number = 2

class Search(enum.IntEnum):
    exhaustive = 0
    auto = 1
    adaptive = 2
    quick = 3

class Variant(enum.IntEnum):
    discrete = 0
    real = 1
    gentle = 2
    logistic = 3

class Stop(enum.IntEnum):
    not_yet = 0
    no_error = 1
    chance = 2
    nothing_left = 3

class ColumnKind(enum.IntEnum):
    numeric = 0
    integer = 1
    unsigned = 2
    category = 3

class PartCoding(enum.IntEnum):
    constant = 0
    coded = 1
    bucketed = 2
    category = 3
    uncoded = 4

class InfiniteValueError(ValueError):
    pass

class EncodedTable:
    @property
    def rows(self) -> int: ...
    def make_pairs(self, classes: int) -> None: ...
    @property
    def has_missing(self) -> bool: ...
    @property
    def storages(self) -> list[str]: ...

def encode(columns: list[CoreColumn], rows: int, threads: int) -> EncodedTable: ...
def exact_total(weights: NDArray[np.float64]) -> float: ...
def exact_addends(weights: NDArray[np.float64]) -> NDArray[np.float64]: ...

class InstructionKind(enum.Enum):
    free = 0
    column = 1
    split = 2
    leaf = 3

class Outcome(enum.IntEnum):
    absent = 0
    followed = 1
    empty = 2
    pure = 3
    offers_none = 4
    no_room = 5
    kept_apart = 6
    breaks_order = 7

class Instruction:
    def __init__(self) -> None: ...
    kind: InstructionKind
    turn: int
    column: int
    branches: int
    codes: list[int]
    branch_of: list[int]
    missing: int
    never_here: list[int]
    never_below: list[int]
    children: list[int]

    def set_thresholds(self, values: Sequence[float], integers: Sequence[int]) -> None: ...

class SplitAbove:
    def __init__(self) -> None: ...
    column: int
    branch: int
    parts_values: bool
    weights: list[float]

class ToldAbove:
    def __init__(self) -> None: ...
    split: Instruction
    branch: int

class RankingRequest:
    def __init__(self) -> None: ...
    most: int
    every_threshold: bool
    leaves: int

def rank_splits(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    examples: NDArray[np.int64] | None,
    options: GrowthOptions,
    root_weight: float,
    request: RankingRequest,
    above: Sequence[SplitAbove],
    told: Sequence[ToldAbove],
) -> list[dict[str, Any]]: ...
def told_split(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    options: GrowthOptions,
    above: Sequence[SplitAbove],
    told: Sequence[ToldAbove],
) -> dict[str, Any] | None: ...
def weights_of_pieces(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    options: GrowthOptions,
    told: Sequence[ToldAbove],
) -> object: ...

class ConstraintOptions:
    def __init__(self) -> None: ...
    columns: int
    signs: list[int]
    outputs: list[int]
    prior: float
    unit: float
    groups: list[list[int]]
    most: int
    needs: list[list[int]]

class GrowthOptions:
    def __init__(self) -> None: ...
    criterion: Criterion
    leaf_choice: LeafChoice
    threads: int
    max_leaves: int
    max_depth: int
    min_drop: float
    min_weight: float
    min_examples: float
    min_category_size: int
    examples: int
    multiway: bool
    gamma: float
    max_branches: int
    fractional: bool
    constraints: ConstraintOptions
    draft: list[Instruction]

def grow(
    table: EncodedTable,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.int64] | None,
    examples: NDArray[np.int64] | None,
    options: GrowthOptions,
) -> dict[str, NDArray[Any]]: ...
def grow_parts(
    plan: TablePlan,
    team: object,
    weights: Sequence[float],
    examples: float,
    rows: int,
    histogram: HistogramBatch,
    uncoded: KeySumsBatch,
    options: GrowthOptions,
    small_node: int,
    each_split: object,
) -> dict[str, Any]: ...
def threshold_between(low: float, high: float, whole: bool) -> float: ...
def integer_threshold_between(low: int, high: int) -> int: ...

class BoostingOptions:
    def __init__(self) -> None: ...
    variant: Variant
    criterion: Criterion
    classes: int
    pairs: int
    max_leaves: int
    max_depth: int
    learning_rate: float
    leaf_ratio_cap: float
    leaf_prior: float
    weight_fraction: float
    cut_fraction: float
    min_weight_fraction_leaf: float
    min_examples: float
    min_category_size: int
    examples: int
    whole_weights: bool
    pass_over_chance: bool
    paper_rules: bool
    search: int
    quick_start: float
    quick_batches: int
    constraints: ConstraintOptions

class Booster:
    def run(
        self,
        rounds: int,
        allowed: NDArray[np.uint8] | None,
        cut_seeds: NDArray[np.uint64] | None,
        threads: int,
    ) -> list[dict[str, Any]]: ...

class MemoryBooster(Booster):
    def __init__(
        self,
        table: EncodedTable,
        labels: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        examples: NDArray[np.int64] | None,
        options: BoostingOptions,
    ) -> None: ...
    def replay(self, leaf: NDArray[np.int32], value: NDArray[np.float64], error: float) -> None: ...

def run_together(
    boosters: Sequence[MemoryBooster],
    rounds: int,
    allowed: NDArray[np.uint8] | None,
    cut_seeds: NDArray[np.uint64] | None,
    threads: int,
) -> list[list[dict[str, Any]]]: ...

class PartsBooster(Booster):
    def __init__(
        self,
        plan: TablePlan,
        team: object,
        number: int,
        target: int,
        counted: bool,
        rows: int,
        options: BoostingOptions,
    ) -> None: ...
    def replay(self, tree: object, value: NDArray[np.float64], error: float) -> float: ...
    def replay_pairs(
        self, trees: list[Any], values: NDArray[np.float64], error: float
    ) -> float: ...

class HistogramBatch:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def merge(self, other: HistogramBatch) -> None: ...
    def __len__(self) -> int: ...
    def cells(self, i: int) -> object: ...

class KeySumsBatch:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def merge(self, other: KeySumsBatch) -> None: ...
    def __len__(self) -> int: ...
    @property
    def keys(self) -> int: ...

class RowBatch:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def merge(self, other: RowBatch) -> None: ...
    def __len__(self) -> int: ...

class Arrivals:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def merge(self, other: Arrivals) -> None: ...

class SplitBatch:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def __bool__(self) -> bool: ...

class QuestionBatch:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...

class PieceOrder:
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...
    def __bool__(self) -> bool: ...

def summarise(
    columns: list[CoreColumn], rows: int, threads: int, distinct: int, sample: int
) -> list[tuple[NDArray[np.uint64], bool, bool, bool]]: ...

class TablePlan:
    def __init__(
        self, columns: list[tuple[int, int, bool, bool, int, NDArray[np.uint64]]]
    ) -> None: ...
    def with_class_column(self, classes: int) -> TablePlan: ...
    def uncoded_questions(self, node: int) -> QuestionBatch: ...

def encode_part(
    columns: list[CoreColumn], rows: int, plan: TablePlan, threads: int
) -> dict[str, list[Any]]: ...

class Part:
    def __init__(
        self, stored: dict[str, Any], plan: TablePlan, labels: NDArray[np.int32], classes: int
    ) -> None: ...
    def set_weights(
        self, weights: NDArray[np.int64] | None, examples: NDArray[np.int64] | None
    ) -> None: ...
    def set_factors(
        self,
        weights: NDArray[np.float64] | None,
        whole: bool,
        examples: NDArray[np.int64] | None,
        logistic: bool,
        boosters: int,
        pairs: int,
    ) -> None: ...
    def start(self, target: int, least: int, pieces: bool = False) -> NDArray[np.int64]: ...
    def rows_of(self, node: int) -> int: ...
    def split(
        self, batch: SplitBatch
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.uint64],
        NDArray[np.uint64],
    ]: ...
    def histograms(self, nodes: Sequence[int]) -> HistogramBatch: ...
    def gather(self, nodes: Sequence[int]) -> RowBatch: ...
    def open(self, batch: QuestionBatch) -> KeySumsBatch: ...
    def begin_pruning(
        self,
        tree: dict[str, NDArray[Any]],
        leaves: NDArray[np.int32],
        nodes: NDArray[np.int32],
        surviving: NDArray[np.int32],
    ) -> None: ...
    def change(self, changes: list[tuple[Any, ...]]) -> None: ...
    def divide_pieces(self, order: PieceOrder) -> Arrivals: ...
    def send(
        self, nodes: NDArray[np.int32], heaviest: NDArray[np.int32], rows: NDArray[np.int64]
    ) -> Arrivals: ...
    def factor_totals(self, booster: int) -> NDArray[np.float64]: ...
    def exact_parts(self, booster: int) -> NDArray[np.float64]: ...
    def scale(self, booster: int, by: float) -> None: ...
    def round_weights(self, booster: int, exponent: int) -> int: ...
    def weight_digits(self, shift: int, bits: int, prefix: int) -> NDArray[np.int64]: ...
    def route_absent(self, tree: SplitBatch) -> NDArray[np.int64]: ...
    def sum_pairs(
        self, nodes: Sequence[int], leaves: Sequence[int], tree_nodes: int, routed: bool
    ) -> NDArray[np.int64]: ...
    def multiply(
        self,
        booster: int,
        nodes: Sequence[int],
        same: NDArray[np.float64],
        other: NDArray[np.float64],
        label: Sequence[int],
        routed: bool,
    ) -> None: ...

def find_leaves(
    tree: object, columns: list[CoreColumn | None], rows: int, threads: int
) -> NDArray[np.int32]: ...
def combine_shares(
    tree: object,
    shares: NDArray[np.float64],
    columns: list[CoreColumn | None],
    rows: int,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...

class ScoringForest:
    def __init__(
        self,
        trees: list[Any],
        addends: list[NDArray[np.float64]],
        outputs_of_leaves: list[NDArray[np.int32]],
        outputs: int,
        kinds: Sequence[int],
    ) -> None: ...
    @property
    def numeric(self) -> bool: ...
    def score(
        self, columns: list[CoreColumn | None], rows: int, threads: int
    ) -> NDArray[np.float64]: ...
    def score_matrix(self, matrix: NDArray[Any], threads: int) -> NDArray[np.float64]: ...

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

class CellForest:
    def __init__(self, arrays: dict[str, NDArray[Any]], outputs: int) -> None: ...
    def cheapest_change(
        self,
        cost: NDArray[np.float64],
        own: NDArray[np.int32],
        target: int,
        below: float,
        seconds: float,
        rule: dict[str, Any],
    ) -> tuple[bool, bool, float, float, NDArray[np.int32], int]: ...

def prune_by_error(
    tree: object,
    class_weights: NDArray[np.float64],
    classes: int,
    log_confidence: float,
    deviation: float,
    examples: float,
    raising: bool,
    rows: tuple[Any, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], float, bool],
    freedom: NDArray[np.uint8] | None = None,
) -> dict[str, NDArray[Any]]: ...
def pessimistic_errors(
    log_confidence: float, deviation: float, weight: float, errors: float
) -> float: ...

class Meetings:
    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
    def first_wrong(
        self, sign: NDArray[np.int8], item: NDArray[np.int32], value: NDArray[np.float64]
    ) -> tuple[int, int] | None: ...
    def nearest(
        self,
        sign: NDArray[np.int8],
        item: NDArray[np.int32],
        weight: NDArray[np.float64],
        value: NDArray[np.float64],
    ) -> NDArray[np.int32]: ...

def meeting_leaves(
    tree: object, rank: NDArray[np.int32], constrained: NDArray[np.uint8]
) -> Meetings: ...
def isotonic_groups(
    weight: NDArray[np.float64],
    value: NDArray[np.float64],
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
) -> NDArray[np.int32]: ...
def splits_of_tree(tree: object, plan: TablePlan) -> SplitBatch: ...
def cuts_of_tree(tree: object, plan: TablePlan) -> NDArray[np.uint64]: ...

class RaisingTrials:
    def __init__(
        self,
        tree: object,
        class_weights: NDArray[np.float64],
        classes: int,
        log_confidence: float,
        deviation: float,
        examples: float,
        raising: bool,
        freedom: NDArray[np.uint8] | None,
    ) -> None: ...
    def changes(self) -> list[tuple[Any, ...]]: ...
    def where_rows_are(self) -> NDArray[np.int32]: ...
    def splits(self) -> NDArray[np.int32]: ...
    def take(self, arrivals: Arrivals, unit: float) -> None: ...
    def pruned(self) -> dict[str, NDArray[Any]]: ...
    def next(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]: ...

class FractionalTrials:
    def __init__(
        self,
        tree: object,
        class_weights: NDArray[np.float64],
        classes: int,
        log_confidence: float,
        deviation: float,
        examples: float,
        raising: bool,
        freedom: NDArray[np.uint8] | None,
    ) -> None: ...
    def changes(self) -> list[tuple[Any, ...]]: ...
    def where_rows_are(self) -> NDArray[np.int32]: ...
    def splits(self) -> NDArray[np.int32]: ...
    def take(self, arrivals: Arrivals, unit: float) -> None: ...
    def pruned(self) -> dict[str, NDArray[Any]]: ...
    def next(self) -> PieceOrder: ...

def limit_instruction_set(widest: str) -> None: ...
def instruction_set() -> str: ...
