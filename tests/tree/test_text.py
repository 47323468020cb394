"""The tree as text, rules and dictionary."""

import json

import numpy as np
import pytest

from hardwood.tree import rules, to_dict, to_text
from tests.hand_built import SCHEMAS, build, groups, interval, leaf, random_node

CLASSES = np.array(["no", "yes"])


def small():
    below = groups(1, [[0, 1], [2]], leaf(10, 0), leaf(1, 7), missing=1)
    return build(interval(0, [42.5], below, leaf(0, 5), missing=0), SCHEMAS)


def test_the_text_shows_conditions_and_leaves_in_columns():
    assert to_text(small(), SCHEMAS, CLASSES).splitlines() == [
        "3 leaves, depth 2                          label  rows     no    yes",
        "├─ age <= 42.5 or missing",
        "│  ├─ city in {Oslo, Bergen} (and others)  no       10      1      0",
        "│  └─ city in {Rome} or missing            yes       8  0.125  0.875",
        "└─ age > 42.5                              yes       5      0      1",
        "A category that a split did not meet in training takes its branch with the most rows.",
    ]


def test_the_text_stops_at_max_depth_and_takes_other_class_names():
    text = to_text(small(), SCHEMAS, CLASSES, max_depth=1, class_names=["stays", "leaves"])
    assert text.splitlines() == [
        "3 leaves, depth 2          label   rows  stays  leaves",
        "├─ age <= 42.5 or missing  ... 2 leaves",
        "└─ age > 42.5              leaves     5      0       1",
        "A category that a split did not meet in training takes its branch with the most rows.",
    ]
    assert "Oslo" not in text
    root = to_text(small(), SCHEMAS, CLASSES, max_depth=0).splitlines()[1]
    assert root.endswith("always          ... 3 leaves")
    with pytest.raises(ValueError, match="3 names; the tree has 2 classes"):
        to_text(small(), SCHEMAS, CLASSES, class_names=["a", "b", "c"])


def test_a_leaf_and_fractional_weights_print_too():
    assert to_text(build(leaf(1, 2.5)), [], [0, 1]).splitlines() == [
        "1 leaf, depth 0  label  rows  weight  weighted share      0      1",
        "└─ always        1         4     3.5           0.714  0.286  0.714",
    ]


def test_a_nearly_pure_leaf_does_not_look_pure():
    assert "0.999  0.001" in to_text(build(leaf(10**6, 1)), [], CLASSES)


def test_many_classes_show_the_share_of_the_label():
    text = to_text(build(leaf(*range(1, 11))), [], range(10))
    assert text.splitlines()[0].split()[-3:] == ["label", "rows", "share"]


def test_rules_are_simplified_conjunctions():
    seen = "city in {Oslo, Bergen}"
    assert [str(rule) for rule in rules(small(), SCHEMAS, CLASSES)] == [
        f"if (age <= 42.5 or missing) and {seen} (and others) then no (100% of 10 rows)",
        "if (age <= 42.5 or missing) and (city in {Rome} or missing) then yes (87.5% of 8 rows)",
        "if age > 42.5 then yes (100% of 5 rows)",
    ]
    assert str(rules(build(leaf(1, 0)), [], CLASSES)[0]) == "if anything then no (100% of 1 row)"


def test_the_dictionary_is_json_and_says_everything():
    tree = small()
    told = json.loads(json.dumps(to_dict(tree, SCHEMAS, CLASSES), allow_nan=False))
    assert told["classes"] == ["no", "yes"]
    assert told["columns"][0] == {"name": "age", "kind": "numeric"}
    root, below, right = told["nodes"][:3]
    assert (root["parent"], root["children"], root["cuts"]) == (None, [1, 2], [42.5])
    assert root["conditions"] == ["age <= 42.5 or missing", "age > 42.5"]
    assert below["groups"] == [["Oslo", "Bergen"], ["Rome"]]
    assert (below["missing_branch"], below["missing_seen"], below["default_branch"]) == (1, True, 0)
    assert (right["label"], right["rows"], right["class_weights"]) == ("yes", 5, [0.0, 5.0])
    assert "children" not in right


def test_integer_cuts_keep_all_digits_in_the_dictionary():
    tree = build(interval(2, [2**63 + 3], leaf(1, 0), leaf(0, 1)), SCHEMAS)
    text = json.dumps(to_dict(tree, SCHEMAS, np.array([1, 2])), allow_nan=False)
    assert "[9223372036854775811]" in text


def test_a_deep_tree_needs_no_deep_stack():
    node = leaf(1, 1)
    for depth in range(1100):
        node = interval(0, [float(depth)], node, leaf(1, 0))
    tree = build(node, SCHEMAS)
    assert len(to_text(tree, SCHEMAS, CLASSES).splitlines()) == tree.n_nodes + 1
    assert len(rules(tree, SCHEMAS, CLASSES)) == 1101
    json.dumps(to_dict(tree, SCHEMAS, CLASSES))


@pytest.mark.parametrize("seed", range(5))
def test_any_tree_prints_a_line_per_node(seed):
    tree = build(random_node(np.random.default_rng(seed), 25, 3), SCHEMAS)
    assert len(to_text(tree, SCHEMAS, "abc").splitlines()) == tree.n_nodes + 1  # unmet values
