"""`prove`: for each claim about a fitted model a proof, a counterexample, or why there is neither.

In: a fitted model and claims. Out: `Proofs`. What is proved is about the model as it is now: its
trees are walked box by box, with code that shares nothing with growth. Invariant: the model is only
read; every row that refutes a claim was answered by the model itself.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

from hardwood.certify.proving.bounding import TimeUpError
from hardwood.certify.proving.guard import check_reading
from hardwood.certify.proving.limits import prove_within
from hardwood.certify.proving.monotone import prove_monotone
from hardwood.certify.proving.pieces import TooLargeError
from hardwood.certify.proving.reading import read_model
from hardwood.certify.proving.results import Proofs, Result
from hardwood.certify.proving.same_answer import prove_same_answer
from hardwood.certify.proving.statements import (
    Monotone,
    NeverUses,
    SameAnswer,
    Statement,
    Within,
    statements_of,
)
from hardwood.certify.proving.task import Task, task_for
from hardwood.certify.proving.uses import prove_never_together, prove_never_uses

LONGEST = 1e9
"""Seconds."""


def prove(model: Any, claims: Any, *, time_limit: float | None = 10.0) -> Proofs:
    """Decide claims about a fitted TreeClassifier or BoostedTreesClassifier.

    claims: one or several objects of `hardwood.certify` (`Monotone`, `Within`, `SameAnswer`,
    `NeverUses`, `NeverTogether`), or mappings that say the same, such as `{"claim": "monotone",
    "column": "income", "direction": "increasing"}`. time_limit: seconds for a claim; None: any
    time.

    The result is a list of `Result`s, true when all are "proved". "refuted" has a row, or two that
    differ in one column, whose answers by the model break the claim. "not proved" says why: time
    was up, or the argument does not reach. Claims about a single tree are decided, if time allows;
    those about a sum of trees where its boxes can be searched in time.
    """
    statements = statements_of(claims)
    if time_limit is not None:
        told: Any = time_limit
        number: Any = told if isinstance(told, Real) else -1
        if not number > 0:
            raise ValueError(f"time_limit is {told!r}; give a positive number, or None.")
        time_limit = min(time_limit, LONGEST)
    reading = read_model(model)
    tasks = []
    for place, statement in enumerate(statements, 1):
        try:
            tasks.append(task_for(reading, statement, time_limit))
        except (ValueError, TypeError) as error:
            raise type(error)(f"Claim {place} ({statement}): {error}") from None
    check_reading(reading)
    return Proofs([_decided(place, task) for place, task in enumerate(tasks, 1)])


def _decided(place: int, task: Task) -> Result:
    task.clock.start()
    try:
        return _by_kind(task, task.claim)
    except TimeUpError:
        return task.not_proved(f"{task.clock.reason}.")
    except TooLargeError:
        return task.not_proved("the model has more boxes than are searched.")
    except (ValueError, TypeError) as error:
        raise type(error)(f"Claim {place} ({task.claim}): {error}") from None


def _by_kind(task: Task, claim: Statement) -> Result:
    if isinstance(claim, Monotone):
        return prove_monotone(task, claim)
    if isinstance(claim, Within):
        return prove_within(task, claim)
    if isinstance(claim, SameAnswer):
        return prove_same_answer(task)
    if isinstance(claim, NeverUses):
        return prove_never_uses(task)
    return prove_never_together(task)
