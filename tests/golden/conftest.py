"""Lets the estimators take pieces of a table, and keeps the files of data sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwood.estimators.back_ends import register, unregister
from tests.distributed.pieces import PiecesBackEnd


@pytest.fixture(scope="session")
def parts_are_taken() -> Iterator[None]:
    back_end: Any = PiecesBackEnd()  # prediction is of tables only
    register(back_end)
    yield
    unregister(back_end)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("golden")
