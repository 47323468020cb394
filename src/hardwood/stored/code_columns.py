"""Coded blocks on disk: plain arrays that are mapped, not read.

block-00000/            tile-0.npy ... key-3.npy ... labels.npy weights.npy layout.json
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from hardwood.distributed.part import PartRows


def write_block(directory: Path, number: int, rows: PartRows) -> None:
    """One block's arrays."""
    place = directory / f"block-{number:05d}"
    place.mkdir()
    stored = rows.stored
    for i, words in enumerate(stored["tiles"]):
        np.save(place / f"tile-{i}.npy", words)
    for c, keys in enumerate(stored["keys"]):
        if keys is not None:
            np.save(place / f"key-{c}.npy", keys)
    np.save(place / "labels.npy", rows.labels)
    if rows.sample_weight is not None:
        np.save(place / "weights.npy", rows.sample_weight)
    layout = {
        "tiles": len(stored["tiles"]),
        "keys": [keys is not None for keys in stored["keys"]],
        "columns": [
            [storage, lane, digits.tolist()] for storage, lane, digits in stored["columns"]
        ],
        "lanes": [[codes, list(columns)] for codes, columns in stored["lanes"]],
    }
    (place / "layout.json").write_text(json.dumps(layout))


def map_block(directory: Path, number: int) -> PartRows:
    """A block as it was written, its large arrays mapped."""
    place = directory / f"block-{number:05d}"
    layout: dict[str, Any] = json.loads((place / "layout.json").read_text())
    stored = {
        "tiles": [_mapped(place / f"tile-{i}.npy") for i in range(layout["tiles"])],
        "keys": [
            _mapped(place / f"key-{c}.npy") if there else None
            for c, there in enumerate(layout["keys"])
        ],
        "columns": [
            (storage, lane, np.array(digits, dtype=np.uint8))
            for storage, lane, digits in layout["columns"]
        ],
        "lanes": [(codes, columns) for codes, columns in layout["lanes"]],
    }
    weights = place / "weights.npy"
    given = _mapped(weights) if weights.exists() else None
    return PartRows(stored, _mapped(place / "labels.npy"), given)


def _mapped(path: Path) -> Any:
    return np.load(path, mmap_mode="r", allow_pickle=False)


def refuse_small_disk(directory: Path, rows: int, lanes: int, keyed: int, weighted: bool) -> None:
    """Before anything is written: the codes must fit, at most so many bytes."""
    needed = rows * (8 * ((lanes + 7) // 8) + 8 * keyed + 4 + (8 if weighted else 0))
    free = shutil.disk_usage(directory).free
    if needed > free:
        raise OSError(
            f"The coded columns need up to {needed / 2**30:.1f} GiB, but {str(directory)!r} has "
            f"{free / 2**30:.1f} GiB free; give a directory on a larger disk."
        )
