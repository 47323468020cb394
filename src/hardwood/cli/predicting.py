"""`hardwood predict`: a column `prediction` and one `p_<class>` per class, batch by batch.

In: a model file, a data file and where to write: standard output, or a file whose suffix says the
format. Out: as many rows as the data has, in its order. Invariant: memory does not grow with the
number of rows, and a file is written whole or not at all.
"""

from __future__ import annotations

import csv
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from hardwood.cli.models import load_model
from hardwood.cli.prediction_data import kept_batches
from hardwood.cli.refusal import InputError, refusing
from hardwood.cli.terminal import busy
from hardwood.cli.training_data import Request
from hardwood.cli.writing import check_writable, replacing

Write = Callable[[Any], object]


def predict(model_path: Path, request: Request, out: Path | None, keep: Sequence[str] = ()) -> None:
    """Predict every row of the request's file."""
    form = _form(out)
    model = load_model(model_path)
    sink = nullcontext(sys.stdout.buffer) if out is None else replacing(out)
    batches = _predictions(model, request, _schema(model), keep)
    first = next(batches)  # wrong input is refused before anything is written
    schema = first.schema
    shown = busy("Predicting", quiet=out is None and sys.stdout.isatty())
    with sink as file, _WRITERS[form](file, schema) as write, shown as tell:
        rows = 0
        for batch in chain([first], batches):
            write(batch)
            rows += batch.num_rows
            tell(f"{rows:,} rows")


def _form(out: Path | None) -> str:
    if out is None:
        return ".csv"
    check_writable(out, device_allowed=True)
    if out.exists() and not out.is_file():
        return ".csv"  # a device
    if out.suffix not in _WRITERS:
        raise InputError(
            f"{out} ends in {out.suffix or 'no suffix'!r}; predictions are written as "
            f"{', '.join(_WRITERS)}."
        )
    return out.suffix


def _schema(model: Any) -> Any:
    import pyarrow

    labels = pyarrow.array(model.classes_.tolist()).type
    shares = [(f"p_{label}", pyarrow.float64()) for label in model.classes_.tolist()]
    return pyarrow.schema([("prediction", labels), *shares])


def _predictions(model: Any, request: Request, schema: Any, keep: Sequence[str]) -> Iterator[Any]:
    """The columns to keep come first."""
    import pyarrow

    for table, kept in kept_batches(request, model, keep):
        with refusing(str(request.path)), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # models trained without names
            labels, shares = model.predict(table), model.predict_proba(table)
        columns = [pyarrow.array(labels, schema.field(0).type), *map(pyarrow.array, shares.T)]
        found = pyarrow.table(columns, schema=schema)
        for j, name in enumerate([] if kept is None else kept.column_names):
            found = found.add_column(j, kept.schema.field(name), kept[name])
        yield found.combine_chunks().to_batches()[0]


@contextmanager
def _csv_writer(file: BinaryIO, schema: Any) -> Iterator[Write]:
    """Strings are quoted only where a class name needs it."""
    from pyarrow import csv as arrow_csv

    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(schema.names)
    file.write(header.getvalue().encode())
    texts = [field for field in schema if not field.name.startswith("p_")][:-1]
    needed = bool(texts) or any(sign in name for name in schema.names for sign in '",\r\n')
    options = arrow_csv.WriteOptions(
        include_header=False, quoting_style="needed" if needed else "none"
    )

    def write(batch: Any) -> None:
        block = io.BytesIO()
        arrow_csv.write_csv(batch, block, options)
        file.write(block.getbuffer())

    yield write
    file.flush()


@contextmanager
def _parquet_writer(file: BinaryIO, schema: Any) -> Iterator[Write]:
    from pyarrow import parquet

    with parquet.ParquetWriter(file, schema) as writer:
        yield writer.write_batch


@contextmanager
def _arrow_writer(file: BinaryIO, schema: Any) -> Iterator[Write]:
    import pyarrow

    with pyarrow.ipc.new_file(file, schema) as writer:
        yield writer.write_batch


_WRITERS = {
    ".csv": _csv_writer,
    ".parquet": _parquet_writer,
    ".arrow": _arrow_writer,
    ".feather": _arrow_writer,
}
