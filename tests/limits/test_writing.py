"""Writing that fails is a sentence, and leaves the files as they were; so does Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier, save

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
ACTIONS = 10


@pytest.fixture
def folder() -> Iterator[Path]:
    """Below the system's own, since the child may become a user who may not enter pytest's."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def small(folder: Path) -> Iterator[Path]:
    """A file system of a megabyte."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.getuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root may mount a small file system")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def ends(kind: str, folder: Path) -> dict[str, str]:
    command = [sys.executable, "-m", "tests.limits.writing", kind, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "CHANGED" not in done.stdout, done.stdout
    lines = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    return dict(lines)


def each_is_a_sentence(found: dict[str, str], words: str) -> None:
    assert len(found) == ACTIONS
    for name, end in found.items():
        assert words in end or "free" in end, name
        assert "|" not in end, name
        assert end.endswith("."), name
        assert name.startswith("hardwood") == ("exit code 2" in end), name


def test_a_limit_on_the_size_of_files(folder):
    each_is_a_sentence(ends("size", folder), "File too large")


def test_a_directory_that_may_not_be_written_to(folder):
    each_is_a_sentence(ends("read-only", folder), "Permission denied")


def test_a_full_file_system(small):
    each_is_a_sentence(ends("full", small), "No space left on device")


@pytest.mark.parametrize("command", ["train", "predict", "report"])
def test_ctrl_c_ends_a_command_and_leaves_the_old_file(command, tmp_path):
    """While it waits for the rest of a table on standard input."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 1)), rng.integers(2, size=200)
    save(TreeClassifier().fit(pd.DataFrame(X, columns=["x"]), y), tmp_path / "model.hardwood")
    old = tmp_path / "out.csv"
    old.write_text("old")
    words = {
        "train": ["train", "-", "--target", "y"],
        "predict": ["predict", tmp_path / "model.hardwood", "-"],
        "report": ["report", tmp_path / "model.hardwood", "-"],
    }[command]
    line = [sys.executable, "-m", "hardwood", *words, "--out", old]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(b"x,y\n" + b"1,0\n" * 100_000)  # more than a pipe holds: it reads
        child.stdin.flush()
        for _ in range(60):  # a signal just before a read is seen only after it: press again
            child.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(1)
                break
        assert child.returncode == 130
        assert child.stderr is not None
        assert child.stderr.read().endswith(b"Interrupted; no file was changed.\n")
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.hardwood", "out.csv"]
