"""What needs a process of its own: Ctrl-C, a limit on memory, a reader that goes away."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.bad_inputs import GOOD, OLD, environment, fresh_folder, good_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and signals are Linux's")
COMMAND = [sys.executable, "-m", "hardwood"]
LIMIT = 1_000_000_000


@pytest.fixture
def folder(tmp_path):
    return fresh_folder(tmp_path / "here", *good_files())


def write_wide(path: Path, size: int) -> int:
    """The good table again and again, beside a column of 20 kB per row; gives the rows."""
    header, *lines = GOOD.splitlines()
    block = "".join(f"{line},{'x' * 20_000}\n" for line in lines)
    times = size // len(block) + 1
    with path.open("w") as file:
        file.write(f"{header},note\n")
        for _ in range(times):
            file.write(block)
    return times * len(lines)


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_during_prediction_leaves_the_old_file(folder):
    write_wide(folder / "wide.csv", 200_000_000)
    names = sorted(path.name for path in folder.iterdir())
    process = started(folder, "predict", "model.hardwood", "wide.csv", "--out", "predicted.csv")
    while not list(folder.glob(".predicted.csv.*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    (folder / "wide.csv").unlink()
    assert (process.returncode, out, err) == (130, "", "Interrupted; no file was changed.\n")
    assert (folder / "predicted.csv").read_text() == OLD
    assert sorted([*(path.name for path in folder.iterdir()), "wide.csv"]) == names


def test_ctrl_c_during_training_leaves_the_old_model(folder):
    before = (folder / "model.hardwood").read_bytes()
    names = sorted(path.name for path in folder.iterdir())
    boosted = ("--model", "boosted", "--n-estimators", "1000000")
    process = started(folder, "train", "table.csv", "--target", "kind", *boosted)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Read table.csv")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, "Interrupted; no file was changed.\n")
    assert (folder / "model.hardwood").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == names


@pytest.mark.slow
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs address space")
def test_a_file_larger_than_the_memory_is_predicted(folder):
    rows = write_wide(folder / "wide.csv", LIMIT + 1)
    done = subprocess.run(
        [*COMMAND, "predict", "model.hardwood", "wide.csv"],
        cwd=folder,
        env={**environment(), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
    )
    (folder / "wide.csv").unlink()
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == rows + 1
    kinds = [line.rpartition(",")[2] for line in GOOD.splitlines()[1:]]
    assert [line.partition(",")[0] for line in lines[1:]] == kinds * (rows // len(kinds))


def test_a_reader_that_has_seen_enough_is_no_error(folder):
    (folder / "table.csv").write_text(GOOD + "\n".join(GOOD.splitlines()[1:] * 20_000))
    process = started(folder, "predict", "model.hardwood", "table.csv")
    assert process.stdout is not None
    assert process.stdout.readline() == "prediction,p_cat,p_dog\n"
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate()
    assert (process.returncode, err) == (0, "")


def test_a_full_device_is_told(folder):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "predict", "model.hardwood", "table.csv"],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "Output could not be written: No space left on device.\n"
