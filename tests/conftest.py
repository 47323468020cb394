"""No deadline for single examples, since the machine may be busy; the same ones under CI.

Tests that are marked slow come first, so that no process waits for another's long last one.
"""

import os

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever else is in order stays so."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
