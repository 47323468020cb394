"""Boosted trees for readers: text, rules and plain data.

In: an ensemble, the schemas of its columns, its classes. Out: the trees round by round with what
their leaves add. With two classes a score counts for the second (negative: for the first), with
one-versus-rest for the tree's class, with SAMME a leaf votes for a class with the tree's weight.
Invariant: the scores of the rules that a row satisfies add up, in order, to its decision function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardwood.boosting.ensemble import Ensemble
from hardwood.table.schema import ColumnSchema
from hardwood.tree import Condition, Tree, routes
from hardwood.tree.dictionary import columns_of, nodes_of
from hardwood.tree.numbers import json_value, number_text, plain_value, value_text
from hardwood.tree.paths import walk
from hardwood.tree.text import Shown, outlined


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """If all conditions hold, the tree of round `round` adds `score` to the class `label`."""

    round: int
    leaf: int
    conditions: tuple[Condition, ...]
    label: object
    score: float

    def __str__(self) -> str:
        parts = [str(condition) for condition in self.conditions]
        if len(parts) > 1:
            parts = [f"({part})" if part.endswith(" or missing") else part for part in parts]
        premise = " and ".join(parts) or "anything"
        return f"round {self.round + 1}: if {premise} then {_signed(self.score)} for {self._name()}"

    def _name(self) -> str:
        return value_text(self.label)


class _Part(NamedTuple):
    """One tree: its round from 0, its weight, and the output it adds to (-1: its leaf's class)."""

    round: int
    tree: Tree
    weight: float
    output: int


def ensemble_rules(
    ensemble: Ensemble, schemas: Sequence[ColumnSchema], classes: Sequence[object]
) -> list[ScoreRule]:
    """One rule per leaf, round by round; trees of weight 0 have none."""
    return [
        ScoreRule(
            part.round,
            step.node,
            tuple(step.path.values()),
            plain_value(_class_of(part, step.node, classes)),
            _score(part, step.node),
        )
        for part in _parts(ensemble)
        if part.weight != 0
        for step in walk(part.tree, schemas)
        if part.tree.branches[step.node] == 0
    ]


def ensemble_text(
    ensemble: Ensemble,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    max_rounds: int | None = None,
    fold: int | None = None,
) -> str:
    """The trees of the first rounds, or of all, one below the other."""
    count = len(ensemble.rounds)
    kinds = {kind for part in _parts(ensemble) for kind in routes.unmet(part.tree)}
    route = routes.sentence(sorted(kinds, reverse=True), weighted=True)
    title = f"{count} round{'s' if count != 1 else ''}, {_meaning(ensemble, classes)}"
    blocks = ["\n".join(filter(None, [title, route]))]
    for part in _parts(ensemble):
        if max_rounds is not None and part.round >= max_rounds:
            more = count - max_rounds
            blocks.append(f"... {more} more round{'s' if more != 1 else ''}")
            break
        blocks.append(_tree_text(part, ensemble.outputs, schemas, classes, fold))
    return "\n\n".join(blocks)


def ensemble_dict(
    ensemble: Ensemble, schemas: Sequence[ColumnSchema], classes: Sequence[object]
) -> dict[str, Any]:
    """`rounds` is a list of lists of trees, each with its weight and the class it adds to (None:
    the class that its leaf's value numbers); nodes as in a single tree, with `value`."""
    rounds: list[list[dict[str, Any]]] = [[] for _ in ensemble.rounds]
    for part in _parts(ensemble):
        tree = {
            "weight": part.weight,
            "class": None if part.output < 0 else json_value(_class_of(part, 0, classes)),
            "nodes": nodes_of(part.tree, schemas, _tree_classes(part, classes)),
        }
        rounds[part.round].append(tree)
    return {
        "classes": [json_value(label) for label in classes],
        "columns": columns_of(schemas),
        "outputs": ensemble.outputs,
        "rounds": rounds,
    }


def _parts(ensemble: Ensemble) -> Iterator[_Part]:
    for number, each in enumerate(ensemble.rounds):
        for tree, weight, output in each:
            yield _Part(number, tree, float(weight), output)


def _class_of(part: _Part, leaf: int, classes: Sequence[object]) -> object:
    """The class that a leaf's score counts for."""
    assert part.tree.value is not None
    if part.output < 0:
        return classes[int(part.tree.value[leaf])]
    return classes[part.output] if len(classes) > 2 else classes[-1]


def _tree_classes(part: _Part, classes: Sequence[object]) -> Sequence[object]:
    """Of the tree's own weights; None is every other class."""
    if part.tree.n_classes == len(classes):
        return classes
    return [None, _class_of(part, 0, classes)] if len(classes) > 2 else [*classes, None]


def tree_class_names(
    ensemble: Ensemble, classes: Sequence[object], number: int, output: int
) -> tuple[Tree, list[object]]:
    """Round `number`'s tree for an output, and what a drawing calls the classes of its weights."""
    tree, weight, place = ensemble.rounds[number][output]
    names = _tree_classes(_Part(number, tree, weight, place), classes)
    return tree, ["other" if name is None else name for name in names]


def _score(part: _Part, leaf: int) -> float:
    assert part.tree.value is not None
    return part.weight if part.output < 0 else float(part.weight * part.tree.value[leaf])


def _meaning(ensemble: Ensemble, classes: Sequence[object]) -> str:
    if len(classes) == 1:
        return f"always {value_text(classes[0])}"
    if ensemble.outputs == 1:
        first, second = map(value_text, classes)
        return f"a positive sum of scores says {second}, any other {first}"
    return "the class with the largest sum of scores is the label"


def _tree_text(
    part: _Part,
    outputs: int,
    schemas: Sequence[ColumnSchema],
    classes: Sequence[object],
    fold: int | None,
) -> str:
    title = f"round {part.round + 1}, weight {number_text(part.weight)}"
    if outputs > 1 and part.output >= 0:
        title += f", for {value_text(_class_of(part, 0, classes))}"

    def cells(node: int) -> list[str]:
        rows, score = str(part.tree.rows[node]), _signed(_score(part, node))
        if part.output < 0:
            return [value_text(_class_of(part, node, classes)), rows, score]
        return [score, rows]

    header = ["label", "rows", "score"] if part.output < 0 else ["score", "rows"]
    return f"{title}\n{outlined(part.tree, schemas, header, cells, Shown(fold=fold))}"


def _signed(score: float) -> str:
    return f"{score:+.6g}"
