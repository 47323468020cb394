"""DATA as batches that a model can predict.

In: a file and a model's columns. Out: one table after another with just those columns, by name and
in the model's order; other columns of the file are ignored. Invariant: a batch is small, whatever
the size of the file, and strings become numbers only where the model has numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from hardwood.cli import columnar, csv_text, libsvm
from hardwood.cli.formats import format_of
from hardwood.cli.refusal import InputError, refusing
from hardwood.cli.training_data import Request


def prediction_batches(request: Request, model: Any) -> Iterator[Any]:
    """Tables for `model.predict`; a file without rows is refused."""
    path, kind = request.path, format_of(request.path)
    schemas = model._schemas
    wanted = [schema.name for schema in schemas]
    if kind == "libsvm":
        if hasattr(model, "feature_names_in_"):
            raise InputError(
                f"{path} is a LIBSVM file, whose columns have numbers, but the model was trained "
                f"on named columns ({', '.join(map(repr, wanted[:3]))}, ...); give those."
            )
        batches = libsvm.batches(path, len(wanted))
    elif kind == "csv":
        file = csv_text.open_csv(path, request.delimiter, request.encoding)
        _check_columns(request, file.names, wanted, file.delimiter)
        batches = _understood(csv_text.string_batches(file, wanted), schemas, request)
    else:
        _check_columns(request, columnar.names_of(path, kind), wanted)
        batches = _tables(columnar.batches(path, kind, wanted), schemas, request)
    empty = True
    for batch in batches:
        if batch.shape[0]:
            empty = False
            yield batch
    if empty:
        raise InputError(f"{path} has no rows; there is nothing to predict.")


def _check_columns(
    request: Request, names: Sequence[str], wanted: Sequence[str], delimiter: str | None = None
) -> None:
    path, known = request.path, set(names)
    missing = [name for name in wanted if name not in known]
    if missing and len(names) == 1 and delimiter is not None:
        raise InputError(
            f"{path} has only one column, {names[0]!r}, when its lines are cut at {delimiter!r}; "
            "give the right --delimiter."
        )
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise InputError(
            f"{path} lacks the column{'s' * (len(missing) > 1)} "
            f"{', '.join(map(repr, missing[:5]))}{more}, which the model was trained with."
        )
    repeated = next((name for name in wanted if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(
            f"{path} has {names.count(repeated)} columns named {repeated!r}; the model needs one. "
            "Rename the repeats."
        )


def _tables(batches: Iterator[Any], schemas: Sequence[Any], request: Request) -> Iterator[Any]:
    """Every column is read once, so that one of another kind is refused though no split asks it."""
    import pyarrow

    from hardwood.table import read_prediction_table

    for place, batch in enumerate(batches):
        table = pyarrow.Table.from_batches([batch])
        if place == 0 and batch.num_rows:
            with refusing(str(request.path)):
                checked = read_prediction_table(table, schemas, names_were_given=True)
                for j in range(len(schemas)):
                    checked.column(j)
        yield table


def _understood(batches: Iterator[Any], schemas: Sequence[Any], request: Request) -> Iterator[Any]:
    """Batches of strings in the kinds that the model knows."""
    import pyarrow

    first_row = 1
    for place in count():
        batch = next(batches, None)
        if batch is None:
            return
        columns = []
        for schema, column in zip(schemas, batch.columns, strict=True):
            named = schema.kind == "category" or schema.ordered
            if named and not _counts_numbers(schema):
                if place == 0:
                    _refuse_numbers(column, schema, request)
                columns.append(column)
            else:
                columns.append(_numbers(column, schema, request, first_row))
        first_row += batch.num_rows
        yield pyarrow.table(columns, names=[schema.name for schema in schemas])


def _counts_numbers(schema: Any) -> bool:
    """Categories that are numbers or booleans, not strings."""
    return any(not isinstance(value, str) for value in schema.categories[:1])


def _numbers(column: Any, schema: Any, request: Request, first_row: int) -> Any:
    """Integers where all are, since a float would round large ones; else floats or booleans."""
    import pyarrow
    from pyarrow import compute

    column = compute.utf8_trim_whitespace(column)
    wide = (pyarrow.int64(), pyarrow.uint64()) if schema.kind != "numeric" else ()
    for kind in (*wide, pyarrow.float64(), pyarrow.bool_()):
        try:
            return column.cast(kind)
        except pyarrow.ArrowInvalid:
            continue
    row, text = next((i, each) for i, each in enumerate(column.to_pylist()) if not _is_number(each))
    raise InputError(
        f"{request.path}: column {schema.name!r} holds {text!r} in row {first_row + row}, but the "
        "model was trained with numbers there."
    )


def _refuse_numbers(column: Any, schema: Any, request: Request) -> None:
    """Numbers alone where the model has words are another kind of column, not new categories."""
    present = column.drop_null().unique().to_pylist()
    if not present or any(_is_number(value) for value in schema.categories):
        return
    if all(_is_number(value) for value in present):
        raise InputError(
            f"{request.path}: column {schema.name!r} holds numbers such as {present[0]}, but the "
            f"model was trained with categories such as {schema.categories[0]!r} there."
        )


def _is_number(text: Any) -> bool:
    try:
        float(text or 0)
    except ValueError:
        return False
    return True
