"""One session at the workshop: a table, a draft that changes step by step, the tree it gives.

In: an estimator, rows, a draft. Out: plain data for the page. The rows are read and coded once, so
that a step costs growth alone. Invariants: after every step the draft is on disk, if it has a file;
a step names the version it was made from, and one that is made from an older version is refused, so
that two pages cannot undo each other's work unseen.
"""

from __future__ import annotations

import threading
import warnings
from dataclasses import replace
from pathlib import Path as File
from typing import Any

from sklearn.base import clone

from hardwood.draft import Draft, node_text, path_of
from hardwood.draft.lines import Path, read_line
from hardwood.encoding.drawn_rows import draw_none
from hardwood.errors import ModelWarning, OldVersionError
from hardwood.estimators import TreeClassifier
from hardwood.estimators.drafting import alternatives_on, draft_remarks
from hardwood.estimators.parameters import whole_number
from hardwood.estimators.tree_plan import checked_tree_plan
from hardwood.model_file import save
from hardwood.plots.tree_plot import PALETTE
from hardwood.progress import Progress
from hardwood.report import report
from hardwood.report.model_part import model_part
from hardwood.training import MemoryTraining
from hardwood.workshop.columns import NodeColumns
from hardwood.workshop.constraints import refused_at, rules_of
from hardwood.workshop.figures import proofs_of, tree_figures
from hardwood.workshop.limits import (
    Limits,
    file_beside,
    known_of,
    limited,
    limits_of,
    read_limits,
    write_limits,
)
from hardwood.workshop.offers import offer_shown
from hardwood.workshop.validation import Validation

SHOWN = 12
LIMITING = ("direction", "apart", "meet")
STEPS = ("split", "prefer", "forbid", "leaf", "note", "free", *LIMITING, "undo", "redo")


