"""A data set on disk gives the model of the table in memory, from memory-mapped codes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import hardwood
from hardwood import BoostedTreesClassifier, Draft, TreeClassifier
from hardwood.stored import back_end, code_columns, source
from tests.effort import trials
from tests.tables.frames import mixed_frame


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(source, "BLOCK_ROWS", 200)


@pytest.fixture
def whole():
    rng = np.random.default_rng(2)
    frame, y = mixed_frame(rng, 1500, 3)
    return frame.assign(label=y, weight=rng.integers(0, 4, 1500).astype(float))


@pytest.fixture
def folder(tmp_path, whole):
    """Files of unequal length, one without rows."""
    place = tmp_path / "rows"
    place.mkdir()
    for i, (a, b) in enumerate([(0, 100), (100, 100), (100, 900), (900, 1500)]):
        table = pa.Table.from_pandas(whole.iloc[a:b], preserve_index=False)
        pq.write_table(table, place / f"{i}.parquet", row_group_size=150)
    return place


def features(whole):
    return whole.drop(columns=["label", "weight"])


def test_trees_from_a_data_set_and_a_lazy_frame_have_the_digest_of_the_table(folder, whole):
    for options in ({"max_leaf_nodes": 30}, {"branching": "multiway", "max_leaf_nodes": 20}):
        here = TreeClassifier(**({"pruning": None} | options))
        here.fit(features(whole), whole["label"], sample_weight=whole["weight"])
        for X in (ds.dataset(folder), pl.scan_parquet(folder / "*.parquet")):
            model = TreeClassifier(**({"n_jobs": 2, "pruning": None} | options))
            assert model.fit(X, "label", sample_weight="weight").digest() == here.digest()


def test_a_draft_on_a_data_set_and_a_lazy_frame_gives_the_digest_of_the_table(folder, whole):
    draft = (
        Draft()
        .split("", "many", 0.25, reason="known in time")
        .split("L", "name", groups=[["s1", "s2", "s3"], ["s4"]])
        .prefer("R", "holes")
        .forbid("RL", "few")
    )
    here = TreeClassifier()
    here.fit(features(whole), whole["label"], sample_weight=whole["weight"], draft=draft)
    assert here.unmet_ == ()
    for X in (ds.dataset(folder), pl.scan_parquet(folder / "*.parquet")):
        model = TreeClassifier(n_jobs=2).fit(X, "label", sample_weight="weight", draft=draft)
        assert (model.digest(), model.draft_) == (here.digest(), draft)


def test_a_tree_from_a_data_set_is_pruned_as_one_from_the_table(folder, whole):
    here = TreeClassifier().fit(features(whole), whole["label"], sample_weight=whole["weight"])
    assert here.tree_.n_leaves < here.grown_tree_.n_leaves
    model = TreeClassifier(n_jobs=2).fit(ds.dataset(folder), "label", sample_weight="weight")
    assert model.digest() == here.digest()


@pytest.mark.parametrize(
    "model",
    [
        TreeClassifier(pruning="reduced-error", random_state=3),
        TreeClassifier(pruning="cost-complexity", ccp_alpha="cv", max_leaf_nodes=40),
        BoostedTreesClassifier(n_estimators=trials(15), early_stopping=True, n_iter_no_change=2),
    ],
)
def test_rows_of_a_data_set_are_held_out_as_those_of_the_table(folder, whole, model):
    here = model.fit(features(whole), whole["label"], sample_weight=whole["weight"]).digest()
    for X in (ds.dataset(folder), pl.scan_parquet(folder / "*.parquet")):
        assert model.fit(X, "label", sample_weight="weight").digest() == here


def test_the_pruning_path_of_a_data_set_is_that_of_the_table(folder, whole):
    model = TreeClassifier(max_leaf_nodes=20)
    here = model.cost_complexity_pruning_path(features(whole), whole["label"], whole["weight"])
    there = model.cost_complexity_pruning_path(ds.dataset(folder), "label", "weight")
    assert np.array_equal(there.ccp_alphas, here.ccp_alphas)


def test_boosting_from_a_data_set_has_the_digest_of_the_table(folder, whole):
    model = BoostedTreesClassifier(n_estimators=3)
    here = model.fit(features(whole).assign(weight=whole["weight"]), whole["label"]).digest()
    assert model.fit(ds.dataset(folder), "label").digest() == here


def test_columns_that_are_mostly_one_value_give_the_model_of_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK_ROWS", 20_000)
    rng = np.random.default_rng(0)
    often = rng.random((40_000, 3)) < [0.96, 0.98, 0.9]
    amounts = np.where(often, [0.0, -2.5, 0.0], rng.normal(size=(40_000, 3)))
    frame = pd.DataFrame(amounts, columns=list("abc"))
    frame.loc[rng.random(40_000) < 0.3, "b"] = np.nan
    score = (frame["a"] > 0) + (frame["b"] == -2.5) + frame["c"]
    frame["label"] = (score + rng.normal(size=40_000) > 1).astype(int)
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), tmp_path / "rows.parquet")
    for model in (
        TreeClassifier(),
        TreeClassifier(pruning=None, branching="multiway", max_leaf_nodes=16),
        BoostedTreesClassifier(n_estimators=3),
    ):
        here = model.fit(frame[list("abc")], frame["label"]).digest()
        assert model.fit(ds.dataset(tmp_path / "rows.parquet"), "label").digest() == here
        hardwood.save(model, tmp_path / "model.hardwood")


def test_codes_that_an_earlier_version_kept_are_refused(folder, tmp_path, monkeypatch):
    model, place = TreeClassifier(pruning=None, max_leaf_nodes=5), tmp_path / "codes"
    with monkeypatch.context() as patch:
        patch.setattr(back_end, "CODES", 1)
        model.fit(ds.dataset(folder), "label", directory=place)
    with pytest.raises(ValueError, match="other data, or of other options"):
        model.fit(ds.dataset(folder), "label", directory=place)


def test_a_kept_directory_is_reused_and_other_data_is_refused(folder, whole, tmp_path, monkeypatch):
    place = tmp_path / "codes"
    model = TreeClassifier(pruning=None, max_leaf_nodes=30)
    first = model.fit(ds.dataset(folder), "label", directory=place).digest()
    monkeypatch.setattr(back_end, "_described", None)
    monkeypatch.setattr(back_end, "code", None)
    assert model.fit(ds.dataset(folder), "label", directory=place).digest() == first
    balanced = TreeClassifier(pruning=None, max_leaf_nodes=30, class_weight="balanced")
    there = balanced.fit(ds.dataset(folder), "label", directory=place).digest()
    assert there == balanced.fit(whole.drop(columns="label"), whole["label"]).digest()
    with pytest.raises(ValueError, match="other data, or of other options"):
        model.fit(ds.dataset(folder), "few", directory=place)
    (place / "descriptions.json").write_text("[")
    with pytest.raises(ValueError, match="is damaged"):
        model.fit(ds.dataset(folder), "label", directory=place)


def test_nothing_stays_behind_of_a_temporary_directory(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(back_end.tempfile, "tempdir", str(tmp_path))
    TreeClassifier(pruning=None, max_leaf_nodes=5).fit(ds.dataset(folder), "label")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows"]


def test_a_broken_file_is_named_and_nothing_half_written_stays(folder, tmp_path):
    X = ds.dataset(folder)
    broken = folder / "2.parquet"
    content = bytearray(broken.read_bytes())
    content[200:2000] = bytes(1800)
    broken.write_bytes(content)
    with pytest.raises(ValueError, match="2.parquet could not be read"):
        TreeClassifier(pruning=None).fit(X, "label", directory=tmp_path / "codes")
    assert list((tmp_path / "codes").iterdir()) == []


def test_files_with_other_columns_or_kinds_are_named(folder, whole):
    frame = whole.iloc[:50].drop(columns="few")
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), folder / "9.parquet")
    with pytest.raises(ValueError, match="9.parquet lacks the columns 'few'"):
        TreeClassifier(pruning=None).fit(ds.dataset(folder), "label")
    frame = whole.iloc[:50].assign(few="text")
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), folder / "9.parquet")
    with pytest.raises(ValueError, match="9.parquet could not be read"):
        TreeClassifier(pruning=None).fit(ds.dataset(folder), "label")


def test_a_disk_too_small_is_refused_before_anything_is_written(folder, tmp_path, monkeypatch):
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(code_columns.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(OSError, match="larger disk"):
        TreeClassifier(pruning=None).fit(ds.dataset(folder), "label", directory=tmp_path / "codes")
    assert list((tmp_path / "codes").iterdir()) == []


def test_wrong_use_gets_a_sentence(folder, tmp_path):
    X = ds.dataset(folder)
    with pytest.raises(ValueError, match="y must be the name of a column"):
        TreeClassifier(pruning=None).fit(X, "absent")
    with pytest.raises(ValueError, match="y must be the name of a column"):
        TreeClassifier(pruning=None).fit(X, np.zeros(3))
    with pytest.raises(ValueError, match="Leave client out"):
        TreeClassifier(pruning=None).fit(X, "label", client="client")
    with pytest.raises(TypeError, match="go through its batches"):
        TreeClassifier(pruning=None, max_leaf_nodes=3).fit(X, "label").predict(X)
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ValueError, match="is not empty"):
        TreeClassifier(pruning=None).fit(X, "label", directory=tmp_path)
    with pytest.raises(ValueError, match="Leave directory out"):
        TreeClassifier(pruning=None).fit(pd.DataFrame({"a": [1, 2]}), [0, 1], directory=tmp_path)
