"""Peak resident memory of one fit, less what was there before, in a process of its own.

In: a task, a learner and a number of threads, as command-line arguments. Out: bytes on stdout.
The process loads the data and fits a small part first, so that libraries, thread pools and the
matrix are there before the clock of memory starts. Linux resets the peak (VmHWM) on request; where
that is refused a thread samples the resident size every millisecond.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

from benchmarks.data import TASKS
from benchmarks.learners import available

_STATUS = Path("/proc/self/status")


def peak_of_fit(task: str, learner: str, threads: int) -> int | None:
    """Bytes, from a fresh process; None where the system does not say."""
    if not _STATUS.exists():
        return None
    command = [sys.executable, "-m", "benchmarks.memory", task, learner, str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout.split()[-1])


def _kilobytes(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise OSError(f"no {field} in {_STATUS}")


def _reset_peak() -> bool:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return _kilobytes("VmHWM") <= _kilobytes("VmRSS") + 1024


def _peak_by_sampling(run: Callable[[], object]) -> int:
    done, peak = threading.Event(), [_kilobytes("VmRSS")]

    def watch() -> None:
        while not done.wait(0.001):
            peak[0] = max(peak[0], _kilobytes("VmRSS"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    run()
    done.set()
    watcher.join()
    return peak[0]


def _main(task_name: str, learner: str, threads: str) -> None:
    warnings.simplefilter("ignore")
    task, build = TASKS[task_name](), available([learner])[learner]
    assert task is not None
    few = slice(0, 2000)
    build(16, int(threads)).fit(task.X[few], task.y[few])
    model = build(task.leaves, int(threads))
    before = _kilobytes("VmRSS")
    if _reset_peak():
        model.fit(task.X, task.y)
        peak = _kilobytes("VmHWM")
    else:
        peak = _peak_by_sampling(lambda: model.fit(task.X, task.y))
    print(1024 * (peak - before))


if __name__ == "__main__":
    _main(*sys.argv[1:])
