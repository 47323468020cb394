"""What can be claimed about a model: objects, or plain data that says the same.

In: objects of this file, or mappings such as `{"claim": "monotone", "column": "income"}` (a table
of a TOML file). Out: `Statement`s that print themselves as sentences. Whether a model has the
columns and classes is checked where the model is known (`reading`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

DIRECTIONS = ("increasing", "decreasing")
QUANTITIES = ("probability", "score")


@dataclass(frozen=True, kw_only=True)
class Statement:
    """Which rows a claim is about: all, or those that meet every condition of `where`.

    where: by column, a mapping with `at_least`, `above`, `at_most`, `below` (numbers, or ordered
    categories), `is` or `one_of`, and `missing`; a list stands for `one_of`, any other value for
    `is`. A column with a condition has a value, unless its `missing` is true; `{"missing": True}`
    alone means that the value is missing.
    missing, unseen: whether rows with missing values, and with categories that the model does not
    know, count, in the columns without a condition.
    """

    where: Mapping[Any, Any] = field(default_factory=dict)
    missing: bool = True
    unseen: bool = True
    kind: ClassVar[str] = ""

    def columns_named(self) -> tuple[Any, ...]:
        """The columns that the claim itself is about."""
        return ()

    def check(self) -> None:
        """A ValueError or TypeError where the claim contradicts itself."""
        if not isinstance(self.where, Mapping):
            raise TypeError(
                f"where is {self.where!r}; it takes conditions by column, as in "
                '{"age": {"at_least": 18}}.'
            )
        for name in ("missing", "unseen"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} is {getattr(self, name)!r}; it is true or false.")

    def _rows(self) -> str:
        parts = [_condition(column, given) for column, given in self.where.items()]
        text = " where " + " and ".join(parts) if parts else ""
        if not self.missing:
            text += ", no value missing"
        return text if self.unseen else text + ", no category unknown"


@dataclass(frozen=True, kw_only=True)
class OfClass(Statement):
    """About a number that the model gives a row. `label` is a class, needed unless there are two:
    then it is the second. of: "probability" (`predict_proba`) or "score" (`decision_function`)."""

    label: Any = None
    of: str = "probability"

    def check(self) -> None:
        super().check()
        if self.of not in QUANTITIES:
            raise ValueError(f"of is {self.of!r}; allowed are {_listed(QUANTITIES)}.")

    def _number(self) -> str:
        return f"the {self.of}" if self.label is None else f"the {self.of} of {self.label}"


@dataclass(frozen=True, kw_only=True)
class Monotone(OfClass):
    """As the column's value rises and no other value changes, the number never falls (direction
    "increasing") or never rises ("decreasing"). Compared are rows that have a value there."""

    column: Any
    direction: str = "increasing"
    kind: ClassVar[str] = "monotone"

    def columns_named(self) -> tuple[Any, ...]:
        return (self.column,)

    def check(self) -> None:
        super().check()
        if self.direction not in DIRECTIONS:
            raise ValueError(f"direction is {self.direction!r}; allowed are {_listed(DIRECTIONS)}.")

    def __str__(self) -> str:
        never = "falls" if self.direction == "increasing" else "rises"
        return f"{self._number()} never {never} as {self.column} rises{self._rows()}"


@dataclass(frozen=True, kw_only=True)
class Within(OfClass):
    """The number is at least `at_least` and at most `at_most`."""

    at_least: float | None = None
    at_most: float | None = None
    kind: ClassVar[str] = "within"

    def check(self) -> None:
        super().check()
        given = [limit for limit in (self.at_least, self.at_most) if limit is not None]
        if not given:
            raise ValueError("A claim of limits needs at_least, at_most, or both.")
        for limit in given:
            if isinstance(limit, bool) or not isinstance(limit, int | float) or limit != limit:
                raise TypeError(f"A limit is {limit!r}; it must be a number.")
            if isinstance(limit, int) and abs(limit) > sys.float_info.max:
                raise ValueError("A limit is an integer beyond every float; give a smaller number.")
            if self.of == "probability" and not 0 <= limit <= 1:
                raise ValueError(f"A limit of a probability is {limit!r}; it lies between 0 and 1.")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError(
                f"at_least is {self.at_least!r} and at_most {self.at_most!r}: no number is both."
            )

    def __str__(self) -> str:
        ends = (("at least", self.at_least), ("at most", self.at_most))
        limits = " and ".join(f"{word} {limit}" for word, limit in ends if limit is not None)
        return f"{self._number()} is {limits}{self._rows()}"


@dataclass(frozen=True, kw_only=True)
class SameAnswer(Statement):
    """`predict` says the same whatever the column says, also when its value is missing or unknown
    (unless `missing` or `unseen` is false)."""

    column: Any
    kind: ClassVar[str] = "same answer"

    def columns_named(self) -> tuple[Any, ...]:
        return (self.column,)

    def __str__(self) -> str:
        return f"the answer is the same whatever {self.column} says{self._rows()}"


@dataclass(frozen=True, kw_only=True)
class NeverUses(Statement):
    """No row is ever asked about the column by a tree that counts."""

    column: Any
    kind: ClassVar[str] = "never uses"

    def columns_named(self) -> tuple[Any, ...]:
        return (self.column,)

    def __str__(self) -> str:
        return f"the model never uses {self.column}{self._rows()}"


@dataclass(frozen=True, kw_only=True)
class NeverTogether(Statement):
    """No row is ever asked about two of the columns by one tree."""

    columns: Sequence[Any]
    kind: ClassVar[str] = "never together"

    def columns_named(self) -> tuple[Any, ...]:
        return tuple(self.columns)

    def check(self) -> None:
        super().check()
        if isinstance(self.columns, str) or not isinstance(self.columns, Sequence):
            raise TypeError(f"columns is {self.columns!r}; it is a list of at least two columns.")
        if len(set(self.columns)) < max(2, len(self.columns)):
            raise ValueError(
                f"columns is {list(self.columns)!r}; it must name at least two different columns."
            )

    def __str__(self) -> str:
        names = [str(column) for column in self.columns]
        both = f"{', '.join(names[:-1])} and {names[-1]}"
        return f"the model never uses {both} on one path{self._rows()}"


KINDS: dict[str, type[Statement]] = {
    each.kind: each for each in (Monotone, Within, SameAnswer, NeverUses, NeverTogether)
}


def statements_of(claims: Any) -> list[Statement]:
    """One claim or several, as objects or plain data."""
    if isinstance(claims, Statement | Mapping):
        claims = [claims]
    listed = isinstance(claims, Iterable) and getattr(claims, "ndim", 1) > 0
    if isinstance(claims, str | bytes) or not listed:
        raise TypeError(
            f"claims is of type {type(claims).__name__}; it takes a list of claims, each an object "
            'such as Monotone(column="income") or a mapping such as {"claim": "monotone", '
            '"column": "income"}.'
        )
    return [_numbered(place, claim) for place, claim in enumerate(claims, 1)]


def _numbered(place: int, claim: Any) -> Statement:
    try:
        made = claim if isinstance(claim, Statement) else _from_mapping(claim)
        made.check()
        return made
    except (ValueError, TypeError) as error:
        raise type(error)(f"Claim {place}: {error}") from None


def _from_mapping(claim: Any) -> Statement:
    if not isinstance(claim, Mapping):
        raise TypeError(f"given was {type(claim).__name__}; a claim is a mapping or an object.")
    kind = KINDS.get(str(claim.get("claim", "")))
    if kind is None:
        what = f"claim is {claim['claim']!r}" if "claim" in claim else "the key claim is missing"
        raise ValueError(f"{what}; allowed are {_listed(KINDS)}.")
    known = {("class" if each.name == "label" else each.name): each for each in fields(kind)}
    unknown = [key for key in claim if key != "claim" and key not in known]
    if unknown:
        raise ValueError(f"{kind.kind!r} does not take {unknown[0]!r}; it takes {_listed(known)}.")
    given = {("label" if key == "class" else key): value for key, value in claim.items()}
    needed = "columns" if kind is NeverTogether else "column"
    if needed in known and needed not in given:
        raise ValueError(f"{kind.kind!r} needs {needed!r}.")
    del given["claim"]
    return kind(**given)


WORDS = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<", "is": "="}


def _condition(column: Any, given: Any) -> str:
    if isinstance(given, Mapping):
        parts = [f"{column} {WORDS[key]} {given[key]}" for key in WORDS if key in given]
        if "one_of" in given:
            parts.append(f"{column} in {{{', '.join(map(str, given['one_of']))}}}")
        text = " and ".join(parts)
        if not given.get("missing"):
            return text or f"{column} has a value"
        return f"({text} or missing)" if text else f"{column} is missing"
    if isinstance(given, list | tuple | set | frozenset):
        return f"{column} in {{{', '.join(map(str, given))}}}"
    return f"{column} = {given}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(repr, words))
