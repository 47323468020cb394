"""Bytes of a model file <-> its header and its data, before anything is known about models.

    offset  bytes
    0       8     magic: HARDWOOD
    8       4     format version
    12      4     0
    16      32    four lengths: header as stored, header, data as stored, data
    48            header as stored (JSON), then data as stored
    end-32  32    SHA-256 of all bytes before it

All numbers are little-endian. A part whose two lengths are equal is stored as it is; otherwise it
is a zlib stream. Invariant: nothing is unpacked before the checksum was right, and unpacking takes
at most MOST_FOLD times the bytes of the file and FREE_BYTES, whatever the file says.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import Any

from hardwood.errors import ModelFileError

MAGIC = b"HARDWOOD"
FORMAT_VERSION = 2
PREFIX = struct.Struct("<8sII4Q")
CHECKSUM_BYTES = 32
MOST_FOLD = 64
FREE_BYTES = 1 << 16
MOST_BYTES = 1 << 32
MOST_LEVELS = 24
"""How deep a header's lists and objects may stand in each other."""

ADVICE = "get another copy of it, or write it again with hardwood.save."


def to_bytes(header: dict[str, Any], data: bytes) -> bytes:
    """A whole file."""
    plain = header_text(header)
    stored_header, stored_data = _stored(plain), _stored(data)
    lengths = len(stored_header), len(plain), len(stored_data), len(data)
    body = PREFIX.pack(MAGIC, FORMAT_VERSION, 0, *lengths) + stored_header + stored_data
    return body + hashlib.sha256(body).digest()


def header_text(header: dict[str, Any]) -> bytes:
    """The one JSON text of a header: ASCII, keys sorted, no blanks, no NaN."""
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def from_bytes(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and data of a file's content."""
    lengths = check_prefix(content[: PREFIX.size], len(content))
    body, checksum = content[:-CHECKSUM_BYTES], content[-CHECKSUM_BYTES:]
    if hashlib.sha256(body).digest() != checksum:
        raise ModelFileError(f"its checksum does not match, so it was damaged; {ADVICE}")
    middle = PREFIX.size + lengths[0]
    header = _header(_unpacked(body[PREFIX.size : middle], lengths[1], "header"))
    return header, _unpacked(body[middle:], lengths[3], "data")


def check_prefix(prefix: bytes, size: int) -> tuple[int, int, int, int]:
    """The four lengths, of a file of `size` bytes that begins so."""
    if not size:
        raise ModelFileError("it is empty; a model file is written by hardwood.save.")
    if prefix[: len(MAGIC)] != MAGIC[: len(prefix)]:
        raise ModelFileError(_what_else(prefix))
    if len(prefix) >= len(MAGIC) + 4:
        version = int.from_bytes(prefix[8:12], "little")
        if version > FORMAT_VERSION:
            raise ModelFileError(
                f"it has format version {version}, which is newer than this library's "
                f"{FORMAT_VERSION}; install a newer hardwood to read it."
            )
    if len(prefix) < PREFIX.size:
        raise ModelFileError(f"it ends after {size} bytes, in the middle; {ADVICE}")
    _, version, zero, *lengths = PREFIX.unpack(prefix)
    if version < 1 or zero:
        raise ModelFileError(f"its first bytes are damaged; {ADVICE}")
    expected = PREFIX.size + lengths[0] + lengths[2] + CHECKSUM_BYTES
    if size != expected:
        raise ModelFileError(f"it has {size} bytes where it says {expected}; {ADVICE}")
    if size > MOST_BYTES:
        raise ModelFileError(f"it has {size} bytes; a model file has at most {MOST_BYTES}.")
    return lengths[0], lengths[1], lengths[2], lengths[3]


def _what_else(prefix: bytes) -> str:
    if prefix.startswith((b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")):
        return "it is no model file but something compressed; unpack it first."
    return (
        "it does not begin with the word HARDWOOD, so it is no model file; give a file that "
        "hardwood.save wrote."
    )


def _stored(part: bytes) -> bytes:
    """Compressed where that is shorter, but not so much that a reader would refuse it."""
    small = zlib.compress(part, 9)
    return small if len(small) < len(part) <= most_bytes(len(small)) else part


def most_bytes(stored: int) -> int:
    """The most that so many stored bytes may unpack to."""
    return MOST_FOLD * stored + FREE_BYTES


def _unpacked(stored: bytes, length: int, part: str) -> bytes:
    if len(stored) == length:
        return stored
    if not len(stored) < length <= most_bytes(len(stored)):
        raise ModelFileError(
            f"its {part} of {len(stored)} bytes claims to unpack to {length}, which no file "
            f"of hardwood does; {ADVICE}"
        )
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(stored, length)
        # An end of stream that stands behind the last byte is only seen when more is asked for.
        more = stream.decompress(stream.unconsumed_tail, 1) if not stream.eof else b""
    except zlib.error:
        raise ModelFileError(f"its {part} cannot be unpacked; {ADVICE}") from None
    if len(plain) != length or more or not stream.eof or stream.unused_data:
        raise ModelFileError(f"its {part} does not unpack to {length} bytes; {ADVICE}")
    return plain


def _header(text: bytes) -> dict[str, Any]:
    """JSON in its one form, so no key comes twice and nothing can be written in two ways."""
    try:
        header = json.loads(text.decode("ascii"))
        same = isinstance(header, dict) and not _too_deep(header) and header_text(header) == text
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise ModelFileError(f"its header is not in the one allowed form of JSON; {ADVICE}")
    return dict(header)


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_LEVELS):
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [each for items in inner for each in items if isinstance(each, list | dict)]
        if not level:
            return False
    return True
