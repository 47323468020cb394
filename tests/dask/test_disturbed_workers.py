"""Workers that are slow, frozen, restarted, added or taken away: the same digest."""

from __future__ import annotations

import signal
import threading
import time
from functools import partial
from typing import Any

import pytest

import hardwood.dask
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.dask import cluster as waiting
from hardwood.dask import tasks, team, worker
from hardwood.errors import ClusterLostError

assert hardwood.dask.DaskBackEnd


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr(waiting, "LOOK_AGAIN", 0.1)


def tree() -> TreeClassifier:
    return TreeClassifier(pruning=None, max_leaf_nodes=30)


@pytest.fixture
def fitted_here(data):
    """A table and the digest of a tree that this process grows on it."""
    table = data(1500, 2)
    return table, tree().fit(table.X, table.y).digest()


def slow_down(dask_worker: Any = None) -> None:
    answer = worker._answer
    worker._answer_as_it_was = answer  # type: ignore[attr-defined]

    def slow(*arguments: Any) -> bytes:
        start = time.perf_counter()
        result = answer(*arguments)
        time.sleep(9 * (time.perf_counter() - start))
        return result

    worker._answer = slow


def speed_up() -> None:
    worker._answer = worker._answer_as_it_was  # type: ignore[attr-defined]


def test_a_worker_ten_times_slower_is_waited_for(client, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    slowest = next(iter(client.scheduler_info()["workers"]))
    client.run(slow_down, workers=[slowest])
    try:
        model = tree().fit(X, y)
    finally:
        client.run(speed_up, workers=[slowest])
    assert model.digest() == expected
    assert model.traffic_.parts_rebuilt == 0


def test_a_frozen_worker_that_goes_on_is_waited_for(client, moments, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)

    def freeze(address: str) -> None:
        moments.signal(address, signal.SIGSTOP)
        threading.Timer(1.0, moments.signal, (address, signal.SIGCONT)).start()

    moments.at("answer", 6, freeze)
    model = tree().fit(X, y)
    assert moments.came == 1
    assert model.digest() == expected
    assert model.traffic_.parts_rebuilt == 0


def test_what_a_worker_says_after_it_was_given_up_is_not_counted(moments, freeze, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    moments.at("answer", 6, lambda address: freeze(address, 0.8))
    model = tree().fit(X, y)
    assert moments.came == 1
    assert model.digest() == expected
    assert model.traffic_.parts_rebuilt > 0


def test_a_restarted_worker_changes_nothing(client, moments, beside, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    moments.at("answer", 6, lambda address: beside(client.restart_workers, [address]))
    assert tree().fit(X, y).digest() == expected
    assert moments.came == 1


def test_a_restart_of_the_whole_cluster_is_survived(client, moments, beside, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    restart = partial(client.restart, wait_for_workers=False)  # the fit waits for them itself
    moments.at("describe_partition", 3, lambda _: beside(restart))
    assert tree().fit(X, y).digest() == expected
    assert moments.came == 1


@pytest.mark.parametrize("workers", [3, 1])
def test_workers_added_and_taken_away_change_nothing(
    cluster, client, moments, fitted_here, workers
):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    moments.at("answer", 4, lambda _: cluster.scale(workers))
    assert tree().fit(X, y).digest() == expected
    assert moments.came == 1


def test_workers_that_die_again_and_again_change_nothing(client, moments, data):
    table = data(1500, 2)
    model = BoostedTreesClassifier(n_estimators=4, max_depth=3, variant="discrete")
    expected = model.fit(table.X, table.y).digest()
    X, y, _ = table.collections(4)
    moments.at("answer", -7)
    assert model.fit(X, y).digest() == expected
    assert moments.came >= 3


def test_a_kill_while_lost_parts_are_made_again_changes_nothing(client, moments, fitted_here):
    table, expected = fitted_here
    X, y, _ = table.collections(5)
    moments.at("answer", 6)
    moments.at("code_partition", 6)
    model = tree().fit(X, y)
    assert moments.came == 2
    assert model.digest() == expected


async def nothing(*arguments: Any) -> None:
    """In place of a connection."""


def test_workers_that_cannot_be_asked_end_the_fit(client, moments, monkeypatch, data):
    async def unreachable(parts: Any, call: Any) -> Any:
        return OSError("no way to the worker")

    X, y, _ = data(200, 2).collections(2)
    monkeypatch.setattr(team, "MOST_LOSSES", 3)
    monkeypatch.setattr(team.PartsOnWorkers, "_ask_one", unreachable)
    monkeypatch.setattr(team, "connected", nothing)
    with pytest.raises(ClusterLostError, match="lost 4 times in one step"):
        tree().fit(X, y)


@pytest.mark.parametrize("when", ["never reached", "lost at once"])
def test_workers_without_a_direct_way_are_asked_through_the_scheduler(
    client, monkeypatch, fitted_here, when
):
    async def none_reachable(client: Any, addresses: set[str]) -> dict[str, bool]:
        return dict.fromkeys(addresses, False)

    async def broken(*arguments: Any) -> Any:
        failed.append(arguments[1])
        raise OSError("the connection broke")

    failed: list[str] = []
    if when == "never reached":
        monkeypatch.setattr(waiting, "reachable", none_reachable)
    monkeypatch.setattr(team, "asked_directly", broken)
    table, expected = fitted_here
    X, y, _ = table.collections(4)
    model = tree().fit(X, y)
    assert model.digest() == expected
    assert model.traffic_.parts_rebuilt == 0
    tried = [] if when == "never reached" else ["to connect", "to ask"]
    assert len(failed) == len(tried) * model.traffic_.workers


def test_results_that_are_lost_on_their_way_are_asked_for_again(client, monkeypatch, fitted_here):
    table, expected = fitted_here
    gather, seen = tasks.Tasks._gather, [0]

    async def losing(*arguments: Any) -> Any:
        seen[0] += 1
        if seen[0] in (1, 3):
            raise AttributeError("a future that the client does not know")
        return await gather(*arguments)

    monkeypatch.setattr(tasks.Tasks, "_gather", losing)
    X, y, _ = table.collections(5)
    assert tree().fit(X, y).digest() == expected
    assert seen[0] == 4


def die(frame: Any) -> Any:
    import os

    if len(frame) > 1:  # not while Dask looks for the kinds of columns
        os._exit(1)
    return frame


def test_a_partition_that_kills_its_workers_ends_the_fit(client, data, monkeypatch, left_behind):
    monkeypatch.setattr(tasks, "ATTEMPTS", 1)
    X, y, _ = data(200, 2).collections(2)
    client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0))
    try:
        with pytest.raises(ClusterLostError, match="kept dying.*smaller partitions"):
            tree().fit(X.map_partitions(die, meta=X._meta), y)
    finally:
        client.run_on_scheduler(
            lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 3)
        )
    assert left_behind()[1] == 0
