"""Every way to write a file, where writing fails: python -m tests.limits.writing KIND FOLDER

KIND is `size` (RLIMIT_FSIZE: a file may have a few bytes), `read-only` (the directory may not be
written to, as a user who is not root) or `full` (a file system of 1 MB without room, mounted at
FOLDER by the caller). Each action first writes its files in good times; then it is tried again
under the limit and must raise an error that is a sentence, and leave the files as they were.
Prints what each action raised.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.dataset as ds

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier, save
from hardwood.cli import main as command
from hardwood.report import report
from hardwood.workshop.session import Session

NOBODY = 65534
SMALL = 16
"""Bytes that a file may have."""


def table() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    return X, np.where(X["a"] + rng.normal(size=200) > 0, "yes", "no")


def run(*words: object) -> None:
    """A command; what it says of a failure becomes an error."""
    reading, writing = os.pipe()
    kept = os.dup(2)
    os.dup2(writing, 2)
    try:
        command([str(word) for word in words])
    except SystemExit as end:
        os.dup2(kept, 2)
        os.close(writing)
        with os.fdopen(reading) as said:
            text = said.read()
        if end.code:
            raise OSError(f"exit code {end.code}: {text.strip()}") from None
    finally:
        os.dup2(kept, 2)


def actions(folder: Path) -> dict[str, Callable[[], Any]]:
    X, y = table()
    tree = TreeClassifier().fit(X, y)
    draft = Draft().forbid((), "c", reason="why")
    data, other = folder / "data.csv", folder / "model.hardwood"
    X.assign(y=y).to_csv(data, index=False)
    save(tree, other)
    session = Session(TreeClassifier(), X, y)

    source = ds.dataset(data, format="csv")
    new = (folder / f"new {number}" for number in itertools.count())

    def checkpoint() -> None:
        BoostedTreesClassifier(n_estimators=3).fit(source, "y", checkpoint=next(new))

    def directory() -> None:
        TreeClassifier().fit(source, "y", directory=next(new))

    train = ("train", data, "--target", "y", "--folds", "0", "-q")
    return {
        "save": lambda: save(tree, folder / "saved.hardwood"),
        "report": lambda: report(tree, X, y, folder / "report.html"),
        "draft": lambda: draft.save(folder / "draft.json"),
        "workshop": lambda: session.write(folder),
        "checkpoint": checkpoint,
        "directory": directory,
        "hardwood train": lambda: run(*train, "--out", folder / "trained.hardwood"),
        "hardwood report": lambda: run("report", other, data, "--out", folder / "told.html"),
        "hardwood predict": lambda: run("predict", other, data, "--out", folder / "said.csv"),
        "hardwood diff": lambda: run("diff", other, other, data, "--report", folder / "diff.html"),
    }


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def limit(kind: str, folder: Path) -> None:
    # Python writes what it has compiled, and does not notice that a limit cut it off.
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    if kind == "size":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as Python itself does
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
    elif kind == "full":
        with (folder / "filling").open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1024)):
                    pass
            except OSError:
                pass
    else:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.getuid() == 0:  # whom no mode holds back
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)


def main() -> None:
    warnings.simplefilter("ignore")
    kind, folder = sys.argv[1], Path(sys.argv[2])
    every = actions(folder)
    for act in every.values():
        act()
    limit(kind, folder)
    before = contents(folder)
    for name, act in every.items():
        try:
            act()
            print(f"{name}\tdone")
        except (OSError, ValueError) as error:
            print(f"{name}\t{type(error).__name__}: {error}".replace("\n", "|"))
        now = contents(folder)
        changed = sorted(set(now.items()) ^ set(before.items()))
        if changed:
            print(f"{name}\tCHANGED {changed}")
            before = now


if __name__ == "__main__":
    main()
