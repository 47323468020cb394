"""The driver of `make portability` is a program of its own, which no other test compiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_driver_fits_the_core():
    driver = ROOT / "tests" / "portability" / "driver.cpp"
    command = ["g++", "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'cpp'}", str(driver)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
