"""Seeded mutations of a model file: of its bytes, of its header and of its arrays.

In: a file's bytes and a random generator. Out: other bytes, and whether their checksum is right.
The structure-aware mutations unpack the file, change one or two things and pack it again with a
right checksum, so that nothing but the loader's own checks stands between them and a model.
"""

from __future__ import annotations

import copy
import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from hardwood.model_file.container import (
    CHECKSUM_BYTES,
    FORMAT_VERSION,
    MAGIC,
    PREFIX,
    from_bytes,
    header_text,
)

Random = np.random.Generator

NUMBERS = (0, 1, 2, 3, -1, -2, 7, 127, 128, 255, 256, 2**15, 2**31 - 1, 2**31, -(2**31), 2**53 + 1,
           2**63 - 1, -(2**63), 2**64 - 1, 2**64, 10**30, 10**400, -(10**400))  # fmt: skip
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 1e-300, 5e-324, 1e308, -1e308, 0.1, 2.0, 1.0000000001)
ODD_FLOATS = (*FLOATS, np.nan, np.inf, -np.inf)
VALUES: tuple[Any, ...] = (
    None, True, False, "", "a", "x0", "km", "T", "O", "<U1", "nan", "\ud800", "\x00", [], {}, [[]],
    [1, 2], {"float": "inf"}, {"float": "nan"}, {"float": "x"}, {"bytes": "\xff"}, {"tuple": [1]},
    {"dict": [[1, 2], [1, 3]]}, {"array": ["<i8", [1, 2]]}, {"array": ["<U999999999", ["a"]]},
    {"array": ["O", [[1], [2]]]}, {"array": ["<f8", []]}, {"search": ["quick", {"start": 2}]},
    {"search": ["auto", {}]}, {"object": 1}, *NUMBERS, *FLOATS,
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    way: str
    content: bytes
    repaired: bool
    """The checksum is right."""


def repaired(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def pick(rng: Random, items: Any) -> Any:
    return items[int(rng.integers(len(items)))]


@lru_cache(maxsize=64)
def opened(content: bytes) -> tuple[bytes, bytes]:
    """The JSON text of a file's header, and its data."""
    header, data = from_bytes(content)
    return header_text(header), data


def closed(text: bytes, data: bytes) -> bytes:
    """A file whose parts are stored as they are, which takes far less time than compressing."""
    lengths = len(text), len(text), len(data), len(data)
    return repaired(PREFIX.pack(MAGIC, FORMAT_VERSION, 0, *lengths) + text + data)


def mutate(content: bytes, rng: Random) -> Mutant:
    """One mutant, by a way drawn at random."""
    way = pick(rng, WAYS)
    made, right = way(content, rng)
    return Mutant(way.__name__, made, right)


# Bytes.


def some_bytes(content: bytes, rng: Random) -> bytes:
    out = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(out)))
        change = int(rng.integers(6))
        if change == 0:
            out[at] ^= 1 << int(rng.integers(8))
        elif change == 1:
            out[at] = int(rng.integers(256))
        elif change == 2:
            del out[at : at + int(rng.integers(1, 20))]
        elif change == 3:
            out[at:at] = rng.bytes(int(rng.integers(1, 20)))
        elif change == 4:
            size = int(rng.integers(1, 20))
            out[at : at + size] = bytes(len(out[at : at + size]))
        else:
            other = int(rng.integers(len(out)))
            out[at], out[other] = out[other], out[at]
        if not out:
            break
    return bytes(out)


def damaged(content: bytes, rng: Random) -> tuple[bytes, bool]:
    return some_bytes(content, rng), False


def cut_short(content: bytes, rng: Random) -> tuple[bytes, bool]:
    return content[: int(rng.integers(len(content)))], False


def lengthened(content: bytes, rng: Random) -> tuple[bytes, bool]:
    more = rng.bytes(int(rng.integers(1, 40)))
    return (content + more, False) if rng.random() < 0.5 else (more + content, False)


def damaged_and_repaired(content: bytes, rng: Random) -> tuple[bytes, bool]:
    return repaired(some_bytes(content[:-CHECKSUM_BYTES], rng)), True


def other_lengths(content: bytes, rng: Random) -> tuple[bytes, bool]:
    """The declared lengths, version and zero; sometimes two lengths that still add up."""
    fields = list(PREFIX.unpack(content[: PREFIX.size]))
    at = int(rng.integers(1, 7))
    if rng.random() < 0.5:
        fields[at] = int(pick(rng, [0, 1, 2, 2**16, 2**31, 2**32 - 1])) if at < 3 else int(
            pick(rng, [0, 1, 2**31, 2**32, 2**40, 2**63, 2**64 - 1])
        )  # fmt: skip
    else:
        step = int(rng.integers(-3, 4))
        fields[at] = max(0, fields[at] + step)
        if at in (3, 5):
            other = 8 - at
            fields[other] = max(0, fields[other] - step)
    body = PREFIX.pack(*fields) + content[PREFIX.size : -CHECKSUM_BYTES]
    return repaired(body), True


@lru_cache(maxsize=256)
def compressed(data: bytes, level: int = -1) -> bytes:
    return zlib.compress(data, level)


