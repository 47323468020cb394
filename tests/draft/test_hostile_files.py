"""A draft in a model file is checked like every other part of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import hardwood
from hardwood import Draft, ModelFileError, TreeClassifier
from hardwood.certify import check
from hardwood.model_file.container import from_bytes, to_bytes
from tests.tables.frames import every_kind

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")


@pytest.fixture
def saved(tmp_path: Path) -> tuple[dict[str, Any], bytes, Path]:
    X, y = every_kind()
    draft = (
        Draft()
        .split("", "income", 0.25, reason="a quarter")
        .split("L", "city", groups=[["Oslo"], ["Rome", "Turin"]], missing=0)
        .prefer("R", "account")
        .forbid("RL", "city", below=False)
    )
    model = TreeClassifier(pruning=None, max_leaf_nodes=6).fit(X, y, draft=draft)
    path = tmp_path / "m.hardwood"
    hardwood.save(model, path)
    assert hardwood.load(path).draft_ == draft
    header, data = from_bytes(path.read_bytes())
    return header, data, path


def lines(header: dict[str, Any]) -> list[dict[str, Any]]:
    return header["draft"]["lines"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.update(draft=None),
        lambda h: h.update(draft=[]),
        lambda h: h["draft"].pop("unmet"),
        lambda h: h["draft"].update(unmet=[-1]),
        lambda h: h["draft"].update(unmet=[99]),
        lambda h: h["draft"].update(unmet=[True]),
        lambda h: h["draft"].update({"hardwood-draft": 7}),
        lambda h: lines(h)[0].update(do="jump"),
        lambda h: lines(h)[0].update(node=[[0]]),
        lambda h: lines(h)[0].update(thresholds=[None]),
        lambda h: lines(h)[0].update(thresholds=[[1]]),
        lambda h: lines(h)[1].update(groups=[[["Oslo"]], ["Rome"]]),
        lambda h: lines(h)[1].update(groups=[[{"a": 1}], ["Rome"]]),
        lambda h: lines(h)[1].update(missing=2.5),
        lambda h: lines(h).pop(0),
        lambda h: lines(h)[3].update(below="yes"),
        lambda h: lines(h)[3].update(reason=["x"]),
    ],
)
def test_a_draft_that_is_none_is_refused(saved: Any, change: Any) -> None:
    header, data, path = saved
    changed = copy.deepcopy(header)
    change(changed)
    path.write_bytes(to_bytes(changed, data))
    with pytest.raises(ModelFileError, match="draft"):
        hardwood.load(path)


def test_a_draft_of_another_tree_leaves_a_model_that_works(saved: Any) -> None:
    header, data, path = saved
    X, y = every_kind()
    changed = copy.deepcopy(header)
    lines(changed)[0]["column"] = "nowhere"
    lines(changed)[3]["column"] = "elsewhere"
    path.write_bytes(to_bytes(changed, data))
    model = hardwood.load(path)
    assert isinstance(model, TreeClassifier)
    assert check(model, X, y).differences
    assert model.edit().lines
    model.predict(X)
    model.alternatives(1, 3, X, y)
    model.edit(model.tree_.n_nodes - 1)
    hardwood.save(model, path)
