"""DATA and `--target` as X and y.

In: a file and what the user said about it. Out: X (an Arrow table, or a sparse matrix), y, and what
was guessed. Invariant: y has at least two classes and no missing value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hardwood.cli import columnar, csv_text, libsvm
from hardwood.cli.cells import Cells, trimmed, understood
from hardwood.cli.formats import check_fits_in_memory, format_of
from hardwood.cli.kinds import FEW, MOSTLY_DISTINCT, Kinds, guess_kinds
from hardwood.cli.refusal import InputError

LIBSVM_TARGET = "label"


@dataclass(frozen=True, slots=True)
class Request:
    """What the user said about the data."""

    path: Path
    target: str | None = None
    ignored: Sequence[str] = ()
    categories: Collection[str] = ()
    delimiter: str | None = None
    encoding: str = "utf-8"
    cells: Cells = Cells()  # noqa: RUF009


@dataclass(frozen=True, slots=True)
class TrainingData:
    X: Any
    y: Any
    target: str
    read_as: str
    kinds: Kinds = field(default_factory=Kinds)
    remarks: list[str] = field(default_factory=list)
    """What was changed or looks odd."""


def read_training_data(request: Request) -> TrainingData:
    """Read, check and divide the file."""
    kind = format_of(request.path)
    check_fits_in_memory(request.path)
    if kind == "libsvm":
        labels, rows = libsvm.read_all(request.path)
        target = request.target or LIBSVM_TARGET
        _check_target(request.path, target, labels)
        return TrainingData(rows, labels, target, "LIBSVM")
    if kind == "csv":
        file = open_csv(request)
        request = replace(request, ignored=listed_columns(request.ignored, file.names))
        _check_names(request, file.names, file.delimiter)
        table = csv_text.read_all(file)
        shown = {"\t": "tabs", " ": "spaces"}.get(file.delimiter, repr(file.delimiter))
        read_as = f"CSV with {shown} between the columns"
    else:
        names = columnar.names_of(request.path, kind)
        request = replace(request, ignored=listed_columns(request.ignored, names))
        _check_names(request, names)
        table = columnar.read_all(request.path, kind)
        read_as = kind.capitalize()
    remarks: list[str] = []
    if kind == "csv":
        table = _understood(request, table, remarks)
    return replace(_divided(request, table, read_as), remarks=remarks)


def open_csv(request: Request) -> csv_text.CsvFile:
    return csv_text.open_csv(request.path, request.delimiter, request.encoding, request.cells)


def listed_columns(given: Sequence[str], names: Sequence[str]) -> list[str]:
    """`--ignore a,b` is a and b, unless a column has this name."""
    listed = [[each] if each in names else each.split(",") for each in given]
    return [name for each in listed for name in each if name]


def _understood(request: Request, table: Any, remarks: list[str]) -> Any:
    """Columns of strings as `cells` reads them; of the target only outer blanks go."""
    import pyarrow

    for j, name in enumerate(table.column_names):
        column = table.column(j)
        if name in request.ignored or not pyarrow.types.is_string(column.type):
            continue
        if name == request.target:
            clean = trimmed(column, request.cells)
            if not clean.equals(column):
                remarks.append(f"Blanks around the labels of {name!r} were cut off.")
        elif name in request.categories:
            clean = trimmed(column, request.cells)
        else:
            clean = understood(name, column, request.cells, remarks)
        table = table.set_column(j, name, clean)
    return table


def _check_names(request: Request, names: Sequence[str], delimiter: str | None = None) -> None:
    target, path = request.target, request.path
    if target is None:
        raise InputError(
            f"--target is missing: which column of {path} is to be predicted? It has {_few(names)}."
        )
    if len(names) == 1 and target not in names and delimiter is not None:
        raise InputError(
            f"{path} has only one column, {names[0]!r}, when its lines are cut at {delimiter!r}; "
            "give the right --delimiter."
        )
    said = [("--target", target), *(("--ignore", name) for name in request.ignored)]
    for option, name in [*said, *(("--categorical-features", name) for name in request.categories)]:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {_few(names)}."
            raise InputError(f"{path} has no column {name!r}, which {option} names; {hint}")
    if target in request.ignored:
        raise InputError(f"--ignore names the target {target!r}; leave it out there.")
    used = [name for name in names if name not in request.ignored]
    repeated = next((name for name in used if used.count(name) > 1), None)
    if repeated is not None:
        what = "the target" if repeated == target else "columns"
        raise InputError(
            f"{path} has {used.count(repeated)} columns named {repeated!r}; {what} must be unique. "
            "Rename the repeats."
        )


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return shown + (f" and {len(names) - 10} more columns" if len(names) > 10 else "")


def _divided(request: Request, table: Any, read_as: str) -> TrainingData:
    target = request.target
    assert target is not None
    if table.num_rows == 0:
        raise InputError(f"{request.path} has a header but no rows; there is nothing to learn.")
    column = table[target]
    if column.null_count:
        raise InputError(
            f"{request.path}: the target {target!r} is missing in {column.null_count:,} of "
            f"{table.num_rows:,} rows; every row needs its class. Fill it in, or drop those rows."
        )
    X, kinds = guess_kinds(table.drop_columns([target, *request.ignored]), request.categories)
    if X.num_columns == 0:
        raise InputError(f"{request.path} has no column to learn from beside {target!r}.")
    if hasattr(column.type, "value_type"):
        column = column.cast(column.type.value_type)
    labels = column.to_numpy()
    _check_target(request.path, target, labels)
    return TrainingData(X, labels, target, read_as, kinds)


def _check_target(path: Path, target: str, labels: Any) -> None:
    import numpy as np

    if labels.dtype.kind not in "iufbO" or (
        labels.dtype.kind == "O" and type(labels[0]) is not str
    ):
        raise InputError(f"{path}: the target {target!r} holds {labels.dtype}; give class names.")
    classes = np.unique(labels)
    if len(classes) == 1:
        raise InputError(
            f"{path}: the target {target!r} is {classes[0]} in every row; at least two classes are "
            "needed to learn a difference."
        )
    looks = None
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.floor(labels)):
        looks = "holds numbers with fractions, which looks like a measurement"
    elif len(classes) > max(FEW, MOSTLY_DISTINCT * len(labels)):
        looks = (
            f"has {len(classes):,} different values in {len(labels):,} rows, which looks like a "
            "measurement or an identifier"
        )
    if looks:
        raise InputError(
            f"{path}: the target {target!r} {looks}; a classifier needs classes. Put the values "
            "into groups first."
        )
