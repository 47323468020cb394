"""A model as Graphviz text.

In: a fitted model. Out: a digraph; a tree per cluster for boosted trees. A box is a node, an edge
carries the condition under which rows take it, exactly as in `to_text`; a leaf of a tree says its
label and shares, a leaf of a boosted tree what it adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hardwood.export.forest import Forest, ScoredTree, forest_of
from hardwood.tree.conditions import lines_of
from hardwood.tree.numbers import number_text, value_text
from hardwood.tree.paths import walk
from hardwood.tree.rules import row_share_of, said_share
from hardwood.tree.text import CATEGORY_WIDTH


def dot(model: Any, max_trees: int | None = None) -> str:
    """Graphviz text; of a boosted model the first `max_trees` trees, or all."""
    forest = forest_of(model, "Graphviz")
    if max_trees is not None and max_trees < 1:
        raise ValueError(f"max_trees must be at least 1, or None for all; given was {max_trees}.")
    lines = [
        "digraph hardwood {",
        '  graph [rankdir="LR"];',
        '  node [shape="box", style="rounded", fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    if forest.link == "one":
        lines.append(f"  only [label={_quoted(value_text(forest.classes[0]))}];")
    for number, scored in enumerate(forest.trees[:max_trees]):
        if forest.link == "shares":
            lines += [f"  {line}" for line in _tree(forest, scored, number)]
            continue
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_quoted(_title(forest, scored, number))};")
        lines += [f"    {line}" for line in _tree(forest, scored, number)]
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _title(forest: Forest, scored: ScoredTree, number: int) -> str:
    if forest.link != "rest":
        return f"tree {number + 1}"
    return f"tree {number + 1}, for {value_text(forest.classes[scored.output])}"


def _tree(forest: Forest, scored: ScoredTree, number: int) -> Iterator[str]:
    tree = scored.tree
    for step in walk(tree, forest.schemas):
        node = step.node
        name = f"t{number}n{node}"
        if tree.branches[node]:
            text = value_text(forest.schemas[tree.feature[node]].name)
        else:
            text = _leaf_text(forest, scored, node)
        yield f"{name} [label={_quoted(text)}];"
        if step.branch is not None:
            condition = _quoted("\n".join(lines_of(step.branch, CATEGORY_WIDTH)))
            yield f"t{number}n{tree.parent[node]} -> {name} [label={condition}];"


def _leaf_text(forest: Forest, scored: ScoredTree, node: int) -> str:
    tree = scored.tree
    if forest.link == "shares":
        label = int(tree.label[node])
        share, seen = float(tree.shares[node, label]), float(tree.raw_shares[node, label])
        rows = "1 row" if tree.rows[node] == 1 else f"{tree.rows[node]} rows"
        said = said_share(share, seen, row_share_of(tree, node), rows)
        return f"{value_text(forest.classes[label])}\n{said}"
    score = number_text(scored.addend(node))
    if forest.link == "votes":
        return f"{value_text(forest.classes[scored.place(node)])}\n+{score}"
    return score if score.startswith("-") else f"+{score}"


def _quoted(text: str) -> str:
    """Graphviz reads escapes (\\N) and entities (&amp;) in labels: both are written out."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
    escaped = clean.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return '"' + escaped.replace("\r", "\\r").replace("\n", "\\n") + '"'
