"""Steps travel over connections of a fit's own; where there are none, by way of Dask."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster

import hardwood.dask
from hardwood import BoostedTreesClassifier
from hardwood.dask.connections import Connections, receive, send
from hardwood.dask.team import PartsOnWorkers

assert hardwood.dask.DaskBackEnd


def nobody(waiting: list[str]) -> list[str]:
    del waiting
    return []


@pytest.fixture
def two() -> Iterator[tuple[Connections, list[socket.socket]]]:
    """A coordinator's connections to the workers "0" and "1", and the workers' ends."""
    pairs = [socket.socketpair() for _ in range(2)]
    connections = Connections()
    for number, (own, _) in enumerate(pairs):
        own.setblocking(False)
        connections.add(str(number), own)
    yield connections, [other for _, other in pairs]
    connections.close()
    for _, other in pairs:
        other.close()


def repeat(connection: socket.socket, times: int) -> threading.Thread:
    """A worker that answers each message with the message, some times over."""

    def serve() -> None:
        send(connection, bytes(receive(connection)) * times)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_long_messages_and_answers_arrive_whole(two):
    connections, others = two
    long = bytes(range(256)) * 40_000
    for messages in ({"0": long, "1": b"short"}, {"0": b"", "1": long}):
        threads = [repeat(other, 2) for other in others]
        found = dict(connections.ask(messages, 1.0, nobody))
        for thread in threads:
            thread.join()
        assert found == {address: message * 2 for address, message in messages.items()}


def test_a_broken_connection_is_told_and_closed(two):
    connections, others = two
    others[0].close()
    thread = repeat(others[1], 1)
    found = dict(connections.ask({"0": b"step", "1": b"step"}, 1.0, nobody))
    assert found == {"0": None, "1": b"step"}
    thread.join()
    assert "0" not in connections
    assert "1" in connections


def test_only_those_that_were_given_up_are_waited_for_no_longer(two):
    connections, others = two
    asked: list[list[str]] = []

    def given_up(waiting: list[str]) -> list[str]:
        asked.append(waiting)
        if len(asked) < 3:
            return []
        threads.append(repeat(others[1], 1))
        return ["0"]

    threads: list[threading.Thread] = []
    found = dict(connections.ask({"0": b"step", "1": b"step"}, 0.01, given_up))
    assert found == {"1": b"step"}
    threads[0].join()
    assert asked[:3] == [["0", "1"]] * 3
    assert "0" not in connections


def test_a_wait_that_is_interrupted_closes_all_connections(two):
    connections, others = two

    def interrupted(waiting: list[str]) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(connections.ask({"0": b"step"}, 0.01, interrupted))
    assert "0" not in connections
    assert "1" not in connections
    assert bytes(receive(others[0])) == b"step"
    with pytest.raises(ConnectionError):
        receive(others[1])


def test_a_connection_that_comes_too_late_is_closed(two):
    connections, _ = two
    late, other = socket.socketpair()
    connections.close()
    connections.add("2", late)
    assert "2" not in connections
    with other, pytest.raises(ConnectionError):
        receive(other)


@pytest.fixture
def boosted(data):
    table = data(500, 2)
    model = BoostedTreesClassifier(n_estimators=2)
    return model, table, model.fit(table.X, table.y).digest()


def test_no_step_of_an_undisturbed_fit_goes_by_way_of_dask(client, boosted, monkeypatch):
    async def refused(parts: PartsOnWorkers, calls: Any) -> Any:
        raise AssertionError("a step went by way of Dask")

    monkeypatch.setattr(PartsOnWorkers, "_ask", refused)
    model, table, expected = boosted
    X, y, _ = table.collections(4)
    assert model.fit(X, y).digest() == expected


def test_a_connection_that_breaks_is_done_without(client, boosted, monkeypatch):
    ask, asked = PartsOnWorkers.ask, [0]

    def breaking(parts: PartsOnWorkers, calls: Any) -> Any:
        asked[0] += 1
        if asked[0] == 5:
            for own in parts._connections._open.values():
                own.shutdown(socket.SHUT_RDWR)
        return ask(parts, calls)

    monkeypatch.setattr(PartsOnWorkers, "ask", breaking)
    model, table, expected = boosted
    X, y, _ = table.collections(4)
    assert model.fit(X, y).digest() == expected
    assert model.traffic_.parts_rebuilt == 0


def step_threads() -> int:
    return sum(thread.name.startswith("hardwood steps") for thread in threading.enumerate())


def test_no_thread_of_a_fit_stays_on_the_workers(client, boosted):
    model, table, _ = boosted
    X, y, _ = table.collections(4)
    threads: list[int] = []
    ask = PartsOnWorkers.ask
    with pytest.MonkeyPatch.context() as patch:

        def asking(parts: PartsOnWorkers, calls: Any) -> Any:
            answers = ask(parts, calls)
            threads.append(sum(client.run(step_threads).values()))
            return answers

        patch.setattr(PartsOnWorkers, "ask", asking)
        model.fit(X, y)
    assert set(threads) == {2}
    for _ in range(100):
        if not any(client.run(step_threads).values()):
            return
    raise AssertionError("threads are still there")


def test_workers_that_are_not_reached_by_tcp_are_asked_by_way_of_dask(boosted, monkeypatch):
    model, table, expected = boosted
    ways: list[int] = []
    ask = PartsOnWorkers._ask

    async def noted(parts: PartsOnWorkers, calls: Any) -> Any:
        ways.append(len(calls))
        return await ask(parts, calls)

    monkeypatch.setattr(PartsOnWorkers, "_ask", noted)
    with (
        LocalCluster(
            n_workers=1, processes=False, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        X, y, _ = table.collections(3)
        model.fit(X, y, client=client)
    assert model.digest() == expected
    assert len(ways) == model.traffic_.round_trips
