"""Drafts of a fitted tree, and what its nodes could be split on instead.

For these questions the rows are needed. An estimator keeps no table: it remembers X and y of `fit`
weakly, as long as the caller keeps them, and asks for them otherwise. Pickles and model files carry
nothing of that.
"""

from __future__ import annotations

import weakref
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hardwood.draft import Draft, draft_of_tree, node_at, path_of, split_line
from hardwood.encoding.drawn_rows import draw_share
from hardwood.estimators.alternatives import Alternatives
from hardwood.estimators.back_ends import back_end_of
from hardwood.estimators.constraints import constraints_for_tree
from hardwood.estimators.parameters import thread_count, whole_number
from hardwood.estimators.remarks import warn
from hardwood.estimators.tree_plan import checked_tree_plan
from hardwood.growing import Followed
from hardwood.growing.ranking import NodePlace, splits_above
from hardwood.table import ColumnSchema
from hardwood.training import MemoryTraining
from hardwood.tree import Tree
from hardwood.tree.route import leaves_of

KEPT_AS_GROWN = "kept as it was grown"
SHOWN = 8


def checked_draft(draft: Any) -> Draft | None:
    """A draft that says something, or None."""
    if draft is not None and not isinstance(draft, Draft):
        raise TypeError(
            f"draft must be a hardwood.Draft or None; given was a {type(draft).__name__}. "
            "Draft.from_dict and Draft.load make one from plain data and from a file."
        )
    return draft


def draft_remarks(draft: Draft | None, followed: Followed | None) -> Iterator[str]:
    """Which lines did not fit the rows."""
    if draft is None or followed is None or not followed.unmet:
        return
    told = [f"line {n + 1} ({draft.lines[n]}): {why}" for n, why in followed.unmet[:SHOWN]]
    more = f"; and {len(followed.unmet) - SHOWN} more" if len(followed.unmet) > SHOWN else ""
    yield (
        f"{len(followed.unmet)} of the draft's {len(draft)} lines do not fit these rows and were "
        f"passed over: {'; '.join(told)}{more}."
    )


