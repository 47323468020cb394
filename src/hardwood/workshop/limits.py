"""The constraints of a session: what was given at the start, and what the page set or lifted.

In: the estimator that the session began with, and steps of the page. Out: `Limits`, which never
change: every step gives new ones, so that undo is the ones before. They are plain data, kept in a
file beside the draft. Columns are names; without names, their places as text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import Any

import numpy as np
from sklearn.base import clone

from hardwood.estimators import TreeClassifier
from hardwood.estimators.constraints import constraints_for_tree, signs_of
from hardwood.model_file.files import replace as write_whole
from hardwood.training import MemoryTraining
from hardwood.tree.numbers import value_text

FORMAT = 1
MOST_SETS = 64
"""Of columns that may meet: every pair kept apart can double them."""
DIRECTIONS = {"rising": 1, "falling": -1, "free": 0}


@dataclass(frozen=True, slots=True)
class Direction:
    """A class may not become less (1) or more (-1) probable as the column rises."""

    column: str
    label: str
    sign: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two columns that no path asks about both."""

    columns: tuple[str, str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    directions: tuple[Direction, ...] = ()
    apart: tuple[Apart, ...] = ()
    meeting: bool = True
    """Whether the interaction_cst of the start is kept."""

    def after(self, step: Mapping[str, Any], known: Known) -> Limits:
        """With one more decision; ValueError where it makes no sense."""
        reason = step.get("reason", "")
        if not isinstance(reason, str):
            raise ValueError(f"A reason is a text; given was {reason!r:.80}.")
        if step["do"] == "direction":
            return self._directed(step, known, reason)
        if step["do"] == "meet":
            return replace(self, meeting=bool(step.get("kept")))
        pair = known.pair(step.get("columns"))
        rest = tuple(each for each in self.apart if set(each.columns) != set(pair))
        if not step.get("apart"):
            return replace(self, apart=rest)
        return replace(self, apart=(*rest, Apart(pair, reason)))

    def _directed(self, step: Mapping[str, Any], known: Known, reason: str) -> Limits:
        column, label = known.column(step.get("column")), known.label(step.get("label"))
        direction = step.get("direction")
        if direction not in DIRECTIONS:
            raise ValueError(
                f"A direction is rising, falling or free; given was {direction!r:.80}."
            )
        rest = tuple(
            each for each in self.directions if (each.column, each.label) != (column, label)
        )
        sign = DIRECTIONS[direction]
        more = (Direction(column, label, sign, reason),) if sign else ()
        return replace(self, directions=rest + more)

    def data(self) -> dict[str, Any]:
        return {
            "directions": [
                {"column": each.column, "label": each.label, "sign": each.sign}
                | {"reason": each.reason}
                for each in self.directions
            ],
            "apart": [{"columns": list(e.columns), "reason": e.reason} for e in self.apart],
            "meeting": self.meeting,
        }


@dataclass(frozen=True)
class Known:
    """What steps may name."""

    columns: tuple[str, ...]
    labels: tuple[str, ...]

    def column(self, given: Any) -> str:
        if not isinstance(given, str) or given not in self.columns:
            raise ValueError(f"{given!r:.80} is no column of the table.")
        return given

    def label(self, given: Any) -> str:
        """Of two classes the second unless one is named."""
        if given is None and len(self.labels) == 2:
            return self.labels[1]
        if not isinstance(given, str) or given not in self.labels:
            raise ValueError(f"{given!r:.80} is no class; a direction is about one class.")
        return given

    def pair(self, given: Any) -> tuple[str, str]:
        if not isinstance(given, list | tuple) or len(given) != 2:
            raise ValueError(f"Two columns are kept apart; given was {given!r:.80}.")
        one, other = (self.column(each) for each in given)
        if one == other:
            raise ValueError(f"{one!r:.80} cannot be kept apart from itself; name two columns.")
        return one, other

    def limits(self, given: Any) -> Limits:
        """From plain data; ValueError where they are none of this table."""
        if not isinstance(given, dict) or set(given) != {"directions", "apart", "meeting"}:
            raise ValueError("they are no constraints of a workshop.")
        try:
            found = Limits(meeting=bool(given["meeting"]))
            names = {sign: name for name, sign in DIRECTIONS.items()}
            for each in given["directions"]:
                direction = {"do": "direction", "direction": names.get(each["sign"])}
                found = found.after(dict(each) | direction, self)
            for each in given["apart"]:
                found = found.after(dict(each) | {"do": "apart", "apart": True}, self)
        except (TypeError, KeyError, AttributeError):
            raise ValueError("they are no constraints of a workshop.") from None
        return found


def known_of(training: MemoryTraining) -> Known:
    names = training.names
    count = len(training.schemas)
    return Known(
        tuple(map(str, range(count))) if names is None else tuple(names),
        tuple(value_text(label) for label in training.classes.tolist()),
    )


def limits_of(estimator: TreeClassifier, training: MemoryTraining) -> Limits:
    """Those that an estimator asks for."""
    known, signs = known_of(training), signs_of(estimator.monotonic_cst, training)
    labels = range(1, 2) if signs.shape[1] == 2 else range(signs.shape[1])
    return Limits(
        tuple(
            Direction(known.columns[place], known.labels[label], int(signs[place, label]))
            for place in np.flatnonzero(signs.any(axis=1)).tolist()
            for label in labels
            if signs[place, label]
        )
    )


def limited(estimator: TreeClassifier, limits: Limits, training: MemoryTraining) -> TreeClassifier:
    """The estimator of the start, with these constraints."""
    known, classes = known_of(training), training.classes.tolist()
    keys: Any = training.names or range(len(known.columns))
    key = dict(zip(known.columns, keys, strict=True))
    signs: dict[Any, Any] = {}
    for each in limits.directions:
        label = classes[known.labels.index(each.label)]
        signs.setdefault(key[each.column], {})[label] = each.sign
    meeting = estimator.interaction_cst if limits.meeting else None
    if limits.apart:
        pairs = [tuple(known.columns.index(name) for name in each.columns) for each in limits.apart]
        sets = _sets(_meeting_sets(estimator, limits, training), pairs)
        meeting = [[keys[place] for place in sorted(group)] for group in sets]
    made: TreeClassifier = clone(estimator)
    made.set_params(monotonic_cst=signs or None, interaction_cst=meeting)
    return made


def _meeting_sets(
    estimator: TreeClassifier, limits: Limits, training: MemoryTraining
) -> list[frozenset[int]]:
    everything = frozenset(range(len(training.schemas)))
    if not limits.meeting or estimator.interaction_cst is None:
        return [everything]
    free = clone(estimator).set_params(monotonic_cst=None)
    found = constraints_for_tree(free, training, 0.0)
    if found is not None and (found.most or found.needs):
        raise ValueError(
            "Columns cannot be kept apart beside the interaction_cst that the session began with, "
            "which is about more than sets of columns; lift that first."
        )
    return [everything] if found is None else [frozenset(group) for group in found.groups]


def _sets(sets: list[frozenset[int]], pairs: list[Any]) -> list[frozenset[int]]:
    """The largest sets that hold no pair."""
    for pair in pairs:
        parted = [each for each in sets if not each.issuperset(pair)]
        halves = [each - {one} for each in sets if each.issuperset(pair) for one in pair]
        parted += [
            each for n, each in enumerate(halves)
            if not any(each <= other for other in parted + halves[:n])
        ]  # fmt: skip
        sets = [each for each in parted if not any(each < other for other in parted)]
        if len(sets) > MOST_SETS:
            raise ValueError(
                f"So many pairs kept apart leave more than {MOST_SETS} sets of columns that may "
                "meet; lift some of them, or give interaction_cst at the start."
            )
    return sets


def file_beside(draft: File) -> File:
    return draft.with_name(f"{draft.stem}.constraints.json")


def write_limits(path: File, start: Any, limits: Limits) -> None:
    given = {"hardwood-constraints": FORMAT, "start": start, **limits.data()}
    write_whole(path, json.dumps(given, indent=1).encode("ascii") + b"\n")


def read_limits(path: File, start: Any, known: Known) -> Limits | None:
    """Those of an earlier session that began with the same constraints; None where it did not."""
    try:
        given = json.loads(path.read_bytes())
        if not isinstance(given, dict) or given.pop("hardwood-constraints", None) != FORMAT:
            raise ValueError("they are no constraints of a workshop.")
        if given.pop("start", None) != start:
            return None
        return known.limits(given)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"The constraints in {path} cannot be taken up: {error} Mend or remove the file."
        ) from None
