"""The Dask cluster that a fit runs on: who is there, and how long to wait for it.

In: a client. Out: what its scheduler says, or a `ClusterLostError` within a bounded time: the
scheduler is gone, or all workers are and none came back, or all stay paused. Nothing waits without
looking.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Awaitable, Callable
from typing import Any

from distributed import Client, get_client
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.core import clean_exception
from distributed.scheduler import KilledWorker

from hardwood.errors import ClusterLostError

LOOK_AGAIN = 1.0  # seconds after which whoever waits looks for workers that are gone
PATIENCE = 60.0  # seconds to wait for a first worker
CONNECTING = 2.0  # seconds in which a worker that can be reached directly must answer
SCHEDULER_PATIENCE = 20.0  # seconds in which the scheduler must say who is there
LOST = (KilledWorker, FutureCancelledError, CommClosedError, OSError, TimeoutError)


class Cluster:
    def __init__(self, client: Any) -> None:
        self.client: Any = _checked_client(client)

    def workers(self) -> dict[str, int]:
        """Addresses of the workers there are, with their threads; waits a while for the first."""
        found: dict[str, int] = self.run(self.workers_now)
        return found

    async def workers_now(self) -> dict[str, int]:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                found = await asyncio.wait_for(self.client.scheduler.ncores(), SCHEDULER_PATIENCE)
            except (*LOST, RuntimeError, AttributeError) as error:
                raise scheduler_lost() from error
            if found:
                return dict(found)
            if time.monotonic() >= deadline:
                raise ClusterLostError(
                    f"All workers of the Dask cluster are gone, and none came back within "
                    f"{PATIENCE:g} seconds; start workers and fit again (a boosted fit with "
                    "checkpoint=... resumes where it was)."
                )
            await asyncio.sleep(0.2)

    async def all_paused(self) -> bool:
        """Whether there is no worker that would start a task."""
        try:
            known = await asyncio.wait_for(self.client.scheduler.identity(), SCHEDULER_PATIENCE)
        except (*LOST, RuntimeError, AttributeError) as error:
            raise scheduler_lost() from error
        return all(each["status"] == "paused" for each in known["workers"].values())

    def run(self, function: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        """What a coroutine returns; where it cannot run, the scheduler is gone."""
        try:
            return self.client.sync(function, *arguments)
        except ClusterLostError:
            raise
        except (RuntimeError, *LOST) as error:
            raise scheduler_lost() from error


async def reachable(client: Any, addresses: set[str]) -> dict[str, bool]:
    """Which workers this process can connect to; it need not be able to."""
    try:
        known = await asyncio.wait_for(client.scheduler.identity(), SCHEDULER_PATIENCE)
    except (*LOST, RuntimeError, AttributeError) as error:
        raise scheduler_lost() from error
    scheduler = (known["address"], client.scheduler.address)

    async def answers(address: str) -> bool:
        try:
            found = await asyncio.wait_for(client.rpc(address).identity(), CONNECTING)
        except (*LOST, RuntimeError, ValueError):
            return False
        return found.get("scheduler") in scheduler  # another network may have the same addresses

    asked = sorted(addresses)
    return dict(zip(asked, await asyncio.gather(*map(answers, asked)), strict=True))


async def asked_directly(caller: Any, address: str, function: Any, *arguments: Any) -> Any:
    """What a function gives on a worker, or the error that it raised there. `caller`: a client or a
    worker; errors of the connection are raised."""
    reply = await caller.rpc(address).run(
        function=pickle.dumps(function), args=pickle.dumps(arguments), kwargs=pickle.dumps({})
    )
    return reply["result"] if reply["status"] == "OK" else clean_exception(**reply)[1]


def scheduler_lost() -> ClusterLostError:
    return ClusterLostError(
        "The Dask scheduler is gone; start a cluster and fit again (a boosted fit with "
        "checkpoint=... resumes where it was)."
    )


def workers_paused() -> ClusterLostError:
    return ClusterLostError(
        f"All workers of the Dask cluster have been paused for {PATIENCE:g} seconds, because their "
        "memory is nearly full; give them more memory, or start more workers, and fit again."
    )


def _checked_client(client: Any) -> Any:
    if client is None:
        try:
            client = get_client()
        except ValueError as error:
            raise ValueError(
                "X is a Dask collection, but there is no Dask client; start one, for example with "
                "distributed.Client(), or give fit(..., client=...)."
            ) from error
    if not isinstance(client, Client):
        raise TypeError(f"client must be a distributed.Client; given was {client!r}.")
    if client.asynchronous:
        raise ValueError("client is asynchronous; fit needs one made with asynchronous=False.")
    if client.status != "running":
        raise ValueError(
            f"The Dask client is not connected (its status is {client.status!r}); start a new one."
        )
    return client
