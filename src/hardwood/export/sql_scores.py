"""Boosted trees in SQL: scores, probabilities and the label.

In: a `Forest` with scores. Out: SQL expressions, and the queries that make the scores. A tree is a
CASE in a CASE, which planners take as quickly as it is long; a tree too deep for the parsers of
some engines has one WHEN per leaf instead. Sums have at most `ADDENDS` trees, one query after the
other, since planners need time that grows with the square of a sum's length. On a busy
machine DuckDB 2.0 planned 100 trees of depth 3 in 0.4 to 0.7 s and 400 in 1.8 to 2.3 s (three
runs); sums of 300 trees with a WHEN per leaf took 0.7 s and 13 s (one run). Invariant: trees
are added in their order, so that scores have the bits of `decision_function`; probabilities may
differ in the last digits, where EXP does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hardwood.export.decisions import Question, questions
from hardwood.export.forest import Forest, ScoredTree
from hardwood.export.sql_terms import all_of, case, condition, literal, number, reached
from hardwood.table.schema import ColumnSchema
from hardwood.tree.conditions import Condition, Group, Interval

ADDENDS = 50
NESTED = 8
"""Levels of CASE in CASE; SQLite parses about twenty."""
LARGEST = "700e0"
"""exp of more is no float64; `hardwood.boosting.scores` has the same end."""


class Steps:
    """Queries, each of which reads all columns of the one before it and adds some of its own."""

    def __init__(self, source: str, name: Callable[[str], str]) -> None:
        """`name` makes a name that nothing else has."""
        self.last, self.name = source, name
        self._queries: list[str] = []

    def add(self, columns: Sequence[str]) -> None:
        called, listed = self.name("scored"), ",\n".join(columns)
        self._queries.append(f"{called} AS (\nSELECT *,\n{listed}\nFROM {self.last}\n)")
        self.last = called

    def __str__(self) -> str:
        return "WITH " + ",\n".join(self._queries)


def scored(forest: Forest, steps: Steps, wanted: Sequence[str]) -> list[str]:
    """Adds the steps that make the scores, and says what these are called."""
    name = steps.name
    names = [name(each) for each in wanted]
    starts = range(0, max(len(forest.trees), 1), ADDENDS)
    so_far = ["0e0"] * forest.outputs
    for start in starts:
        trees = forest.trees[start : start + ADDENDS]
        after = f"_after_{start + len(trees)}"
        sums = names if start == starts[-1] else [name(f"{each}{after}") for each in wanted]
        columns = []
        for output, (before, called) in enumerate(zip(so_far, sums, strict=True)):
            terms = [text for tree in trees for text in _term(forest, tree, output)]
            columns.append("\n+ ".join([before, *terms]) + f" AS {called}")
        steps.add(columns)
        so_far = sums
    return so_far


def label(forest: Forest, scores: Sequence[str]) -> str:
    """The label of the largest score, or of the least expected cost; the first on a tie."""
    labels = [literal(each) for each in forest.classes]
    if forest.costs is not None:
        return _of_largest([f"-{each}" for each in scores], labels)
    if forest.link == "logistic":
        if math.isinf(forest.cut):  # one kind of mistake costs nothing
            return labels[int(forest.cut < 0)]
        above = f"{scores[0]} > {number(forest.cut)}"
        return f"CASE WHEN {above} THEN {labels[1]} ELSE {labels[0]} END"
    return _of_largest(scores, labels)


def probabilities(forest: Forest, steps: Steps, scores: Sequence[str]) -> list[str]:
    """One per class, as `predict_proba` has them. With more than two classes a step adds what they
    are divided by, for votes another the largest score."""
    if forest.link == "logistic":
        second = _logistic(forest, scores[0])
        return [f"1e0 - {second}", second]
    if forest.link == "rest":
        powers = [_logistic(forest, score) for score in scores]
    else:
        largest = steps.name("largest")
        steps.add([f"{_of_largest(scores, scores)} AS {largest}"])
        spread = number(float(len(scores) - 1))
        powers = [f"EXP(({score} - {largest}) / {spread})" for score in scores]
    total = steps.name("total")
    steps.add(["\n+ ".join(powers) + f" AS {total}"])
    return [f"{power} / {total}" for power in powers]


def spent(forest: Forest, steps: Steps, shares: Sequence[str]) -> list[str]:
    """Adds a step with the expected cost of saying each class, and says what these are called."""
    assert forest.costs is not None
    names, columns = [], []
    for said, label_of in enumerate(forest.classes):
        names.append(steps.name(f"cost_{label_of}"))
        terms = [
            f"{share} * {number(row[said])}"
            for share, row in zip(shares, forest.costs, strict=True)
        ]
        columns.append("\n+ ".join(["0e0", *terms]) + f" AS {names[-1]}")
    steps.add(columns)
    return names


def _of_largest(scores: Sequence[str], values: Sequence[str]) -> str:
    """The value that stands at the place of the largest score, the first on a tie."""
    cases = []
    for k, score in enumerate(scores):
        cases.append((all_of([f"{score} >= {later}" for later in scores[k + 1 :]]), values[k]))
    return case(cases)


def _logistic(forest: Forest, score: str) -> str:
    """Beyond the ends of exp it is 0 or 1 as near as float64 tells."""
    odds = score if forest.slope == 1 else f"{number(float(forest.slope))} * {score}"
    ends = f"WHEN {odds} < -{LARGEST} THEN {LARGEST} WHEN {odds} > {LARGEST} THEN -{LARGEST}"
    return f"(1e0 / (1e0 + EXP(CASE {ends} ELSE -({odds}) END)))"


def _term(forest: Forest, tree: ScoredTree, output: int) -> list[str]:
    """What the tree adds to the output; nothing when it adds to another."""
    if forest.link == "rest" and tree.output != output:
        return []
    leaves = [int(leaf) for leaf in tree.tree.leaf_ids]
    adds = {leaf: number(tree.addend(leaf)) for leaf in leaves}
    if forest.link == "votes":
        mine = {leaf for leaf in leaves if tree.place(leaf) == output}
        if not mine:
            return []
        adds = {leaf: text if leaf in mine else "0e0" for leaf, text in adds.items()}
    if tree.tree.max_depth <= NESTED:
        return [_nested(tree, forest.schemas, adds, 0)]
    return [case([(when, adds[leaf]) for when, leaf in reached(tree.tree, forest.schemas)])]


def _nested(
    scored_tree: ScoredTree, schemas: Sequence[ColumnSchema], adds: dict[int, str], node: int
) -> str:
    tree = scored_tree.tree
    if not tree.branches[node]:
        return adds[node]
    asked, otherwise = questions(tree, schemas, node)
    schema = schemas[tree.feature[node]]
    whens = []
    for question in asked:
        met = condition(_condition(question, schema))
        if met is not None:
            whens.append(f" WHEN {met} THEN {_nested(scored_tree, schemas, adds, question.child)}")
    last = _nested(scored_tree, schemas, adds, otherwise)
    return f"CASE{''.join(whens)} ELSE {last} END" if whens else last


def _condition(question: Question, schema: ColumnSchema) -> Condition:
    if question.cut is not None:
        return Interval(schema, upper=question.cut, missing=question.missing)
    if question.codes:
        return Group(schema, question.codes, missing=question.missing)
    if schema.kind == "category":
        return Group(schema, (), missing=True)
    return Interval(schema, missing=True, present=False)
