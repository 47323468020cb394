"""A model as a SQL query.

In: a fitted model and the name of a table with its columns. Out: one SELECT that gives every
column of the table, and for a tree `leaf`, `prediction` and a share `p_<class>` per class, for
boosted trees the scores and `prediction`. Each leaf is one WHEN with all conditions of its path,
joined to one condition per column, so that a deep tree is a long CASE and not a deeply nested
one: SQLite parses about twenty levels. Scores are sums in the order of the trees, with the bits
of `decision_function`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hardwood.export.forest import Forest, ScoredTree, forest_of
from hardwood.export.sql_terms import all_of, condition, identifier, literal, number
from hardwood.table.schema import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.paths import walk

_ADDENDS = 300
"""Trees in one sum; SQLite allows expressions of depth 1000."""


def sql(model: Any, table: str | Sequence[str] = "data") -> str:
    """A query that predicts every row of `table`: "name", "schema.name" or a sequence such as
    ("schema", "name"), in which a name may have points.

    NULL and NaN are missing. Class and category strings are standard literals, names are quoted.
    """
    forest = forest_of(model, "SQL")
    names = table.split(".") if isinstance(table, str) else tuple(table)
    source = ".".join(map(identifier, names))
    taken = {schema.name.casefold() for schema in forest.schemas}
    if forest.link == "shares":
        return _tree_query(forest, source, taken)
    if forest.link == "one":
        label = literal(forest.classes[0])
        return f"SELECT *, {label} AS {_name('prediction', taken)}\nFROM {source}\n"
    return _score_query(forest, source, taken)


def _name(wanted: str, taken: set[str]) -> str:
    """An output column that no column of the model shadows."""
    while wanted.casefold() in taken:
        wanted += "_"
    taken.add(wanted.casefold())
    return identifier(wanted)


def _tree_query(forest: Forest, source: str, taken: set[str]) -> str:
    leaf = _name("leaf", taken)
    cases = [(when, str(node)) for when, node in _reached(forest.tree, forest.schemas)]
    inner = f"SELECT *,\n{_case(cases)} AS {leaf}\nFROM {source}"
    labels, shares = forest.leaf_labels(), forest.leaf_shares()
    outputs = {"prediction": {node: literal(forest.classes[k]) for node, k in labels.items()}}
    for k, label in enumerate(forest.classes):
        outputs[f"p_{label}"] = {node: number(each[k]) for node, each in shares.items()}
    columns = []
    for wanted, by_leaf in outputs.items():
        listed = " ".join(f"WHEN {node} THEN {text}" for node, text in by_leaf.items())
        columns.append(f"CASE {leaf} {listed} END AS {_name(wanted, taken)}")
    return f"SELECT *,\n{_comma(columns)}\nFROM (\n{inner}\n) AS {_name('reached', taken)}\n"


def _score_query(forest: Forest, source: str, taken: set[str]) -> str:
    """Sums of at most `_ADDENDS` trees, one query inside the other, then the label."""
    wanted = [f"score_{label}" for label in forest.classes] if forest.outputs > 1 else ["score"]
    names = [_name(name, taken) for name in wanted]
    steps = range(0, max(len(forest.trees), 1), _ADDENDS)
    query, so_far = source, ["0e0"] * forest.outputs
    for start in steps:
        trees = forest.trees[start : start + _ADDENDS]
        last = start == steps[-1]
        after = f"_after_{start + len(trees)}"
        sums = names if last else [_name(f"{name}{after}", taken) for name in wanted]
        columns = []
        for output, (before, name) in enumerate(zip(so_far, sums, strict=True)):
            terms = [text for tree in trees for text in _term(forest, tree, output)]
            columns.append("\n+ ".join([before, *terms]) + f" AS {name}")
        query = f"(\nSELECT *,\n{_comma(columns)}\nFROM {query}\n) AS {_name('scored', taken)}"
        so_far = sums
    label = f"{_largest(forest, names)} AS {_name('prediction', taken)}"
    return f"SELECT *,\n{label}\nFROM {query}\n"


def _term(forest: Forest, scored: ScoredTree, output: int) -> list[str]:
    """What the tree adds to the output; nothing when it adds to another."""
    if forest.link == "rest" and scored.output != output:
        return []
    leaves = _reached(scored.tree, forest.schemas)
    cases = [(when, number(scored.addend(leaf))) for when, leaf in leaves]
    if forest.link == "votes":
        places = [scored.place(leaf) for _, leaf in leaves]
        cases = [case for case, place in zip(cases, places, strict=True) if place == output]
        return [_case([*cases, ("", "0e0")])] if cases else []
    return [_case(cases)]


def _largest(forest: Forest, scores: Sequence[str]) -> str:
    """The label of the largest score, the first on a tie."""
    labels = [literal(label) for label in forest.classes]
    if forest.link == "logistic":
        if math.isinf(forest.cut):  # one kind of mistake costs nothing
            return labels[int(forest.cut < 0)]
        above = f"{scores[0]} > {number(forest.cut)}"
        return f"CASE WHEN {above} THEN {labels[1]} ELSE {labels[0]} END"
    cases = []
    for k, score in enumerate(scores):
        cases.append((all_of([f"{score} >= {later}" for later in scores[k + 1 :]]), labels[k]))
    return _case(cases)


def _reached(tree: Tree, schemas: Sequence[ColumnSchema]) -> list[tuple[str, int]]:
    """Every leaf that some row can reach, with the condition under which it does."""
    cases = []
    for step in walk(tree, schemas):
        if tree.branches[step.node]:
            continue
        parts = [condition(each) for each in step.path.values()]
        if all(part is not None for part in parts):
            cases.append((all_of([part for part in parts if part]), step.node))
    return cases


def _case(cases: Sequence[tuple[str, str]]) -> str:
    """Exactly one case holds for a row, so the last needs no condition."""
    if len(cases) == 1:
        return cases[0][1]
    whens = "".join(f"\n  WHEN {when or '1 = 1'} THEN {value}" for when, value in cases[:-1])
    return f"CASE{whens}\n  ELSE {cases[-1][1]} END"


def _comma(columns: Sequence[str]) -> str:
    return ",\n".join(columns)
