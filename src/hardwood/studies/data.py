"""The data sets of the studies, from the folder that --data or HARDWOOD_DATA names.

In: a name. Out: a `Problem`: an Arrow table (or a sparse matrix), labels as strings, and the
official split where the file has one. Invariant: rows keep the file's order; nothing is drawn here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.studies.study import StudyError


@dataclass(frozen=True)
class Problem:
    """`test` marks the rows of the official test set; None without one."""

    X: Any
    y: NDArray[Any]
    test: NDArray[np.bool_] | None = None

    def rows(self, which: NDArray[Any]) -> tuple[Any, NDArray[Any]]:
        """X and y of some rows, given as numbers or as a mask."""
        places = np.flatnonzero(which) if which.dtype == bool else which
        X = self.X.take(places) if hasattr(self.X, "take") else self.X[places]
        return X, self.y[places]

    def against_the_rest(self, label: str) -> Problem:
        """The two-class problem "this label or not"."""
        if label not in set(self.y.tolist()):
            raise StudyError(f"No row has the class {label!r}; there is nothing to tell apart.")
        return replace(self, y=np.where(self.y == label, label, "rest"))

    def split(self) -> tuple[Any, NDArray[Any], Any, NDArray[Any]]:
        """The official training and test parts."""
        assert self.test is not None
        return (*self.rows(~self.test), *self.rows(self.test))


class DataFolder:
    """Reads problems by name and keeps the last one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._last: tuple[str, Problem] | None = None

    def require(self, files: list[str]) -> None:
        """Refuse now what would fail later."""
        if not files:
            return
        if self._path is None:
            raise StudyError(
                f"This study reads {', '.join(files[:3])}{', ...' if len(files) > 3 else ''}; name "
                "the folder that holds them with --data DIR or the variable HARDWOOD_DATA."
            )
        if not self._path.is_dir():
            raise StudyError(f"{self._path} is no folder; give --data the folder of the data sets.")
        absent = [name for name in files if not (self._path / name).is_file()]
        if absent:
            raise StudyError(
                f"{self._path} does not have {', '.join(absent)}; give --data the folder that "
                "holds the data sets, or put the files there."
            )

    def read(self, name: str) -> Problem:
        """The Parquet file `name`: column `class` is y, column `split` the official split."""
        if self._last is None or self._last[0] != name:
            self._last = (name, self._read(name))
        return self._last[1]

    def _read(self, name: str) -> Problem:
        self.require([f"{name}.parquet"])
        from pyarrow import ArrowInvalid, parquet

        path = Path(str(self._path)) / f"{name}.parquet"
        try:
            table = parquet.read_table(path)
        except (OSError, ArrowInvalid) as error:
            raise StudyError(f"{path} is no readable Parquet file ({error}).") from error
        if "class" not in table.column_names:
            raise StudyError(f"{path} has no column 'class', which should hold the labels.")
        labels = np.array([str(label) for label in table.column("class").to_pylist()])
        test = None
        if "split" in table.column_names:
            test = np.array([part == "test" for part in table.column("split").to_pylist()])
            table = table.drop_columns(["split"])
        return Problem(table.drop_columns(["class"]).combine_chunks(), labels, test)

    def read_sparse(self, name: str) -> Problem:
        """NAME_train.npz, NAME_test.npz and their labels, NAME_train_y.npy, NAME_test_y.npy."""
        from scipy import sparse

        self.require(sparse_files(name))
        folder = Path(str(self._path))
        parts = [sparse.load_npz(folder / f"{name}_{part}.npz") for part in ("train", "test")]
        labels = [np.load(folder / f"{name}_{part}_y.npy") for part in ("train", "test")]
        test = np.repeat([False, True], [len(part) for part in labels])
        return Problem(sparse.vstack(parts).tocsr(), np.concatenate(labels).astype(str), test)


def sparse_files(name: str) -> list[str]:
    return [f"{name}_{part}{end}" for part in ("train", "test") for end in (".npz", "_y.npy")]


def folder_of(data: Path | None) -> DataFolder:
    """The folder given, or that of HARDWOOD_DATA."""
    named = os.environ.get("HARDWOOD_DATA")
    return DataFolder(data or (Path(named) if named else None))
