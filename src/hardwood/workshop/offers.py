"""The splits that a node is offered, as plain data for the page.

In: `Alternatives`. Out: per split its words, numbers, the step that takes it, and its threshold
rounded, each with its price; a rounded threshold that leaves a branch empty, or that a constraint
does not admit, is left out.
"""

from __future__ import annotations

import math
from typing import Any

from hardwood.estimators.alternatives import (
    Alternative,
    Alternatives,
    errors_text,
    thresholds_text,
)

ROUNDED, ROUNDED_FOR = 3, 6
"""Digits of rounded thresholds, and for how many of the best splits they are tried."""


def offer_shown(found: Alternatives, number: int) -> dict[str, Any]:
    shown = _alternative_shown(found[number])
    return shown | {"rounded": _rounded(found, number) if number < ROUNDED_FOR else []}


def _alternative_shown(each: Alternative) -> dict[str, Any]:
    line = each.line
    data: dict[str, Any] = {"do": "split", "column": line.column}
    if line.groups is not None:
        data["groups"] = [list(group) for group in line.groups]
    else:
        data["thresholds"] = list(line.thresholds)
    if line.missing is not None:
        data["missing"] = line.missing
    return {
        "column": each.column,
        "words": line.words,
        "drop": each.drop,
        "price": each.price,
        "errors": errors_text(each.more_errors),
        "step": data,
    }


def _rounded(found: Alternatives, number: int) -> list[dict[str, Any]]:
    """Shorter thresholds and their prices."""
    line, shown = found[number].line, []
    if not line.thresholds or not isinstance(line.thresholds[0], int | float):
        return []
    seen = {line.thresholds}
    for digits in range(1, ROUNDED + 1):
        try:
            short = found.round(number, digits)
        except ValueError:
            continue
        values = short.line.thresholds
        if values in seen or not all(math.isfinite(float(v)) for v in values):  # type: ignore[arg-type]
            continue
        seen.add(values)
        texts = thresholds_text(short.line), thresholds_text(line)
        more = errors_text(short.errors - found[number].errors)
        price = f"{texts[0]} instead of {texts[1]}: {more}"
        shown.append(
            _alternative_shown(short)
            | {
                "price_text": price,
                "value": texts[0],
                "more": more,
            }
        )
    return shown
