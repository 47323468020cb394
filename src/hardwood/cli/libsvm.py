"""LIBSVM files: labels and sparse rows, all of them or in batches.

In: a path. Out: labels (whole numbers where they are) and a CSR matrix whose column i holds the
file's index i, so that a file means the same columns whatever its smallest index is; in a file that
counts from 1 column 0 is never used.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from hardwood.cli.formats import opened
from hardwood.cli.refusal import refusing

_STRETCH = 1 << 23
"""Bytes read at a time in prediction."""


def read_all(path: Path) -> tuple[Any, Any]:
    """Labels and rows."""
    from sklearn.datasets import load_svmlight_file

    with refusing(f"{path} is not a LIBSVM file"), opened(path) as stream:
        rows, labels = load_svmlight_file(BufferedReader(stream), zero_based=True)
    whole = labels.astype("int64")
    return (whole if (whole == labels).all() else labels), rows


def batches(path: Path, n_columns: int) -> Iterator[Any]:
    """CSR matrices of `n_columns` columns; what the file has beyond them is left out."""
    from sklearn.datasets import load_svmlight_file

    with refusing(f"{path} is not a LIBSVM file"), opened(path) as stream:
        text = BufferedReader(stream)
        while lines := text.readlines(_STRETCH):
            rows, _ = load_svmlight_file(BytesIO(b"".join(lines)), zero_based=True)
            rows.resize((rows.shape[0], n_columns))
            yield rows
