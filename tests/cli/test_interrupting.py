"""Ctrl-C in the middle of commands that take long: a short message, exit code 130, no half file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, Draft, save
from tests.cli.bad_inputs import GOOD, environment

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="signals are Linux's"),
    pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning"),
]

# The command, with a Ctrl-C shortly after one of its functions is called.
PRESSED = """
import os, signal, sys, threading, importlib
module, name = sys.argv[1].rsplit(".", 1)
owner = importlib.import_module(module)
work = getattr(owner, name)
def pressed(*given, **named):
    threading.Timer(float(sys.argv[2]), os.kill, (os.getpid(), signal.SIGINT)).start()
    return work(*given, **named)
setattr(owner, name, pressed)
from hardwood.cli import main
main(sys.argv[3:])
"""


def test_ctrl_c_while_text_is_executed_ends_with_the_code_too(tmp_path: Path) -> None:
    """Importing a module that makes a dataclass executes text."""
    lines = ["import hardwood.cli.studying as owner", "from hardwood.cli import main"]
    lines += ["owner.study = lambda *_: exec('raise KeyboardInterrupt')", "main(['study'])"]
    (tmp_path / "pressed.py").write_text("\n".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "pressed"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "Interrupted; no file was changed.\n")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of so many trees that proofs and comparisons take long, and their rows."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1500, 10)), columns=list("abcdefghij"))
    y = X["a"] * X["b"] + X["c"] + X["d"] * X["e"] + rng.normal(size=1500) > 0
    X.to_csv(folder / "rows.csv", index=False)
    for seed, name in enumerate(["old", "new"]):
        model = BoostedTreesClassifier(
            n_estimators=100, max_depth=8, random_state=seed, feature_fraction=0.5
        )
        save(model.fit(X, y), folder / name)
    (folder / "claims.toml").write_text('[[claims]]\nclaim = "monotone"\ncolumn = "a"\n')
    return folder


@pytest.mark.parametrize(
    ("place", "seconds", "words"),
    [
        ("hardwood.certify.prove", 0.0, ["prove", "old", "claims.toml", "--time-limit", "60"]),
        (
            "hardwood.comparing.difference.difference_of",
            0.0,
            ["diff", "old", "new", "rows.csv", "--report", "page.html"],
        ),
        (
            "hardwood.report.difference_page.difference_page",
            0.0,
            ["diff", "old", "new", "rows.csv", "--report", "page.html"],
        ),
    ],
    ids=["prove", "diff", "diff while it writes"],
)
def test_prove_and_diff_end_with_a_sentence(
    models: Path, place: str, seconds: float, words: list[str]
) -> None:
    before = {path.name: path.read_bytes() for path in models.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, place, str(seconds), *words],
        cwd=models, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "Interrupted; no file was changed.\n")
    assert {path.name: path.read_bytes() for path in models.iterdir()} == before


@pytest.mark.parametrize(
    ("place", "seconds", "jobs"),
    [("measure", "0.0", "1"), ("_in_processes", "0.3", "2")],
    ids=["one unit at a time", "two processes"],
)
def test_a_quick_study_keeps_whole_units_and_goes_on(
    tmp_path: Path, place: str, seconds: str, jobs: str
) -> None:
    command = ["study", "paper-curves", "--quick", "--out", "found", "--jobs", jobs]
    place = f"hardwood.studies.measuring.{place}"
    run = {"cwd": tmp_path, "env": environment(), "capture_output": True, "text": True}
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, place, seconds, *command], check=False, timeout=60, **run
    )
    assert done.returncode == 130
    assert done.stderr.startswith("Interrupted; 0 of ")
    assert done.stderr.count("\n") == 1
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]
    for path in tmp_path.rglob("*.json"):
        json.loads(path.read_text())


def test_the_workshop_says_where_the_draft_is(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(GOOD)
    words = ["workshop", "table.csv", "--target", "kind", "--no-browser", "--draft", "mine.json"]
    server = subprocess.Popen(
        [sys.executable, "-m", "hardwood", *words],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    url = server.stdout.readline().split()[-1]
    step = {"version": 0, "step": {"do": "leaf", "node": 0, "reason": "r"}}
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(url + "act", json.dumps(step).encode(), headers)
    urllib.request.urlopen(asked).close()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=30)
    said = "The workshop is closed; the draft is in mine.json.\n"
    assert (server.returncode, errors) == (130, said)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.json", "table.csv"]
    assert Draft.load(tmp_path / "mine.json").lines[0].reason == "r"
