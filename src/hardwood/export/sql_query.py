"""A model as a SQL query.

In: a fitted model and the name of a table with its columns. Out: one SELECT that gives every
column of the table (or those to `keep`), and for a tree `leaf`, `prediction` and a share
`p_<class>` per class, for boosted trees the scores too (`hardwood.export.sql_scores`). Each leaf of
a tree is one WHEN with all conditions of its path, joined to one condition per column, so that a
deep tree is a long CASE and not a deeply nested one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwood.export import sql_scores
from hardwood.export.forest import Forest, forest_of
from hardwood.export.sql_terms import case, identifier, literal, number, reached


def sql(
    model: Any, table: str | Sequence[str] = "data", *, keep: Sequence[str] | None = None
) -> str:
    """A query that predicts every row of `table`: "name", "schema.name" or a sequence such as
    ("schema", "name"), in which a name may have points.

    NULL and NaN are missing. Class and category strings are standard literals, names are quoted.
    `keep` lists the columns of the table that come along; without it all do, and columns of
    partial results of boosted trees too (such as `score_after_50`).
    """
    forest = forest_of(model, "SQL")
    names = table.split(".") if isinstance(table, str) else tuple(table)
    source = ".".join(map(identifier, names))
    taken = {schema.name.casefold() for schema in forest.schemas}
    taken.update(each.casefold() for each in keep or ())
    taken.update(each.casefold() for each in names if each.casefold().startswith("scored"))
    kept = ["*"] if keep is None else [identifier(each) for each in keep]
    if forest.link == "shares":
        return _tree_query(forest, source, taken, kept)
    if forest.link == "one":
        label = literal(forest.classes[0])
        share = _name(f"p_{forest.classes[0]}", taken)
        prediction = _name("prediction", taken)
        columns = [*kept, f"{label} AS {prediction}", f"1e0 AS {share}"]
        return f"SELECT {', '.join(columns)}\nFROM {source}\n"
    return _score_query(forest, source, taken, kept)


def _name(wanted: str, taken: set[str]) -> str:
    """An output column that no column of the model shadows."""
    while wanted.casefold() in taken:
        wanted += "_"
    taken.add(wanted.casefold())
    return identifier(wanted)


def _tree_query(forest: Forest, source: str, taken: set[str], kept: list[str]) -> str:
    leaf = _name("leaf", taken)
    cases = [(when, str(node)) for when, node in reached(forest.tree, forest.schemas)]
    inner = f"SELECT *,\n{case(cases)} AS {leaf}\nFROM {source}"
    labels, shares = forest.leaf_labels(), forest.leaf_shares()
    outputs = {"prediction": {node: literal(forest.classes[k]) for node, k in labels.items()}}
    for k, label in enumerate(forest.classes):
        outputs[f"p_{label}"] = {node: number(each[k]) for node, each in shares.items()}
    columns = kept if kept == ["*"] else [*kept, leaf]
    for wanted, by_leaf in outputs.items():
        listed = " ".join(f"WHEN {node} THEN {text}" for node, text in by_leaf.items())
        columns.append(f"CASE {leaf} {listed} END AS {_name(wanted, taken)}")
    return f"SELECT {_comma(columns)}\nFROM (\n{inner}\n) AS {_name('reached', taken)}\n"


def _score_query(forest: Forest, source: str, taken: set[str], kept: list[str]) -> str:
    steps = sql_scores.Steps(source, lambda each: _name(each, taken))
    wanted = [f"score_{label}" for label in forest.classes] if forest.outputs > 1 else ["score"]
    scores = sql_scores.scored(forest, steps, wanted)
    columns = kept if kept == ["*"] else [*kept, *scores]
    prediction = steps.name("prediction")
    shares = sql_scores.probabilities(forest, steps, scores)
    named = [steps.name(f"p_{label}") for label in forest.classes]
    made = [f"{share} AS {name}" for share, name in zip(shares, named, strict=True)]
    if forest.costs is None:
        columns += [f"{sql_scores.label(forest, scores)} AS {prediction}", *made]
    else:
        steps.add(made)
        spent = sql_scores.spent(forest, steps, named)
        columns = kept if kept == ["*"] else [*columns, *named, *spent]
        columns = [*columns, f"{sql_scores.label(forest, spent)} AS {prediction}"]
    return f"{steps}\nSELECT {_comma(columns)}\nFROM {steps.last}\n"


def _comma(columns: Sequence[str]) -> str:
    return ",\n".join(columns)
