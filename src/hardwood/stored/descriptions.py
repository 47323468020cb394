"""Descriptions of blocks in files, without pickle: numbers as arrays, the rest as JSON.

Invariant: what is loaded equals what was saved, types included, so that a kept directory gives the
same model as the data it was made from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.distributed.codebooks import ColumnSummary
from hardwood.distributed.describing import PartDescription, WeightSummary

Descriptions = list[tuple[str, PartDescription]]


def save_descriptions(directory: Path, descriptions: Descriptions) -> None:
    """`descriptions`: each block's name in messages, and its description."""
    arrays: dict[str, NDArray[Any]] = {}
    plain = [_plain(f"{i}.", place, part, arrays) for i, (place, part) in enumerate(descriptions)]
    np.savez(directory / "descriptions.npz", allow_pickle=False, **arrays)
    (directory / "descriptions.json").write_text(json.dumps(plain))


def load_descriptions(directory: Path) -> Descriptions:
    plain = json.loads((directory / "descriptions.json").read_text())
    path = directory / "descriptions.npz"
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return [
            (each["place"], _description(f"{i}.", each, arrays)) for i, each in enumerate(plain)
        ]


def _plain(
    prefix: str, place: str, part: PartDescription, arrays: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    for c, column in enumerate(part.columns):
        arrays[f"{prefix}keys.{c}"] = column.keys
    arrays[f"{prefix}class_rows"] = part.class_rows
    weights = None
    if part.weights is not None:
        for i, addends in enumerate(part.weights.addends):
            arrays[f"{prefix}addends.{i}"] = addends
        weights = [part.weights.largest, part.weights.whole, part.weights.single]
    return {
        "place": place,
        "rows": part.rows,
        "names": part.names,
        "columns": [
            [
                c.kind,
                c.complete,
                c.has_missing,
                c.whole,
                c.absent,
                c.whole_values,
                list(c.categories),
            ]
            for c in part.columns
        ],
        "classes": [part.classes.dtype.str, part.classes.tolist()],
        "weights": weights,
    }


def _description(prefix: str, plain: dict[str, Any], arrays: Any) -> PartDescription:
    columns = [
        ColumnSummary(
            kind,
            arrays[f"{prefix}keys.{c}"],
            complete,
            missing,
            whole,
            absent,
            values,
            tuple(listed),
        )
        for c, (kind, complete, missing, whole, absent, values, listed) in enumerate(
            plain["columns"]
        )
    ]
    kind, values = plain["classes"]
    weights = None
    if plain["weights"] is not None:
        addends = [arrays[f"{prefix}addends.{i}"] for i in range(len(values))]
        weights = WeightSummary(addends, *plain["weights"])
    names = plain["names"]
    return PartDescription(
        plain["rows"],
        None if names is None else tuple(names),
        columns,
        np.array(values, dtype=np.dtype(kind)),
        arrays[f"{prefix}class_rows"],
        weights,
    )
