"""Python values <-> JSON, with their types.

None, booleans, whole numbers, finite floats, strings and lists are themselves; everything else is
an object with one key that names its type:

    {"float": "inf"}   {"bytes": "latin-1 text"}   {"tuple": [...]}   {"dict": [[key, value], ...]}
    {"array": [NumPy type, [...]]}                 {"search": [name, {field: value}]}
    {"set": [...]}, in the order of the items' JSON

Invariant: what `to_json` takes, `from_json` gives back; anything else is a TypeError or, in a file,
a ModelFileError.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np

from hardwood.errors import ModelFileError
from hardwood.search import Adaptive, Auto, Exhaustive, PaperRun, Quick

_STRATEGIES = {
    strategy.name: strategy for strategy in (Adaptive, Auto, Exhaustive, PaperRun, Quick)
}
_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_ARRAY_TYPES = "biufSU"
MOST_ARRAY_BYTES = 1 << 26


def to_json(value: Any) -> Any:
    """A TypeError for what a model file cannot hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | str):
        return (int if isinstance(value, int) else str)(value)
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else {"float": repr(number)}
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [to_json(item) for item in value]}
    if isinstance(value, set | frozenset):
        return {"set": sorted((to_json(item) for item in value), key=_text)}
    if isinstance(value, dict):
        return {"dict": [[to_json(key), to_json(item)] for key, item in value.items()]}
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return {"array": [_array_type(value.dtype), to_json(value.tolist())]}
    if type(value) in _STRATEGIES.values():
        fields = asdict(value)
        return {"search": [value.name, {name: to_json(item) for name, item in fields.items()}]}
    raise TypeError(f"a model file cannot hold a {type(value).__name__}")


def _array_type(kind: np.dtype[Any]) -> str:
    if kind.kind in "OT":
        return kind.kind
    if (kind.kind in _ARRAY_TYPES and kind.itemsize <= 8) or kind.kind in "SU":
        return kind.str
    raise TypeError(f"a model file cannot hold an array of type {kind}")


def from_json(value: Any) -> Any:
    """The value that `to_json` turned into this."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise ModelFileError("its header has a value without a type.")
    ((kind, content),) = value.items()
    if kind == "float" and isinstance(content, str) and content in _FLOATS:
        return _FLOATS[content]
    if kind == "bytes" and isinstance(content, str):
        return _bytes(content)
    if kind == "tuple" and isinstance(content, list):
        return tuple(from_json(item) for item in content)
    if kind == "set" and isinstance(content, list):
        return _set(content)
    if kind == "dict" and isinstance(content, list):
        return _dict(content)
    if kind == "array" and isinstance(content, list) and len(content) == 2:
        return _array(*content)
    if kind == "search" and isinstance(content, list) and len(content) == 2:
        return _strategy(*content)
    raise ModelFileError(f"its header has a value of the unknown type {kind[:40]!r}.")


def _bytes(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        raise ModelFileError("its header has bytes beyond 255.") from None


def _set(items: list[Any]) -> set[Any]:
    """Of plain values."""
    if not all(isinstance(item, bool | int | float | str) for item in items):
        raise ModelFileError("its header has a set whose items are no plain values.")
    if len(set(items)) < len(items):
        raise ModelFileError("its header has a set whose items repeat.")
    return set(items)


def _dict(pairs: list[Any]) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2):
            raise ModelFileError("its header has a dict that is no list of pairs.")
        key = from_json(pair[0])
        parts = key if isinstance(key, tuple) else (key,)
        plain = all(
            part is None or isinstance(part, bool | int | float | str | bytes) for part in parts
        )
        if not plain or key in out:
            raise ModelFileError("its header has a dict whose keys repeat or are no plain values.")
        out[key] = from_json(pair[1])
    return out


def _array(kind: Any, items: Any) -> Any:
    """Only values that the type holds exactly come back as an array."""
    values = from_json(items)
    if not isinstance(kind, str) or not isinstance(values, list):
        raise ModelFileError("its header has an array without type or values.")
    try:
        array = np.array(values, dtype=_dtype(kind, len(values)))
        same = array.ndim == 1 and _text(to_json(array)) == _text({"array": [kind, items]})
    except (TypeError, ValueError, OverflowError):
        same = False
    if not same:
        raise ModelFileError(f"its header has an array whose values are not of type {kind[:40]}.")
    return array


def _text(value: Any) -> str:
    """Where 1, 1.0 and true are three different values."""
    return json.dumps(value, sort_keys=True)


def _dtype(kind: str, length: int) -> Any:
    if kind == "O":
        return object
    if kind == "T":
        return np.dtypes.StringDType()
    if len(kind) < 3 or kind[0] not in "<>|" or kind[1] not in _ARRAY_TYPES:
        raise TypeError(kind)
    if not kind[2:].isdecimal() or len(kind) > 12:
        raise TypeError(kind)
    if int(kind[2:]) * (4 if kind[1] == "U" else 1) * length > MOST_ARRAY_BYTES:
        raise ValueError(kind)
    return np.dtype(kind)


def _strategy(name: Any, fields: Any) -> Any:
    if not isinstance(name, str) or name not in _STRATEGIES or not isinstance(fields, dict):
        raise ModelFileError("its header names an unknown search.")
    try:
        return _STRATEGIES[name](**{field: from_json(value) for field, value in fields.items()})
    except (TypeError, ValueError):
        raise ModelFileError(f"its header has wrong settings of the search {name!r}.") from None
