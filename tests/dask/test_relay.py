"""Calls that workers pass on to each other: the same sums, and what is lost on the way is found."""

from __future__ import annotations

import signal
from typing import Any

import pytest

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import cluster as waiting
from hardwood.dask import relay
from hardwood.dask.relay import Call, arranged
from hardwood.dask.worker import answer

assert hardwood.dask.DaskBackEnd


@pytest.mark.parametrize("workers", [1, 7, 8, 9, 64, 73, 200])
def test_everyone_is_called_once_and_nobody_passes_on_too_much(workers):
    calls = arranged([Call(str(k), [k, 1000 + k], b"step") for k in range(workers)])
    everyone = [each for call in calls for each in call.everyone()]
    assert sorted(int(each.address) for each in everyone) == list(range(workers))
    assert max(len(calls), *(len(each.below) for each in everyone)) <= relay.FAN_OUT
    assert sorted(n for call in calls for n in call.all_numbers) == sorted(
        [*range(workers), *range(1000, 1000 + workers)]
    )


@pytest.fixture
def chain(monkeypatch):
    """The coordinator asks one worker, which asks the next."""
    monkeypatch.setattr(relay, "FAN_OUT", 1)
    monkeypatch.setattr(waiting, "LOOK_AGAIN", 0.1)


@pytest.fixture(scope="module")
def fitted_here(data):
    table = data(1500, 2)
    return table, tree().fit(table.X, table.y).digest()


def tree() -> TreeClassifier:
    return TreeClassifier(max_leaf_nodes=30)


def test_sums_come_along_the_chain(client, data, chain, monkeypatch):
    table = data(1500, 3)
    X, y, weights = table.collections(5)
    for model in (TreeClassifier(), BoostedTreesClassifier(n_estimators=3, max_depth=3)):
        here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
        assert model.fit(X, y, sample_weight=weights).digest() == here
        moved = model.traffic_
        monkeypatch.setattr(relay, "FAN_OUT", 8)
        straight = model.fit(X, y, sample_weight=weights).traffic_
        monkeypatch.setattr(relay, "FAN_OUT", 1)
        assert moved.workers == straight.workers == 2
        assert moved.round_trips == straight.round_trips
        assert moved.bytes_received < 0.9 * straight.bytes_received


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_killed_link_changes_nothing(client, moments, chain, fitted_here, which):
    table, expected = fitted_here
    X, y, _ = table.collections(5)

    addresses = set(client.nthreads())

    def kill(first: str) -> None:
        [last] = addresses - {first}
        moments.signal(first if which == "first" else last, signal.SIGKILL)

    moments.at("answer", 6, kill)
    model = tree().fit(X, y)
    assert moments.came == 1
    assert model.digest() == expected
    assert 0 < model.traffic_.parts_rebuilt < 5


def test_a_frozen_link_is_asked_no_longer_once_it_was_given_up(
    client, moments, chain, freeze, fitted_here
):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    addresses = set(client.nthreads())
    moments.at("answer", 6, lambda first: freeze(*(addresses - {first}), 4.0))
    model = tree().fit(X, y)
    assert moments.came == 1
    assert model.digest() == expected
    assert model.traffic_.parts_rebuilt > 0


@pytest.mark.parametrize("link", [0, 1])
def test_an_error_anywhere_in_the_chain_is_told(client, chain, fitted_here, link):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    module = answer.__module__

    def break_it(now: bool) -> None:
        import importlib

        worker = importlib.import_module(module)
        if now:
            worker.kept = worker.run_parts

            def fails(*_: Any) -> Any:
                raise RuntimeError("a broken part")

            worker.run_parts = fails
        else:
            worker.run_parts = worker.kept

    broken = [sorted(client.nthreads())[link]]
    client.run(break_it, True, workers=broken)
    try:
        with pytest.raises(RuntimeError, match="a broken part"):
            tree().fit(X, y)
    finally:
        client.run(break_it, False, workers=broken)
    assert tree().fit(X, y).digest() == expected
