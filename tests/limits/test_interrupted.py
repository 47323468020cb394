"""Ctrl-C during long work is a KeyboardInterrupt at once, and the next fit works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits.interrupted import ACTIONS

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times as Linux tells")


@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_ctrl_c_ends_long_work_after_little_more_of_it(action):
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.limits.interrupted", action],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    name, end, seconds = run.stdout.rstrip("\n").split("\t")
    assert (name, end) == (action, "interrupted"), run.stderr
    assert float(seconds) < 0.3 * float(os.environ.get("HARDWOOD_PATIENCE", "1"))
