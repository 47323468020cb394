"""A file is replaced whole or not at all, and holds nothing of the training table."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.model_file import dumps, files
from hardwood.model_file.container import from_bytes
from tests.model_file.models import binary, boosted
from tests.model_file.mutations import arrays_of
from tests.tables.matrices import numbers
from tests.tables.systems import not_on_windows


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_older_file_is_replaced(tmp_path):
    path = tmp_path / "m.hardwood"
    hardwood.save(binary(), path)
    hardwood.save(boosted(), path)
    assert isinstance(hardwood.load(path), BoostedTreesClassifier)
    assert names_in(tmp_path) == ["m.hardwood"]


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"),
                                   KeyboardInterrupt()], ids=["full", "ctrl-c"])  # fmt: skip
def test_a_full_disk_and_ctrl_c_leave_the_old_file_and_no_litter(
    step, error, tmp_path, monkeypatch
):
    path = tmp_path / "m.hardwood"
    path.write_bytes(b"old")

    def fails(*arguments: object) -> None:
        raise error

    if step == "replace":
        monkeypatch.setattr(Path, "replace", fails)
    else:
        monkeypatch.setattr(files.os, step, fails)
    with pytest.raises(type(error)):
        hardwood.save(binary(), path)
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["m.hardwood"]


def test_a_disk_that_takes_a_little_at_a_time_gets_everything(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda number, part: write(number, part[:100]))
    hardwood.save(binary(), tmp_path / "m.hardwood")
    monkeypatch.undo()
    assert hardwood.load(tmp_path / "m.hardwood").digest() == binary().digest()


@not_on_windows
def test_a_real_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    """A limit on the size of files stands for the disk: the kernel writes a part, then refuses."""
    import resource

    path = tmp_path / "m.hardwood"
    path.write_bytes(b"old")
    model = binary()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            hardwood.save(model, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["m.hardwood"]


@not_on_windows
def test_ctrl_c_at_any_moment_leaves_a_whole_file_and_no_litter(tmp_path):
    path, model = tmp_path / "m.hardwood", binary()
    times = []
    for _ in range(5):  # the first imports what it needs, and others may meet a busy machine
        start = perf_counter()
        hardwood.save(model, path)
        times.append(perf_counter() - start)
    usual = min(times)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for attempt in range(60):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + usual * attempt / 60)
                hardwood.save(model, path)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupted += 1
            assert names_in(tmp_path) == ["m.hardwood"]
            assert hardwood.load(path).digest() == model.digest()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 10


@not_on_windows
def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    real, link = tmp_path / "real.hardwood", tmp_path / "link.hardwood"
    real.write_bytes(b"old")
    real.chmod(0o600)
    link.symlink_to(real)
    hardwood.save(binary(), link)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert hardwood.load(real).digest() == hardwood.load(link).digest()


def test_a_new_file_has_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    hardwood.save(binary(), tmp_path / "m.hardwood")
    assert (tmp_path / "m.hardwood").stat().st_mode == usual.stat().st_mode


def test_bytes_are_written_as_they_are_where_lines_end_in_two(tmp_path, monkeypatch):
    """As on Windows, where files are text unless they are asked for as bytes."""
    asked, usual = [], os.open
    monkeypatch.setattr(files, "_BYTES", os.O_APPEND)  # stands for a flag that is not there

    def opened(path: Path, flags: int, *mode: int) -> int:
        asked.append(flags)
        return usual(path, flags, *mode)

    monkeypatch.setattr(files.os, "open", opened)
    monkeypatch.delattr(os, "fchmod", raising=False)
    for _ in range(2):  # the second replaces a file, and keeps its permissions
        hardwood.save(binary(), tmp_path / "m.hardwood")
    assert sum(flags & os.O_APPEND == os.O_APPEND for flags in asked) == 2
    assert hardwood.load(tmp_path / "m.hardwood").digest() == binary().digest()


@not_on_windows
def test_a_directory_a_device_and_a_missing_folder_get_a_sentence(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a directory"):
        hardwood.save(binary(), tmp_path)
    with pytest.raises(ValueError, match="device, a pipe or a socket"):
        hardwood.save(binary(), "/dev/null")
    with pytest.raises(FileNotFoundError):
        hardwood.save(binary(), tmp_path / "none" / "m.hardwood")


@pytest.mark.parametrize("given", [None, "model", 3, {}, type("Mine", (TreeClassifier,), {})()])
def test_only_models_can_be_saved(given, tmp_path):
    with pytest.raises(TypeError, match="holds a TreeClassifier or a BoostedTreesClassifier"):
        hardwood.save(given, tmp_path / "m.hardwood")
    assert names_in(tmp_path) == []


def test_a_model_that_was_tampered_with_is_not_written(tmp_path):
    model = binary()
    model.tree_.class_weights.flags.writeable = True
    model.tree_.class_weights[0, 0] = np.nan
    with pytest.raises(ValueError, match="class_weights"):
        hardwood.save(model, tmp_path / "m.hardwood")
    assert names_in(tmp_path) == []


# Nothing of the table.


def secret_table(rows: int = 400) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(11)
    X = pd.DataFrame({"income": rng.lognormal(10, 1, rows), "age": rng.normal(50, 15, rows)})
    return X, pd.Series(X.income * X.age > X.income.median() * 50, name="default")


@pytest.mark.parametrize(
    "model",
    [TreeClassifier(), BoostedTreesClassifier(), BoostedTreesClassifier(variant="discrete")],
    ids=["tree", "real", "discrete"],
)
def test_no_value_of_the_table_and_no_array_as_long_as_it_is_in_the_file(model):
    X, y = secret_table()
    weights = np.random.default_rng(3).uniform(1, 2, len(X))
    content = dumps(model.fit(X, y, sample_weight=weights))
    _, arrays = arrays_of(content)
    values = np.unique(np.concatenate([X.to_numpy().ravel(), weights]))
    for name, array in arrays.items():
        if name != "tree.class_weights":  # a leaf of one row has that row's weight
            assert not np.isin(array.astype(np.float64), values).any(), name
    assert not np.isin(arrays["tree.class_weights"], X).any()
    lengths = {len(X), 2 * len(X)}
    assert not lengths & {len(array) for name, array in arrays.items()}


def test_the_size_of_a_file_does_not_grow_with_the_rows():
    X, y = numbers(2, rows=100)
    sizes = []
    for times in (1, 100):
        model = BoostedTreesClassifier(n_estimators=20, leaf_prior=0.0).fit(
            np.tile(X, (times, 1)), np.tile(y, times)
        )
        sizes.append(len(dumps(model)))
    assert sizes[1] < 1.1 * sizes[0]


def test_the_header_has_the_documented_keys_alone():
    common = {"model", "hardwood", "parameters", "classes", "columns", "target", "arrays"}
    header, _ = from_bytes(dumps(binary()))
    assert set(header) == common | {"history", "certificate"}
    header, _ = from_bytes(dumps(boosted()))
    assert set(header) == common | {"plan", "boosters", "kept", "stopped_early"}
