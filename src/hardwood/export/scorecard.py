"""A model as a scorecard: points per condition that add up to a score.

In: a fitted tree, or boosted trees of depth 1, and the scale of the points. Out: a `Scorecard`, and
its text as CSV or HTML. Points count the log odds of one class: with b = `base`, o = `odds` and d =
`double`, a row of odds p / (1 - p) has

    b + d * log2(p / (1 - p) / o)

points. For boosted stumps every column has a list of conditions, one of which every row meets; for
a tree the leaves are one such list. Invariant: the base points and one line per list add up to the
score, within `rounding`; the smallest points of a list are 0, and what that takes away is in the
base points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.export.forest import Forest, forest_of
from hardwood.export.scorecard_lists import leaf_list, stump_lists
from hardwood.export.scorecard_text import as_csv, as_html
from hardwood.tree.conditions import Condition
from hardwood.tree.numbers import value_text

FORMS = {"csv": as_csv, "html": as_html}


@dataclass(frozen=True, slots=True)
class Line:
    """A row that meets all conditions has the points."""

    conditions: tuple[Condition, ...]
    points: float


@dataclass(frozen=True, slots=True)
class Scorecard:
    """`lists`: by name (a column, or "leaf"), the lines of which each row meets exactly one."""

    label: object
    base: float
    """The points that every row has."""
    lists: dict[str, tuple[Line, ...]]
    scale: str
    """What points mean, in a sentence."""
    rounding: float
    """By how much a sum of rounded points may miss the score."""
    digits: int


def scorecard(
    model: Any,
    form: str = "csv",
    *,
    label: Any = None,
    base: float = 600.0,
    odds: float = 1.0,
    double: float = 20.0,
    digits: int = 0,
) -> str:
    """A tree, or boosted trees of depth 1 on two classes, as points that add up.

    `label`: the class whose odds the points count (the last one; for a tree of more classes it must
    be given). `base` points are odds of `odds` to 1, and `double` more points double the odds.
    Points have `digits` decimals. `form` is "csv" or "html".
    """
    if form not in FORMS:
        raise ValueError(f'form must be "csv" or "html"; given was {form!r}.')
    card = scorecard_of(model, label=label, base=base, odds=odds, double=double, digits=digits)
    return FORMS[form](card)


def scorecard_of(
    model: Any, *, label: Any, base: float, odds: float, double: float, digits: int
) -> Scorecard:
    """The card behind `scorecard`."""
    forest = forest_of(model, "Scorecard")
    _check_scale(base, odds, double, digits)
    counted = _label_of(forest, label)
    if forest.link == "shares":
        start, lists = leaf_list(forest, forest.classes.index(counted))
    else:
        start, lists = stump_lists(forest, counted == forest.classes[0])
    unit = double / math.log(2.0)
    fixed = base + unit * (start - math.log(odds))
    told = {}
    for name, lines in lists.items():
        least = min(value for _, value in lines)
        fixed += unit * least
        told[name] = tuple(
            Line(tuple(met), _rounded(unit * (value - least), digits)) for met, value in lines
        )
    rounding = 0.5 * 10.0**-digits * (1 + len(told))
    text = value_text(counted)
    scale = (
        f"{base:g} points are odds of {odds:g} to 1 for {text}, and {double:g} points more double "
        f"them. A row has the base points and the points of one line of each list; rounded, their "
        f"sum is at most {rounding:g} off the model's log odds in points."
    )
    return Scorecard(counted, _rounded(fixed, digits), told, scale, rounding, digits)


def _rounded(points: float, digits: int) -> float:
    return round(points, digits) + 0.0


def _label_of(forest: Forest, label: Any) -> object:
    classes: Sequence[object] = forest.classes
    if forest.link not in ("shares", "logistic") or len(classes) < 2:
        raise ValueError(
            "A scorecard counts the odds of one class against the other; boosted trees must have "
            f"two classes, and these have {len(classes)}. Fit two classes, or a TreeClassifier."
        )
    if label is None and len(classes) == 2:
        return classes[1]
    if label not in classes:
        raise ValueError(f"label must be one of the classes {list(classes)}; given was {label!r}.")
    return classes[classes.index(label)]


def _check_scale(base: float, odds: float, double: float, digits: int) -> None:
    for name, value, least in (("odds", odds, 0.0), ("double", double, 0.0), ("base", base, None)):
        if not math.isfinite(value) or (least is not None and value <= least):
            more = "" if least is None else " above 0"
            raise ValueError(f"{name} must be a finite number{more}; given was {value!r}.")
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 12:
        raise ValueError(f"digits must be a whole number from 0 to 12; given was {digits!r}.")
