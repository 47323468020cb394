"""Names from data as a terminal may show them.

A column, category or class may hold terminal commands, or marks that turn the direction of the
text. `plain` writes such characters as escapes; line ends and tabs stay.
"""

from __future__ import annotations

import re

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    return _COMMANDS.sub(lambda found: ascii(found.group())[1:-1], text)
