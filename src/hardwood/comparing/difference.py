"""`diff(old, new, X)`: what changed between two models, in words, and as a page.

In: two fitted models, and rows or none. Out: a `ModelDifference`. Invariant: `same` is whether the
digests are equal; parameters are told beside it, since they are no part of a digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sklearn.utils.validation import check_is_fitted

from hardwood.comparing.records import Changed, RowChange, SplitChange
from hardwood.comparing.rows import comparable_trees, row_changes, rows_for
from hardwood.comparing.structure import Alignment, Number, Says, Side, aligned
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.tree import Tree
from hardwood.tree.numbers import value_text

SHOWN = 10
"""Changes of a kind that are printed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """What changed; print it."""

    same: bool
    """The two models are one: their digests are equal."""
    models: tuple[str, str]
    """What each is, in a few words."""
    parameters: tuple[Changed, ...]
    columns: tuple[Changed, ...]
    classes: tuple[Changed, ...]
    splits: tuple[SplitChange, ...]
    """Where trees part. Of boosted models: in the first round that differs."""
    size: tuple[Changed, ...]
    """Numbers of splits, leaves, rounds and what of them is the same."""
    rows: int | None
    """How many were given; None: none."""
    answers: tuple[RowChange, ...]
    """Rows that get another answer, those of most rows first."""

    @property
    def changed_rows(self) -> int:
        return sum(len(each.rows) for each in self.answers)

    def parts(self) -> Iterator[tuple[str, list[str]]]:
        """Headings and their lines."""
        yield "models", [f"old: {self.models[0]}", f"new: {self.models[1]}", self._sameness()]
        for name in ("parameters", "columns", "classes", "size", "splits"):
            found = [str(each) for each in getattr(self, name)]
            if found:
                yield name, found
        if self.rows is not None:
            share = f" ({self.changed_rows / self.rows:.1%})" if self.rows else ""
            told = f"{self.changed_rows} of {self.rows} rows get another answer{share}"
            yield "answers", [told, *map(str, self.answers)]

    def __str__(self) -> str:
        lines = []
        for name, found in self.parts():
            lines.append(name)
            lines += [f"  {line}" for line in found[: SHOWN + 1]]
            if len(found) > SHOWN + 1:
                lines.append(f"  and {len(found) - SHOWN - 1} more")
        return "\n".join(lines)

    def to_html(self) -> str:
        """The same as a page in the report's style, which loads nothing."""
        # The page is made in a layer above this one.
        made: str = import_module("hardwood.report.difference_page").difference_page(self)
        return made

    def _sameness(self) -> str:
        return "the digests are equal: one model" if self.same else "the digests differ"


def diff(old: Any, new: Any, X: Any = None) -> ModelDifference:
    """What changed from one fitted model to another: parameters, columns, classes and splits; with
    rows X also which rows get another answer, and why. Of a frame each model takes its own columns
    by name. Print the result, or write `to_html()` to a file."""
    rows = None if X is None else (rows_for(_checked(old), X), rows_for(_checked(new), X))
    return difference_of(old, new, rows)


def difference_of(old: Any, new: Any, rows: tuple[Any, Any] | None) -> ModelDifference:
    """`rows`: the same rows, as each model takes them."""
    models = (_checked(old), _checked(new))
    alignment, size = _structure(*models)
    counted: int | None = None
    answers: list[RowChange] = []
    if rows is not None:
        along = alignment if comparable_trees(old, new) else None
        counted, answers = row_changes(old, new, *rows, along)
    return ModelDifference(
        same=old.digest() == new.digest(),
        models=(_heading(old), _heading(new)),
        parameters=tuple(_named(old.get_params(), new.get_params())),
        columns=tuple(_named(_columns(old), _columns(new))),
        classes=tuple(_named(_classes(old), _classes(new))),
        splits=tuple(alignment.changes),
        size=tuple(size),
        rows=counted,
        answers=tuple(answers),
    )


def _checked(model: Any) -> Any:
    if not isinstance(model, TreeClassifier | BoostedTreesClassifier):
        raise TypeError(
            "diff compares fitted TreeClassifiers and BoostedTreesClassifiers; given was "
            f"{type(model).__name__}. A model file is read by hardwood.load."
        )
    check_is_fitted(model)
    return model


