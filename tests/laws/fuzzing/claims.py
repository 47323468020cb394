"""What `certify.prove` must not refute of a model that was grown with constraints."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from hardwood.certify import Monotone, NeverTogether
from tests.laws.fuzzing.cases import Case


def constraint_claims(case: Case, model: Any) -> list[Any]:
    given = dict(case.parameters)
    classes = model.classes_.tolist()
    claims: list[Any] = []
    if len(classes) > 1:
        claims += _in_order(case, given.get("monotonic_cst") or {}, classes)
    return [*claims, *_apart(given.get("interaction_cst"), len(case.fields))]


def _in_order(case: Case, told: Any, classes: list[Any]) -> Iterator[Monotone]:
    """Of boosted models about scores: those of several classes are what is promised."""
    of = "score" if case.boosted else "probability"
    items = told.items() if isinstance(told, dict) else enumerate(told)
    for column, said in items:
        by_class = said if isinstance(said, dict) else {classes[-1]: said}
        name = column if isinstance(column, str) else f"x{column}"
        for label, sign in by_class.items():
            if sign:
                way = "increasing" if sign > 0 else "decreasing"
                yield Monotone(column=name, direction=way, label=label, of=of)


def _apart(told: Any, columns: int) -> Iterator[NeverTogether]:
    if told == "no_interactions":
        sets = [{j} for j in range(columns)]
    elif isinstance(told, list) and not any(isinstance(each, dict) for each in told):
        named = [set(each) for each in told]
        sets = [*named, set(range(columns)).difference(*named)]
    else:
        return
    for a, b in itertools.combinations(range(columns), 2):
        if not any({a, b} <= each for each in sets):
            yield NeverTogether(columns=(f"x{a}", f"x{b}"))