def packed_again(content: bytes, rng: Random) -> tuple[bytes, bool]:
    """Parts compressed otherwise: other levels, trailing bytes, two streams, bombs."""
    text, data = opened(content)
    kind = int(rng.integers(5))
    stored = compressed(data, int(rng.integers(0, 10)))
    length = len(data)
    if kind == 1:
        stored += rng.bytes(int(rng.integers(1, 9)))
    elif kind == 2:
        stored = stored[: int(rng.integers(1, len(stored)))]
    elif kind == 3:
        half = len(data) // 2
        stored = compressed(data[:half]) + compressed(data[half:])
    elif kind == 4:
        length = int(pick(rng, [2**20, 2**24]))
        stored = compressed(bytes(length), 9)
    lengths = len(text), len(text), len(stored), length
    prefix = PREFIX.pack(MAGIC, FORMAT_VERSION, 0, *lengths)
    return repaired(prefix + text + stored), True


# The header.


def places(value: Any, so_far: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a header."""
    items: list[Any] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    found = [so_far] if so_far else []
    for key, item in items:
        found += places(item, (*so_far, key))
    return found


def other_header(content: bytes, rng: Random) -> tuple[bytes, bool]:
    text, data = opened(content)
    header = json.loads(text)
    for _ in range(int(rng.integers(1, 3))):
        change_one(header, rng)
    try:
        return closed(header_text(header), data), True
    except (TypeError, ValueError):
        return content, True


def change_one(header: dict[str, Any], rng: Random) -> None:
    top = pick(rng, sorted(header))  # every part of the header has the same chance
    *way, last = pick(rng, [(top,), *((top, *place) for place in places(header[top]))])
    owner: Any = header
    for key in way:
        owner = owner[key]
    change = int(rng.integers(6))
    old = owner[last]
    if change == 0:
        del owner[last]
    elif change == 1 and isinstance(owner, list):
        owner.insert(int(rng.integers(len(owner) + 1)), copy.deepcopy(pick(rng, owner)))
    elif change == 2 and isinstance(owner, list):
        other = int(rng.integers(len(owner)))
        owner[last], owner[other] = owner[other], owner[last]
    elif change == 3 and type(old) is int:
        owner[last] = old + int(rng.integers(-2, 3))
    elif change == 4 and isinstance(owner, dict):
        owner[pick(rng, ["", "new", "arrays", "n_jobs", *owner])] = copy.deepcopy(pick(rng, VALUES))
    else:
        owner[last] = copy.deepcopy(pick(rng, VALUES))


def other_text(content: bytes, rng: Random) -> tuple[bytes, bool]:
    """JSON that means the same or nothing: blanks, repeated keys, depth, NaN, not UTF-8."""
    text, data = opened(content)
    changes: list[Callable[[], bytes]] = [
        lambda: text.replace(b":", b": ", 1),
        lambda: text[:-1] + b',"target":null}',
        lambda: b"[" * int(rng.integers(1, 30000)),
        lambda: text[:-1] + b',"zz":' + b"[" * 500 + b"]" * 500 + b"}",
        lambda: text[:-1] + b',"zz":' + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}",
        lambda: text.replace(b"null", b"NaN", 1),
        lambda: text + b" ",
        lambda: b"\xff" + text,
        lambda: b"null",
        lambda: b"",
        lambda: some_bytes(text, rng),
        lambda: text.replace(b"1", b"1" * int(rng.integers(2, 9000)), 1),
    ]
    return closed(pick(rng, changes)(), data), True


# The arrays.


def arrays_of(content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    text, data = opened(content)
    header = json.loads(text)
    arrays, at = {}, 0
    for name, kind, length in header["arrays"]:
        stored = np.dtype(kind)
        arrays[name] = np.frombuffer(data, stored, length, at).copy()
        at += length * stored.itemsize
    return header, arrays


def with_arrays(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    listing = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    data = b"".join(array.tobytes() for array in arrays.values())
    return closed(header_text({**header, "arrays": listing}), data)


def other_arrays(content: bytes, rng: Random) -> tuple[bytes, bool]:
    header, arrays = arrays_of(content)
    with np.errstate(invalid="ignore", over="ignore"):
        for _ in range(int(rng.integers(1, 3))):
            name = pick(rng, list(arrays))
            arrays[name] = other_array(arrays[name], rng)
    return with_arrays(header, arrays), True


def other_array(array: np.ndarray, rng: Random) -> np.ndarray:
    change = int(rng.integers(10))
    if not len(array) or change == 0:
        return np.append(array, array.dtype.type(rng.integers(3)))
    at, other = (int(i) for i in rng.integers(len(array), size=2))
    if change == 1:
        return np.delete(array, at)
    if change == 2:
        return array[rng.permutation(len(array))]
    if change == 3:
        return array.astype(pick(rng, ["|u1", "|i1", "<i4", "<u4", "<i8", "<f8", "<f4", ">i4"]))
    array = array.copy()
    if change in (4, 5):
        array[at], array[other] = array[other], array[at]
    elif change == 6:
        array[at] = array[other]
    elif array.dtype.kind == "f":
        array[at] = pick(rng, ODD_FLOATS)
    elif change == 7:
        limits = np.iinfo(array.dtype)
        array[at] = pick(rng, [v for v in NUMBERS if limits.min <= v <= limits.max])
    else:
        wide = array.astype(np.int64)
        wide[at] += int(rng.integers(-2, 3))
        return wide
    return array


WAYS = (damaged, cut_short, lengthened, damaged_and_repaired, other_lengths, packed_again,
        other_header, other_header, other_header, other_text, *(other_arrays,) * 6)  # fmt: skip
