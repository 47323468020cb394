"""Boosting over pairs of a row and a class: parts give the rounds of the table in memory."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, load, save
from hardwood.boosting import pairs
from hardwood.certify import check
from hardwood.stored import source
from tests.distributed.splitting import cut
from tests.distributed.test_same_bits import WEIGHTS, weights_of
from tests.effort import trials
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_fraction")


def model_of(**more: Any) -> BoostedTreesClassifier:
    shape = {"n_estimators": 5, "max_depth": 3, "learning_rate": 1.0, "random_state": 3, **more}
    return BoostedTreesClassifier(variant="discrete", multiclass="pairs", **shape)


tables = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "rows": st.sampled_from([60, 300, 900]),
        "classes": st.sampled_from([3, 4, 7, 12]),
        "parts": st.sampled_from([1, 3, 7]),
        "weights": st.sampled_from(WEIGHTS),
    }
)
boosts = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["error", "error", "km", "gini"]),
        "max_depth": st.sampled_from([1, 3, 6]),
        "learning_rate": st.sampled_from([1.0, 0.1]),
        "weight_fraction": st.sampled_from([1.0, 1.0, 0.9]),
        "feature_fraction": st.sampled_from([1.0, 0.5]),
        "min_samples_leaf": st.sampled_from([1, 1, 9]),
        "min_weight_fraction_leaf": st.sampled_from([0.0, 0.02]),
        "min_category_size": st.sampled_from([1, 40]),
        "class_weight": st.sampled_from([None, "balanced"]),
        "chance_rounds": st.sampled_from(["stop", "skip"]),
        "interaction_cst": st.sampled_from([None, None, "pairwise", [["many", "word", "few"]]]),
    }
)


@settings(max_examples=trials(30), deadline=None)
@given(table=tables, options=boosts)
def test_parts_give_the_rounds_of_the_whole(pieces_of, table, options):
    rng = np.random.default_rng(table["seed"])
    frame, y = mixed_frame(rng, table["rows"], table["classes"])
    weights = weights_of(table["weights"], rng, table["rows"])
    places = rng.integers(0, table["rows"] + 1, table["parts"] - 1).tolist()
    whole = model_of(**options).fit(frame, y, sample_weight=weights)
    parted = model_of(**options, n_jobs=2).fit(pieces_of(cut(frame, y, weights, places)), None)
    assert parted.digest() == whole.digest()
    for round_here, round_there in zip(whole.trees_, parted.trees_, strict=True):
        for here, there in zip(round_here, round_there, strict=True):
            assert np.array_equal(here.rows, there.rows)
            assert np.array_equal(here.class_weights, there.class_weights)
    for name in ("error", "stopped", "exhaustive_assessments"):
        assert parted.history_[name].tolist() == whole.history_[name].tolist()
    np.testing.assert_allclose(parted.history_["bound"], whole.history_["bound"], rtol=1e-9)


def rows_of(classes: int = 4, rows: int = 600, seed: int = 1) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    frame, y = mixed_frame(rng, rows, classes)
    return frame, y, rng.random(rows)


def test_the_model_from_parts_is_checked_kept_and_read_like_any_other(pieces_of, tmp_path):
    frame, y, weights = rows_of()
    model = model_of().fit(pieces_of(cut(frame, y, weights, [100, 350])), None)
    report = check(model, frame, y, sample_weight=weights)
    assert report, report.differences
    save(model, tmp_path / "model.hardwood")
    assert load(tmp_path / "model.hardwood").digest() == model.digest()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"weight_fraction": 0.9, "criterion": "gini", "learning_rate": 0.4},
        {"feature_fraction": 0.3, "chance_rounds": "skip", "max_depth": 1},
        {"class_weight": "balanced", "min_samples_leaf": 5},
    ],
)
def test_a_warm_start_and_a_checkpoint_go_on_where_rounds_ended(pieces_of, tmp_path, more):
    frame, y, weights = rows_of()
    whole = model_of(n_estimators=9, **more).fit(frame, y, weights)
    parts = pieces_of(cut(frame, y, weights, [100, 350]))
    warm = model_of(n_estimators=4, warm_start=True, **more).fit(parts, None)
    save(warm, tmp_path / "warm.hardwood")
    for each in (warm, load(tmp_path / "warm.hardwood")):
        assert each.set_params(n_estimators=9).fit(parts, None).digest() == whole.digest()
        np.testing.assert_allclose(each.history_["bound"], whole.history_["bound"], rtol=1e-9)
    there = model_of(n_estimators=5, **more).fit(parts, None, checkpoint=tmp_path / "rounds")
    again = pieces_of(cut(frame, y, weights, [400]))
    there.set_params(n_estimators=9).fit(again, None, checkpoint=tmp_path / "rounds")
    assert there.digest() == whole.digest()
    other = pieces_of(cut(frame, y, weights[::-1].copy(), [400]))
    with pytest.raises(ValueError, match="of another fit"):
        there.fit(other, None, checkpoint=tmp_path / "rounds")


@pytest.mark.parametrize("refit", [True, False])
def test_early_stopping_ends_where_it_does_in_memory(pieces_of, refit):
    frame, y, weights = rows_of(3)
    shape = {"n_estimators": 25, "early_stopping": True, "n_iter_no_change": 2, "refit": refit}
    here = model_of(**shape).fit(frame, y, weights)
    assert here.n_estimators_ < 25
    parts = pieces_of(cut(frame, y, weights, [100, 350]))
    assert model_of(**shape).fit(parts, None).digest() == here.digest()
    unseen = mixed_frame(np.random.default_rng(7), 200, 3)
    watched = {"X_val": unseen[0], "y_val": unseen[1]}
    here = model_of(**shape).fit(frame, y, weights, **watched)
    assert model_of(**shape).fit(parts, None, **watched).digest() == here.digest()


@pytest.mark.parametrize("search", ["auto", "exhaustive", "adaptive", "quick"])
def test_every_search_is_taken_as_for_other_boosters(pieces_of, search):
    frame, y, weights = rows_of(3, 200)
    parts = pieces_of(cut(frame, y, weights, [90]))
    here = model_of(search=search).fit(frame, y, weights)
    assert model_of(search=search).fit(parts, None).digest() == here.digest()


def test_files_larger_than_a_block_give_the_model_of_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK_ROWS", 400)
    frame, y, weights = rows_of(5, 3000)
    whole = frame.assign(label=y, weight=weights)
    pq.write_table(pa.Table.from_pandas(whole, preserve_index=False), tmp_path / "rows.parquet")
    here = model_of(max_depth=4).fit(frame, y, weights)
    there = model_of(max_depth=4).fit(ds.dataset(tmp_path), "label", "weight")
    assert there.digest() == here.digest()


def test_two_classes_need_no_pairs(pieces_of):
    frame, y, _ = rows_of(3, 120)
    two = cut(frame, y > 0, None, [50])
    assert model_of().fit(pieces_of(two), None).digest() == model_of().fit(frame, y > 0).digest()


def test_too_many_classes_or_pairs_are_refused_with_a_sentence(pieces_of, monkeypatch):
    frame, y, _ = rows_of(3, 400)
    many = y.copy()
    many[:257] = np.arange(257)
    with pytest.raises(ValueError, match="at most 256 classes; y has 257"):
        model_of().fit(pieces_of(cut(frame, many, None, [50])), None)
    monkeypatch.setattr(pairs, "MOST_PAIRS", 1000)
    with pytest.raises(ValueError, match="a partition has 350 rows, and there are 3 classes"):
        model_of().fit(pieces_of(cut(frame, y, None, [50])), None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model_of(n_estimators=1).fit(pieces_of(cut(frame, y, None, [100, 250])), None)
