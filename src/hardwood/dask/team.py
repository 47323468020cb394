"""The parts of a fit on a Dask cluster: where they are, what they are asked, what is lost.

Every part has a home, the worker that coded its partition. A step is one call per home. A home that
leaves the cluster loses its parts: their partitions are computed again wherever Dask puts them,
coded anew, and catch up by the list of events. What was answered stays answered, so a step ends
with every part counted once.
"""

from __future__ import annotations

import asyncio
import itertools
import pickle
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from distributed import Client, get_client
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from hardwood.dask import worker
from hardwood.dask.partitions import Partition
from hardwood.distributed.agreement import Agreement
from hardwood.distributed.codebooks import SAMPLED
from hardwood.distributed.messages import Answer, Behind, Step, merge_answers
from hardwood.distributed.packing import unpack_answer
from hardwood.distributed.team import Team
from hardwood.errors import ClusterLostError

Future = Any  # distributed.Future; the library has few types

ALL_SAMPLED, LEAST_SAMPLED = 1 << 16, 64  # values of a column, over all partitions and of each
LOOK_AGAIN = 1.0  # seconds after which a step that hangs looks for homes that are gone
PATIENCE = 60.0  # seconds to wait for a first worker
_LOST = (KilledWorker, FutureCancelledError, CommClosedError, OSError, TimeoutError)


@dataclass(frozen=True)
class Call:
    """A step for the parts that one worker has."""

    address: str
    numbers: list[int]
    message: bytes


class Home:
    """Which worker has which part, and how a part is made."""

    def __init__(self, client: Any, fit: str, categorical_features: Any) -> None:
        self.client: Any = _checked_client(client)
        self.fit = fit
        self._categorical_features = categorical_features
        self._partitions: dict[int, Partition] = {}
        self._agreed = b""
        self.of: dict[int, str] = {}
        self._task = itertools.count()

    def workers(self) -> dict[str, int]:
        """Addresses of the workers there are, with their threads; waits a while for the first."""
        waited = 0.0
        while True:
            try:
                found = self.client.sync(self.client.scheduler.ncores, callback_timeout=20)
            except (*_LOST, RuntimeError, AttributeError) as error:
                raise _scheduler_lost() from error
            if found:
                return dict(found)
            if waited >= PATIENCE:
                raise ClusterLostError(
                    f"All workers of the Dask cluster are gone, and none came back within "
                    f"{PATIENCE:g} seconds; start workers and fit again (a boosted fit with "
                    "checkpoint=... resumes where it was)."
                )
            time.sleep(0.5)
            waited += 0.5

    def describe(self, partitions: list[Partition]) -> list[Any]:
        sample = min(SAMPLED, max(LEAST_SAMPLED, ALL_SAMPLED // len(partitions)))
        calls = [
            (worker.describe_partition, (part.number, self._categorical_features, sample), part)
            for part in partitions
        ]
        return self._on_partitions(calls)

    def code(self, partitions: dict[int, Partition], agreement: Agreement) -> None:
        self._partitions = partitions
        self._agreed = pickle.dumps(agreement, protocol=5)
        self.make(list(partitions))

    def make(self, numbers: list[int]) -> None:
        """Make parts, wherever Dask puts them."""
        calls = [
            (
                worker.code_partition,
                (self.fit, number, self._agreed, self._categorical_features),
                self._partitions[number],
            )
            for number in numbers
        ]
        self.of.update(zip(numbers, self._on_partitions(calls), strict=True))

    def _on_partitions(self, calls: list[tuple[Any, tuple[Any, ...], Partition]]) -> list[Any]:
        """Results of function(*arguments, X, y, weights); Dask itself runs lost tasks again."""
        self.workers()
        futures: list[Future] = []
        try:
            given = [each for *_, part in calls for each in part.given() if each is not None]
            data = iter(self.client.compute(given))
            for function, arguments, part in calls:
                own = [None if each is None else next(data) for each in part.given()]
                futures.append(self.submit(function, *arguments, *own))
            return self._results(futures)
        finally:
            self.client.cancel(futures)

    def _results(self, futures: list[Future]) -> list[Any]:
        while True:
            try:
                return self.gather(futures)
            except TimeoutError:
                self.workers()
            except KilledWorker as error:
                raise ClusterLostError(
                    f"Workers kept dying while they read or coded a partition ({error}); give them "
                    "more memory, or use smaller partitions."
                ) from error
            except FutureCancelledError as error:
                raise _scheduler_lost() from error

    def submit(self, function: Any, *arguments: Any, **options: Any) -> Future:
        key = f"hardwood-{function.__name__}-{self.fit}-{next(self._task)}"
        try:
            return self.client.submit(function, *arguments, key=key, pure=False, **options)
        except (RuntimeError, *_LOST) as error:
            raise _scheduler_lost() from error

    def gather(self, futures: list[Future]) -> list[Any]:
        """Results; TimeoutError after a while."""

        async def gathered() -> Any:
            waiting = self.client.gather(futures, asynchronous=True)
            return await asyncio.wait_for(waiting, LOOK_AGAIN)

        try:
            return list(self.client.sync(gathered))
        except RuntimeError as error:
            raise _scheduler_lost() from error

    def ask(self, calls: list[Call]) -> list[bytes | None]:
        """What the parts at each address say; None where the worker is gone."""
        try:
            answers = self.client.sync(self._ask, calls)
        except (RuntimeError, *_LOST) as error:
            raise _scheduler_lost() from error
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, _LOST):
                raise answer
        if any(isinstance(answer, BaseException) for answer in answers):
            self.workers()
        return [None if isinstance(answer, BaseException) else answer for answer in answers]

    async def _ask(self, calls: list[Call]) -> list[Any]:
        """Straight to the workers, not as tasks: a quarter of the latency, and a worker that dies
        breaks its connection at once. Those that never had one are looked for now and then."""
        tasks = [asyncio.ensure_future(self._ask_one(call)) for call in calls]
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, timeout=LOOK_AGAIN)
            if pending and not done:
                here = await self.client.scheduler.ncores()
                for task, call in zip(tasks, calls, strict=True):
                    if task in pending and call.address not in here:
                        task.cancel()
        return [OSError("gone") if task.cancelled() else task.result() for task in tasks]

    async def _ask_one(self, call: Call) -> Any:
        answers = await self.client.run(
            worker.answer,
            self.fit,
            call.numbers,
            call.message,
            workers=[call.address],
            on_error="return",
        )
        return answers[call.address]

    def forget(self) -> None:
        """Nothing of the fit stays on the workers."""
        try:
            self.client.run(worker.forget, self.fit, on_error="ignore")
        except Exception:
            return


