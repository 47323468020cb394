"""Lets the estimators take pieces of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hardwood.estimators.back_ends import register, unregister
from tests.distributed.pieces import Pieces, PiecesBackEnd


@pytest.fixture(scope="session")
def pieces_of() -> Iterator[type[Pieces]]:
    """Parts as something that fit takes as X."""
    back_end: Any = PiecesBackEnd()  # prediction is of tables only
    register(back_end)
    yield Pieces
    unregister(back_end)
