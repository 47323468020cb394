"""Calls that workers pass on to each other: the same sums, and what is lost on the way is found."""

from __future__ import annotations

import os
import signal
from typing import Any

import dask
import pytest
from distributed import Client

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import cluster as waiting
from hardwood.dask import relay, team
from hardwood.dask.relay import Call, arranged
from hardwood.dask.worker import answer
from tests.dask.local_cluster import LoopbackCluster

assert hardwood.dask.DaskBackEnd


soaking = pytest.mark.skipif("HARDWOOD_SOAK" not in os.environ, reason="only in `make soak`")
"""Twelve worker processes, which take a minute."""


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


@pytest.fixture(scope="module")
def twelve():
    """A cluster of twelve worker processes of its own."""
    quiet = {"distributed.comm.timeouts.connect": "60s"}
    with (
        dask.config.set(quiet),
        LoopbackCluster(12) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(12, timeout=120)
        yield cluster, client


@pytest.fixture
def three_levels(monkeypatch):
    """The coordinator asks two workers, these ask four, and these ask the other six."""
    monkeypatch.setattr(relay, "FAN_OUT", 2)
    monkeypatch.setattr(waiting, "LOOK_AGAIN", 0.1)


def depth(call: Call) -> int:
    return 1 + max(map(depth, call.below), default=0)


MODELS = {
    "tree": TreeClassifier(max_leaf_nodes=30),
    "fractional": TreeClassifier(max_leaf_nodes=30, missing="fractional"),
    "boosted": BoostedTreesClassifier(n_estimators=3, max_depth=3),
}


@soaking
@pytest.mark.parametrize("kind", MODELS)
def test_twelve_workers_on_three_levels_give_the_local_digest(
    twelve, three_levels, data, monkeypatch, kind
):
    _, client = twelve
    table, model = data(1500, 3), MODELS[kind]
    seen: list[list[Call]] = []
    monkeypatch.setattr(team, "arranged", lambda calls: seen.append(arranged(calls)) or seen[-1])
    here = model.fit(table.X, table.y, sample_weight=table.weights).digest()
    X, y, weights = table.collections(24)
    there = model.fit(X, y, sample_weight=weights, client=client)
    assert there.digest() == here
    assert there.traffic_.workers == 12
    levels = [max(map(depth, calls)) for calls in seen]
    assert set(levels) == {3}
    assert all(sum(len(list(call.everyone())) for call in calls) == 12 for calls in seen)


@soaking
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_worker_lost_on_any_of_three_levels_changes_nothing(
    twelve, three_levels, fitted_here, monkeypatch, level
):
    cluster, client = twelve
    client.wait_for_workers(12, timeout=120)
    table, expected = fitted_here
    X, y, _ = table.collections(24)
    seen = [0]

    def killing(calls: list[Call]) -> list[Call]:
        made = arranged(calls)
        seen[0] += 1
        if seen[0] == 6:
            at = made[0]
            for _ in range(level):
                at = at.below[0]
            pids = {each.worker_address: each.pid for each in cluster.workers.values()}
            os.kill(pids[at.address], signal.SIGKILL)
        return made

    monkeypatch.setattr(team, "arranged", killing)
    model = tree().fit(X, y, client=client)
    assert model.digest() == expected
    assert 0 < model.traffic_.parts_rebuilt < 24
