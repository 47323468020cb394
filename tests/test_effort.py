"""What `make test` leaves out is left to `make thorough`, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import effort

pytest_plugins = ["pytester"]

GRIDS = """
import pytest

@pytest.mark.grid
@pytest.mark.parametrize("a", "uvw")
@pytest.mark.parametrize(("b", "c"), [(1, 1), (1, 2)])
def test_two(a, b, c): ...

@pytest.mark.grid
@pytest.mark.parametrize("a", range(2))
@pytest.mark.parametrize("b", range(3))
@pytest.mark.parametrize("c", range(4))
def test_three(a, b, c): ...

@pytest.mark.grid
@pytest.mark.parametrize("seed", range(5))
def test_one(seed): ...

@pytest.mark.parametrize("large", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_sizes(large): ...

@pytest.mark.grid
def test_alone(): ...
"""


@given(st.lists(st.lists(st.integers(0, 9), max_size=4)))
def test_the_cases_that_are_taken_show_every_fact(facts):
    taken = effort.covering(facts)
    shown = {fact for each, runs in zip(facts, taken, strict=True) if runs for fact in each}
    assert shown == {fact for each in facts for fact in each}
    assert sum(taken) <= len(shown)


@pytest.mark.parametrize(("given", "share"), [(1, 25), (4, 100), (40, 1000)])
def test_trials_are_a_share_that_grows_with_the_effort(given, share, monkeypatch):
    monkeypatch.setattr(effort, "EFFORT", given)
    assert effort.trials(100) == share
    assert effort.trials(1) == max(1, given // 4)


def selected(pytester, monkeypatch, thorough):
    monkeypatch.setattr(effort, "THOROUGH", thorough)
    kept = [item.name for item in effort.of_this_effort(pytester.getitems(GRIDS))]
    names = ("test_two", "test_three", "test_one", "test_sizes", "test_alone")
    return {name: [each for each in kept if each.startswith(name)] for name in names}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnknownMarkWarning")
def test_of_a_grid_every_value_runs_and_of_three_lists_every_two(pytester, monkeypatch):
    every = selected(pytester, monkeypatch, thorough=True)
    assert [len(each) for each in every.values()] == [6, 24, 5, 2, 1]
    few = selected(pytester, monkeypatch, thorough=False)
    assert len(few["test_two"]) == 3
    assert {name[-2:-1] for name in few["test_two"]} == set("uvw")
    assert {name[-6:-3] for name in few["test_two"]} == {"1-1", "1-2"}
    assert 12 <= len(few["test_three"]) < 24
    assert few["test_one"] == every["test_one"]
    assert few["test_sizes"] == ["test_sizes[0]"]
    assert few["test_alone"] == ["test_alone"]