class DaskTeam(Team):
    def __init__(self, home: Home) -> None:
        super().__init__()
        self._home = home
        self.traffic.workers = len(set(home.of.values()))

    def close(self) -> None:
        self._home.forget()

    def _send(self, step: Step) -> Answer:
        answers: list[Answer] = []
        first = dict.fromkeys(self._home.of, step.first)  # the event from which each part is told
        while first:
            lost: list[int] = []
            for numbers, (answer, behind) in self._round_trip(step, first):
                if answer is not None:
                    kept = answer.events[len(answer.events) - len(step.events) :]
                    answers.append(Answer(kept, answer.requests))
                for number in set(numbers) - {each.part for each in behind}:
                    del first[number]
                for each in behind:
                    if each.applied < 0:
                        lost.append(each.part)
                    else:
                        first[each.part] = each.applied
            if lost:
                self._home.make(lost)
                self.traffic.parts_rebuilt += len(lost)
                first.update(dict.fromkeys(lost, 0))
        return merge_answers(step, answers)

    def _round_trip(
        self, step: Step, first: dict[int, int]
    ) -> list[tuple[list[int], tuple[Answer | None, list[Behind]]]]:
        """Each home's answer; a home that is gone answers that its parts are not there."""
        groups: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, start in first.items():
            groups[self._home.of[number], start].append(number)
        calls: list[Call] = []
        for (address, start), numbers in groups.items():
            told = Step(start, self.log[start : step.first + len(step.events)], step.requests)
            message = pickle.dumps(told, protocol=5)
            self.traffic.bytes_sent += len(message)
            calls.append(Call(address, numbers, message))
        out: list[tuple[list[int], tuple[Answer | None, list[Behind]]]] = []
        for call, data in zip(calls, self._home.ask(calls), strict=True):
            if data is None:
                out.append((call.numbers, (None, [Behind(n, -1) for n in call.numbers])))
            else:
                self.traffic.bytes_received += len(data)
                out.append((call.numbers, unpack_answer(data)))
        return out


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


def _scheduler_lost() -> ClusterLostError:
    return ClusterLostError(
        "The Dask scheduler is gone; start a cluster and fit again (a boosted fit with "
        "checkpoint=... resumes where it was)."
    )
