"""`hardwood prove`: a model file and a file of claims in, a verdict on each out.

In: the paths; the claims are a TOML file with a table `[[claims]]` for each, and may name a
`time_limit`. Out: the results on standard output, and whether every claim is proved.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hardwood.cli.formats import check_file
from hardwood.cli.models import load_model
from hardwood.cli.plain_text import plain
from hardwood.cli.refusal import InputError, one_line, refusing
from hardwood.cli.terminal import busy

NOT_PROVED = 1
"""The exit code when a claim is refuted or not proved."""


def prove(model_path: Path, claims_path: Path, time_limit: float | None) -> int:
    """Print the results; the exit code."""
    from hardwood.certify import prove as decide

    model = load_model(model_path)
    claims, own_limit = read_claims(claims_path)
    seconds = own_limit if time_limit is None else time_limit
    with busy("Proving", quiet=False), refusing(str(claims_path)):
        proofs = decide(model, claims, **({} if seconds is None else {"time_limit": seconds}))
    print("\n".join(plain(line) for line in str(proofs).splitlines()))  # noqa: T201
    return 0 if proofs.proved else NOT_PROVED


def read_claims(path: Path) -> tuple[list[Any], float | None]:
    """The claims of a file as plain data, and its time limit."""
    check_file(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML file: {one_line(error)}.") from error
    unknown = [key for key in content if key not in ("claims", "time_limit")]
    if unknown:
        raise InputError(
            f"{path} has {unknown[0]!r}; a file of claims has a table [[claims]] for each claim, "
            "and may have a time_limit."
        )
    claims, limit = content.get("claims", []), content.get("time_limit")
    if not isinstance(claims, list) or not claims:
        raise InputError(f"{path} has no claims; write a table [[claims]] for each.")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float)):
        raise InputError(f"{path}: time_limit is {limit!r}; it is a number of seconds.")
    return claims, limit
