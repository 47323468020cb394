"""How much the suite tries, by one knob: HARDWOOD_EFFORT, 1 in `make test`, 4 in `make thorough`.

At `FULL` effort every case runs. Below it, random trials and hypothesis' examples are a share of
the full counts (`trials`), tests marked `thorough` are left out, and of a test marked `grid` as
many cases run as show every value of every list of parameters, and every two values where there
are three lists or more (`covering`). A test that is named on the command line (`file::test`) always
runs with all of its cases. More than `FULL` gives more trials.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Hashable, Iterable, Sequence

import pytest

FULL = 4
EFFORT = int(os.environ.get("HARDWOOD_EFFORT", "1"))
THOROUGH = EFFORT >= FULL


def trials(full: int) -> int:
    """The share of this effort of so many trials; at least one."""
    return max(1, -(-full * EFFORT // FULL))


EXAMPLES = trials(60) if THOROUGH else 4
"""Of a law that says no number. A test that needs more than others takes a multiple."""


def covering(facts: Sequence[Iterable[Hashable]]) -> list[bool]:
    """Which cases together show every fact that all show; those that show most go first."""
    shown: set[Hashable] = set()
    taken = [False] * len(facts)
    own = [frozenset(each) for each in facts]
    for wanted in range(max(map(len, own), default=0), 0, -1):
        for place, each in enumerate(own):
            if not taken[place] and len(each - shown) >= wanted:
                taken[place] = True
                shown |= each
    return taken


def of_this_effort(items: list[pytest.Item]) -> list[pytest.Item]:
    """The items to run, in their order."""
    if THOROUGH:
        return items
    left = {item for item in items if item.get_closest_marker("thorough")}
    grids: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item not in left and item.get_closest_marker("grid") and hasattr(item, "callspec"):
            grids.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in grids.values():
        taken = covering([_values(item) for item in cases])
        left.update(item for item, runs in zip(cases, taken, strict=True) if not runs)
    return [item for item in items if item not in left]


def _values(item: pytest.Item) -> list[tuple[object, ...]]:
    """What a case has of each list of parameters that its test or a fixture gives; of three lists
    or more, of every two of them."""
    given: dict[str, object] = dict(item.callspec.params)  # type: ignore[attr-defined]
    lists = [_names(mark.args[0]) for mark in item.iter_markers("parametrize")]
    lists += [(name,) for name in set(given).difference(*lists)]
    values = [(*names, *(id(given[name]) for name in names)) for names in lists]
    return values if len(values) < 3 else list(itertools.combinations(values, 2))


def _names(told: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str.strip, told.split(","))) if isinstance(told, str) else tuple(told)
