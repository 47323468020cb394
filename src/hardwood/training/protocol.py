"""`Training`: rows that are read and coded, and what can be asked of them.

Invariant: every answer is the same wherever the rows are and however they are cut into parts.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import BoostingRules, Rounds
from hardwood.boosting.early_stopping import Watch
from hardwood.boosting.row_losses import RowLoss
from hardwood.criteria import Criterion
from hardwood.draft import Draft
from hardwood.encoding.drawn_rows import Draw
from hardwood.growing import Constraints, Followed, Growth, Prices, StopRules
from hardwood.progress import Progress
from hardwood.table import ColumnSchema
from hardwood.tree import Tree


class Training(Protocol):
    @property
    def schemas(self) -> tuple[ColumnSchema, ...]: ...

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns' names, if X has any."""

    @property
    def classes(self) -> NDArray[Any]: ...

    @property
    def class_rows(self) -> NDArray[np.int64]:
        """The number of rows of each class."""

    @property
    def rows(self) -> int: ...

    @property
    def examples(self) -> int:
        """What whole sample weights add up to, else the number of rows of positive weight."""

    @property
    def traffic(self) -> Any:
        """What was moved between processes; None where nothing is."""

    def grow(
        self,
        *,
        criterion: Criterion,
        leaf_choice: str,
        rules: StopRules,
        prices: Prices | None,
        constraints: Constraints | None,
        progress: Progress,
        draft: Draft | None = None,
    ) -> Growth:
        """A tree from the rows that are not held out; what a draft says comes first."""

    def prune(
        self,
        tree: Tree,
        *,
        criterion: Criterion,
        confidence: float,
        raising: bool,
        followed: Followed | None = None,
    ) -> Tree:
        """Error-based pruning of the tree that was grown last; what it was told to be stays."""

    def boosters(
        self, rules: BoostingRules, form: str, constraints: Constraints | None
    ) -> list[Rounds]:
        """The rounds of a booster, or of every class, on the rows that are not held out; `form` as
        `BoostingPlan.form` has it."""

    def take_over(self, boosters: list[Rounds], earlier: list[Rounds]) -> bool:
        """Start boosters where an earlier fit left off; False where rows are known to be others."""

    def hold_out(self, draw: Draw) -> tuple[int, int]:
        """From now on the drawn rows, and no others, are held out of growth and boosters (also
        where none are drawn); the weight of the rows that are left and of the drawn ones, in whole
        numbers."""

    def held_out_weights(self, tree: Tree) -> NDArray[np.float64]:
        """[N, classes] the whole-number weights of the held-out rows that reach each leaf."""

    def leaf_class_rows(self, tree: Tree) -> NDArray[np.int64] | None:
        """[N, classes] how many rows of each class, that have weight and are not held out, reach
        each leaf; None where every row weighs 1. To be asked before other rows are held out."""

    def watch_held_out(self, judge: RowLoss) -> Watch:
        """The loss of boosted trees on the held-out rows."""

    def row_numbers(self) -> list[str]:
        """Columns of whole numbers that number the rows; looked for in memory alone."""

    def close(self) -> None:
        """Nothing is asked any more."""