class Drafts:
    """For an estimator with `tree_`, `_schemas` and the parameters of a tree."""

    tree_: Tree
    classes_: NDArray[Any]
    _schemas: tuple[ColumnSchema, ...]

    def edit(self, node: int | None = None) -> Draft:
        """A draft of the fitted tree: fitted again on the same rows it gives the same tree.

        With `node`, the draft that the model was grown from and the splits above that node, so
        that a line about the node can follow; everything else is free to grow."""
        check_is_fitted(self)
        if node is None:
            return draft_of_tree(self.tree_, self._schemas)
        tree, draft = self.tree_, getattr(self, "draft_", None) or Draft()
        node = self._checked_node(node)
        above: list[int] = []
        while node:
            node = int(tree.parent[node])
            above.append(node)
        unmet = set(getattr(self, "unmet_", ()))
        lines = [line for number, line in enumerate(draft) if number not in unmet]
        decided = {line.node for line in lines if line.decides}
        for each in reversed(above):
            if path_of(tree, each) not in decided:
                lines.append(split_line(tree, each, self._schemas, KEPT_AS_GROWN))
        return Draft(lines)

    def alternatives(
        self,
        node: int,
        k: int = 5,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        distinct: bool = True,
    ) -> Alternatives:
        """The k best splits of a node: the best of each column, or with distinct=False all
        thresholds of the numeric columns (and the best split of each other). The search is exact
        where `exact` says so, which splits in two of numbers always are. Splits that monotonic_cst
        or interaction_cst do not admit there are left out. Of branching="multiway" the best split
        of a column has the largest drop over price, with as many branches as are acceptable if the
        node is split right after those above it and those that a draft decided.

        X and y are those of `fit`; they may be left out as long as the tables given to `fit` are
        still there. The node's own rows are those that reach it in `tree_`."""
        check_is_fitted(self)
        self._checked_node(node)
        most = whole_number("k", k, 1) or 1
        X, y, sample_weight = self._rows_of_fit(X, y, sample_weight)
        training = MemoryTraining(self._request(X, y, sample_weight))  # type: ignore[attr-defined]
        return alternatives_on(self, training, X, node, most, distinct=distinct)

    def workshop(
        self, X: Any, y: Any, *, folder: str = ".", port: int = 0, browser: bool = True
    ) -> Any:
        """Open the workshop on this machine's loopback address: the tree, live, in a browser.

        It begins with the model's draft, if it has one, and this estimator's parameters; the
        estimator itself is not changed. Returns a `Workshop`: `session.model` and `session.draft`
        are what the page shows, `close()` ends it. `folder` is where save writes. Needs
        `pip install 'hardwood[workshop]'`."""
        from importlib import import_module

        try:
            made = import_module("hardwood.workshop")
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"The workshop needs {error.name}: pip install 'hardwood[workshop]'",
                name=error.name,
            ) from None
        session = made.Session(self, X, y, draft=getattr(self, "draft_", None))
        server = made.serve(session, Path(folder), port)
        if browser:
            webbrowser.open(server.url)
        return server

    def _checked_node(self, node: Any) -> int:
        number = whole_number("node", node, 0) or 0
        if number >= self.tree_.n_nodes:
            raise ValueError(
                f"node must be a node of the tree, 0 to {self.tree_.n_nodes - 1}; given was {node}."
            )
        return number

    def _remember_rows(self, *tables: Any) -> None:
        """X, y and weights, as long as somebody else keeps them."""
        if back_end_of(tables[0]) is None:
            self._rows = tuple(_weakly(table) for table in tables)

    def _rows_of_fit(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
        if X is not None and y is not None:
            return X, y, sample_weight
        kept = getattr(self, "_rows", None)
        found = () if kept is None else tuple(None if each is None else each() for each in kept)
        gone = kept is None or any(
            each is not None and table is None for each, table in zip(kept, found, strict=True)
        )
        if gone or found[0] is None or found[1] is None or X is not None or y is not None:
            raise ValueError(
                "The rows are needed, and a model keeps none: give X and y (and the weights) that "
                "the tree was trained on."
            )
        return found[0], found[1], found[2]


def _weakly(table: Any) -> Any:
    """A weak reference; None for None; one that is dead where there can be none."""
    if table is None:
        return None
    try:
        return weakref.ref(table)
    except TypeError:
        return _gone


def _gone() -> None:
    """What a reference to a table that is no more gives."""


def alternatives_on(
    model: Any,
    training: MemoryTraining,
    X: Any,
    node: int,
    most: int,
    *,
    distinct: bool,
    constrained: bool = True,
) -> Alternatives:
    """Of a node, on rows that are read and coded already. constrained: without the splits that the
    model's constraints do not admit."""
    plan, tree = checked_tree_plan(model), model.tree_
    if training.classes.tolist() != model.classes_.tolist():
        raise ValueError("y has other classes than the tree was trained on; give its own rows.")
    if plan.pruning.method == "reduced-error":
        share = plan.pruning.validation_fraction
        training.hold_out(draw_share(training.class_rows, share, plan.pruning.seed))
    mine = _rows_at(model, training, X, node)
    constraints = constraints_for_tree(model, training, plan.leaf_prior) if constrained else None
    place = place_of(model, node, training.fractional)
    rows = training.rows_of_node(mine, plan.criterion, plan.rules, constraints, plan.prices, place)
    here, before = rows.class_weights, tree.class_weights[node]
    if not np.array_equal(here, before):
        sentence = (
            f"These are not the rows that node {node} was trained on: its class weights were "
            f"{before.tolist()}, and are {here.tolist()} here. The alternatives are about the rows "
            "given."
        )
        warn([sentence])
    offered = rows.ranked(most, not distinct)
    return Alternatives(rows, node, path_of(tree, node), errors_at(tree, node), offered)


def _rows_at(model: Any, training: MemoryTraining, X: Any, node: int) -> NDArray[np.bool_]:
    """Which rows reach a node; of fractional examples all may."""
    if training.fractional:
        return np.ones(len(training.label_codes), dtype=np.bool_)
    leaves = leaves_of(model.tree_, model._table(X), thread_count(model.n_jobs))
    return np.isin(leaves, leaves_below(model.tree_, node))


def place_of(model: Any, node: int, fractional: bool) -> NodePlace:
    tree, draft = model.tree_, getattr(model, "draft_", None) or Draft()
    path = path_of(tree, node)
    above = [node_at(tree, path[:depth]) for depth in range(len(path))]
    told = None
    if fractional:
        lines = [split_line(tree, each, model._schemas) for each in above]
        told = tuple(zip(lines, path, strict=True))
    met = [line for n, line in enumerate(draft) if n not in getattr(model, "unmet_", ())]
    decided = {line.node for line in met if line.do in ("split", "prefer")}
    kept = {each for each in decided if each[: len(path)] != path} | {
        path[:depth] for depth in range(len(path))
    }
    leaves = 1 + sum(len(tree.children(node_at(tree, each))) - 1 for each in kept)
    return NodePlace(splits_above(tree, node), told, leaves)


def leaves_below(tree: Tree, node: int) -> NDArray[np.intp]:
    """The leaves under a node."""
    under = np.zeros(tree.n_nodes, dtype=bool)
    under[node] = True
    for each in range(node + 1, tree.n_nodes):
        under[each] = under[tree.parent[each]]
    return np.flatnonzero(under & tree.is_leaf)


def errors_at(tree: Tree, node: int) -> float:
    """What the branches of a node, as leaves, mislabel; of a leaf, what it mislabels."""
    nodes = list(tree.children(node)) or [node]
    weights = tree.class_weights[nodes]
    return float((weights.sum(axis=1) - weights.max(axis=1)).sum())
