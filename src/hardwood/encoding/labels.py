"""Labels -> class numbers.

In: y in any one-dimensional form. Out: the sorted classes in the user's own type and an int32 class
number per row. Whole numbers of a small range are counted rather than sorted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

_COUNTED_SPAN = 1 << 16


@dataclass(frozen=True, slots=True)
class Labels:
    classes: NDArray[Any]
    codes: NDArray[np.int32]

    @property
    def class_rows(self) -> NDArray[np.int64]:
        """The number of rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))


def read_labels(y: Any, n_rows: int) -> Labels:
    """Classes and class numbers; y must have one label per row and none missing."""
    values = column_or_1d(_as_array(y), warn=True)
    if len(values) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows and "
            f"y has {len(values)}; give one label per row."
        )
    kind = values.dtype.kind
    if kind in "iub":
        return _whole_numbers(values)
    if kind == "f":
        return _floats(values)
    if kind not in "OUST":
        raise ValueError(
            f"Unknown label type: y has dtype {values.dtype}; allowed are numbers, booleans and "
            "strings."
        )
    return _objects(values)


def _as_array(y: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError("A classifier requires y to be passed, but the target y is None.")
    if isinstance(y, (list, tuple)):
        flat = [value for value in y if not isinstance(value, (list, tuple, np.ndarray))]
        if not any(map(_is_missing, flat)):
            _refuse_mixture(flat)
        if any(isinstance(value, int) and abs(value) >= 2**63 for value in flat):
            return np.array(y, dtype=object)
    array = np.asarray(y)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers; give class labels.")
    return array


def _whole_numbers(values: NDArray[Any]) -> Labels:
    if values.dtype.kind == "b":
        labels = _whole_numbers(values.view(np.uint8))
        return Labels(labels.classes.astype(bool), labels.codes)
    low, high = int(values.min()), int(values.max())
    if high - low >= _COUNTED_SPAN:
        classes, codes = np.unique(values, return_inverse=True)
        return Labels(classes, codes.astype(np.int32))
    wide = values.astype(np.int64, copy=False) if values.dtype.itemsize < 8 else values
    offset = (wide - wide.dtype.type(low)).astype(np.intp, copy=False)
    present = np.bincount(offset, minlength=high - low + 1) > 0
    places = np.flatnonzero(present)
    number = np.zeros(len(present), dtype=np.int32)
    number[places] = np.arange(len(places), dtype=np.int32)
    classes = np.array([low + int(place) for place in places], dtype=values.dtype)
    return Labels(classes, number[offset])


def _floats(values: NDArray[Any]) -> Labels:
    if np.isnan(values).any():
        raise ValueError("Input y contains NaN; every row needs a label. Drop the rows without.")
    if np.isinf(values).any():
        raise ValueError("Input y contains infinity; labels must be class names or whole numbers.")
    with np.errstate(invalid="ignore"):
        whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        raise ValueError(
            "Unknown label type: continuous. y holds numbers with fractions, which look like a "
            "regression target; a classifier takes class labels. Discretise y first."
        )
    labels = _whole_numbers(whole)
    return Labels(labels.classes.astype(values.dtype), labels.codes)


def _objects(values: NDArray[Any]) -> Labels:
    if values.dtype.kind == "O":
        listed = values.tolist()
        if any(map(_is_missing, listed)):
            raise ValueError(
                "Input y contains missing labels (None or NaN); every row needs one. Drop the "
                "rows without."
            )
        _refuse_mixture(listed)
        if all(isinstance(value, (bool, np.bool_)) for value in listed):
            return _whole_numbers(np.array(listed, dtype=bool))
        if all(isinstance(value, (int, np.integer)) for value in listed):
            return _integers(listed)
        if all(isinstance(value, (int, float, np.number)) for value in listed):
            return _floats(np.array(listed, dtype=np.float64))
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise TypeError(
            f"y holds labels of the types {_type_names(values.tolist())}, which cannot be sorted; "
            "use strings or numbers."
        ) from None
    return Labels(classes, codes.astype(np.int32))


def _integers(listed: list[Any]) -> Labels:
    """Python's integers, of any size."""
    try:
        return _whole_numbers(np.array(listed, dtype=np.int64))
    except OverflowError:
        classes = sorted({int(value) for value in listed})
        place = {value: i for i, value in enumerate(classes)}
        codes = np.array([place[int(value)] for value in listed], dtype=np.int32)
        return Labels(np.array(classes, dtype=object), codes)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _refuse_mixture(listed: list[Any]) -> None:
    if len({isinstance(value, str) for value in listed}) == 2:
        raise TypeError(
            f"y mixes labels of the types {_type_names(listed)}; labels must be all strings or "
            "all numbers. Convert them to one type."
        )


def _type_names(values: list[Any]) -> str:
    return ", ".join(sorted({type(value).__name__ for value in values}))
