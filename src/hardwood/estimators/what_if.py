"""`counterfactual(x, ...)` and `reasons(x, k)`, for both estimators.

In: what the caller wishes, checked here. Out: the records of `hardwood.explain`. Invariant: the
model is asked about a changed row before it is returned.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.scores import cut_of, slope_of
from hardwood.estimators.parameters import thread_count, whole_number
from hardwood.explain import shap_values
from hardwood.explain.cell_grid import grid_of
from hardwood.explain.counterfactual import (
    Change,
    Counterfactual,
    RowValues,
    changed_row,
    changes_to,
    readable_cells,
    row_values,
    total,
)
from hardwood.explain.forest_change import (
    AnswerRule,
    cheapest_cells,
    nearest_plausible,
    values_in,
)
from hardwood.explain.moves import Wishes
from hardwood.explain.reasons import Reason, reasons_of
from hardwood.explain.shap import scored_tree, scored_trees
from hardwood.explain.tree_change import cheapest_leaf, cuts_of, value_in
from hardwood.explain.wishes import column_costs, column_set, numeric_columns
from hardwood.table import ColumnSchema, Table
from hardwood.tree.costs import decides
from hardwood.tree.numbers import plain_value
from hardwood.tree.route import leaves_of


class WhatIf:
    """For a fitted estimator with `tree_` or `_ensemble`."""

    classes_: NDArray[Any]
    _schemas: tuple[ColumnSchema, ...]

    def counterfactual(
        self,
        x: Any,
        *,
        to: Any = None,
        frozen: Any = (),
        only_up: Any = (),
        only_down: Any = (),
        costs: Any = None,
        plausible: Any = False,
        time_limit: float = 10.0,
    ) -> Counterfactual:
        """The cheapest change of one row that gets another answer, with a proof that none is
        cheaper.

        x is a table of one row, a dict of column names and values, or a sequence of values. to: the
        answer wanted; None: any other than the row's. frozen, only_up, only_down: columns, by name
        or number, that may not change, fall or rise. costs: by column, what a change of a number by
        1, or of a category, costs; by default 1 over the distance from the lowest to the highest
        cut that the model has in the column (ordered categories: from the first to the last), and 1
        for a category. plausible: True for a tree keeps to leaves that training rows reached; a
        table, for either kind of model, keeps to values that some row of it with the answer wanted
        shares every leaf with. time_limit: seconds, for a boosted model; when they end the best
        change found is returned with `bound`, below which nothing can be.

        A value never becomes missing; a missing one may be filled in, at the cost of a category.
        Numbers are whole where the row's value and all cuts of the column are."""
        table = self._row(x)  # type: ignore[attr-defined]
        before = self._said(table)
        targets = _targets(self.classes_, before, to)
        wishes = self._wishes(frozen, only_up, only_down, costs)
        seconds = _seconds(time_limit)
        if before in targets:
            values = row_values(table, self._schemas, {}, wishes)
            return self._counterfactual(before, targets, values, [], 0.0, True)
        if hasattr(self, "tree_"):
            return self._tree_change(table, before, targets, wishes, plausible)
        return self._forest_change(table, before, targets, wishes, plausible, seconds)

    def reasons(self, x: Any, k: int = 4, *, to: Any = None) -> list[Reason]:
        """The columns that speak most for an answer, at most k: those of the largest positive
        Shapley values, equal ones in the order of the columns.

        x as for `explain`. to: the class spoken for; None: the predicted one, so that these are the
        reasons against the other answers."""
        count = whole_number("k", k, 1)
        assert count is not None
        table = self._row(x)  # type: ignore[attr-defined]
        label = self._said(table) if to is None else _class_number(self.classes_, to)
        if hasattr(self, "tree_"):
            tree = self.tree_
            amounts = shap_values([scored_tree(tree)], table, tree.n_classes, 1)[0, :, label]
            return reasons_of(amounts, table, self.classes_[label], "probability", count)
        ensemble = self._ensemble  # type: ignore[attr-defined]
        outputs = ensemble.outputs
        every = shap_values(list(scored_trees(ensemble)), table, outputs, 1)[0]
        amounts = every[:, label] if outputs > 1 else every[:, 0] * (1.0 if label else -1.0)
        return reasons_of(amounts, table, self.classes_[label], "score", count)

    def _said(self, table: Table) -> int:
        """The class number of the table's only row, as predict has it."""
        raise NotImplementedError

    def _wishes(self, frozen: Any, only_up: Any, only_down: Any, costs: Any) -> Wishes:
        schemas = self._schemas
        up = numeric_columns("only_up", only_up, schemas)
        down = numeric_columns("only_down", only_down, schemas)
        kept = column_set("frozen", frozen, schemas)
        return Wishes(kept | (up & down), up, down, column_costs(costs, schemas))

    def _tree_change(
        self, table: Table, before: int, targets: list[int], wishes: Wishes, plausible: Any
    ) -> Counterfactual:
        tree = self.tree_  # type: ignore[attr-defined]
        row = row_values(table, self._schemas, cuts_of(tree, self._schemas), wishes)
        if tree.share is not None:
            _refuse_missing(row, self._schemas, tree.used_features)
        wanted = np.array([number in targets for number in range(len(self.classes_))])[tree.label]
        if plausible is not False:
            wanted &= self._held_leaves(plausible)
        way = cheapest_leaf(tree, self._schemas, row.moves, wanted)
        if way is None:
            raise _no_way(self.classes_, targets, wishes, plausible)
        new = {}
        for j, allowed in way.box.items():
            changed, value = value_in(row.moves[j], allowed)
            if changed:
                new[j] = value
        changes = changes_to(row, self._schemas, new)
        return self._counterfactual(before, targets, row, changes, way.cost, True)

    def _held_leaves(self, plausible: Any) -> NDArray[np.bool_]:
        """[nodes] whether training rows, or rows of a table, are there."""
        tree = self.tree_  # type: ignore[attr-defined]
        if plausible is True:
            return np.asarray(tree.rows > 0)
        table = self._table(plausible)  # type: ignore[attr-defined]
        held = np.zeros(tree.n_nodes, dtype=np.bool_)
        held[leaves_of(tree, table, thread_count(self.n_jobs))] = True  # type: ignore[attr-defined]
        return held

    def _forest_change(
        self,
        table: Table,
        before: int,
        targets: list[int],
        wishes: Wishes,
        plausible: Any,
        seconds: float,
    ) -> Counterfactual:
        if plausible is True:
            raise ValueError(
                "plausible=True is known for a tree alone: a boosted model does not keep which "
                "leaves its training rows share. Give the rows: plausible=X."
            )
        grid = grid_of(self._ensemble, self._schemas)  # type: ignore[attr-defined]
        row = row_values(table, self._schemas, grid.cuts, wishes)
        if plausible is False:
            found = cheapest_cells(grid, row.moves, targets, self._answer_rule(), seconds)
        else:
            threads = thread_count(self.n_jobs)  # type: ignore[attr-defined]
            rows = self._table(plausible)  # type: ignore[attr-defined]
            labels = [self.classes_[target] for target in targets]
            wanted = np.isin(self.predict(plausible), labels)  # type: ignore[attr-defined]
            found = nearest_plausible(grid, row.moves, rows, wanted, threads)
        if not found.cells and not found.complete:
            raise TimeoutError(
                f"No change that gets {_names(self.classes_, targets)} was found within "
                f"{seconds:g} s; one would cost at least {found.bound:.4g}. Raise time_limit."
            )
        if not found.cells:
            raise _no_way(self.classes_, targets, wishes, plausible)
        changes = changes_to(row, self._schemas, values_in(grid, row.moves, found.cells))
        return self._counterfactual(before, targets, row, changes, found.bound, found.complete)

    def _answer_rule(self) -> AnswerRule:
        """Of a boosted model."""
        costs, plan = decides(self.costs_), self._run.plan  # type: ignore[attr-defined]
        slope, votes = slope_of(plan.rules.variant), plan.multiclass == "samme"
        if costs is None or len(costs) > 2:
            return AnswerRule(0.0, costs, votes, slope)
        return AnswerRule(cut_of(costs, slope), None, votes, slope)

    def _counterfactual(
        self, before: int, targets: list[int], row: RowValues, changes: list[Change], bound: float,
        optimal: bool,
    ) -> Counterfactual:  # fmt: skip
        new = changed_row(row, self._schemas, changes)
        answer = before
        if changes:
            cells = readable_cells(new, self._schemas)
            answer = self._said(self._row(cells))  # type: ignore[attr-defined]
        if answer not in targets:
            raise RuntimeError(
                "The changed row does not get the answer wanted; this is a defect of hardwood, "
                "please report the model and the row."
            )
        old, other = (plain_value(self.classes_[number]) for number in (before, answer))
        cost = total(changes)
        return Counterfactual(old, other, new, tuple(changes), cost, min(bound, cost), optimal)


