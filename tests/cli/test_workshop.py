"""`hardwood workshop`: the command, from a file to a page that is picked up again."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from hardwood import Draft
from tests.cli.bad_inputs import GOOD

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


def started(folder: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "hardwood", "workshop", "table.csv", "--target", "kind"]
    server = subprocess.Popen(
        [*command, "--no-browser", *more], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    url = server.stdout.readline().split()[-1]
    assert url.startswith("http://127.0.0.1:")
    return server, url


def post(url: str, body: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_a_killed_workshop_is_picked_up_with_its_draft(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(GOOD)
    server, url = started(tmp_path, "--draft", "mine.json", "--max-leaf-nodes", "4")
    try:
        state = post(url + "act", {"version": 0, "step": {"do": "leaf", "node": 0, "reason": "r"}})
        assert state["now"]["leaves"] == 1
    finally:
        server.kill()
        server.communicate()
    assert Draft.load(tmp_path / "mine.json").lines[0].reason == "r"
    server, url = started(tmp_path, "--draft", "mine.json")
    try:
        with urllib.request.urlopen(url + "state") as answer:
            state = json.load(answer)
        assert [line["words"] for line in state["lines"]] == ["a leaf"]
        assert state["model"]["target"] == "kind"
        post(url + "validate", {})
        assert post(url + "save", {})["written"] == ["model.hardwood", "draft.json", "report.html"]
    finally:
        server.terminate()
        server.communicate()
    assert (tmp_path / "model.hardwood").exists()


def test_constraints_are_given_at_the_start(tmp_path: Path) -> None:
    rows = [f"{a},{b},{'yes' if a > 6 and b > 3 else 'no'}" for a in range(12) for b in range(9)]
    (tmp_path / "table.csv").write_text("\n".join(["a,b,kind", *rows]))
    options = ("--monotonic-cst", "a=1", "--interaction-cst", "no_interactions")
    server, url = started(tmp_path, *options)
    try:
        with urllib.request.urlopen(url + "state") as answer:
            state = json.load(answer)
        assert state["constraints"]["words"] == [
            "the probability of yes never falls as a rises",
            "a path asks about at most one column",
        ]
        assert [each["status"] for each in state["now"]["claims"]] == ["proved", "proved"]
    finally:
        server.terminate()
        server.communicate()


def test_wrong_use_is_one_sentence(tmp_path: Path, monkeypatch: Any, hardwood: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(GOOD)
    (tmp_path / "bad.json").write_text("{}")
    for arguments, sentence in (
        (("--draft", "bad.json"), "cannot be read as a draft"),
        (("--out", "nowhere"), "is no folder"),
        (("--criterion", "nice"), "criterion"),
        (("--monotonic-cst", "nowhere=1"), "nowhere"),
        (("--interaction-cst", "nowhere,size"), "nowhere"),
    ):
        code, _, errors = hardwood("workshop", "table.csv", "--target", "kind", *arguments)
        assert code == 2
        assert sentence in errors
        assert "Traceback" not in errors