def _heading(model: Any) -> str:
    target = getattr(model, "target_name_", None)
    of = f" of {target}" if target else ""
    return (
        f"{type(model).__name__}{of}, {len(model.classes_)} classes, "
        f"{model.n_features_in_} columns, digest {model.digest()[:12]}"
    )


def _named(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Changed]:
    for name in [*old, *(name for name in new if name not in old)]:
        before, after = (repr(side[name]) if name in side else "absent" for side in (old, new))
        if before != after:
            yield Changed(name, before, after)


class _Word(str):
    """Printed as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _columns(model: Any) -> dict[str, Any]:
    """What each column is."""
    found: dict[str, Any] = {}
    for schema in model._schemas:
        kind = "ordered" if schema.ordered else schema.kind
        names = ", ".join(map(value_text, schema.categories))
        found[schema.name] = _Word(f"{kind} {{{names}}}" if names else kind)
    return found


def _classes(model: Any) -> dict[str, Any]:
    return {value_text(label): _Word("a class") for label in model.classes_.tolist()}


def _structure(old: Any, new: Any) -> tuple[Alignment, list[Changed]]:
    if comparable_trees(old, new):
        found = aligned(_side(old), _side(new))
        counts = [(model.get_n_leaves(), len(_splits(model.tree_))) for model in (old, new)]
        size = _count("leaves", counts[0][0], counts[1][0])
        size += _count("splits", counts[0][1], counts[1][1])
        if found.changes:
            size += _both("splits that are the same, by path", found.same_splits)
        return found, size + _moved(found)
    if type(old) is type(new):
        return _rounds(old, new)
    return Alignment(), [Changed("kind", type(old).__name__, type(new).__name__)]


def _count(name: str, old: int, new: int) -> list[Changed]:
    return [Changed(name, old, new)] if old != new else []


def _both(name: str, count: int) -> list[Changed]:
    return [Changed(name, count, count)]


def _moved(found: Alignment) -> list[Changed]:
    """Of leaves whose numbers alone changed."""
    count = found.moved_leaves
    return _both("leaves on the same path with other numbers", count) if count else []


def _splits(tree: Tree) -> list[int]:
    return [node for node in range(tree.n_nodes) if tree.branches[node]]


def _side(model: Any) -> Side:
    tree, classes = model.tree_, model.classes_.tolist()
    shares = tree.shares
    return Side(
        tree,
        model._schemas,
        lambda leaf: value_text(classes[tree.label[leaf]]),
        lambda leaf: dict(zip(classes, shares[leaf].tolist(), strict=True)),
    )


def _rounds(old: Any, new: Any) -> tuple[Alignment, list[Changed]]:
    """The rounds that are the same from the first on, and the changes of the first that is not."""
    rounds = [model._ensemble.rounds for model in (old, new)]
    same, first = 0, Alignment()
    for a, b in zip(*rounds, strict=False):
        first = _round(old, new, a, b, same + 1)
        if first.changes or first.moved_leaves or len(a) != len(b):
            break
        same += 1
    size = _count("rounds", len(rounds[0]), len(rounds[1]))
    if same < max(map(len, rounds)):
        size += _both("rounds that are the same, from the first", same)
    return first, size + _moved(first)


def _round(old: Any, new: Any, a: Any, b: Any, number: int) -> Alignment:
    found = Alignment()
    several = max(len(a), len(b)) > 1
    for place, (before, after) in enumerate(zip(a, b, strict=False)):
        sides = [
            Side(tree, model._schemas, *_adds(tree, weight, output))
            for (tree, weight, output), model in ((before, old), (after, new))
        ]
        of = f" for {value_text(old.classes_.tolist()[place])}" if several else ""
        one = aligned(sides[0], sides[1], f"round {number}{of}")
        found.changes += one.changes
        found.moved_leaves += one.moved_leaves
    return found


def _adds(tree: Tree, weight: float, output: int) -> tuple[Says, Number]:
    assert tree.value is not None
    value = tree.value
    if output < 0:
        votes = f"with {weight:+.6g}"
        return lambda leaf: f"class {int(value[leaf])} {votes}", lambda _: weight
    return lambda leaf: f"{float(weight * value[leaf]):+.6g}", lambda leaf: weight * value[leaf]
