"""Rounds of a boosted fit kept in a directory, a file each, from which the same fit resumes.

In: boosters after a round. Out: `round-00017.npz` (plain arrays, no pickle), written beside and
then renamed, so that a file that is there is whole; `fit.json` says which fit the rounds belong
to, and another fit's directory is refused.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from hardwood.boosting.rounds import RoundRecord, Rounds
from hardwood.distributed.training import PartsTraining
from hardwood.tree import Tree

_TREE_FIELDS = tuple(field.name for field in fields(Tree) if field.name != "share")
_IGNORED = {"n_estimators", "n_jobs", "verbose", "warm_start"}


def fingerprint(model: Any, training: PartsTraining) -> str:
    """Of what decides the rounds: parameters, classes, columns and number of rows."""
    parameters = {k: repr(v) for k, v in model.get_params().items() if k not in _IGNORED}
    known = [parameters, repr(training.classes.tolist()), repr(training.schemas), training.rows]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


class Checkpoint:
    def __init__(self, directory: Any, fit: str) -> None:
        self._directory = Path(directory)
        self._directory.mkdir(parents=True, exist_ok=True)
        note = self._directory / "fit.json"
        if not note.exists():
            _write(note, json.dumps({"format": 1, "fit": fit}).encode())
        try:
            known = json.loads(note.read_text())["fit"]
        except (ValueError, KeyError, TypeError):
            known = None
        if known != fit:
            raise ValueError(
                f"checkpoint={str(directory)!r} holds the rounds of another fit (other data or "
                "parameters); give an empty directory, or the data and parameters it was made with."
            )
        self._saved: int | None = None

    def save(self, boosters: list[Rounds]) -> None:
        """Keep the latest round, and any before it that is not kept yet."""
        done = max(len(each.records) for each in boosters)
        first = self._count() if self._saved is None else self._saved
        for number in range(first, done):
            arrays: dict[str, Any] = {}
            for b, each in enumerate(boosters):
                if number < len(each.records):
                    arrays.update(_round_arrays(f"{b}.", each, number))
            path = self._path(number)
            beside = path.with_suffix(".part")
            with beside.open("wb") as file:
                np.savez(file, **arrays)
            beside.replace(path)
        self._saved = done

    def load(self, boosters: int, classes: int) -> list[Rounds]:
        """The rounds kept so far, none in a new directory."""
        out = [Rounds(None, classes) for _ in range(boosters)]
        for number in range(self._count()):
            path = self._path(number)
            try:
                with np.load(path, allow_pickle=False) as arrays:
                    for b, each in enumerate(out):
                        if f"{b}.record" in arrays:
                            _add_round(each, f"{b}.", arrays)
            except (OSError, ValueError, KeyError, EOFError) as error:
                raise ValueError(
                    f"{path} is damaged ({error}); remove it and the rounds after it, and fit "
                    "again."
                ) from error
        return out

    def _path(self, number: int) -> Path:
        return self._directory / f"round-{number:05d}.npz"

    def _count(self) -> int:
        number = 0
        while self._path(number).exists():
            number += 1
        return number


def _round_arrays(prefix: str, rounds: Rounds, number: int) -> dict[str, Any]:
    record = rounds.records[number]
    out: dict[str, Any] = {
        f"{prefix}record": np.array([record.error, record.bound, record.seen_weight]),
        f"{prefix}work": np.array([record.assessments, record.exhaustive_assessments]),
        f"{prefix}stopped": np.array(record.stopped),
    }
    if number < len(rounds.trees):
        tree = rounds.trees[number]
        out[f"{prefix}weight"] = np.array(rounds.tree_weights[number])
        out.update((f"{prefix}{name}", getattr(tree, name)) for name in _TREE_FIELDS)
    return out


def _add_round(rounds: Rounds, prefix: str, arrays: Any) -> None:
    error, bound, seen = arrays[f"{prefix}record"].tolist()
    work = arrays[f"{prefix}work"].tolist()
    stopped = str(arrays[f"{prefix}stopped"])
    rounds.records.append(RoundRecord(error, bound, work[0], work[1], stopped, seen))
    if f"{prefix}weight" in arrays:
        values = {name: arrays[f"{prefix}{name}"] for name in _TREE_FIELDS}
        for array in values.values():
            array.flags.writeable = False
        rounds.trees.append(Tree(**values))
        rounds.tree_weights.append(float(arrays[f"{prefix}weight"]))


def _write(path: Path, content: bytes) -> None:
    beside = path.with_suffix(".part")
    beside.write_bytes(content)
    beside.replace(path)
