"""The parts of a fit on a Dask cluster: where they are, what they are asked, what is lost.

A part stays on one worker, the one that coded its partition. A step is one call per worker, over a
connection of the fit's own (`connections`) or, where there is none, by way of Dask. When a
worker leaves the cluster, its parts are lost: their partitions are computed again wherever Dask
puts them, coded anew, and catch up by the list of events. Answers that were received are kept, so a
step ends with every part counted once. Many workers are asked along a tree (`relay`); a worker
whose answer is lost on that way is asked again directly.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import socket
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from hardwood.dask import cluster, worker
from hardwood.dask.cluster import LOST, Cluster, asked_directly
from hardwood.dask.connections import Connections, connected
from hardwood.dask.partitions import Partition
from hardwood.dask.relay import Call, arranged
from hardwood.dask.tasks import PartitionCall, Tasks
from hardwood.distributed.agreement import Agreement
from hardwood.distributed.codebooks import SAMPLED
from hardwood.distributed.packing import unpack_answer
from hardwood.distributed.steps import ABSENT, UNREACHED, Answer, Behind, Step, merge_answers
from hardwood.distributed.team import Team
from hardwood.errors import ClusterLostError
from hardwood.progress import Progress

ALL_SAMPLED, LEAST_SAMPLED = 1 << 16, 64  # values of a column, over all partitions and of each
MOST_LOSSES = 50  # in one step: more is a cluster that cannot work
GOODBYE = 5.0  # seconds that the end of a fit waits for workers that do not answer


@dataclass(frozen=True)
class Received:
    """What came from a worker: the answer of its parts, those of them that lack events, bytes."""

    answer: Answer | None
    behind: list[Behind]
    size: int

    @classmethod
    def of(cls, data: bytes | bytearray) -> Received:
        return cls(*unpack_answer(data), len(data))


class PartsOnWorkers:
    """Which worker has which part, and how a part is made."""

    def __init__(
        self, client: Any, fit: str, categorical_features: Any, progress: Progress
    ) -> None:
        self.cluster = Cluster(client)
        self.client: Any = self.cluster.client
        self.fit = fit
        self._tasks = Tasks(self.cluster, fit, progress)
        self._categorical_features = categorical_features
        self._partitions: dict[int, Partition] = {}
        self._agreed = b""
        self.workers: dict[int, str] = {}
        self._reachable: dict[str, bool] = {}
        self._connections = Connections()

    def describe(self, partitions: list[Partition]) -> list[Any]:
        sample = min(SAMPLED, max(LEAST_SAMPLED, ALL_SAMPLED // len(partitions)))
        return self._tasks.results(
            [
                PartitionCall(
                    worker.describe_partition,
                    (part.number, self._categorical_features, sample),
                    part,
                )
                for part in partitions
            ],
            "describing partition",
        )

    def code(self, partitions: dict[int, Partition], agreement: Agreement) -> None:
        self._partitions = partitions
        self._agreed = pickle.dumps(agreement, protocol=5)
        self.make(list(partitions))

    def make(self, numbers: list[int]) -> None:
        """Make parts, wherever Dask puts them."""
        calls = [
            PartitionCall(
                worker.code_partition,
                (self.fit, number, self._agreed, self._categorical_features),
                self._partitions[number],
            )
            for number in numbers
        ]
        made = self._tasks.results(calls, "coding partition")
        self.workers.update(zip(numbers, made, strict=True))

    def ask(self, calls: list[Call]) -> list[Received | None]:
        """What the parts at each address say; None where the worker is gone."""
        new = {call.address for call in calls} - self._reachable.keys()
        if new:
            self.cluster.run(self._reach, new)
        answers = self._ask_connected(calls)
        left = [i for i, answer in enumerate(answers) if answer is None]
        if left:
            found = self.cluster.run(self._ask, [calls[i] for i in left])
            for i, answer in zip(left, found, strict=True):
                lost = isinstance(answer, BaseException)
                answers[i] = answer if lost else Received.of(answer)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, LOST):
                raise answer
        if any(isinstance(answer, BaseException) for answer in answers):
            self.cluster.workers()
        return [None if isinstance(answer, BaseException) else answer for answer in answers]

    async def _reach(self, new: set[str]) -> None:
        """Connects to workers where that is possible: every other way is slower."""
        self._reachable.update(await cluster.reachable(self.client, new))
        within = [address for address in new if self._reachable[address]]
        await asyncio.gather(*map(self._connect, within))

    async def _connect(self, address: str) -> None:
        async def connection() -> socket.socket | None:
            await asked_directly(self.client, address, worker.accept_connections)
            return await connected(self.client, address)

        with contextlib.suppress(*LOST):
            made = await asyncio.wait_for(connection(), cluster.CONNECTING)
            if made is not None:
                self._connections.add(address, made)

    def _ask_connected(self, calls: list[Call]) -> list[Any]:
        """Answers over connections, read while others are on their way; None where there is no
        connection or it broke, an OSError where the worker was given up."""
        numbers: dict[str, int] = {}
        if self.client.status == "running":  # a fit ends with its scheduler
            for i, call in enumerate(calls):
                if call.address in self._connections:
                    numbers.setdefault(call.address, i)
        messages = {at: pickle.dumps((self.fit, calls[i]), protocol=5) for at, i in numbers.items()}

        def given_up(waiting: list[str]) -> list[str]:
            here = self.cluster.workers()
            return [
                at
                for at in waiting
                if any(each.address not in here for each in calls[numbers[at]].everyone())
            ]

        answers: list[Any] = [None] * len(calls)
        for i in numbers.values():
            answers[i] = OSError("gone")
        for at, data in self._connections.ask(messages, cluster.LOOK_AGAIN, given_up):
            answers[numbers[at]] = None if data is None else Received.of(data)
        return answers

    async def _ask(self, calls: list[Call]) -> list[Any]:
        """By way of Dask, but not as tasks: an eighth of the latency, and a worker that dies
        breaks its connection at once. Workers that never had a connection are looked for now and
        then; an answer that arrives after its worker was given up is ignored."""
        tasks = [asyncio.ensure_future(self._ask_one(call)) for call in calls]
        pending = set(tasks)
        try:
            while pending:
                done, pending = await asyncio.wait(pending, timeout=cluster.LOOK_AGAIN)
                if pending and not done:
                    here = await self.cluster.workers_now()
                    for task, call in zip(tasks, calls, strict=True):
                        gone = any(each.address not in here for each in call.everyone())
                        if task in pending and gone:
                            task.cancel()
        finally:
            for task in pending:
                task.cancel()
        errors = [None if task.cancelled() else task.exception() for task in tasks]
        for error in errors:  # all were looked at; these are the scheduler's, not a worker's
            if error is not None:
                raise error
        return [OSError("gone") if task.cancelled() else task.result() for task in tasks]

    async def _ask_one(self, call: Call) -> Any:
        running = self.client.status == "running"  # a fit ends with its scheduler
        if running and self._reachable.get(call.address):
            try:
                return await asked_directly(
                    self.client, call.address, worker.answer, self.fit, call
                )
            except LOST:  # whether the worker or only the connection is gone, the scheduler knows
                self._reachable[call.address] = False
        answers = await self.client.run(
            worker.answer,
            self.fit,
            call,
            workers=[call.address],
            on_error="return",
        )
        return answers[call.address]

    def forget(self) -> None:
        """Nothing of the fit stays on the workers; one that does not answer is not waited for."""
        self._connections.close()
        if self.client.status != "running":
            return
        with contextlib.suppress(Exception, asyncio.CancelledError):
            self.client.sync(self._forget, callback_timeout=GOODBYE)

    async def _forget(self) -> None:
        await self.client.run(worker.forget, self.fit, on_error="ignore")


class DaskTeam(Team):
    def __init__(self, parts: PartsOnWorkers) -> None:
        super().__init__()
        self._parts = parts
        self.traffic.workers = len(set(parts.workers.values()))

    def close(self) -> None:
        self._parts.forget()

    def _send(self, step: Step) -> Answer:
        answers: list[Answer] = []
        first = dict.fromkeys(
            self._parts.workers, step.first
        )  # the event from which each part gets events
        losses, along_tree = 0, True
        while first:
            lost: list[int] = []
            for numbers, answer, behind in self._round_trip(step, first, along_tree):
                if answer is not None:
                    kept = answer.events[len(answer.events) - len(step.events) :]
                    answers.append(Answer(kept, answer.requests))
                for number in set(numbers) - {each.part for each in behind}:
                    del first[number]
                for each in behind:
                    if each.applied == ABSENT:
                        lost.append(each.part)
                    elif each.applied != UNREACHED:
                        first[each.part] = each.applied
            along_tree = False
            if lost:
                losses += 1
                if losses > MOST_LOSSES:
                    raise ClusterLostError(
                        f"Parts were lost {losses} times in one step; look at why workers die or "
                        "cannot be reached, and fit again."
                    )
                self._parts.make(lost)
                self.traffic.parts_rebuilt += len(lost)
                first.update(dict.fromkeys(lost, 0))
        return merge_answers(step, answers)

    def _round_trip(
        self, step: Step, first: dict[int, int], along_tree: bool
    ) -> list[tuple[list[int], Answer | None, list[Behind]]]:
        """Each call's answer; for a worker that is gone: its parts are not there."""
        groups: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, start in first.items():
            groups[self._parts.workers[number], start].append(number)
        messages = {start: self._message(step, start) for start in set(first.values())}
        calls = [Call(at, numbers, messages[start]) for (at, start), numbers in groups.items()]
        if along_tree and len(messages) == 1:
            calls = arranged(calls)
        out: list[tuple[list[int], Answer | None, list[Behind]]] = []
        for call, received in zip(calls, self._parts.ask(calls), strict=True):
            numbers = call.all_numbers
            self.traffic.bytes_sent += len(call.message)
            if received is None:
                why = UNREACHED if call.below else ABSENT
                out.append((numbers, None, [Behind(n, why) for n in numbers]))
            else:
                self.traffic.bytes_received += received.size
                out.append((numbers, received.answer, received.behind))
        return out

    def _message(self, step: Step, start: int) -> bytes:
        message = Step(start, self.log[start : step.first + len(step.events)], step.requests)
        return pickle.dumps(message, protocol=5)
