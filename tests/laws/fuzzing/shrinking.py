"""A failing case made smaller while the same law breaks, and printed as a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.laws.fuzzing.cases import Case

ATTEMPTS = 300


def shrink(case: Case, failure: Callable[[Case], str | None]) -> Case:
    """Greedily fewer columns, rows and parameters; `failure` names the law that breaks."""
    wanted, attempts = failure(case), 0
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(case):
            attempts += 1
            if attempts > ATTEMPTS:
                return case
            if failure(candidate) == wanted:
                case, smaller = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    for j in range(len(case.fields) if len(case.fields) > 1 else 0):
        yield replace(case, fields=case.fields[:j] + case.fields[j + 1 :])
    step = case.rows // 2
    while step:
        for first in range(0, case.rows, step):
            rows = [i for i in range(case.rows) if not first <= i < first + step]
            if rows:
                yield case.taken(rows)
        step //= 2
    for name, _ in case.parameters:
        yield replace(case, parameters=tuple(p for p in case.parameters if p[0] != name))
    if case.weights is not None:
        yield replace(case, weights=None)


def script(case: Case) -> str:
    """Repeats the failure: run it from the repository's root."""
    return (
        "from tests.laws.fuzzing.cases import Case, Field\n"
        "from tests.laws.fuzzing.run import with_pieces\n"
        "from tests.laws.fuzzing.checks import check\n\n"
        f"case = {case!r}\nwith with_pieces():\n    print(check(case))\n"
    )
