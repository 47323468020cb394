"""No thread can be started, or memory ends: the work is done, or MemoryError says why it is not."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hardwood import TreeClassifier
from hardwood.distributed.describing import PartData
from hardwood.estimators.back_ends import register, unregister
from tests.distributed.pieces import Pieces, PiecesBackEnd
from tests.effort import THOROUGH
from tests.limits.under_limits import ACTIONS

ROOT = Path(__file__).parents[2]
ALL = list(ACTIONS)
OTHERS = pytest.mark.thorough
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
# One arena, and large blocks straight from the system: what is freed cannot be used unseen.
MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "OPENBLAS_NUM_THREADS": "1"}


@pytest.fixture
def folder() -> Iterator[Path]:
    """Below the system's own, since the child may become a user who may not enter pytest's."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


def ends(kind: str, actions: list[str], folder: Path) -> dict[str, str]:
    """What became of each action."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.limits.under_limits"]
    run = subprocess.run(
        [*command, kind, str(folder), *actions],
        cwd=ROOT,
        env={**os.environ, **MALLOC},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = dict(line.split("\t") for line in run.stdout.splitlines())
    assert list(found) == actions, run.stderr
    return found


@pytest.mark.slow
def test_without_another_thread_the_work_is_done(folder):
    tried = ALL if THOROUGH else ALL[1::3]
    assert ends("threads", tried, folder) == dict.fromkeys(tried, "{'done': 2}")


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs address space")
@pytest.mark.slow  # in three parts, since each takes seconds and tests are spread over processes.
@pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=OTHERS) for k in (1, 2))])
def test_memory_that_ends_is_a_memory_error_and_the_next_call_works(part, folder):
    for action, found in ends("memory", ALL[part::3], folder).items():
        assert set(ast.literal_eval(found)) == {"done", "memory"}, action


def test_parts_are_asked_in_turn_where_no_thread_can_be_started(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(2, size=400)
    expected = TreeClassifier().fit(X, y).digest()

    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    pieces = Pieces([PartData(X[k::3], y[k::3], None) for k in range(3)])
    back_end = PiecesBackEnd()
    register(back_end)
    try:
        assert TreeClassifier(n_jobs=4).fit(pieces, None).digest() == expected
    finally:
        unregister(back_end)
