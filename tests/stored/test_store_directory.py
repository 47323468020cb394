"""The directory of codes: whole or empty, whatever happens while it is written."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.boosting.checkpoint import Checkpoint
from hardwood.stored import back_end, code_columns, directory, source
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(source, "BLOCK_ROWS", 200)


@pytest.fixture
def rows():
    frame, y = mixed_frame(np.random.default_rng(2), 900, 2)
    return frame.assign(label=y)


@pytest.fixture
def dataset(tmp_path, rows):
    place = tmp_path / "rows"
    place.mkdir()
    for i in range(3):
        rows.iloc[300 * i : 300 * i + 300].to_parquet(place / f"{i}.parquet")
    return ds.dataset(place)


def tree():
    return TreeClassifier(pruning=None, max_leaf_nodes=12)


def full_disk():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


STAGES = {
    "describing": (back_end, "describe", 3),
    "coding": (back_end, "code", 3),
    "writing a block": (code_columns.np, "save", 20),
    "describing the blocks": (back_end, "save_descriptions", 1),
    "finishing": (directory.StoreDirectory, "finish", 1),
}


def fail_at(monkeypatch, stage, error):
    """The number-th call of a stage's function fails after it did half of its work."""
    owner, name, number = STAGES[stage]
    function, seen = getattr(owner, name), [0]

    def failing(*arguments, **options):
        seen[0] += 1
        if seen[0] != number:
            return function(*arguments, **options)
        if name in ("save", "save_descriptions"):
            function(*arguments, **options)
        raise error

    monkeypatch.setattr(owner, name, failing)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kept", [True, False])
