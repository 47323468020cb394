"""`monotonic_cst` and `interaction_cst`: what the user wrote -> `Constraints` of a table's columns.

In: an estimator, the schemas and classes of its training rows. Out: `Constraints`, or None where
nothing is constrained; a ValueError says what is wrong, or why a combination is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.estimators.below_others import needs_of, refuse_unreachable
from hardwood.estimators.named_columns import Columns, is_list, is_whole
from hardwood.growing.constraints import Constraints
from hardwood.training import Training

Signs = NDArray[np.int8]


def constraints_for_tree(model: Any, training: Training, leaf_prior: float) -> Constraints | None:
    signs = signs_of(model.monotonic_cst, training)
    if signs.any():
        _refuse(model.branching == "multiway", 'branching="multiway"', _MULTIWAY)
        _refuse(model.missing == "fractional", 'missing="fractional"', _FRACTIONAL)
    return _constraints(signs, model.interaction_cst, training, leaf_prior)


def constraints_for_boosting(model: Any, training: Training, multiclass: str) -> Constraints | None:
    several = len(training.classes) > 2
    signs = signs_of(model.monotonic_cst, training)
    if signs.any():
        _refuse(several and multiclass == "samme", 'multiclass="samme"', _VOTES)
        _refuse(several and multiclass == "pairs", 'multiclass="pairs"', _PAIRS)
    return _constraints(signs, model.interaction_cst, training, 0.0)


_MULTIWAY = 'the order of more than two branches is not searched; use branching="binary"'
_FRACTIONAL = (
    "a row without a value gets a sum over many leaves, whose rounding could break the order; use "
    'missing="branch"'
)
_VOTES = (
    "a tree votes for one of several classes, so no class has a score of its own; use "
    'multiclass="ovr"'
)
_PAIRS = (
    "one split of a tree over pairs is of several classes, whose signs may differ; use "
    'multiclass="ovr"'
)


def _refuse(combined: bool, with_what: str, why: str) -> None:
    if combined:
        raise ValueError(f"monotonic_cst cannot be combined with {with_what}: {why}.")


def _constraints(
    signs: Signs, interaction: Any, training: Training, leaf_prior: float
) -> Constraints | None:
    columns = Columns(training, "interaction_cst")
    interaction, needs = needs_of(interaction, columns)
    groups, most = _groups(interaction, columns)
    refuse_unreachable(groups, needs, columns)
    if not signs.any() and not groups and not most and not needs:
        return None
    return Constraints(signs, groups, most, needs, leaf_prior)


def signs_of(given: Any, training: Training) -> Signs:
    """[columns, classes]"""
    columns = Columns(training, "monotonic_cst")
    signs = np.zeros((columns.count, len(training.classes)), dtype=np.int8)
    for place, told in _told(given, columns):
        if isinstance(told, Mapping):
            for label, sign in told.items():
                _set(signs, place, _class_of(label, training), _sign(sign), columns)
        elif sign := _sign(told):
            if len(training.classes) > 2:
                raise ValueError(
                    f"monotonic_cst gives the column {columns.name(place)} the sign {sign}, but y "
                    f"has {len(training.classes)} classes; say for which class, for example "
                    f"{{{columns.key(place)}: {{{training.classes.tolist()[-1]!r}: {sign}}}}}."
                )
            if len(training.classes) == 2:
                _set(signs, place, 1, sign, columns)
    for place in np.flatnonzero(signs.any(axis=1)).tolist():
        _check_column(signs, place, columns)
    return signs


def _told(given: Any, columns: Columns) -> Iterable[tuple[int, Any]]:
    """Places of columns and what is said of them."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        places = [columns.place(column) for column in given]
        if len(set(places)) < len(places):
            raise ValueError("monotonic_cst names a column twice; name it once.")
        return zip(places, given.values(), strict=True)
    if isinstance(given, str) or not is_list(given):
        raise ValueError(
            "monotonic_cst must be None, a sign (-1, 0 or 1) per column, or a dict of columns and "
            f"signs; given was {given!r}."
        )
    listed = list(given)
    if len(listed) != columns.count:
        raise ValueError(
            f"monotonic_cst has {len(listed)} entries, but X has {columns.count} columns; give one "
            "sign per column, or a dict of the columns that are constrained."
        )
    return enumerate(listed)


def _set(signs: Signs, place: int, label: int, sign: int, columns: Columns) -> None:
    """With two classes one rises where the other falls."""
    ways = {label: sign, 1 - label: -sign} if signs.shape[1] == 2 else {label: sign}
    for each, own in ways.items():
        if own and signs[place, each] == -own:
            raise ValueError(
                f"monotonic_cst asks both classes to move the same way with {columns.name(place)}; "
                "of two classes one rises where the other falls. Give the sign of one of them."
            )
        signs[place, each] = own


def _check_column(signs: Signs, place: int, columns: Columns) -> None:
    if columns.training.schemas[place].kind == "category":
        raise ValueError(
            f"monotonic_cst constrains {columns.name(place)}, whose categories have no order; "
            "declare them as ordered categories, or leave the column out."
        )
    if abs(int(signs[place].sum())) == signs.shape[1] > 1:
        raise ValueError(
            f"monotonic_cst asks all classes to move the same way with {columns.name(place)}, but "
            "their probabilities add up to 1; leave out at least one class."
        )


def _class_of(label: Any, training: Training) -> int:
    classes = training.classes.tolist()
    if label not in classes:
        raise ValueError(
            f"monotonic_cst names the class {label!r}; the classes of y are "
            f"{', '.join(map(repr, classes[:20]))}{', ...' if len(classes) > 20 else ''}."
        )
    return int(classes.index(label))


def _sign(value: Any) -> int:
    if not is_whole(value) or value not in (-1, 0, 1):
        raise ValueError(
            f"monotonic_cst has {value!r} for a sign; allowed are 1 (may not fall), -1 (may not "
            "rise) and 0 (anything)."
        )
    return int(value)


def _groups(given: Any, columns: Columns) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Groups of columns that may meet on a path, or how many may."""
    if given is None or columns.count < 2:
        return (), 0
    if isinstance(given, str):
        sizes = {"pairwise": 2, "no_interactions": 1}
        if given not in sizes:
            raise ValueError(_wrong_groups(given))
        return (), sizes[given]
    if not is_list(given) or isinstance(given, Mapping):
        raise ValueError(_wrong_groups(given))
    groups = [_group(each, columns, given) for each in given]
    rest = tuple(sorted(set(range(columns.count)).difference(*groups)))
    return tuple([*groups, rest] if rest else groups), 0


def _group(each: Any, columns: Columns, given: Any) -> tuple[int, ...]:
    if isinstance(each, (str, Mapping)) or not is_list(each):
        raise ValueError(_wrong_groups(given))
    return tuple(sorted({columns.place(column) for column in each}))


def _wrong_groups(given: Any) -> str:
    return (
        'interaction_cst must be None, "pairwise", "no_interactions", or a sequence of sets of '
        f"columns and of dicts (a column, and those it stands below); given was {given!r}."
    )
