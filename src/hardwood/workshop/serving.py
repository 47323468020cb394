"""The workshop's server: one session, on this machine's loopback address alone.

In: a session. Out: a page and its questions as JSON. Who drives it must know the secret in the
address; besides, the Host must be the loopback address with our port, and a request that a browser
says comes from another origin is refused, so that no other page can drive it. Nothing is loaded
from elsewhere: the page's policy allows its own script and style by their hashes and requests to
this server alone.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from hmac import compare_digest
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hardwood.workshop.assembly import POLICY, page
from hardwood.workshop.session import OldVersionError, Session

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


def application(session: Session, secret: str, port: int, folder: Path) -> Starlette:
    """The server's answers; `folder` is where save writes."""

    def refusal(request: Request) -> str | None:
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

    def guarded(answer: Callable[[Any], Any]) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            why = refusal(request)
            if why is not None:
                return JSONResponse({"said": why}, 403, HEADERS)
            try:
                given = await _body(request)
                found = await run_in_threadpool(answer, given)
            except OldVersionError as error:
                state = await run_in_threadpool(session.state)
                return JSONResponse({"said": str(error), "state": state}, 409, HEADERS)
            except (ValueError, TypeError, OSError) as error:
                return JSONResponse({"said": str(error)[:500]}, 400, HEADERS)
            if isinstance(found, str):
                return HTMLResponse(found, headers=HEADERS)
            return JSONResponse(found, headers=HEADERS)

        return respond

    def cancel(_: Any) -> Any:
        session.validation.cancel()
        return session.validation.state()

    answers: list[tuple[str, str, Callable[[Any], Any]]] = [
        ("", "GET", lambda _: page(session.state())),
        ("state", "GET", lambda _: session.state()),
        ("validation", "GET", lambda _: session.validation.state()),
        ("act", "POST", lambda given: session.act(given.get("version"), given.get("step"))),
        ("alternatives", "POST", lambda given: session.alternatives(given.get("node"))),
        ("keep", "POST", lambda _: session.keep()),
        ("validate", "POST", lambda _: session.validate()),
        ("cancel", "POST", cancel),
        ("save", "POST", lambda _: {"written": session.write(folder)}),
    ]
    return Starlette(
        routes=[
            Route(f"/{{secret}}/{name}", guarded(answer), methods=[method])
            for name, method, answer in answers
        ]
    )


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

    def __init__(self, session: Session, folder: Path, port: int = 0) -> None:
        self.session = session
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind((LOOPBACK, port))
        self._socket.listen()  # from now on who comes too early waits
        self.port = int(self._socket.getsockname()[1])
        self._secret = secrets.token_urlsafe(24)
        self.url = f"http://{LOOPBACK}:{self.port}/{self._secret}/"
        app = application(session, self._secret, self.port, folder)
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off",
                                server_header=False, ws="none")  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

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

    def close(self) -> None:
        """End the server; the draft is on disk after every step, if it has a file."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._socket.close()

    def __repr__(self) -> str:
        return f"<Workshop at {self.url}>"


def serve(session: Session, folder: Path, port: int = 0) -> Workshop:
    """A workshop that runs in the background."""
    return Workshop(session, folder, port).start()
