"""The workshop's server: one session, on this machine's loopback address alone.

In: a session, or one that is still being made: the page is there at once, and its first question is
answered when the tree is. Out: the page, and answers to its questions as JSON. Who drives the
server must know the secret in the address; besides, the Host must be the loopback address with our
port, and a request that a browser says comes from another origin is refused, so that no other page
can drive it. Nothing is loaded from elsewhere: the page's policy allows its own script and style by
their hashes and requests to this server alone.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hardwood.errors import OldVersionError
from hardwood.workshop.assembly import POLICY, page

if TYPE_CHECKING:
    from hardwood.workshop.session import Session

LOOPBACK = "127.0.0.1"
LARGEST = 1 << 20
"""Bytes of a request."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


Answer = Callable[["Session", Any], Any]


class _Json(JSONResponse):
    """In ASCII: text may hold half of a character, which UTF-8 cannot say."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def application(made: Future[Session], secret: str, port: int, folder: Path) -> Starlette:
    """The server's answers; `folder` is where save writes."""

    def guarded(answer: Answer) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            why = _refusal(request, secret, port)
            if why is not None:
                return _Json({"said": why}, 403, HEADERS)
            try:
                session = await asyncio.shield(asyncio.wrap_future(made))
            except Exception as error:  # the command tells its user the same, and ends
                return _Json({"said": str(error)[:500]}, 400, HEADERS)
            try:
                given = await _body(request)
                found = await run_in_threadpool(answer, session, given)
            except OldVersionError as error:
                state = await run_in_threadpool(session.state)
                return _Json({"said": str(error), "state": state}, 409, HEADERS)
            except (ValueError, TypeError, OSError) as error:
                return _Json({"said": str(error)[:500]}, 400, HEADERS)
            return _Json(found, headers=HEADERS)

        return respond

    async def first(request: Request) -> Response:
        """The page; without the tree while there is none."""
        why = _refusal(request, secret, port)
        if why is not None:
            return _Json({"said": why}, 403, HEADERS)
        ready = made.done() and made.exception() is None
        state = await run_in_threadpool(made.result().state) if ready else None
        return HTMLResponse(page(state), headers=HEADERS)

    routes = [
        Route(f"/{{secret}}/{name}", guarded(answer), methods=[method])
        for name, method, answer in _answers(folder)
    ]
    return Starlette(routes=[Route("/{secret}/", first, methods=["GET"]), *routes])


def _answers(folder: Path) -> list[tuple[str, str, Answer]]:
    def columns(session: Session, given: Any) -> Any:
        return session.columns(given.get("node"), given.get("first"), given.get("names"))

    return [
        ("state", "GET", lambda session, _: session.state()),
        ("validation", "GET", lambda session, _: session.validation.state()),
        (
            "act",
            "POST",
            lambda session, given: session.act(given.get("version"), given.get("step")),
        ),
        ("alternatives", "POST", lambda session, given: session.alternatives(given.get("node"))),
        ("refused", "POST", lambda session, given: session.refused(given.get("node"))),
        ("columns", "POST", columns),
        ("keep", "POST", lambda session, _: session.keep()),
        ("validate", "POST", lambda session, _: session.validate()),
        ("trials", "GET", lambda session, _: session.trials.state()),
        ("try", "POST", lambda session, given: session.try_offers(given.get("node"))),
        ("cancel", "POST", lambda session, _: session.cancel()),
        ("save", "POST", lambda session, _: {"written": session.write(folder)}),
    ]


def _refusal(request: Request, secret: str, port: int) -> str | None:
    """Why a request is not answered."""
    if not compare_digest(request.path_params["secret"].encode(), secret.encode()):
        return "This address has not the secret of the workshop."
    host = request.headers.get("host", "")
    if host not in (f"{LOOPBACK}:{port}", f"localhost:{port}"):
        return "The workshop answers on its loopback address alone."
    origin = request.headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return "The workshop answers its own page alone."
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return "The workshop answers its own page alone."
    if request.method == "POST" and request.headers.get("content-type") != "application/json":
        return "Steps are sent as JSON."
    return None


async def _body(request: Request) -> Any:
    if request.method != "POST":
        return None
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise ValueError("The request is too large.")
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("The request is no JSON.") from None
    if not isinstance(given, dict):
        raise ValueError("The request is no JSON object.")
    return given


class Workshop:
    """A running workshop; `url` opens it, `close()` ends it."""

    def __init__(self, session: Session | Future[Session], folder: Path, port: int = 0) -> None:
        self._made = session if isinstance(session, Future) else _done(session)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind((LOOPBACK, port))
        self._socket.listen()  # from now on who comes too early waits
        self.port = int(self._socket.getsockname()[1])
        self._secret = secrets.token_urlsafe(24)
        self.url = f"http://{LOOPBACK}:{self.port}/{self._secret}/"
        app = application(self._made, self._secret, self.port, folder)
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off",
                                server_header=False, ws="none", http="h11", loop="asyncio",
                                timeout_graceful_shutdown=2)  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def session(self) -> Session:
        """Waits for it while it is being made."""
        return self._made.result()

    def start(self) -> Workshop:
        """Serve in a thread of its own; returns once the server answers."""
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)
        return self

    def run(self) -> None:
        """Serve until it is closed, or until Ctrl-C."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """Let `run` return, once the answers under way are given."""
        self._server.should_exit = True

    def close(self) -> None:
        """End the server; the draft is on disk after every step, if it has a file."""
        self.stop()
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._socket.close()

    def __repr__(self) -> str:
        return f"<Workshop at {self.url}>"


def _done(session: Session) -> Future[Session]:
    made: Future[Session] = Future()
    made.set_result(session)
    return made


def serve(session: Session, folder: Path, port: int = 0) -> Workshop:
    """A workshop that runs in the background."""
    return Workshop(session, folder, port).start()
