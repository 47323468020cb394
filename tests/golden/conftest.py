"""Lets the estimators take pieces of a table, and keeps the files of data sets."""

from __future__ import annotations

import pytest

from hardwood.distributed.back_ends import register, unregister
from tests.distributed.pieces import PiecesBackEnd


@pytest.fixture(scope="session")
def parts_are_taken():
    back_end = PiecesBackEnd()
    register(back_end)
    yield
    unregister(back_end)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    return tmp_path_factory.mktemp("golden")
