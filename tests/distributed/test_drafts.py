"""Over parts a draft gives the tree, the record and the sentences that it gives in memory."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.certify import check
from hardwood.errors import ModelWarning
from tests.distributed.pieces import Pieces
from tests.distributed.splitting import cut
from tests.effort import trials
from tests.tables.frames import every_kind, every_storage, mixed_frame

pytestmark = pytest.mark.grid

SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "gini": {"criterion": "gini", "pruning": None, "max_leaf_nodes": 12},
    "heaviest": {"criterion": "entropy", "leaf_choice": "weight", "max_leaf_nodes": 9},
    "shallow": {"criterion": "error", "min_samples_leaf": 1, "max_depth": 2},
    "cost-complexity": {"pruning": "cost-complexity", "ccp_alpha": 0.005},
    "cross-validated": {"pruning": "cost-complexity", "ccp_alpha": "cv", "max_leaf_nodes": 15},
    "reduced-error": {"pruning": "reduced-error", "min_samples_leaf": 1},
    "multiway": {"branching": "multiway", "max_leaf_nodes": 16},
    "rare": {"min_category_size": 1, "min_drop": 0.001},
    "balanced": {"class_weight": "balanced", "max_leaf_nodes": 10},
    "interactions": {
        "interaction_cst": [
            ["many", "few", "tenths", "flag", "same"],
            ["word", "name", "city"],
            ["holes", "single", "name"],
        ]
    },
    "fractional": {"missing": "fractional"},
    "fractional-shallow": {"missing": "fractional", "max_depth": 2, "min_samples_leaf": 4},
    "fractional-multiway": {"missing": "fractional", "branching": "multiway", "max_leaf_nodes": 16},
}
LINES = {
    "numbers": Draft().split("", "many", 0.125).split("L", "few", 1).split("LR", "tenths", -0.35),
    "categories": Draft()
    .split("", "word", groups=[["x", "y", "a"], ["z", "b"]])
    .split("L", "name", groups=[["s1", "s17", "s200"], ["s3", "s4"]])
    .split("R", "city", groups=[["a", "not there"], ["b"], ["c", "d"]]),
    "integers": Draft().split("", "wide", 2**59 + 12_345).split("R", "wide", 2**59 + 2**58),
    "several": Draft()
    .split("", "holes", thresholds=[-0.5, 0.25, 0.2500001])
    .split((2,), "single", thresholds=[-1.0, -0.01, 0.0, 1.5])
    .prefer((0,), "name"),
    "columns": Draft().prefer("", "name").prefer("L", "single").forbid("R", "many").leaf("LL"),
    "few": Draft()
    .split("", "few", thresholds=[0, 2.5])
    .split((1,), "flag", 0)
    .note((2,), "to be discussed"),
    "never": Draft().forbid("", "many").forbid("", "word", below=False).note("", "why not"),
    "leaf": Draft().leaf("", reason="nothing pays"),
    "nonsense": Draft()
    .split("", "few", 2)
    .split("L", "many", 1e9)
    .prefer("LL", "flag")
    .split("R", "same", 1.0)
    .prefer("RR", "same")
    .leaf("RL"),
    "same cut": Draft().split("", "wide", thresholds=[2.0**50 + 0.25, 2.0**50 + 0.5]).leaf("L"),
}


def table(seed: int, classes: int, weighted: bool) -> tuple[pd.DataFrame, pd.Series, Any]:
    rng = np.random.default_rng(seed)
    X, y = mixed_frame(rng, 600, classes)
    return X, y, rng.integers(0, 4, len(X)).astype(float) if weighted else None


def said(model: TreeClassifier, *data: Any, draft: Draft | None) -> list[str]:
    """What fit warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ModelWarning)
        model.fit(*data, draft=draft)
    return [str(w.message) for w in caught if issubclass(w.category, ModelWarning)]


def places(rows: int, parts: int) -> list[int]:
    rng = np.random.default_rng(parts)
    return sorted(rng.integers(1, rows, parts - 1).tolist())


def expect_same(
    X: pd.DataFrame, y: pd.Series, weights: Any, draft: Draft | None, parts: int, **setting: Any
) -> TreeClassifier:
    here, there = TreeClassifier(**setting), TreeClassifier(**setting, n_jobs=2)
    told = said(here, X, y, weights, draft=draft)
    pieces = Pieces(cut(X, y, weights, places(len(X), parts)))
    assert said(there, pieces, None, draft=draft) == told
    assert there.digest() == here.digest()
    assert getattr(there, "unmet_", None) == getattr(here, "unmet_", None)
    assert str(there.certificate_) == str(here.certificate_)
    for name, values in here.history_.items():
        np.testing.assert_array_equal(there.history_[name], values)
    for name in ("class_weights", "rows", "share"):
        np.testing.assert_array_equal(getattr(there.tree_, name), getattr(here.tree_, name))
    return there


@pytest.mark.usefixtures("pieces_of")
@pytest.mark.parametrize("turn", range(2))
@pytest.mark.parametrize("setting", SETTINGS)
def test_instructions_are_carried_out_as_in_memory(setting: str, turn: int) -> None:
    """Drafts and settings take turns, since each comparison is two fits."""
    number = list(SETTINGS).index(setting)
    for lines in list(LINES)[(number + turn) % 4 :: 4]:
        X, y, weights = table(number, 2 + number % 3, turn == 1)
        expect_same(X, y, weights, LINES[lines], (1, 3, 7)[number % 3], **SETTINGS[setting])


