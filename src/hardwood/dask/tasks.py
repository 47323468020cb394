"""A function applied to every partition, as Dask tasks: wherever Dask puts them.

In: calls, each with its partition. Out: their results, in order. Dask itself runs lost tasks
again. Afterwards, whatever happened, no task and no result of a call stays on the cluster. An error
names its partition.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from hardwood.dask import cluster
from hardwood.dask.cluster import Cluster, workers_paused
from hardwood.dask.partitions import Partition
from hardwood.errors import ClusterLostError
from hardwood.progress import Progress

Future = Any  # distributed.Future; the library has few types

ATTEMPTS = 3  # each time Dask tries a task on several workers that die, as it is configured


class _OnTheWayError(Exception):
    """No task failed, but their results did not come."""


_GIVEN_UP = (KilledWorker, FutureCancelledError, _OnTheWayError)


@dataclass(frozen=True)
class PartitionCall:
    """function(*arguments, X, y, sample_weight)"""

    function: Any
    arguments: tuple[Any, ...]
    partition: Partition


class Tasks:
    """Submits under keys that no other fit has."""

    def __init__(self, there: Cluster, fit: str, progress: Progress) -> None:
        self._cluster, self._fit, self._progress = there, fit, progress
        self._number = itertools.count()

    def results(self, calls: Sequence[PartitionCall], doing: str) -> list[Any]:
        """`doing` names the work to those who watch. Where Dask gives up, because a task met too
        many deaths or a restart cancelled all, everything is submitted anew some times."""
        for attempt in range(1, ATTEMPTS + 1):
            self._cluster.workers()
            try:
                return self._attempt(calls, doing)
            except _GIVEN_UP as error:
                self._cluster.workers()
                if attempt == ATTEMPTS:
                    raise ClusterLostError(
                        "Workers kept dying, or were restarted again and again, while they read or "
                        f"coded partitions ({error}); give them more memory, or use smaller "
                        "partitions."
                    ) from error
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, calls: Sequence[PartitionCall], doing: str) -> list[Any]:
        futures: list[Future] = []
        given: list[Future] = []
        try:
            wanted = [each for call in calls for each in call.partition.given()]
            given = self._cluster.client.compute([each for each in wanted if each is not None])
            data = iter(given)
            for call in calls:
                own = [None if each is None else next(data) for each in call.partition.given()]
                futures.append(self.submit(call.function, *call.arguments, *own))
            return list(self._cluster.client.sync(self._gather, futures, doing))
        except (ClusterLostError, *_GIVEN_UP):
            raise
        except Exception as error:
            failed = [k for k, each in enumerate(futures) if each.status == "error"]
            sent = len(futures) == len(calls)
            if not failed and not sent and not isinstance(error, (RuntimeError, *cluster.LOST)):
                raise  # the caller's graph cannot be sent
            if not failed:  # results were lost on their way, or the scheduler is gone
                raise _OnTheWayError(f"{type(error).__name__}: {error}") from error
            first = futures[failed[0]].exception(timeout=cluster.SCHEDULER_PATIENCE)
            raise _refused(calls[failed[0]].partition.number, first) from error
        finally:
            self._drop(futures, given)

    def submit(self, function: Any, *arguments: Any) -> Future:
        key = f"hardwood-{function.__name__}-{self._fit}-{next(self._number)}"
        return self._cluster.client.submit(function, *arguments, key=key, pure=False)

    async def _gather(self, futures: list[Future], doing: str) -> list[Any]:
        """Results, however long they take as long as there is a cluster."""
        waiting = asyncio.ensure_future(self._cluster.client.gather(futures, asynchronous=True))
        before, moved = 0, time.monotonic()
        try:
            while not waiting.done():
                done, _ = await asyncio.wait({waiting}, timeout=cluster.LOOK_AGAIN)
                finished = sum(each.status == "finished" for each in futures)
                self._progress.show(doing, finished, len(futures))
                if done:
                    break
                await self._cluster.workers_now()
                if finished > before or not await self._cluster.all_paused():
                    before, moved = finished, time.monotonic()
                elif time.monotonic() - moved > cluster.PATIENCE:
                    raise workers_paused()
            return list(waiting.result())
        finally:
            waiting.cancel()

    def _drop(self, futures: list[Future], given: list[Future]) -> None:
        """What the caller holds himself, such as a persisted partition, is only let go of."""
        with contextlib.suppress(Exception):
            self._cluster.client.cancel(futures)
        for each in given:
            each.release()


def _refused(number: int, error: Exception) -> Exception:
    """An error of a task, with the partition's number where it does not say it."""
    if str(error).startswith(f"In partition {number}:"):
        return error
    return ValueError(
        f"Partition {number} could not be computed ({type(error).__name__}: {error}); repair what "
        "it is read or made from."
    )