class Session:
    def __init__(
        self,
        estimator: TreeClassifier,
        X: Any,
        y: Any,
        *,
        draft: Draft | None = None,
        file: File | None = None,
        source: str | None = None,
        target: str | None = None,
    ) -> None:
        self._estimator: TreeClassifier = clone(estimator)
        self._X, self._y = X, y
        self._file, self._source, self._target = file, source, target
        self._lock = threading.RLock()
        self._training = _training(self._estimator, X, y)
        self._known = known_of(self._training)
        self._done: list[tuple[Draft, Limits]] = [(draft or Draft(), self._first_limits())]
        self._undone: list[tuple[Draft, Limits]] = []
        self._kept: dict[str, Any] | None = None
        self.version = 0
        self.validation = self.trials = Validation()
        self._take(*self._done[-1])

    @property
    def draft(self) -> Draft:
        return self._done[-1][0]

    @property
    def limits(self) -> Limits:
        return self._done[-1][1]

    def state(self) -> dict[str, Any]:
        """What the page shows."""
        with self._lock:
            return {
                "version": self.version,
                "palette": list(PALETTE),
                "source": self._source,
                "digest": self.model.digest(),
                "model": model_part(self.model),
                "here": {"trained": True},
                "lines": [_line_shown(n, line, self.model) for n, line in enumerate(self.draft)],
                "told": self._told(),
                "remarks": self._remarks,
                "constraints": self._rules.shown(self.limits, self._known) | self._given(),
                "undo": len(self._done) > 1,
                "redo": len(self._undone) > 0,
                "now": self._figures(),
                "kept": self._kept,
                "file": None if self._file is None else str(self._file),
                "validation": self.validation.state(),
            }

    def act(self, version: Any, step: Any) -> dict[str, Any]:
        """Carry out a step; ValueError, and nothing changed, where it makes no sense."""
        with self._lock:
            if version != self.version:
                raise OldVersionError(
                    "The draft was changed on another page meanwhile; this page shows it now as "
                    "it is. Make the step again if you still want it."
                )
            if not isinstance(step, dict) or step.get("do") not in STEPS:
                raise ValueError(f"A step is one of {', '.join(STEPS)}; given was {step!r:.80}.")
            path = self._path_of(step.get("node"))
            if step["do"] in ("undo", "redo"):
                self._back_or_forth(step["do"])
            elif step["do"] in LIMITING:
                self._go_on(self.draft, self.limits.after(step, self._known))
            else:
                self._go_on(self._after(step), self.limits)
            self.version += 1
            self.cancel()
            self.validation = self.trials = Validation()
            self._store()
            return self.state() | {"at": self._nearest(path)}

    def keep(self) -> dict[str, Any]:
        """Put the present draft aside, to be compared with those that follow."""
        with self._lock:
            self._kept = self._figures() | {"log": str(self.draft)}
            return self.state()

    def alternatives(self, node: Any, most: int = SHOWN) -> dict[str, Any]:
        """What else a node could be split on, with costs and rounded thresholds."""
        with self._lock:
            model = self.model
            node = model._checked_node(node)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)
                self._all_rows()
                found = alternatives_on(model, self._training, self._X, node, most, distinct=True)
            never = self._forbidden(found.path)
            offers = [offer_shown(found, number) for number in range(len(found))]
            return {
                "version": self.version,
                "node": node,
                "place": node_text(found.path),
                "offers": [each | {"forbidden": each["column"] in never} for each in offers],
            }

    def refused(self, node: Any) -> dict[str, Any]:
        """What the constraints keep off a node, with the reason."""
        with self._lock:
            node = self.model._checked_node(node)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)
                self._all_rows()
                found = refused_at(self.model, self._training, self._X, node, self._rules)
            return {"version": self.version, "node": node, "refused": found}

    def columns(self, node: Any, first: Any, names: Any = None) -> dict[str, Any]:
        """The classes over the values of some columns, at a node: those named, and then the others
        in the table's order, from place `first` on."""
        with self._lock:
            node, columns = self.model._checked_node(node), self._columns
            found = columns.shown(node, whole_number("first", first, 0) or 0, names)
            return {"version": self.version, "node": node, **found}

    def validate(self) -> dict[str, Any]:
        """Begin to cross-validate the present draft in the background."""
        with self._lock:
            self.cancel()
            self.validation = Validation()
            self.validation.start(self._rules.estimator, self._X, self._y, [self.draft])
            return self.validation.state()

    def try_offers(self, node: Any) -> dict[str, Any]:
        """Begin to cross-validate, for each split that a node is offered and the draft does not
        forbid, the tree that grows with it, in the order of the offers."""
        with self._lock:
            offers = self.alternatives(node)["offers"]
            steps = [each["step"] | {"node": node} for each in offers if not each["forbidden"]]
            drafts = [self._after(step) for step in steps]
            self.cancel()
            self.trials = Validation({"version": self.version, "node": node})
            if drafts:
                self.trials.start(self._rules.estimator, self._X, self._y, drafts)
            return self.trials.state()

    def cancel(self) -> dict[str, Any]:
        """Both kinds of cross-validation."""
        self.validation.cancel()
        self.trials.cancel()
        return self.validation.state()

    def write(self, folder: File) -> list[str]:
        """The model, the draft and the report of the model on these rows."""
        with self._lock:
            paths = [folder / name for name in ("model.hardwood", "draft.json", "report.html")]
            save(self.model, paths[0])
            self.draft.save(paths[1])
            source, claims = self._source, self._proofs
            report(self.model, self._X, self._y, paths[2], source=source, claims=claims)
            return [str(path) for path in paths]

    def _after(self, step: dict[str, Any]) -> Draft:
        """The draft with one more line, about a node of the present tree."""
        node = self.model._checked_node(step.get("node"))
        path, draft = path_of(self.model.tree_, node), self.model.edit(node)
        if step["do"] == "free":
            return draft.without(path)
        given = {name: value for name, value in step.items() if name != "node"}
        line = read_line(given | {"node": list(path)})
        if line.decides:
            draft = draft.reopen(path)
        elif line.do == "forbid":
            before = draft.decision(path)
            if before is not None and before.column == line.column:
                draft = draft.reopen(path)
        return Draft([*draft.lines, line])

    def _path_of(self, node: Any) -> Path:
        """Of a node of the present tree; the root's for anything else."""
        known = type(node) is int and 0 <= node < self.model.tree_.n_nodes
        return path_of(self.model.tree_, node) if known else ()

    def _nearest(self, path: Path) -> int:
        """Where a path leads in the present tree, as far as that goes: nodes get new numbers."""
        tree, node = self.model.tree_, 0
        for branch in path:
            if branch >= len(tree.children(node)):
                break
            node = int(tree.first_child[node]) + branch
        return node

    def _back_or_forth(self, which: str) -> None:
        if which == "undo" and len(self._done) > 1:
            self._undone.append(self._done.pop())
        elif which == "redo" and self._undone:
            self._done.append(self._undone.pop())
        else:
            raise ValueError(f"There is nothing to {which}.")
        self._take(*self._done[-1])

    def _go_on(self, draft: Draft, limits: Limits) -> None:
        self._take(draft, limits)  # first: a draft that cannot be is refused
        self._done.append((draft, limits))
        self._undone.clear()

    def _take(self, draft: Draft, limits: Limits) -> None:
        """The tree of a draft, with all that is shown of it; nothing changes where it fails."""
        rules = rules_of(limited(self._estimator, limits, self._training), self._training)
        model, remarks = self._grown(draft, rules.estimator)
        proofs = proofs_of(model, rules.claims)
        figures = tree_figures(model, proofs, rules.constraints)
        columns = NodeColumns(model, self._X, self._training.label_codes)
        self.model, self._remarks, self._columns = model, remarks, columns
        self._rules, self._proofs, self._figures_of_tree = rules, proofs, figures

    def _first_limits(self) -> Limits:
        """Of the estimator, or as an earlier session with the same ones left them."""
        start = limits_of(self._estimator, self._training)
        self._start = [start.data(), repr(self._estimator.interaction_cst)]
        beside = None if self._file is None else file_beside(self._file)
        if beside is None or not beside.exists():
            return start
        return read_limits(beside, self._start, self._known) or start

    def _given(self) -> dict[str, Any]:
        """The interaction_cst of the start in words; it is lifted as a whole."""
        free = clone(self._estimator).set_params(monotonic_cst=None)
        return {"given": "; ".join(rules_of(free, self._training).words) or None}

    def _store(self) -> None:
        if self._file is None:
            return
        self.draft.save(self._file)
        beside = file_beside(self._file)
        if self.limits.data() != self._start[0] or beside.exists():
            write_limits(beside, self._start, self.limits)

    def _grown(self, draft: Draft, estimator: TreeClassifier) -> tuple[TreeClassifier, list[str]]:
        model: TreeClassifier = clone(estimator)
        plan = replace(checked_tree_plan(model), draft=draft)
        self._all_rows()
        growth, _ = model._fit_on(self._training, plan, self._y, Progress())
        if self._target is not None:
            model.target_name_ = self._target
        return model, list(draft_remarks(draft, growth.followed))

    def _all_rows(self) -> None:
        """No row is held out any more."""
        self._training.hold_out(draw_none(self._training.class_rows))

    def _forbidden(self, path: Path) -> set[str | None]:
        """The columns that the draft keeps out of a node."""
        return {
            line.column
            for line in self.draft
            if line.do == "forbid"
            and (line.node == path or (line.below and path[: len(line.node)] == line.node))
        }

    def _told(self) -> dict[str, list[str]]:
        """By node of the tree, what the draft says there."""
        place = {path_of(self.model.tree_, n): n for n in range(self.model.tree_.n_nodes)}
        told: dict[str, list[str]] = {}
        for line in self.draft:
            if line.node in place:
                told.setdefault(str(place[line.node]), []).append(
                    line.words + (f" ({line.reason})" if line.reason else "")
                )
        return told

    def _figures(self) -> dict[str, Any]:
        found = [each for each in self.validation.state()["found"] if "error" in each]
        checked = found[0] if found else None
        return {"lines": len(self.draft), "checked": checked, **self._figures_of_tree}


def _training(estimator: TreeClassifier, X: Any, y: Any) -> MemoryTraining:
    checked_tree_plan(estimator)
    return MemoryTraining(estimator._request(X, y, None))


def _line_shown(number: int, line: Any, model: TreeClassifier) -> dict[str, Any]:
    return {
        "node": node_text(line.node),
        "words": line.words,
        "reason": line.reason,
        "unmet": number in model.unmet_,
    }
