"""`hardwood workshop`: a file in, a page in the browser on which a tree is grown by hand.

In: the request, the tree's parameters, the draft's file. Out: a server on the loopback address
until Ctrl-C. Invariant: the draft is on disk after every step, so that the command can be given
again.
"""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

from hardwood.cli.refusal import InputError, one_line, refusing
from hardwood.cli.terminal import busy
from hardwood.cli.training import Plan, make_estimator
from hardwood.cli.training_data import Request, read_training_data


def workshop(
    request: Request, arguments: dict[str, Any], draft: Path, out: Path, port: int, browse: bool
) -> None:
    """Read, grow, serve."""
    try:
        from hardwood.workshop import Session, Workshop
    except ModuleNotFoundError as error:
        raise InputError(
            f"The workshop needs {error.name}; install it with: pip install 'hardwood[workshop]'"
        ) from None
    if not out.is_dir():
        raise InputError(f"{out} is no folder; give one that exists as --out.")
    start = _draft(draft)
    with busy("Reading", quiet=False):
        data = read_training_data(request)
    estimator = make_estimator(Plan("tree", arguments, out), data)
    with refusing():
        session = Session(
            estimator,
            data.X,
            data.y,
            draft=start,
            file=draft,
            source=str(request.path),
            target=data.target,
        )
        server = Workshop(session, out, port)
    print(f"The workshop is open at {server.url}\nCtrl-C ends it.", flush=True)  # noqa: T201
    if browse:
        webbrowser.open(server.url)
    server.run()


def _draft(path: Path) -> Any:
    """The draft that is there; None where there is none yet."""
    from hardwood.draft import Draft

    if not path.exists():
        return None
    try:
        return Draft.load(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as a draft: {one_line(error)}") from None
