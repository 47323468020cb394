"""Memory and open files do not grow with the number of calls; `make leaks` makes far more."""

from __future__ import annotations

import sys

import pytest

from tests.limits.leaks import ALLOWED, growth


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_calls_leave_neither_memory_nor_files_behind():
    memory, files = growth(60)
    assert memory <= ALLOWED
    assert files <= 0
