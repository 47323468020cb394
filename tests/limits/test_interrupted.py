"""Ctrl-C during long work is a KeyboardInterrupt at once, and the next fit works."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.limits.interrupted import ACTIONS

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times as Linux tells")


@pytest.fixture(scope="module")
def ready() -> Iterator[subprocess.Popen[str]]:
    """The process that has its imports done; each action is a fork of it."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.limits.interrupted"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_ctrl_c_ends_long_work_after_little_more_of_it(action, ready):
    ready.stdin.write(f"{action}\n")
    ready.stdin.flush()
    answered, _, _ = select.select([ready.stdout], [], [], 400)
    assert answered, "it did not end in 400 seconds"
    name, end, seconds = ready.stdout.readline().rstrip("\n").split("\t")
    assert (name, end) == (action, "interrupted")
    assert float(seconds) < 0.3 * float(os.environ.get("HARDWOOD_PATIENCE", "1"))