def test_an_interrupted_fit_leaves_nothing_behind(dataset, tmp_path, monkeypatch, stage, kept):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(back_end.tempfile, "tempdir", str(scratch))
    place = tmp_path / "codes"
    with monkeypatch.context() as patch:
        fail_at(patch, stage, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            tree().fit(dataset, "label", directory=place if kept else None)
    assert list(scratch.iterdir()) == []
    assert not place.exists() or list(place.iterdir()) == []
    fitted = tree().fit(dataset, "label", directory=place if kept else None)
    assert fitted.digest() == tree().fit(dataset, "label").digest()


def test_an_interrupt_during_growth_leaves_a_whole_store(dataset, tmp_path, monkeypatch):
    scratch, place = tmp_path / "scratch", tmp_path / "codes"
    scratch.mkdir()
    monkeypatch.setattr(back_end.tempfile, "tempdir", str(scratch))
    for model in (tree(), BoostedTreesClassifier(n_estimators=3)):
        for kept in (None, place):
            with monkeypatch.context() as patch:
                send, seen = back_end._StoredTeam._send, [0]

                def interrupted(team, step, send=send, seen=seen):
                    seen[0] += 1
                    if seen[0] == 4:
                        raise KeyboardInterrupt
                    return send(team, step)

                patch.setattr(back_end._StoredTeam, "_send", interrupted)
                with pytest.raises(KeyboardInterrupt):
                    model.fit(dataset, "label", directory=kept)
            assert list(scratch.iterdir()) == []
    monkeypatch.setattr(back_end, "describe", None)  # the kept one is whole
    tree().fit(dataset, "label", directory=place)


def test_a_boosted_fit_of_a_data_set_resumes(dataset, rows, tmp_path, monkeypatch):
    model = BoostedTreesClassifier(n_estimators=4)
    expected = model.fit(rows.drop(columns="label"), rows["label"]).digest()
    with monkeypatch.context() as patch:
        save, seen = Checkpoint.save, [0]

        def interrupted(kept, boosters):
            save(kept, boosters)
            seen[0] += 1
            if seen[0] == 2:
                raise KeyboardInterrupt

        patch.setattr(Checkpoint, "save", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(dataset, "label", checkpoint=tmp_path / "rounds")
    assert len(list((tmp_path / "rounds").glob("round-*"))) == 2
    assert model.fit(dataset, "label", checkpoint=tmp_path / "rounds").digest() == expected


@pytest.mark.parametrize("stage", ["writing a block", "describing the blocks", "finishing"])
def test_a_disk_that_fills_up_gets_a_sentence(dataset, tmp_path, monkeypatch, stage):
    place = tmp_path / "codes"
    fail_at(monkeypatch, stage, full_disk())
    model = tree()
    with pytest.raises(OSError, match=r"could not be written to .*No space left.*more room"):
        model.fit(dataset, "label", directory=place)
    assert list(place.iterdir()) == []
    assert not hasattr(model, "tree_")


KILLED = """
import os, sys, pyarrow.dataset as ds
from hardwood import TreeClassifier
from hardwood.stored import code_columns, source
source.BLOCK_ROWS = 200
write = code_columns.write_block
def killed(place, number, rows):
    write(place, number, rows)
    if number == 1:
        os.kill(os.getpid(), 9)
code_columns.write_block = killed
TreeClassifier().fit(ds.dataset(sys.argv[1]), "label", directory=sys.argv[2])
"""


def test_what_a_killed_process_left_is_cleared(dataset, tmp_path):
    place = tmp_path / "codes"
    script = KILLED.replace("TreeClassifier()", "TreeClassifier(pruning=None)")
    command = [sys.executable, "-c", script, str(tmp_path / "rows"), str(place)]
    assert subprocess.run(command, check=False).returncode == -9
    assert sorted(path.name for path in place.iterdir()) == [
        "block-00000", "block-00001", "store.part",
    ]  # fmt: skip
    expected = tree().fit(dataset, "label").digest()
    assert tree().fit(dataset, "label", directory=place).digest() == expected
    assert not (place / "store.part").exists()


def test_two_fits_do_not_write_to_one_directory(dataset, tmp_path):
    first = directory.StoreDirectory(tmp_path / "codes")
    first.begin(["mine"])
    with pytest.raises(ValueError, match="Another fit writes"):
        tree().fit(dataset, "label", directory=tmp_path / "codes")
    assert (tmp_path / "codes" / "store.part").exists()
    first.clear()
    tree().fit(dataset, "label", directory=tmp_path / "codes")


def test_what_is_not_ours_is_refused_and_kept(dataset, tmp_path):
    for names in (["block-mine"], ["block-00000"], ["store.part", "precious"]):
        place = tmp_path / names[-1]
        place.mkdir()
        for name in names:
            (place / name).write_text("mine")
        with pytest.raises(ValueError, match="is not empty"):
            tree().fit(dataset, "label", directory=place)
        assert sorted(path.name for path in place.iterdir()) == sorted(names)
    with pytest.raises(ValueError, match="cannot be used"):
        tree().fit(dataset, "label", directory=tmp_path / "rows" / "0.parquet")


DAMAGES = {
    "a block is gone": lambda place: shutil.rmtree(place / "block-00002"),
    "a file is short": lambda place: os.truncate(place / "block-00001" / "tile-0.npy", 300),
    "a file is empty": lambda place: os.truncate(place / "block-00001" / "labels.npy", 0),
    "a layout is empty": lambda place: (place / "block-00000" / "layout.json").write_text("{}"),
    "no descriptions": lambda place: (place / "descriptions.npz").unlink(),
    "half of the descriptions": lambda place: os.truncate(place / "descriptions.npz", 2000),
    "no note": lambda place: os.truncate(place / "store.json", 10),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_refused(dataset, tmp_path, damage):
    place = tmp_path / "codes"
    tree().fit(dataset, "label", directory=place)
    DAMAGES[damage](place)
    with pytest.raises(ValueError, match="is damaged .*; remove it and fit again"):
        tree().fit(dataset, "label", directory=place)


def test_data_without_files_is_recognised_by_its_rows(rows, tmp_path, monkeypatch):
    other = rows.assign(many=-rows["many"])
    table, changed = (pa.Table.from_pandas(each, preserve_index=False) for each in (rows, other))
    forms = {
        "table": (ds.dataset(table), ds.dataset(changed)),
        "frame": (pl.from_pandas(rows).lazy(), pl.from_pandas(other).lazy()),
    }
    expected = tree().fit(rows.drop(columns="label"), rows["label"]).digest()
    for name, (given, wrong) in forms.items():
        place = tmp_path / name
        assert tree().fit(given, "label", directory=place).digest() == expected
        with pytest.raises(ValueError, match="of other data"):
            tree().fit(wrong, "label", directory=place)
        with monkeypatch.context() as patch:
            patch.setattr(source, "BLOCK_ROWS", 333)
            patch.setattr(back_end, "describe", None)
            assert tree().fit(given, "label", directory=place).digest() == expected


def test_a_changed_file_and_a_filter_are_other_data(dataset, rows, tmp_path):
    folder, place = tmp_path / "rows", tmp_path / "codes"
    tree().fit(dataset, "label", directory=place)
    some = rows[rows["few"] > 1]
    filtered = tree().fit(dataset.filter(pc.field("few") > 1), "label")
    assert filtered.digest() == tree().fit(some.drop(columns="label"), some["label"]).digest()
    with pytest.raises(ValueError, match="of other data"):
        tree().fit(dataset.filter(pc.field("few") > 1), "label", directory=place)
    lazy = tmp_path / "lazy"
    tree().fit(pl.scan_parquet(folder / "*.parquet"), "label", directory=lazy)
    rows.iloc[:300].assign(many=0.0).to_parquet(folder / "0.parquet")
    for X, kept in ((ds.dataset(folder), place), (pl.scan_parquet(folder / "*.parquet"), lazy)):
        with pytest.raises(ValueError, match="of other data"):
            tree().fit(X, "label", directory=kept)


@pytest.mark.parametrize("change", ["shorter", "touched"])
def test_files_that_change_during_a_fit_are_noticed(dataset, rows, tmp_path, monkeypatch, change):
    agree, file = back_end.agree, tmp_path / "rows" / "0.parquet"

    def meanwhile(*arguments, **options):
        if change == "shorter":
            table = pa.Table.from_pandas(rows.iloc[:299], preserve_index=False)
            pq.write_table(table, file)
        os.utime(file, ns=(0, 0))
        return agree(*arguments, **options)

    monkeypatch.setattr(back_end, "agree", meanwhile)
    sentence = "changed while it was read" if change == "touched" else "could not be read|changed"
    with pytest.raises(ValueError, match=sentence):
        tree().fit(dataset, "label", directory=tmp_path / "codes")
    assert list((tmp_path / "codes").iterdir()) == []


def test_the_hash_of_rows_sees_values_places_and_gaps():
    def hashed(values, *ends):
        table = pa.table({"a": values})
        cuts = [0, *ends, len(values)]
        return source.hash_of_rows(table.slice(a, b - a) for a, b in itertools.pairwise(cuts))

    for values in ([1, 2, None, 4], ["a", "bc", None, ""], [True, None, False, True]):
        assert hashed(values) == hashed(values, 1, 3)
        assert hashed(values) != hashed(values[::-1])
    assert hashed(["ab", "c"]) != hashed(["a", "bc"])
    assert hashed([0, 1]) != hashed([None, 1])
    assert hashed([1.0, 2.0]) != hashed([1.0, 2.5])
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1, 2]})
    whole = pa.Table.from_pandas(frame)
    assert source.hash_of_rows([whole]) != source.hash_of_rows([whole.slice(0, 1)])
