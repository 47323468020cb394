"""Drafts as data: lines, paths, JSON, and sentences for what makes no sense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import Draft, TreeClassifier
from hardwood.certify import check
from hardwood.draft import node_text
from tests.tables.frames import every_kind

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")
HOSTILE = ["</script><script>alert(1)</script>", "\u202e\u2028", "'; DROP TABLE x; --", "\ud800"]


def some_draft() -> Draft:
    return (
        Draft()
        .split("", "age", 60, reason="the law says sixty")
        .split("L", "city", groups=[["Oslo", "Rome"], ["Turin"]], missing=1)
        .prefer("R", "income")
        .forbid("LL", "postcode", reason="stands for something else")
        .leaf("LR")
        .note("LR", "few rows")
    )


def test_each_method_gives_a_new_draft_and_undo_takes_the_last_line_back() -> None:
    draft = some_draft()
    before = draft.lines
    assert draft.leaf("RL").undo() == draft
    assert draft.lines == before
    assert len(draft.undo()) == len(draft) - 1
    assert Draft().undo() == Draft()
    assert [line.node for line in draft.without("L")] == [(), (1,)]
    assert hash(draft) == hash(some_draft())


def test_json_and_files_give_the_same_draft(tmp_path: Path) -> None:
    draft = some_draft()
    for name in HOSTILE:
        draft = draft.note("", name).forbid("", name)
    assert Draft.from_dict(json.loads(json.dumps(draft.to_dict()))) == draft
    draft.save(tmp_path / "d.json")
    assert Draft.load(tmp_path / "d.json") == draft
    assert [file.name for file in tmp_path.iterdir()] == ["d.json"]


def test_a_draft_prints_as_a_log_of_decisions() -> None:
    assert str(some_draft()).splitlines() == [
        "1. root: split on age at 60  (the law says sixty)",
        "2. L: split on city {Oslo, Rome} | {Turin}; missing values to branch 2",
        "3. R: split on income, where it is best",
        "4. LL: never split on postcode, nor below  (stands for something else)",
        "5. LR: a leaf",
        "6. LR: note  (few rows)",
    ]
    assert str(Draft()) == "No decisions yet."
    assert node_text((0, 2)) == "1.3"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda d: d.leaf("L"), "needs the splits above it"),
        (lambda d: d.leaf("").leaf("L"), "says that it is a leaf"),
        (lambda d: d.leaf("X"), "path from the root"),
        (lambda d: d.leaf((0, -1)), "path from the root"),
        (lambda d: d.leaf(3), "path from the root"),
        (lambda d: d.split("", "a", 1).leaf((2,)), "2 branches"),
        (lambda d: d.leaf("").prefer("", "a"), "a decision already"),
        (lambda d: d.split("", "a"), "without a threshold"),
        (lambda d: d.split("", "a", float("nan")), "no finite number"),
        (lambda d: d.split("", "a", True), "no finite number"),
        (lambda d: d.split("", "a", thresholds=[2, 1]), "do not rise"),
        (lambda d: d.split("", "a", 1, missing=5), "which it has not"),
        (lambda d: d.split("", "a", 1, missing=-1), "number of a branch"),
        (lambda d: d.split("", "a", 1, groups=[["x"], ["y"]]), "both"),
        (lambda d: d.split("", "a", groups=[["x"]]), "two groups"),
        (lambda d: d.split("", "a", groups=[["x"], []]), "none of them empty"),
        (lambda d: d.split("", "a", groups=[["x"], ["x"]]), "twice"),
        (lambda d: d.prefer("", 7), "name a column by a string"),
        (lambda d: d.leaf("", reason=7), "reason that is no string"),
        (lambda d: d.forbid("", "a").prefer("", "a"), "must not be split"),
        (lambda d: d.forbid("", "a").split("", "b", 1).prefer("L", "a"), "must not be split"),
        (lambda d: d.split("", "a", 1).forbid("", "a"), "cannot be forbidden"),
        (lambda d: d.forbid("", "a", below=1), "True or False"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make(Draft())


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"hardwood-draft": 2, "lines": []},
        {"hardwood-draft": 1},
        {"hardwood-draft": 1, "lines": [], "more": 1},
        {"hardwood-draft": 1, "lines": [{}]},
        {"hardwood-draft": 1, "lines": [{"do": "jump", "node": []}]},
        {"hardwood-draft": 1, "lines": [{"do": "leaf", "node": [0]}]},
        {"hardwood-draft": 1, "lines": [{"do": "leaf", "node": [], "x": 1}]},
        {
            "hardwood-draft": 1,
            "lines": [{"do": "split", "node": [], "column": "a", "thresholds": 7}],
        },
        {"hardwood-draft": 1, "lines": [{"do": "split", "node": [], "column": "a", "groups": [1]}]},
    ],
)
def test_what_is_no_draft_is_refused(data: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"draft|Draft"):
        Draft.from_dict(data)
    (tmp_path / "d").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"draft|Draft"):
        Draft.load(tmp_path / "d")
    (tmp_path / "d").write_bytes(b"\xff{")
    with pytest.raises(ValueError, match="no JSON"):
        Draft.load(tmp_path / "d")


@pytest.mark.parametrize(
    ("draft", "sentence"),
    [
        (Draft().prefer("", "nowhere"), "which X does not have"),
        (Draft().forbid("", "nowhere"), "which X does not have"),
        (Draft().split("", "city", 3), "column of categories"),
        (Draft().split("", "income", groups=[["a"], ["b"]]), "column of numbers"),
        (Draft().split("", "income", "high"), "column of numbers"),
        (
            Draft().split("", "income", 0).split("L", "income", -1).split("R", "income", 1),
            "4 leaves",
        ),
    ],
)
def test_a_draft_that_does_not_fit_the_table_is_refused(draft: Draft, sentence: str) -> None:
    X, y = every_kind()
    model = TreeClassifier(max_leaf_nodes=3)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y, draft=draft)
    assert not hasattr(model, "tree_")


def test_other_things_than_drafts_are_refused() -> None:
    X, y = every_kind()
    with pytest.raises(TypeError, match="must be a hardwood.Draft"):
        TreeClassifier().fit(X, y, draft={"hardwood-draft": 1})  # type: ignore[arg-type]


def test_columns_may_have_hostile_names() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.normal(size=80) for name in HOSTILE[:3]})
    y = (X[HOSTILE[0]] > 0).astype(int)
    draft = Draft().split("", HOSTILE[1], 0).forbid("L", HOSTILE[0]).prefer("R", HOSTILE[2])
    model = TreeClassifier(pruning=None).fit(X, y, draft=draft)
    assert model.draft_ == draft
    assert not check(model, X, y, thorough=True).differences


def test_the_checker_finds_a_tree_that_is_not_what_its_draft_says() -> None:
    X, y = every_kind()
    model = TreeClassifier(pruning=None).fit(X, y, draft=Draft().split("", "income", 0.25))
    assert check(model, X, y)
    model.draft_ = Draft().split("", "income", 0.5)
    assert "not split as it says" in str(check(model, X, y).differences)
    model.draft_ = Draft().leaf("")
    assert "not a leaf" in str(check(model, X, y).differences)
    model.draft_ = Draft().forbid("", "income")
    assert "forbidden column" in str(check(model, X, y).differences)
    model.draft_ = Draft().prefer("", "income")
    assert check(model, X, y, thorough=True).differences
    del model.draft_
    assert check(model, X, y).differences


def test_categories_that_a_draft_does_not_name_join_the_heaviest_branch() -> None:
    X = pd.DataFrame({"c": list("aaaabbbccd")}, dtype="category")
    y = [0, 0, 0, 1, 1, 1, 1, 0, 1, 1]
    draft = Draft().split("", "c", groups=[["b", "zebra"], ["a"]])
    model = TreeClassifier(min_samples_leaf=1, pruning=None, max_leaf_nodes=2)
    model.fit(X, y, draft=draft)
    assert model.tree_.rows.tolist() == [10, 3, 7]
    assert not check(model, X, y).differences


def test_editing_a_node_keeps_the_splits_above_it_and_the_decisions_so_far() -> None:
    X, y = every_kind()
    start = Draft().forbid("", "city", reason="not allowed").prefer("", "income")
    model = TreeClassifier(pruning=None, max_leaf_nodes=8).fit(X, y, draft=start)
    tree = model.tree_
    node = int(np.flatnonzero(tree.depth == 3)[0])
    draft = model.edit(node)
    assert draft.lines[:2] == start.lines
    assert [len(line.node) for line in draft.lines[2:]] == [1, 2]
    again = TreeClassifier(pruning=None, max_leaf_nodes=8).fit(X, y, draft=draft)
    assert sorted(again.tree_.rows.tolist()) == sorted(tree.rows.tolist())