def _targets(classes: NDArray[Any], before: int, to: Any) -> list[int]:
    if to is not None:
        return [_class_number(classes, to)]
    if len(classes) == 1:
        raise ValueError(
            f"The model knows one class, {plain_value(classes[0])!r}; no change of a row can get "
            "another answer."
        )
    return [number for number in range(len(classes)) if number != before]


def _class_number(classes: NDArray[Any], label: Any) -> int:
    known = [plain_value(each) for each in classes]
    given = plain_value(label)
    if given not in known:
        few = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
        raise ValueError(f"to is {given!r}, which is no class of the model; its classes are {few}.")
    return known.index(given)


def _names(classes: NDArray[Any], targets: list[int]) -> str:
    if len(targets) == 1:
        return f"the answer {plain_value(classes[targets[0]])!r}"
    return "another answer"


def _seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, Real) or not float(given) > 0:
        raise ValueError(f"time_limit must be a number of seconds above 0; given was {given!r}.")
    return float(given)


def _refuse_missing(row: RowValues, schemas: tuple[ColumnSchema, ...], used: list[int]) -> None:
    for j in used:
        if row.values[j] is None:
            raise ValueError(
                f"Column {schemas[j].name!r} of x is missing, and with "
                'missing="fractional" such a row goes down several branches, so its way cannot '
                "be changed; give the value."
            )


def _no_way(
    classes: NDArray[Any], targets: list[int], wishes: Wishes, plausible: Any
) -> ValueError:
    given = {
        "frozen": wishes.frozen,
        "only_up": wishes.only_up,
        "only_down": wishes.only_down,
        "plausible": plausible is not False,
    }
    limits = [name for name, value in given.items() if value]
    told = f" within {' and '.join(limits)}; loosen what is given there" if limits else ""
    return ValueError(f"No change of the row gets {_names(classes, targets)}{told}.")
