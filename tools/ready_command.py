"""The command `hardwood` from a process that has its imports already.

In: the words of a command, by the client below, which takes the place of `python -m hardwood`. Out:
what the command writes and its exit code. Imports take most of the time of a small command; a page
or a test that gives many has them once. Each command is a process of its own, forked from one that
has done nothing but import, with the client's folder, environment, input and outputs.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NoReturn

IMPORTED = (
    "hardwood.cli.app", "hardwood.cli.training", "hardwood.cli.predicting",
    "hardwood.cli.showing", "hardwood.cli.terminal", "hardwood.model_file", "hardwood.export",
    "pyarrow.csv", "pyarrow.parquet",
)  # fmt: skip
LONGEST = 2**20
CLIENT = """
import json, os, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])
said = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(line, [len(said).to_bytes(8, "little")], [0, 1, 2])
line.sendall(said)
os._exit((line.recv(1) or b"\\xff")[0])
"""


@cache
def command() -> tuple[str, ...]:
    """The words that stand for `hardwood` while this process lives."""
    folder = Path(tempfile.mkdtemp())
    address = folder / "socket"
    server = subprocess.Popen(
        [sys.executable, __file__, str(address)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdout is not None

    def end() -> None:
        server.communicate()  # closes its input
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    if server.stdout.readline() != b"ready\n":
        raise RuntimeError("The process that runs the commands did not start.")
    client = folder / "client.py"
    client.write_text(CLIENT)
    return sys.executable, "-I", "-S", str(client), str(address)


def serve(address: str) -> None:
    """Fork for each client, until standard input ends."""
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        os.write(1, b"ready\n")
        while True:
            ready, _, _ = select.select([listener.fileno(), 0], [], [])
            if 0 in ready:
                return
            line, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                answer(line)
            line.close()


def answer(line: socket.socket) -> NoReturn:
    """Be the client's command, and tell it the exit code."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        size, files, _, _ = socket.recv_fds(line, 8, 3)
        said = b""
        while len(said) < int.from_bytes(size, "little"):
            said += line.recv(LONGEST)
        arguments, folder, environment = json.loads(said)
        for place, file in enumerate(files):
            os.dup2(file, place)
            os.close(file)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        from hardwood.cli import main

        main(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        line.sendall(bytes([code]))
        os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
