"""`hardwood workshop`: a file in, a page in the browser on which a tree is grown by hand.

In: the request, the tree's parameters, the draft's file. Out: a server on the loopback address
until Ctrl-C. Invariant: the draft is on disk after every step, so that the command can be given
again.
"""

from __future__ import annotations

import threading
import webbrowser
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwood.cli.refusal import InputError, StoppedError, one_line, refusing
from hardwood.cli.terminal import busy
from hardwood.cli.training_data import Request, TrainingData, read_training_data

if TYPE_CHECKING:
    from hardwood.workshop import Session, Workshop


def workshop(
    request: Request, arguments: dict[str, Any], draft: Path, out: Path, port: int, browse: bool
) -> None:
    """Read, open the page, then grow: the page does not wait for the tree."""
    try:
        from hardwood.workshop import Workshop
    except ModuleNotFoundError as error:
        raise InputError(
            f"The workshop needs {error.name}; install it with: pip install 'hardwood[workshop]'"
        ) from None
    if not out.is_dir():
        raise InputError(f"{out} is no folder; give one that exists as --out.")
    with busy("Reading", quiet=False):
        data = read_training_data(request)
    made: Future[Session] = Future()
    made.set_running_or_notify_cancel()
    with refusing():
        server = Workshop(made, out, port)
    asked = (request.path, data, arguments, draft)
    try:
        print(f"The workshop is open at {server.url}\nCtrl-C ends it.", flush=True)  # noqa: T201
        threading.Thread(target=_make, args=(made, server, *asked), daemon=True).start()
        if browse:
            webbrowser.open(server.url)
        server.run()
    except KeyboardInterrupt:
        kept = f"the draft is in {draft}" if draft.exists() else "nothing was decided"
        raise StoppedError(f"The workshop is closed; {kept}.") from None
    if made.done():
        made.result()


def _make(
    made: Future[Session],
    server: Workshop,
    source: Path,
    data: TrainingData,
    arguments: dict[str, Any],
    draft: Path,
) -> None:
    """The session; where there can be none, the page says why and the command ends."""
    try:
        made.set_result(_session(source, data, arguments, draft))
    except BaseException as error:  # goes on in the thread of the command
        made.set_exception(error)
        server.stop()


def _session(source: Path, data: TrainingData, arguments: dict[str, Any], draft: Path) -> Session:
    from hardwood.cli.training import Plan, make_estimator
    from hardwood.workshop import Session

    start = _draft(draft)
    estimator = make_estimator(Plan("tree", arguments, draft), data)
    told = {"draft": start, "file": draft, "source": str(source), "target": data.target}
    with refusing():
        return Session(estimator, data.X, data.y, **told)


def _draft(path: Path) -> Any:
    """The draft that is there; None where there is none yet."""
    from hardwood.draft import Draft

    if not path.exists():
        return None
    try:
        return Draft.load(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as a draft: {one_line(error)}") from None
