"""No deadline for single examples, since the machine may be busy; the same ones under CI, but new
ones in `make thorough`. This is hypothesis' only profile: one that a folder loads is that of all
tests. What parts of a table do with large nodes and with small ones is tried on small tables.

Tests that are marked slow come first, so that no process waits for another's long last one.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import EXAMPLES, THOROUGH, of_this_effort

settings.register_profile(
    "unhurried",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="CI" in os.environ and not THOROUGH,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("unhurried")

SMALL = 1500  # values: the first levels of most tests' trees have more


@pytest.fixture(autouse=True, scope="package")
def small_nodes_are_smaller() -> Iterator[None]:
    """Over parts, the rows of nodes are fetched only where these are small for a test's table."""
    import hardwood.distributed.training as training

    before, training.SMALL_NODE = training.SMALL_NODE, SMALL
    yield
    training.SMALL_NODE = before


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is for `make thorough` goes, unless it is named. Whatever else is in order stays so."""
    if not any("::" in each for each in config.args):
        taken = of_this_effort(items)
        config.hook.pytest_deselected(items=sorted(set(items) - set(taken), key=items.index))
        items[:] = taken
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
