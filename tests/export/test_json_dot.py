"""A reader of the JSON alone predicts as the model does, and Graphviz text is well formed."""

import json
import re

import numpy as np
import pytest

from hardwood import export
from hardwood.table.schema import ColumnSchema
from tests.export.models import CLASSES, as_model, edge_rows, hand_boosted, hand_made
from tests.export.runners import expected, same
from tests.hand_built import build, groups, leaf


def reach(nodes, row):
    """The leaf of a row, by the rules that tree/dictionary.py states."""
    node = nodes[0]
    while "children" in node:
        value = row[node["column_index"]]
        if value is None:
            branch = node["missing_branch"]
        elif "cuts" in node:
            branch = sum(value > cut for cut in node["cuts"])
        else:
            found = [b for b, group in enumerate(node["groups"]) if value in group]
            branch = found[0] if found else node["default_branch"]
        node = nodes[node["children"][branch]]
    return node


def scores_of(model, row):
    scores = [0.0] * model["outputs"]
    for trees in model["rounds"]:
        for tree in trees:
            value = reach(tree["nodes"], row)["value"]
            if tree["class"] is None:
                scores[int(value)] += tree["weight"]
            else:
                output = model["classes"].index(tree["class"]) if model["outputs"] > 1 else 0
                scores[output] += tree["weight"] * value
    return scores


def refuse(text):
    raise AssertionError(f"{text} is not JSON")


@pytest.mark.parametrize("kind", CLASSES)
def test_json_alone_predicts_as_the_tree(kind):
    model = hand_made(5, 20, CLASSES[kind])
    read = json.loads(export.json(model), parse_constant=refuse)
    rows = edge_rows(model)
    leaves = [reach(read["nodes"], row) for row in rows]
    found = [leaf["label"] for leaf in leaves], [leaf["shares"] for leaf in leaves]
    assert same(found, expected(model, rows))


@pytest.mark.parametrize("multiclass", ["ovr", "samme"])
@pytest.mark.parametrize("kind", CLASSES)
def test_json_alone_predicts_as_the_boosted_trees(kind, multiclass):
    labels = CLASSES[kind]
    model = hand_boosted(5, multiclass, labels)
    read = json.loads(export.json(model), parse_constant=refuse)
    rows = edge_rows(model)
    scores = [scores_of(read, row) for row in rows]
    if len(labels) == 2:
        found = [labels[score[0] > 0] for score in scores], [score[0] for score in scores]
    else:
        found = [labels[int(np.argmax(score))] for score in scores], scores
    assert same(found, expected(model, rows))


STATEMENT = re.compile(
    r'  (  )?(?:t\d+n\d+(?: -> t\d+n\d+)? \[label="(?:[^"\\]|\\.)*"\];'
    r'|subgraph cluster_\d+ \{|label="(?:[^"\\]|\\.)*";|\}'
    r'|(?:graph|node|edge) \[[\w-]+="[^"]*"(?:, \w+="[^"]*")*\];)'
)


@pytest.mark.parametrize("seed", range(3))
def test_dot_has_a_box_per_node_and_an_edge_per_branch(seed):
    for model in (hand_made(seed, 15, CLASSES["strings"]), hand_boosted(seed, "ovr", [0, 1, 2])):
        text = export.dot(model)
        lines = text.splitlines()
        assert (lines[0], lines[-1]) == ("digraph hardwood {", "}")
        assert [line for line in lines[1:-1] if not STATEMENT.fullmatch(line)] == []
        trees = [model.tree_] if hasattr(model, "tree_") else model._run.all_trees()
        weights = [1.0] if hasattr(model, "tree_") else model.tree_weights_.ravel()
        nodes = sum(t.n_nodes for t, w in zip(trees, weights, strict=True) if w)
        kept = sum(bool(w) for w in weights)
        assert len(re.findall(r"^ +t\d+n\d+ \[", text, re.MULTILINE)) == nodes
        assert len(re.findall(r"^ +t\d+n\d+ -> ", text, re.MULTILINE)) == nodes - kept


def test_dot_escapes_what_graphviz_would_read():
    schemas = (ColumnSchema("\\N", "category", ("&amp;", 'a "b"')),)
    tree = build(groups(0, [[0], [1]], leaf(1, 0), leaf(0, 2)), schemas)
    text = export.dot(as_model(tree, ["x\ny", "z"], schemas))
    assert r'"\\N in {&amp;amp;}"' in text
    assert r"a \"b\"" in text
    assert r"'x\\ny'" in text


def test_dot_draws_the_first_trees_when_asked():
    model = hand_boosted(2, "ovr", [0, 1])
    assert export.dot(model, max_trees=2).count("subgraph") == 2
    with pytest.raises(ValueError, match="max_trees must be at least 1"):
        export.dot(model, max_trees=0)
