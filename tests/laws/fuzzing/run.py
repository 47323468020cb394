"""Random models against all laws.

python -m tests.laws.fuzzing.run [cases] [seed] [first] [processes]

A failing case is shrunk and printed as a script; the run goes on and ends with exit code 1.
"""

from __future__ import annotations

import contextlib
import faulthandler
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from hardwood.estimators.back_ends import register, unregister
from tests.distributed.pieces import PiecesBackEnd
from tests.laws.fuzzing.cases import Case
from tests.laws.fuzzing.checks import BrokenLawError, check
from tests.laws.fuzzing.random_cases import random_case
from tests.laws.fuzzing.shrinking import script, shrink

SHARE = 50


@contextlib.contextmanager
def with_pieces() -> Iterator[None]:
    """Lets `fit` take the pieces of a table."""
    back_end: Any = PiecesBackEnd()
    register(back_end)
    try:
        yield
    finally:
        unregister(back_end)


def failure(case: Case) -> str | None:
    """The law that breaks."""
    try:
        check(case)
    except BrokenLawError as error:
        return str(error).split(":")[0]
    except Exception as error:
        return type(error).__name__
    return None


def described(case: Case, error: Exception) -> str:
    small = shrink(case, failure)
    return f"case {case.number}: {error}\n\n{script(small)}"


def some(numbers: range, seed: int) -> tuple[Counter[str], list[str]]:
    ends: Counter[str] = Counter()
    failures: list[str] = []
    with with_pieces():
        for number in numbers:
            case = random_case(number, seed)
            try:
                ends[check(case)] += 1
            except Exception as error:
                ends["broken"] += 1
                failures.append(described(case, error))
    return ends, failures


def main() -> None:
    faulthandler.enable()
    given = [int(each) for each in sys.argv[1:]]
    count, seed, first, processes = (given + [2000, 0, 0, 0][len(given) :])[:4]
    began, ends, failed = perf_counter(), Counter[str](), 0
    shares = [range(a, min(a + SHARE, first + count)) for a in range(first, first + count, SHARE)]
    with ProcessPoolExecutor(processes or None, mp_context=get_context("spawn")) as pool:
        done = pool.map(some, shares, [seed] * len(shares))
        for numbers, (part, failures) in zip(shares, done, strict=True):
            ends += part
            for text in failures:
                failed += 1
                print(f"--- seed {seed}, {text}", flush=True)
            print(f"{numbers.stop} cases", file=sys.stderr, flush=True)
    print(f"{count} cases of seed {seed}, {perf_counter() - began:.0f} s: {dict(ends)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
