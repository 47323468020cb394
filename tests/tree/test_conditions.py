"""Conditions print themselves in the user's values and join exactly."""

import numpy as np
import pytest

from hardwood.table.schema import ColumnSchema
from hardwood.tree import Group, Interval, rules
from hardwood.tree.conditions import short_text
from hardwood.tree.numbers import number_text, value_text
from hardwood.tree.paths import branch_conditions, walk
from tests.hand_built import SCHEMAS, build, groups, grow, interval, leaf, random_node

AGE, CITY, ACCOUNT, BALANCE = SCHEMAS[:4]


def texts(node, which=0):
    return [str(c) for c in branch_conditions(build(node, SCHEMAS), SCHEMAS, which)]


@pytest.mark.parametrize(
    ("value", "text"),
    [(42.5, "42.5"), (42.0, "42"), (-0.0, "0"), (0.1 + 0.2, "0.30000000000000004"),
     (1e300, "1e+300"), (5e-324, "5e-324"), (2**53 + 1, "9007199254740993")],
)  # fmt: skip
def test_numbers_read_back_as_the_same_value(value, text):
    assert number_text(value) == text
    assert type(value)(text) == value


def test_strings_are_quoted_only_where_they_could_be_misread():
    values = ["Oslo", "Paris, Texas", "", " x", True, 3, 2.0, np.str_("a b"), np.int64(7)]
    expected = ["Oslo", "'Paris, Texas'", "''", "' x'", "True", "3", "2", "a b", "7"]
    assert [value_text(value) for value in values] == expected


def test_intervals_say_where_missing_values_go_only_when_there_were_any():
    two = (leaf(3, 1), leaf(1, 1))
    assert texts(interval(0, [42.5], *two)) == ["age <= 42.5", "age > 42.5"]
    assert texts(interval(0, [42.0], *two, missing=0)) == ["age <= 42 or missing", "age > 42"]
    assert texts(interval(0, [], *two, missing=1)) == ["age is present", "age is missing"]


def test_a_wide_split_prints_half_open_intervals():
    four = (leaf(3, 1), leaf(1, 1), leaf(0, 2), leaf(4, 1))
    expected = ["age <= 1.5", "age in (1.5, 60]", "age > 60", "age is missing"]
    assert texts(interval(0, [1.5, 60.0], *four, missing=3)) == expected


def test_integers_beyond_the_doubles_print_every_digit():
    two = (leaf(3, 1), leaf(1, 1))
    assert texts(interval(2, [2**63 + 3], *two))[0] == "account <= 9223372036854775811"
    assert texts(interval(3, [-(2**62) - 1], *two))[1] == "balance > -4611686018427387905"


def test_the_heaviest_branch_takes_the_categories_nobody_saw():
    split = groups(1, [[0, 1], [2, 4]], leaf(30, 1), leaf(1, 1), missing=1)
    expected = ["city in {Oslo, Bergen} (and others)", "city in {Rome, 'Paris, Texas'} or missing"]
    assert texts(split) == expected
    every = groups(1, [[0, 1, 2], [3, 4, 5]], leaf(3, 1), leaf(1, 1))
    assert texts(every)[0] == "city in {Oslo, Bergen, Rome}"
    alone = groups(1, [[0, 1, 2, 3, 4, 5], []], leaf(3, 1), leaf(1, 1), missing=1)
    assert texts(alone) == ["city is present", "city is missing"]
    heavier = groups(1, [[0, 1], []], leaf(3, 1), leaf(10, 1), missing=1)
    assert texts(heavier) == ["city in {Oslo, Bergen}", "city is missing (and others)"]


def test_others_are_told_only_when_they_can_still_come():
    below = groups(1, [[0], [1]], leaf(9, 0), leaf(0, 8))
    root = groups(1, [[0, 1], [2, 3, 4, 5]], below, leaf(20, 20))
    told = [str(s.branch) for s in walk(build(root, SCHEMAS), SCHEMAS) if s.branch is not None]
    assert told[1:3] == ["city in {Oslo}", "city in {Bergen}"]


def test_a_long_list_of_categories_is_counted():
    many = ColumnSchema("city", "category", tuple(f"town {i}" for i in range(100)))
    group = Group(many, tuple(range(100)), frozenset({100}))
    assert short_text(group, 20) == "city in {town 0, town 1, 98 more}"
    assert str(group).count("town") == 100
    assert short_text(Interval(AGE, None, 3), 2) == "age <= 3"


def test_conditions_on_one_column_become_one():
    low = Interval(AGE, None, 60.0, missing=True, missing_seen=True)
    assert str(low & Interval(AGE, 42.5, None, missing=True)) == "age in (42.5, 60] or missing"
    assert str(low & Interval(AGE, None, 42.5)) == "age <= 42.5"
    alone = Interval(AGE, missing=True, missing_seen=True, present=False)
    assert str(low & alone) == "age is missing"
    wide = Group(CITY, (0, 1, 2), frozenset({3}), others=True)
    assert (wide & Group(CITY, (0,), frozenset({1}), others=True)).codes == (0, 2)
    assert (wide & Group(CITY, (0,), frozenset({1}))).codes == (0,)


def holds(condition, value):
    """Slow and obvious; None is missing, a string unknown to the schema another category."""
    if value is None:
        return condition.missing
    if isinstance(condition, Interval):
        above = condition.lower is None or value > condition.lower
        return condition.present and above and (condition.upper is None or value <= condition.upper)
    code = CITY.categories.index(value) if value in CITY.categories else -2
    return code in condition.codes or (condition.others and code not in condition.excluded)


def route(tree, row):
    node = 0
    while tree.branches[node]:
        value, schema = row[tree.feature[node]], SCHEMAS[tree.feature[node]]
        if value is None:
            branch = tree.missing_branch[node]
        elif schema.kind == "category":
            own = tree.groups(node)
            codes = dict(zip(tree.group_codes[own], tree.group_branches[own], strict=True))
            code = CITY.categories.index(value) if value in CITY.categories else -2
            branch = codes.get(code, tree.default_branch[node])
        else:
            exact = tree.thresholds if schema.kind == "numeric" else tree.integer_thresholds
            cuts = exact[tree.cuts(node)]
            if schema.kind == "unsigned":
                cuts = cuts.view(np.uint64)
            branch = sum(
                int(cut) < value if schema.kind != "numeric" else cut < value for cut in cuts
            )
        node = int(tree.first_child[node] + branch)
    return node


@pytest.mark.parametrize("seed", range(20))
def test_every_row_satisfies_exactly_the_rule_of_its_leaf(seed):
    rng = np.random.default_rng(seed)
    tree = grow(random_node(rng, 12, 3), SCHEMAS).tree
    found = rules(tree, SCHEMAS, ["a", "b", "c"])
    assert [rule.leaf for rule in found] == sorted(tree.leaf_ids, key=[r.leaf for r in found].index)
    for _ in range(60):
        row = [
            float(100 * rng.normal()),
            str(rng.choice([*CITY.categories, "Atlantis"])),
            2**63 + int(100000 * rng.normal()),
            2**60 + int(100000 * rng.normal()),
            float(100 * rng.normal()),
        ]
        row = [None if rng.random() < 0.15 else value for value in row]
        satisfied = [
            rule.leaf
            for rule in found
            if all(holds(c, row[SCHEMAS.index(c.schema)]) for c in rule.conditions)
        ]
        assert satisfied == [route(tree, row)]
