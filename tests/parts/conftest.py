"""Lets the estimators take pieces of a table."""

from __future__ import annotations

import pytest

from hardwood.distributed.back_ends import register, unregister
from parts.pieces import Pieces, PiecesBackEnd


@pytest.fixture(scope="session")
def pieces_of():
    """Parts as something that fit takes as X."""
    back_end = PiecesBackEnd()
    register(back_end)
    yield Pieces
    unregister(back_end)
