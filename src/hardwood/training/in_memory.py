"""Training on a table in this process's memory.

In: what fit was asked. The table is read and coded once; rows that are held out have weight 0,
which is the same as being absent.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import BoostingRules, Rounds, start_rounds
from hardwood.boosting.early_stopping import JudgedRows
from hardwood.boosting.pairs import PairRounds, start_pairs
from hardwood.boosting.rounds import booster_constraints
from hardwood.boosting.row_losses import RowLoss
from hardwood.criteria import Criterion
from hardwood.draft import Draft
from hardwood.encoding import Weights, encode_table, read_labels, user_weights
from hardwood.encoding.drawn_rows import Draw, Mask, drawn_rows
from hardwood.encoding.weights import whole_weights
from hardwood.growing import (
    Constraints,
    Followed,
    Growth,
    Instructions,
    Prices,
    StopRules,
    grow,
)
from hardwood.growing.ranking import NodePlace, NodeRows
from hardwood.progress import Progress
from hardwood.pruning.error_based import error_based
from hardwood.pruning.held_out import class_weights_by_leaf, user_weights_of, weights_of
from hardwood.table import read_training_table
from hardwood.table.derived import some_rows
from hardwood.training.held_out_rows import HeldOutRows
from hardwood.training.request import FitRequest
from hardwood.training.row_numbers import numbers_rows
from hardwood.tree import Tree

MOST_COLUMNS_LOOKED_AT = 1000
"""In a wider table a column that numbers the rows is not looked for."""


class MemoryTraining:
    traffic = None

    def __init__(self, request: FitRequest) -> None:
        self._request, self._threads = request, request.threads
        self._table = read_training_table(request.X, request.categorical_features)
        self._labels = read_labels(request.y, self._table.n_rows)
        self._given = user_weights(request.sample_weight, request.class_weight, self._labels)
        self._encoded, self.schemas = encode_table(self._table, self._threads)
        self.fractional = request.missing == "fractional" and self._encoded.has_missing
        self.names = self._table.names
        self.classes: NDArray[Any] = self._labels.classes
        self.class_rows = self._labels.class_rows
        self.rows = self._table.n_rows
        self._held: Mask | None = None

    @property
    def examples(self) -> int:
        return self._given.n_examples(self.rows)

    @property
    def label_codes(self) -> NDArray[np.int32]:
        """[rows] class numbers."""
        return self._labels.codes

    def close(self) -> None:
        """There is nothing to give back."""

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
        del progress  # the core grows a tree in one call
        return grow(
            self._encoded,
            self._labels,
            self._weights_left(),
            criterion=criterion,
            leaf_choice=leaf_choice,
            rules=rules,
            prices=prices,
            constraints=constraints,
            missing=self._request.missing,
            threads=self._threads,
            told=None if draft is None else Instructions(draft, self.schemas),
        )

    def prune(
        self,
        tree: Tree,
        *,
        criterion: Criterion,
        confidence: float,
        raising: bool,
        followed: Followed | None = None,
    ) -> Tree:
        return error_based(
            tree,
            self._table,
            self._labels,
            self._weights_left(),
            criterion=criterion,
            confidence=confidence,
            raising=raising,
            threads=self._threads,
            freedom=None if followed is None else followed.freedom,
        )

    def rows_of_node(
        self,
        mine: NDArray[np.bool_],
        criterion: Criterion,
        rules: StopRules,
        constraints: Constraints | None,
        prices: Prices | None,
        place: NodePlace,
    ) -> NodeRows:
        """Some rows, those of a node, to ask what the columns offer there."""
        return NodeRows(
            self._encoded,
            self.schemas,
            self._labels,
            self._weights_left(),
            mine,
            criterion,
            rules,
            self._threads,
            constraints,
            prices,
            place,
        )

    def boosters(
        self, rules: BoostingRules, form: str, constraints: Constraints | None
    ) -> list[Rounds]:
        given = self._given
        if self._held is not None:
            given = user_weights_of(given, ~self._held)
        codes, classes = self._labels.codes, len(self.classes)
        if form == "pairs":
            return start_pairs(self._encoded, codes, classes, given, rules, constraints)
        if form == "one":
            own = booster_constraints(constraints, min(1, classes - 1))
            return [start_rounds(self._encoded, codes, max(classes, 2), given, rules, own)]
        return [
            start_rounds(
                self._encoded,
                (codes == c).astype(np.int32),
                2,
                given,
                rules,
                booster_constraints(constraints, c),
            )
            for c in range(classes)
        ]

    def take_over(self, boosters: list[Rounds], earlier: list[Rounds]) -> bool:
        if isinstance(boosters[0], PairRounds):
            boosters[0].replay_pairs(earlier, self._table, self._threads)
            return True
        for booster, before in zip(boosters, earlier, strict=True):
            booster.replay(before, self._table, self._threads)
        return True

    def hold_out(self, draw: Draw) -> tuple[int, int]:
        whole = self._weights()
        if draw.rows == 0:
            self._held = None
            return int(whole.total), 0
        self._held = drawn_rows(draw, self._labels.codes)
        left = weights_of(whole, ~self._held).total
        return int(left), int(whole.total - left)

    def held_out_weights(self, tree: Tree) -> NDArray[np.float64]:
        return self._held_out_rows().class_weights(tree, self._threads)

    def leaf_class_rows(self, tree: Tree) -> NDArray[np.int64] | None:
        if self._given.values is None:
            return None
        weights = self._weights_left().weights
        here = np.ones(self.rows, dtype=np.int64) if weights is None else weights > 0
        reached = class_weights_by_leaf(
            tree, self._table, self._labels.codes, here.astype(np.int64), self._threads
        )
        return reached.astype(np.int64)

    def row_numbers(self) -> list[str]:
        if self._table.n_columns > MOST_COLUMNS_LOOKED_AT:
            return []
        plain = [j for j, each in enumerate(self.schemas) if not each.categories]
        return [self.schemas[j].name for j in plain if numbers_rows(self._table.column(j))]

    def watch_held_out(self, judge: RowLoss) -> JudgedRows:
        rows = self._held_out_rows()
        return JudgedRows(rows.watched(), float(rows.weights.sum()), judge)

    def held_out_positions(self) -> tuple[NDArray[np.intp], HeldOutRows]:
        """Which rows of X are held out, and what they are."""
        assert self._held is not None
        return np.flatnonzero(self._held), self._held_out_rows()

    def _held_out_rows(self) -> HeldOutRows:
        assert self._held is not None
        rows = np.flatnonzero(self._held)
        weights = weights_of(self._weights(), self._held).weights
        assert weights is not None
        return HeldOutRows(
            some_rows(self._table, rows),
            self._labels.codes[rows],
            weights[rows],
            len(self.classes),
        )

    def _weights(self) -> Weights:
        class_weight = self._request.class_weight
        return whole_weights(self._given, self.rows, class_weight, counted=not self.fractional)

    def _weights_left(self) -> Weights:
        weights = self._weights()
        return weights if self._held is None else weights_of(weights, ~self._held)
