"""Values of the user's table as C tokens: strings, comments, 64-bit integers.

Invariant: whatever a name holds (quotes, backslashes, newlines, comment ends, trigraphs, any
script) the token means exactly that name, and a comment ends where it should.
"""

from __future__ import annotations

from collections.abc import Sequence

_PLAIN = {chr(code) for code in range(32, 127)} - set('"\\?')


def c_string(text: str) -> str:
    """A literal of the text's UTF-8 bytes; anything unusual as three octal digits."""
    return '"' + "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03o}" for b in _utf8(text)) + '"'


def c_comment(text: str) -> str:
    """Text that can stand inside a comment on one line."""
    return ascii(text)[1:-1].replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def c_integer(value: int, kind: str) -> str:
    """A literal of a signed or unsigned 64-bit integer."""
    if kind == "unsigned":
        return f"UINT64_C({value})"
    if value == -(2**63):
        return "(-INT64_C(9223372036854775807) - 1)"
    return f"INT64_C({value})" if value >= 0 else f"(-INT64_C({-value}))"


def byte_order(names: Sequence[str]) -> list[int]:
    """Places of the names in the order in which strcmp has them."""
    return sorted(range(len(names)), key=lambda place: _utf8(names[place]))


def _utf8(text: str) -> bytes:
    if "\0" in text:
        raise ValueError(
            f"The name {text!r} holds a NUL character, which ends a string in C; rename it before "
            "training."
        )
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(
            f"The name {text!r} holds half of a surrogate pair, which UTF-8 does not have; rename "
            "it before training."
        ) from None
