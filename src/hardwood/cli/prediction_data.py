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
from hardwood.cli.cells import as_numbers, trimmed
from hardwood.cli.formats import format_of
from hardwood.cli.refusal import InputError, refusing
from hardwood.cli.training_data import Request, listed_columns, open_csv


def prediction_batches(request: Request, model: Any) -> Iterator[Any]:
    """Tables for `model.predict`; a file without rows is refused."""
    return (table for table, _ in kept_batches(request, model, ()))


def kept_batches(request: Request, model: Any, keep: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """The same, each with the columns of `keep` as the file has them. Columns that no split asks
    about may be absent; they are missing values then."""
    path, kind = request.path, format_of(request.path)
    schemas = model._schemas
    wanted = [schema.name for schema in schemas]
    needed = [schemas[j].name for j in used_columns(model)]
    batches: Iterator[tuple[Any, Any]]
    if kind == "libsvm":
        if hasattr(model, "feature_names_in_"):
            raise InputError(
                f"{path} is a LIBSVM file, whose columns have numbers, but the model was trained "
                f"on named columns ({', '.join(map(repr, wanted[:3]))}, ...); give those."
            )
        if keep:
            raise InputError(f"{path} is a LIBSVM file, which has no column {keep[0]!r} to keep.")
        batches = ((batch, None) for batch in libsvm.batches(path, len(wanted)))
    elif kind == "csv":
        file = open_csv(request)
        _check_columns(request, file.names, needed, file.delimiter)
        keep = listed_columns(keep, file.names)
        present = _present(request, file.names, wanted, keep)
        batches = _understood(csv_text.string_batches(file, present), schemas, request, keep)
    else:
        names = columnar.names_of(path, kind)
        _check_columns(request, names, needed)
        keep = listed_columns(keep, names)
        present = _present(request, names, wanted, keep)
        batches = _tables(columnar.batches(path, kind, present), schemas, request, keep)
    empty = True
    for batch, kept in batches:
        if batch.shape[0]:
            empty = False
            yield batch, kept
    if empty:
        raise InputError(f"{path} has no rows; there is nothing to predict.")


def used_columns(model: Any) -> list[int]:
    """That some split asks about."""
    trees = [model.tree_] if hasattr(model, "tree_") else model._run.all_trees()
    return sorted({column for tree in trees for column in tree.used_features})


def _present(
    request: Request, names: Sequence[str], wanted: Sequence[str], keep: Sequence[str]
) -> list[str]:
    absent = next((name for name in keep if name not in names), None)
    if absent is not None:
        raise InputError(f"{request.path} has no column {absent!r}, which --keep names.")
    if "prediction" in keep:
        raise InputError("--keep names 'prediction', which is the name of the model's answer.")
    known = [name for name in wanted if names.count(name) == 1]
    return [*known, *(name for name in keep if name not in known)]


def _whole(columns: dict[str, Any], schemas: Sequence[Any], rows: int) -> Any:
    """All columns of the model; those that are absent are missing everywhere."""
    import pyarrow

    def absent(schema: Any) -> Any:
        named = schema.kind == "category" or schema.ordered
        words = named and not _counts_numbers(schema)
        return pyarrow.nulls(rows, pyarrow.string() if words else pyarrow.float64())

    given = [columns.get(schema.name) for schema in schemas]
    filled = [
        absent(schema) if column is None else column
        for schema, column in zip(schemas, given, strict=True)
    ]
    return pyarrow.table(filled, names=[schema.name for schema in schemas])


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
            f"{', '.join(map(repr, missing[:5]))}{more}, which the model asks about."
        )
    repeated = next((name for name in wanted if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(
            f"{path} has {names.count(repeated)} columns named {repeated!r}; the model needs one. "
            "Rename the repeats."
        )


def _tables(
    batches: Iterator[Any], schemas: Sequence[Any], request: Request, keep: Sequence[str]
) -> Iterator[tuple[Any, Any]]:
    """Every column is read once, so that one of another kind is refused though no split asks it."""
    import pyarrow

    from hardwood.table import read_prediction_table

    for place, batch in enumerate(batches):
        given = pyarrow.Table.from_batches([batch])
        table = _whole({name: given[name] for name in given.column_names}, schemas, len(given))
        if place == 0 and batch.num_rows:
            with refusing(str(request.path)):
                checked = read_prediction_table(table, schemas, names_were_given=True)
                for j in range(len(schemas)):
                    checked.column(j)
        yield table, given.select(list(keep))


def _understood(
    batches: Iterator[Any], schemas: Sequence[Any], request: Request, keep: Sequence[str]
) -> Iterator[tuple[Any, Any]]:
    """Batches of strings in the kinds that the model knows."""
    import pyarrow

    first_row = 1
    for place in count():
        batch = next(batches, None)
        if batch is None:
            return
        columns = {}
        for schema in schemas:
            if schema.name not in batch.schema.names:
                continue
            column = batch[schema.name]
            named = schema.kind == "category" or schema.ordered
            if named and not _counts_numbers(schema):
                if place == 0:
                    _refuse_numbers(column, schema, request)
                columns[schema.name] = _known(column, schema, request)
            else:
                columns[schema.name] = _numbers(column, schema, request, first_row)
        first_row += batch.num_rows
        given = pyarrow.Table.from_batches([batch])
        yield _whole(columns, schemas, batch.num_rows), given.select(list(keep))


def _known(column: Any, schema: Any, request: Request) -> Any:
    """Values that the model does not know lose their outer blanks, as in training."""
    import pyarrow
    from pyarrow import compute

    known = compute.is_in(column, pyarrow.array(schema.categories, pyarrow.string()))
    return compute.if_else(known, column, trimmed(column, request.cells))


def _counts_numbers(schema: Any) -> bool:
    """Categories that are numbers or booleans, not strings."""
    return any(not isinstance(value, str) for value in schema.categories[:1])


def _numbers(column: Any, schema: Any, request: Request, first_row: int) -> Any:
    """Integers where all are, since a float would round large ones; else floats or booleans."""
    import pyarrow
    from pyarrow import compute

    column = compute.utf8_trim_whitespace(column)
    plain, _ = as_numbers(trimmed(column, request.cells), request.cells)
    if plain.null_count == trimmed(column, request.cells).null_count:
        column = plain
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
