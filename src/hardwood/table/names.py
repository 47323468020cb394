"""Column names: when a table has them, and how a prediction table's names are checked.

As scikit-learn does: names count only when all are strings, a mixture is refused, and at
prediction the names and their order must be those of training. The messages are
scikit-learn's own, because code and tests elsewhere look for them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

_SHOWN = 5


def string_names(names: Sequence[Any]) -> tuple[str, ...] | None:
    """The names when all are strings, None when none is; a mixture or a repeat is refused."""
    strings = [isinstance(name, str) for name in names]
    if not any(strings):
        return None
    if not all(strings):
        types = sorted({type(name).__qualname__ for name in names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {types} as feature name / column name types. "
            "Convert them all to strings, for example with X.columns = X.columns.astype(str)."
        )
    if len(set(names)) < len(names):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        raise ValueError(
            f"X has several columns named {', '.join(map(repr, repeated[:_SHOWN]))}; "
            "column names must be unique. Rename or drop the repeats."
        )
    return tuple(names)


def check_names(
    given: tuple[str, ...] | None, known: tuple[str, ...] | None, model_name: str
) -> None:
    """Compare a prediction table's names with those of training."""
    if given == known:
        return
    if known is None:
        warnings.warn(
            f"X has feature names, but {model_name} was fitted without feature names", stacklevel=4
        )
    elif given is None:
        warnings.warn(
            f"X does not have valid feature names, but {model_name} was fitted with feature names",
            stacklevel=4,
        )
    else:
        raise ValueError(_difference(given, known))


def _difference(given: tuple[str, ...], known: tuple[str, ...]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(known))
    absent = sorted(set(known) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if absent:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(absent)
    if not unseen and not absent:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def _listed(names: list[str]) -> str:
    lines = [f"- {name}\n" for name in names[:_SHOWN]]
    return "".join(lines) + ("- ...\n" if len(names) > _SHOWN else "")
