"""Texts that keep nothing back: all categories, the ways of what training did not meet, and leaves
of one label shown as one without losing their probabilities."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import hardwood
from hardwood.table.schema import ColumnSchema
from hardwood.tree import Group, Interval, routes, to_text
from hardwood.tree.conditions import lines_of, short_text
from hardwood.tree.merged import leaves_below, merged_leaves

TOWNS = [f"town number {i}" for i in range(40)]


@pytest.fixture(scope="module")
def towns():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"town": rng.choice(TOWNS, 2000), "age": rng.integers(18, 80, 2000)})
    risk = X.town.map(dict(zip(TOWNS, rng.random(40), strict=True))).to_numpy()
    y = np.where((risk > 0.5) & (X.age > 40) | (risk > 0.9), "ill", "well")
    return hardwood.TreeClassifier(max_leaf_nodes=6, pruning=None).fit(X, y), X, y


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer(as_frame=True)
    y = data.target_names[data.target]
    return hardwood.TreeClassifier(max_leaf_nodes=12, pruning=None).fit(data.data, y), data.data


def categories_of(text):
    return re.findall(r"town number \d+", text)


def test_text_rules_and_graphs_name_every_category_of_every_branch(towns):
    model, _, _ = towns
    tree, schema = model.tree_, model._schemas[0]
    nodes = [node for node in range(tree.n_nodes) if tree.kind[node] == 2]
    listed = sum(int(tree.group_count[node]) for node in nodes)
    assert nodes
    for text in (model.to_text(), hardwood.export.dot(model)):
        assert len(categories_of(text)) == listed
        assert " more" not in text
    assert all(" more" not in str(rule) for rule in model.rules())
    root = next(node for node in nodes if node == 0)
    codes = tree.group_codes[tree.groups(root)]
    assert {schema.categories[code] for code in codes} <= set(categories_of(model.to_text()))


def test_long_lists_break_between_names_and_numbers_stay_in_their_columns(towns):
    model, _, _ = towns
    lines = model.to_text().splitlines()
    assert max(map(len, lines[:-1])) < 130
    leaves = [line for line in lines if re.search(r"(ill|well) +\d+", line)]
    assert len(leaves) == model.get_n_leaves()
    assert len({re.search(r"(ill|well) +\d+", line).end() for line in leaves}) == 1
    assert not any(line.rstrip().endswith("town number") for line in lines)


def test_folding_is_on_demand(towns):
    model, _, _ = towns
    folded = model.to_text(fold=20)
    assert re.search(r"town in \{town number \d+, \d+ more\}", folded)
    assert len(folded.splitlines()) < len(model.to_text().splitlines())
    with pytest.raises(ValueError, match="fold must be a whole number"):
        model.to_text(fold=0)
    boosted = hardwood.BoostedTreesClassifier(n_estimators=2).fit(*towns[1:])
    assert " more}" in boosted.to_text(fold=20)
    assert " more}" not in boosted.to_text()


def test_explanations_name_every_category(towns):
    model, X, _ = towns
    explanation = model.explain(X[:1])
    assert " more" not in str(explanation)
    for step in explanation.steps:
        assert " more" not in str(step)
        if step.column == "town":
            assert step.value in str(step.condition)


def test_lines_put_together_are_the_condition():
    schema = ColumnSchema("town", "category", tuple(TOWNS))
    group = Group(schema, tuple(range(30)), others=True, excluded=frozenset([31]))
    lines = lines_of(group, 40)
    assert " ".join(lines) == str(group)
    assert max(map(len, lines[:-1])) <= 40
    ranks = ColumnSchema("size", "numeric", ("S", "M", "L", "XL", "XXL"))
    between = Interval(ranks, lower=0, upper=3)
    assert str(between) == "size in {M, L, XL}"
    assert short_text(between, 4) == "size in {M, 2 more}"
    assert lines_of(between, 12) == ["size in {M,", "L, XL}"]


def test_the_text_says_where_unmet_values_go_and_the_model_does_so(towns, cancer):
    model, _, _ = towns
    last = model.to_text().splitlines()[-1]
    assert last == (
        "A missing value or category that a split did not meet in training takes its branch with "
        "the most rows."
    )
    strange = pd.DataFrame({"town": ["Atlantis", None], "age": [30.0, 30.0]})
    for leaf in model.apply(strange):
        node, tree = int(leaf), model.tree_
        while node:
            parent = int(tree.parent[node])
            if tree.feature[parent] == 0:
                children = tree.children(parent)
                assert tree.rows[node] == max(tree.rows[child] for child in children)
            node = parent
    numbers = cancer[0].to_text().splitlines()[-1]
    assert numbers.startswith("A missing value that a split did not meet in training takes")
    assert routes.exceptions(model.tree_) == {} == routes.exceptions(cancer[0].tree_)


def test_weights_and_boosted_trees_speak_of_weight(towns):
    _, X, y = towns
    weighted = hardwood.TreeClassifier(max_leaf_nodes=4, class_weight="balanced").fit(X, y)
    assert weighted.to_text().endswith("with the most weight.")
    boosted = hardwood.BoostedTreesClassifier(n_estimators=2).fit(X, y)
    assert "with the most weight." in boosted.to_text().splitlines()[1]


def test_a_route_against_the_rule_stands_at_its_branch(cancer):
    model, _ = cancer
    tree = model.tree_
    other = tree.missing_branch.copy()
    other[0] = 1 - other[0]
    changed = replace(tree, missing_branch=other)
    text = to_text(changed, model._schemas, model.classes_.tolist())
    assert text.count("(and a missing value not met in training)") == 1


def test_where_missing_values_were_met_or_nothing_is_asked_nothing_is_said():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    model = hardwood.TreeClassifier(pruning=None).fit(X, [0, 1, 1, 1])
    assert "takes its branch" not in "\n".join(model.to_text().splitlines()[1:2])
    leaf = hardwood.TreeClassifier().fit([[1.0], [2.0]], [0, 0])
    assert "takes its branch" not in leaf.to_text()


def test_merged_leaves_are_the_largest_subtrees_of_one_label(cancer):
    tree = cancer[0].tree_
    merged = merged_leaves(tree)
    assert merged
    for node, leaves in merged.items():
        assert leaves == leaves_below(tree, node)
        assert len({tree.label[leaf] for leaf in leaves}) == 1
        if node:
            above = leaves_below(tree, int(tree.parent[node]))
            assert len({tree.label[leaf] for leaf in above}) > 1
    for node in range(tree.n_nodes):
        children = tree.children(node)
        if children and all(not tree.children(child) for child in children):
            alike = len({tree.label[child] for child in children}) == 1
            assert alike == any(children[0] in leaves for leaves in merged.values())


def test_merged_texts_and_rules_keep_rows_labels_and_probabilities(cancer):
    model, X = cancer
    shown = model.rules(merge=True)
    assert len(shown) < model.get_n_leaves()
    text = model.to_text(merge=True)
    assert f"{model.get_n_leaves()} leaves shown as {len(shown)}" in text
    assert sum(rule.rows for rule in shown) == len(X)
    leaf_of, probability = model.apply(X), model.predict_proba(X).max(axis=1)
    labels = model.predict(X)
    for rule in shown:
        mine = np.isin(leaf_of, rule.leaves or [rule.leaf])
        assert mine.sum() == rule.rows
        assert set(labels[mine]) == {rule.label}
        low, high = probability[mine].min(), probability[mine].max()
        assert (rule.share, rule.share if rule.most is None else rule.most) == (low, high)
        if rule.leaves and low != high:
            assert f"{100 * low:.4g}% to {100 * high:.4g}%" in str(rule)
            assert f"{low:.3f}-{high:.3f}" in text
    plain = model.rules()
    assert [rule.leaves for rule in plain] == [()] * len(plain)


def test_a_tree_of_one_label_becomes_one_line():
    X = np.arange(40.0)[:, None]
    y = np.r_[np.zeros(20), np.tile([0, 0, 0, 1], 5)]
    model = hardwood.TreeClassifier(max_leaf_nodes=2, pruning=None).fit(X, y)
    assert "2 leaves shown as 1" in model.to_text(merge=True)
    (rule,) = model.rules(merge=True)
    assert str(rule).startswith("if anything then 0")


def test_a_drawing_lists_below_what_a_card_only_counts(towns):
    pytest.importorskip("matplotlib").use("Agg")
    model, _, _ = towns
    texts = [text.get_text() for text in model.plot().texts]
    counted = [text for text in texts if " more}" in text]
    assert counted
    for text in counted:
        mark = re.search(r"\[\d+\]$", text).group()
        start = next(place for place, note in enumerate(texts) if note.startswith(mark))
        count = int(re.search(r"(\d+) more", text).group(1)) + len(categories_of(text))
        notes = []
        for note in reversed(texts[: start + 1]):
            notes.append(note)
            if "}" in note:
                break
        assert len(categories_of(" ".join(notes))) == count
