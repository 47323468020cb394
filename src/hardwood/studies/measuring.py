"""Units measured here or in several processes.

In: pairs of a study and one of its units, and the data. Out: their records, as they are finished.
A process finds its study by name in `STUDIES`, reads the data itself and sends back the record
alone. The models of a unit use all threads that they are given, so more than one unit at a time
pays where much of a unit's time is spent in one thread.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from hardwood.studies.data import DataFolder
from hardwood.studies.study import Record, Study, StudyError, Unit

Todo = Sequence[tuple[Study, Unit]]


def measured(todo: Todo, source: DataFolder, jobs: int) -> Iterator[tuple[str, Record]]:
    """Each record with its study's name; with one job in the order given."""
    if jobs < 1:
        raise StudyError(f"jobs must be a whole number >= 1; given was {jobs}.")
    if jobs == 1 or len(todo) < 2:
        for study, unit in todo:
            yield study.name, measure(study, unit, source)
    else:
        yield from _in_processes(todo, source, jobs)


def measure(study: Study, unit: Unit, source: DataFolder) -> Record:
    """One unit, with its time by the clock and of the processor."""
    started, cpu = time.perf_counter(), time.process_time()
    values = study.measure(unit, source)
    return Record(unit, values, time.perf_counter() - started, time.process_time() - cpu)


def _in_processes(todo: Todo, source: DataFolder, jobs: int) -> Iterator[tuple[str, Record]]:
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(todo)), context, _begin, (source,))
    try:
        waiting = [pool.submit(_measure_named, study.name, unit) for study, unit in todo]
        for finished in as_completed(waiting):
            yield finished.result()
    except BrokenProcessPool:
        raise StudyError(
            "A process that measured units has died, perhaps for want of memory; the finished "
            "units stay. Give the same command again, with fewer --jobs, to go on from there."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()


_SOURCE: list[DataFolder] = []
"""In a process of the pool: the data."""


def _begin(source: DataFolder) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
    _SOURCE.append(source)


def _measure_named(name: str, unit: Unit) -> tuple[str, Record]:
    from hardwood.studies import STUDIES

    return name, measure(STUDIES[name], unit, _SOURCE[0])
