"""`hardwood report`: a model file and a data file in, an HTML page out.

In: the paths. Out: the page, written whole or not at all, and a line on standard output. The
model's columns and its target are looked for by name; without the target the page has no errors,
and the line says so. Invariant: the data is read before anything is written.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardwood.cli import columnar, csv_text, libsvm
from hardwood.cli.formats import check_file, check_fits_in_memory, format_of
from hardwood.cli.models import load_model
from hardwood.cli.prediction_data import prediction_batches
from hardwood.cli.proving import read_claims
from hardwood.cli.refusal import InputError, one_line, refusing, size_text
from hardwood.cli.terminal import busy
from hardwood.cli.training_data import Request, open_csv
from hardwood.cli.writing import check_writable


def report(model_path: Path, request: Request, out: Path, claims_path: Path | None = None) -> None:
    """Read both, write the page, say so."""
    check_writable(out)
    model = load_model(model_path)
    check_file(request.path)
    check_fits_in_memory(request.path)
    proofs = None if claims_path is None else _proofs(model, claims_path)
    with busy("Reading", quiet=False):
        X, y = rows_of(request, model), _labels(request, model)
    write_report(model, (X, y), out, str(request.path), proofs)
    said = "" if y is not None else f" It has no errors: {_why_not(request, model)}"
    print(f"Wrote {out}, {size_text(out.stat().st_size)}.{said}")  # noqa: T201


def _proofs(model: Any, path: Path) -> Any:
    """What is proved of the claims in a file."""
    from hardwood.certify import prove

    claims, limit = read_claims(path)
    with busy("Proving", quiet=False), refusing(str(path)):
        return prove(model, claims, **({} if limit is None else {"time_limit": limit}))


def write_report(
    model: Any, data: tuple[Any, Any], out: Path, source: str, claims: Any = None
) -> None:
    """The page of a model on X and y (None: unknown)."""
    from hardwood.report import report as write

    with refusing(source), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # models trained without names
        try:
            write(model, *data, out, source=source, claims=claims)
        except OSError as error:
            raise InputError(
                f"{out} could not be written ({error.strerror or one_line(error)}); "
                "what was there before is unchanged."
            ) from error


def rows_of(request: Request, model: Any) -> Any:
    """The model's columns, by name."""
    batches = list(prediction_batches(request, model))
    if format_of(request.path) == "libsvm":
        from scipy import sparse

        return sparse.vstack(batches, format="csr")
    import pyarrow

    return pyarrow.concat_tables(batches, promote_options="permissive")


def _labels(request: Request, model: Any) -> Any:
    """The model's target in the file, as classes; None if the file or the model has none."""
    path, kind = request.path, format_of(request.path)
    if kind == "libsvm":
        return libsvm.read_all(path)[0]
    target = getattr(model, "target_name_", None)
    if kind == "csv":
        file = open_csv(request)
        if target not in file.names:
            return None
        batches = list(csv_text.string_batches(file, [target]))
    else:
        if target not in columnar.names_of(path, kind):
            return None
        batches = list(columnar.batches(path, kind, [target]))
    values = [value for batch in batches for value in batch.column(0).to_pylist()]
    return _as_classes(values, model.classes_.tolist(), request, str(target))


def _as_classes(values: list[Any], classes: Sequence[Any], request: Request, target: str) -> Any:
    """CSV holds texts; they are matched to the model's classes as texts, then as numbers."""
    import numpy as np

    place: dict[Any, int] = {str(label): number for number, label in enumerate(classes)}
    place |= {label: number for number, label in enumerate(classes)}
    found = []
    for row, value in enumerate(values, 1):
        number = place.get(value)
        if number is None and isinstance(value, str):
            number = place.get(value.strip(), place.get(_number(value.strip())))
        if number is None:
            given = "nothing" if value is None else repr(value)
            raise InputError(
                f"{request.path}: the target {target!r} holds {given} in row {row}; the model's "
                f"classes are {', '.join(map(str, classes[:10]))}. Correct the row, or leave the "
                "column out for a report without errors."
            )
        found.append(number)
    return np.asarray(classes)[found]


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower())


def _why_not(request: Request, model: Any) -> str:
    target = getattr(model, "target_name_", None)
    if target is None:
        return "the model does not say what its target is called."
    return f"{request.path} has no column {target!r}."