@pytest.mark.usefixtures("pieces_of")
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_draft_of_a_tree_gives_that_tree_and_an_empty_one_too(
    setting: str, tmp_path: Path
) -> None:
    number = list(SETTINGS).index(setting)
    X, y, weights = table(100 + number, 2 + number % 2, number % 3 == 0)
    plain = expect_same(X, y, weights, None, 3, **SETTINGS[setting])
    for draft in (plain.edit(), Draft()):
        model = expect_same(X, y, weights, draft, (1, 7)[number % 2], **SETTINGS[setting])
        assert model.digest() == plain.digest()
        assert model.unmet_ == ()
        assert not check(model, X, y, weights, thorough=True).differences
        hardwood.save(model, tmp_path / "m")
        loaded = hardwood.load(tmp_path / "m")
        assert (loaded.digest(), loaded.draft_) == (plain.digest(), draft)


@pytest.mark.usefixtures("pieces_of")
@pytest.mark.parametrize("missing", [None, 0, 1, 2])
@pytest.mark.parametrize("column", ["tenths", "holes", "city", "gone"])
def test_missing_values_take_the_told_branch(column: str, missing: int | None) -> None:
    X, y, weights = table(5, 3, weighted=True)
    X["gone"] = np.nan
    if column == "city":
        draft = Draft().split("", column, groups=[["a", "b"], ["c"], ["d"]], missing=missing)
    else:
        draft = Draft().split("", column, 0.15, missing=missing)
    if missing == 1 and column != "city":
        draft = draft.split("L", column, missing=1).split("R", column, missing=1)
    for parts in (1, 4):
        expect_same(X, y, weights, draft, parts)
    expect_same(X.drop(columns="gone"), y, weights, Draft().split("", "holes", missing=1), 2)


@pytest.mark.usefixtures("pieces_of")
@pytest.mark.parametrize("seed", range(3))
def test_thresholds_anywhere_in_a_column_of_many_values(seed: int) -> None:
    """At values, between them, beside the bounds of buckets, several in one bucket."""
    X, y, weights = every_storage(seed, n_classes=2 + seed % 2, n=1200)
    labels = pd.Series(y)
    rng = np.random.default_rng(seed)
    for column in ("any0", "any1", "level3", "spike1", "large"):
        values = np.sort(X[column].dropna().unique())
        at = rng.integers(0, len(values) - 9, trials(4))
        for start in at.tolist():
            cuts = values[start : start + 8 : 3]
            thresholds = [cuts.tolist(), [values[start].item()], [float(values[start]) + 0.5]]
            draft = (
                Draft()
                .split("", column, thresholds=thresholds[start % 3])
                .prefer((1,), "category700")
            )
            expect_same(X, labels, weights, draft, 1 + start % 5, pruning=None, max_leaf_nodes=8)


@pytest.mark.usefixtures("pieces_of")
def test_every_kind_of_column_is_told_in_its_own_values() -> None:
    X, y = every_kind(400)
    draft = (
        Draft()
        .split("", "account", 2**53 + 4)
        .split("L", "serial", 2**64 - 5)
        .split("R", "size", groups=[[10.0, 99.0], [1.5]])
        .split("RL", "city", groups=[["Oslo", "Rome"], ["São Paulo"]], missing=0)
    )
    model = expect_same(X, y, None, draft, 3)
    assert model.unmet_ == ()
    assert not check(model, X, y, thorough=True).differences


@pytest.mark.usefixtures("pieces_of")
@pytest.mark.parametrize("seed", range(3))
def test_costs_and_constraints_beside_a_draft(seed: int) -> None:
    X, y, weights = table(seed, 2, weighted=seed == 1)
    costs = {(0, 1): 1.0, (1, 0): 6.0}
    draft = Draft().split("", "holes", 0.1).prefer("R", "tenths").forbid("L", "many").leaf("RL")
    expect_same(X, y, weights, draft, 3, costs=costs, min_samples_leaf=1)
    expect_same(X, y, weights, draft, 3, monotonic_cst={"tenths": 1, "many": 1})
    expect_same(X, y, weights, draft, 3, interaction_cst=[["holes", "tenths", "few"]])


@pytest.mark.usefixtures("pieces_of")
def test_what_a_draft_cannot_ask_for_is_refused_with_the_sentence_of_memory() -> None:
    X, y, _ = table(3, 2, weighted=False)
    refused: list[tuple[Draft, dict[str, Any]]] = [
        (Draft().split("", "nowhere", 1.0), {}),
        (Draft().split("", "word", 1.0), {}),
        (Draft().split("", "many", 0.0).split("L", "few", 1), {"max_leaf_nodes": 2}),
        (Draft().split("", "tenths", 0.0, missing=1), {"missing": "fractional"}),
        (Draft().split("", "many", 0.0), {"monotonic_cst": {"many": -1}}),
        (
            Draft().split("", "many", 0.0).split("L", "few", 1),
            {"interaction_cst": [["many", "word"], ["few", "tenths"]]},
        ),
    ]
    for draft, setting in refused:
        with pytest.raises(ValueError, match="draft") as here:
            TreeClassifier(**setting).fit(X, y, draft=draft)
        with pytest.raises(ValueError, match="draft") as there:
            TreeClassifier(**setting).fit(Pieces(cut(X, y, None, [200])), None, draft=draft)
        assert str(there.value) == str(here.value)
