"""The digest changes with what a model says and with nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from hardwood.table.schema import ColumnSchema
from hardwood.tree import digest
from tests.hand_built import SCHEMAS, build, groups, interval, leaf, random_node


def model():
    below = groups(1, [[0, 1], [2]], leaf(10, 0), leaf(1, 7), missing=1)
    right = interval(2, [2**63 + 3], leaf(0, 5), leaf(3, 1))
    return build(interval(0, [42.5], below, right, missing=0), SCHEMAS)


BASE = digest([model()], ["no", "yes"], SCHEMAS)


def test_a_digest_is_64_hexadecimal_characters_and_stable():
    assert len(BASE) == 64
    assert int(BASE, 16) >= 0
    assert digest([model()], np.array(["no", "yes"]), SCHEMAS) == BASE
    assert digest([model()], np.array(["no", "yes"], dtype=object), SCHEMAS) == BASE


@pytest.mark.parametrize("scale", [2.0, 3.0, 0.25])
def test_more_of_the_same_rows_change_nothing(scale):
    tree = model()
    more = replace(
        tree,
        class_weights=tree.class_weights * scale,
        rows=tree.rows * 3,
        cost=tree.cost * (1 + 1e-15),
        missing_seen=1 - tree.missing_seen,
    )
    assert digest([more], ["no", "yes"], SCHEMAS) == BASE


def test_where_cuts_and_groups_lie_in_memory_does_not_matter():
    tree = model()
    moved = replace(
        tree,
        thresholds=tree.thresholds[::-1].copy(),
        integer_thresholds=tree.integer_thresholds[::-1].copy(),
        cut_begin=np.where(tree.cut_count > 0, 1 - tree.cut_begin, 0),
        group_codes=np.concatenate([[9], tree.group_codes]),
        group_branches=np.concatenate([[9], tree.group_branches]),
        group_begin=np.where(tree.group_count > 0, tree.group_begin + 1, 0),
    )
    assert digest([moved], ["no", "yes"], SCHEMAS) == BASE


def changed(name, place, value):
    array = getattr(model(), name).copy()
    array[place] = value
    return replace(model(), **{name: array})


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("thresholds", 0, np.nextafter(42.5, 43)), ("integer_thresholds", 1, 5),
     ("group_codes", 2, 3), ("group_branches", 1, 1), ("missing_branch", 0, 1),
     ("default_branch", 1, 1), ("feature", 0, 4), ("class_weights", (3, 1), 1.0)],
)  # fmt: skip
def test_every_part_of_the_tree_counts(name, place, value):
    assert digest([changed(name, place, value)], ["no", "yes"], SCHEMAS) != BASE


def test_inner_class_weights_do_not_count():
    assert digest([changed("class_weights", (0, 1), 99.0)], ["no", "yes"], SCHEMAS) == BASE


def test_negative_zero_is_zero():
    one, other = changed("thresholds", 0, 0.0), changed("thresholds", 0, -0.0)
    assert digest([one], [0, 1], SCHEMAS) == digest([other], [0, 1], SCHEMAS)


@pytest.mark.parametrize("classes", [["no", "yes "], [0, 1], [0.0, 1.0], [False, True], ["0", "1"],
                                     [b"0", b"1"], [None, 1], ["noyes", ""]])  # fmt: skip
def test_classes_count_with_their_types(classes):
    others = [["no", "yes"], [1, 0], [0.0, 1.5], [False, None], ["0", "01"]]
    own = digest([model()], classes, SCHEMAS)
    assert own not in {digest([model()], other, SCHEMAS) for other in others}
    numbers = [[0, 1], [0.0, 1.0], [False, True], ["0", "1"], [b"0", b"1"]]
    assert len({digest([model()], other, SCHEMAS) for other in numbers}) == len(numbers)


@pytest.mark.parametrize(
    "column", [ColumnSchema("Age", "numeric"), ColumnSchema("age", "integer"),
               ColumnSchema("age", "category", ("a",))]
)  # fmt: skip
def test_column_names_kinds_and_categories_count(column):
    assert digest([model()], ["no", "yes"], [column, *SCHEMAS[1:]]) != BASE
    fewer = replace(SCHEMAS[1], categories=SCHEMAS[1].categories[:-1])
    assert digest([model()], ["no", "yes"], [SCHEMAS[0], fewer, *SCHEMAS[2:]]) != BASE


def test_tree_weights_and_the_number_of_trees_count():
    found = {
        digest([model()] * count, ["no", "yes"], SCHEMAS, weights)
        for count, weights in [(1, None), (1, []), (1, [1.0]), (2, None), (2, [1.0, 2.0])]
    }
    assert len(found) == 5


def test_random_trees_have_different_digests():
    trees = [build(random_node(np.random.default_rng(s), 1 + s % 9, 2), SCHEMAS) for s in range(60)]
    assert len({digest([tree], [0, 1], SCHEMAS) for tree in trees}) == 60
