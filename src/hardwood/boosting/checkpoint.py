"""Rounds of a boosted fit kept in a directory, a file each, from which the same fit resumes.

In: boosters after a round. Out: `round-00017.npz` (plain arrays, no pickle), written beside and
then renamed; `fit.json` says which fit the rounds belong to, and another fit's directory is
refused. Rounds are taken up to the first that is absent or damaged; the rest is trained again,
which gives the same.
"""

from __future__ import annotations

import hashlib
import json
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.rounds import RoundRecord, Rounds
from hardwood.table import ColumnSchema
from hardwood.tree import Tree

_TREE_FIELDS = tuple(
    field.name
    for field in fields(Tree)
    if field.name not in ("share", "class_rows", "costs", "pool")
)
_DAMAGED = (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile, zlib.error)
_IGNORED = {"n_estimators", "n_jobs", "verbose", "warm_start"}


class TrainedData(Protocol):
    """What a checkpoint remembers of the data."""

    @property
    def classes(self) -> NDArray[Any]: ...

    @property
    def schemas(self) -> tuple[ColumnSchema, ...]: ...

    @property
    def rows(self) -> int: ...


def fingerprint(parameters: Mapping[str, Any], data: TrainedData) -> str:
    """Of what decides the rounds: parameters, classes, columns and number of rows."""
    listed = {k: _told(v) for k, v in parameters.items() if k not in _IGNORED}
    known = [listed, repr(data.classes.tolist()), repr(data.schemas), data.rows]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _told(value: Any) -> str:
    """A function by its name: its repr has an address, which the next process does not have. Sets
    in one order."""
    if isinstance(value, set | frozenset):
        return repr(sorted(map(repr, value)))
    if isinstance(value, list | tuple):
        return repr([_told(each) for each in value])
    return getattr(value, "__qualname__", None) or repr(value)


class Checkpoint:
    """A directory, looked at before anything is computed, and claimed once the fit is known."""

    def __init__(self, directory: Any) -> None:
        self._directory = Path(directory)
        self._note = self._directory / "fit.json"
        self._saved, self._fit = 0, ""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            names = [path.name for path in self._directory.iterdir()]
        except OSError as error:
            raise ValueError(
                f"checkpoint={str(directory)!r} cannot be used as a directory ({error}); give a "
                "directory that is empty, new, or of the same fit."
            ) from error
        foreign = [name for name in names if not name.endswith(".part")]
        if foreign and not self._note.exists():
            raise ValueError(
                f"checkpoint={str(directory)!r} is not empty ({foreign[0]!r}), and holds no rounds "
                "of a fit; give an empty or new directory."
            )

    def within(self, name: str) -> Checkpoint:
        """A directory in it, for other rounds of the same fit."""
        inner = Checkpoint(self._directory / name)
        inner.claim(self._fit)
        return inner

    def claim(self, fit: str) -> None:
        """Make it this fit's, or refuse it as another's."""
        self._fit = fit
        if not self._note.exists():
            self._write(self._note, json.dumps({"format": 1, "fit": fit}).encode())
        try:
            known = json.loads(self._note.read_text())["fit"]
        except (ValueError, KeyError, TypeError):
            known = None
        if known != fit:
            raise self.of_another_fit()

    def of_another_fit(self) -> ValueError:
        return ValueError(
            f"checkpoint={str(self._directory)!r} holds the rounds of another fit (other data or "
            "parameters); give an empty directory, or the data and parameters it was made with."
        )

    def save(self, boosters: list[Rounds]) -> None:
        """Keep the latest round, and any before it that is not kept yet."""
        done = max(len(each.records) for each in boosters)
        for number in range(self._saved, done):
            arrays: dict[str, Any] = {}
            for b, each in enumerate(boosters):
                if number < len(each.records):
                    arrays.update(_round_arrays(f"{b}.", each, number))
            self._write(self._path(number), arrays)
        self._saved = done

    def load(self, boosters: int, classes: int, most: int) -> list[Rounds]:
        """The rounds kept so far, at most so many; none in a new directory."""
        out = [Rounds(None, classes) for _ in range(boosters)]
        for number in range(most):
            path = self._path(number)
            if not path.exists():
                break
            try:
                _add_rounds(out, path)
            except _DAMAGED as error:
                warnings.warn(
                    f"{path} is damaged ({error}); the fit resumes from the {number} rounds before "
                    "it, and trains the rest again.",
                    stacklevel=4,
                )
                break
            self._saved = number + 1
        return out

    def _path(self, number: int) -> Path:
        return self._directory / f"round-{number:05d}.npz"

    def _write(self, path: Path, content: bytes | dict[str, Any]) -> None:
        beside = path.with_suffix(".part")
        try:
            with beside.open("wb") as file:
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    np.savez(file, **content)
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise OSError(
                f"{path} could not be written ({error}); make room on the disk and fit again: the "
                "rounds kept so far are resumed from."
            ) from error


def _add_rounds(boosters: list[Rounds], path: Path) -> None:
    """A round of all boosters, or an error and nothing."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        read = [
            _round(f"{b}.", arrays) if f"{b}.record" in arrays else None
            for b in range(len(boosters))
        ]
    if all(each is None for each in read):
        raise ValueError("it has no round")
    for booster, each in zip(boosters, read, strict=True):
        if each is None:
            continue
        record, tree, weight = each
        booster.records.append(record)
        if tree is not None:
            booster.trees.append(tree)
            booster.tree_weights.append(weight)


def _round_arrays(prefix: str, rounds: Rounds, number: int) -> dict[str, Any]:
    record = rounds.records[number]
    out: dict[str, Any] = {
        f"{prefix}record": np.array(
            [record.error, record.bound, record.seen_weight, record.loss, record.proved_drop]
        ),
        f"{prefix}work": np.array([record.assessments, record.exhaustive_assessments]),
        f"{prefix}stopped": np.array(record.stopped),
    }
    if number < len(rounds.trees):
        tree = rounds.trees[number]
        out[f"{prefix}weight"] = np.array(rounds.tree_weights[number])
        out.update((f"{prefix}{name}", getattr(tree, name)) for name in _TREE_FIELDS)
    return out


def _round(prefix: str, arrays: Any) -> tuple[RoundRecord, Tree | None, float]:
    error, bound, seen, *loss = arrays[f"{prefix}record"].tolist()
    work = arrays[f"{prefix}work"].tolist()
    stopped = str(arrays[f"{prefix}stopped"])
    record = RoundRecord(error, bound, work[0], work[1], stopped, seen, *loss)
    if f"{prefix}weight" not in arrays:
        return record, None, 0.0
    values = {name: arrays[f"{prefix}{name}"] for name in _TREE_FIELDS}
    for array in values.values():
        array.flags.writeable = False
    return record, Tree(**values), float(arrays[f"{prefix}weight"])
