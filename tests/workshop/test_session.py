"""A session step by step, and who may drive its server."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.errors import OldVersionError
from tests.report.pages import breast_cancer, mixed

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
from hardwood.workshop import Session, Workshop, serve

pytestmark = pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")


def session(tmp_path: Path, **given: Any) -> Session:
    X, y = breast_cancer()
    return Session(TreeClassifier(max_leaf_nodes=8), X, y, file=tmp_path / "d.json", **given)


def test_a_session_begins_with_the_plain_tree_and_its_steps_are_those_of_a_draft(
    tmp_path: Path,
) -> None:
    X, y = breast_cancer()
    work = session(tmp_path)
    assert work.model.digest() == TreeClassifier(max_leaf_nodes=8).fit(X, y).digest()
    offers = work.alternatives(0)["offers"]
    work.act(0, offers[2]["step"] | {"node": 0, "reason": "measured everywhere"})
    assert Draft.load(tmp_path / "d.json") == work.draft
    assert work.draft.lines[0].reason == "measured everywhere"
    node = int(work.model.tree_.first_child[0])
    work.act(1, {"do": "leaf", "node": node})
    work.act(2, {"do": "forbid", "column": "worst texture", "node": 0})
    shown = {each["column"]: each["forbidden"] for each in work.alternatives(0, 99)["offers"]}
    assert [column for column, never in shown.items() if never] == ["worst texture"]
    told = TreeClassifier(max_leaf_nodes=8).fit(X, y, draft=work.draft)
    assert work.model.digest() == told.digest()
    assert work.state()["told"]["0"][0].endswith("(measured everywhere)")


def test_undo_and_redo_walk_over_the_drafts(tmp_path: Path) -> None:
    work = session(tmp_path)
    digests = [work.model.digest()]
    for step in ({"do": "leaf", "node": 0}, {"do": "free", "node": 0}, {"do": "leaf", "node": 0}):
        work.act(work.version, step)
        digests.append(work.model.digest())
    for expected in digests[-2::-1]:
        work.act(work.version, {"do": "undo"})
        assert work.model.digest() == expected
        assert Draft.load(tmp_path / "d.json") == work.draft
    with pytest.raises(ValueError, match="nothing to undo"):
        work.act(work.version, {"do": "undo"})
    for expected in digests[1:]:
        work.act(work.version, {"do": "redo"})
        assert work.model.digest() == expected
    with pytest.raises(ValueError, match="nothing to redo"):
        work.act(work.version, {"do": "redo"})


def test_a_step_from_an_older_version_or_without_sense_changes_nothing(tmp_path: Path) -> None:
    work = session(tmp_path)
    work.act(0, {"do": "note", "node": 0, "reason": "hello"})
    before = work.draft, work.version
    with pytest.raises(OldVersionError, match="another page"):
        work.act(0, {"do": "leaf", "node": 0})
    for step in (
        None,
        {},
        {"do": "jump"},
        {"do": "leaf"},
        {"do": "leaf", "node": 10**6},
        {"do": "prefer", "node": 0, "column": "nowhere"},
        {"do": "prefer", "node": 0, "column": 7},
        {"do": "split", "node": 0, "column": "mean radius", "thresholds": "x"},
        {"do": "split", "node": 0, "column": "mean radius", "groups": [["a"], ["b"]]},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            work.act(1, step)
    assert (work.draft, work.version) == before


def test_of_steps_that_come_at_once_from_one_version_a_single_one_is_made(tmp_path: Path) -> None:
    work = session(tmp_path)

    def press(number: int) -> bool:
        try:
            work.act(0, {"do": "note", "node": 0, "reason": str(number)})
        except OldVersionError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(press, range(8)))
    assert sum(made) == work.version == len(work.draft) == 1
    assert work.draft.lines[0].reason == str(made.index(True))
    assert Draft.load(tmp_path / "d.json") == work.draft


def test_a_session_is_picked_up_and_saved(tmp_path: Path) -> None:
    work = session(tmp_path)
    work.act(0, {"do": "prefer", "node": 0, "column": "mean area", "reason": "r"})
    again = session(tmp_path, draft=Draft.load(tmp_path / "d.json"))
    assert again.model.digest() == work.model.digest()
    again.write(tmp_path)
    loaded = hardwood.load(tmp_path / "model.hardwood")
    assert loaded.digest() == work.model.digest()
    assert loaded.draft_ == work.draft
    assert "</html>" in (tmp_path / "report.html").read_text()


def test_drafts_are_compared_and_cross_validated(tmp_path: Path) -> None:
    work = session(tmp_path)
    work.keep()
    work.act(0, {"do": "leaf", "node": 0})
    work.validate()
    deadline = time.monotonic() + 60
    while work.validation.state()["running"] and time.monotonic() < deadline:
        time.sleep(0.02)
    state = work.state()
    _, y = breast_cancer()
    rare = min(np.mean(y == label) for label in set(y))
    assert state["validation"]["done"] == state["validation"]["folds"] == 5
    checked = {"error": pytest.approx(rare, abs=0.01), "auc": 0.5, "cost": None}
    assert state["now"]["checked"] == checked
    assert state["kept"]["leaves"] > state["now"]["leaves"] == 1
    work.validate()
    work.validation.cancel()
    while work.validation.state()["running"] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not work.validation.state()["running"]


def finished(validation: Any) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while validation.state()["running"] and time.monotonic() < deadline:
        time.sleep(0.01)
    return dict(validation.state())


def test_the_trees_that_the_alternatives_give_are_cross_validated() -> None:
    X, y = mixed(150)
    work = Session(TreeClassifier(max_leaf_nodes=4), X, y)
    work.act(0, {"do": "forbid", "node": 0, "column": X.columns[3]})
    offers = [each for each in work.alternatives(0)["offers"] if not each["forbidden"]]
    begun = work.try_offers(0)
    assert (begun["version"], begun["node"]) == (1, 0)
    tried = finished(work.trials)
    assert tried["done"] == tried["folds"] == 5 * len(offers)
    assert len(offers) == len(tried["found"]) == len(X.columns) - 1
    for offer, found in zip(offers, tried["found"], strict=True):
        work.act(work.version, offer["step"] | {"node": 0})
        work.validate()
        assert finished(work.validation)["found"] == [found]
        work.act(work.version, {"do": "undo"})
    work.try_offers(0)
    work.cancel()
    assert len(finished(work.trials)["found"]) < len(offers)
    assert work.trials.state()["said"] == "Cancelled."


def test_a_page_that_comes_before_the_session_gets_the_tree_later(tmp_path: Path) -> None:
    X, y = mixed(200)
    for fails in (False, True):
        made: Future[Session] = Future()
        server = Workshop(made, tmp_path).start()
        status, text = asked(server.url)
        assert (status, "max_leaf" in text) == (200, False)
        assert '<script type="application/json" id="content">null</script>' in text
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(asked, server.url + "state")
            if fails:
                made.set_exception(RuntimeError("no such thing"))
            else:
                made.set_result(Session(TreeClassifier(), X, y))
            status, text = waiting.result(timeout=20)
        if fails:
            assert (status, json.loads(text)["said"]) == (400, "no such thing")
        else:
            assert json.loads(text)["digest"] == server.session.model.digest()
        assert asked(server.url)[0] == 200
        server.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Workshop]:
    X, y = mixed(200)
    made = serve(Session(TreeClassifier(), X, y, file=tmp_path / "d.json"), tmp_path)
    yield made
    made.close()


def asked(url: str, body: Any = None, **headers: str) -> tuple[int, str]:
    data = None if body is None else json.dumps(body).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        names.setdefault("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, names)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_only_the_page_itself_drives_the_server(running: Workshop) -> None:
    leaf = {"version": 0, "step": {"do": "leaf", "node": 0}}
    wrong = running.url.rsplit("/", 2)[0] + "/" + "x" * 32 + "/"
    for url, headers in (
        (wrong, {}),
        (running.url, {"Origin": "http://evil.example"}),
        (running.url, {"Origin": "null"}),
        (running.url, {"Origin": f"http://127.0.0.1:{running.port + 1}"}),
        (running.url, {"Sec_Fetch_Site": "cross-site"}),
        (running.url, {"Sec_Fetch_Site": "same-site"}),
        (running.url, {"Host": "evil.example"}),
        (running.url, {"Host": f"evil.example:{running.port}"}),
        (running.url, {"Content_Type": "text/plain"}),
    ):
        status, text = asked(url + "act", leaf, **headers)
        assert status == 403, headers
        assert "said" in text
    assert running.session.version == 0
    assert asked(running.url + "act")[0] == 405
    assert asked(running.url.rsplit("/", 2)[0] + "/")[0] == 404
    status, text = asked(running.url, Sec_Fetch_Site="none")
    assert status == 200
    assert "<script>window.hacked" not in text
    own = f"http://127.0.0.1:{running.port}"
    assert asked(running.url + "act", leaf, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    assert asked(running.url + "act", leaf)[0] == 409
    assert running.session.version == 1


def test_wrong_requests_get_a_sentence(running: Workshop) -> None:
    for body in ([], "x", {"version": 0}, {"version": 0, "step": {"do": "leaf", "node": "a"}}):
        status, text = asked(running.url + "act", body)
        assert status in (400, 409), body
        assert json.loads(text)["said"]
    assert asked(running.url + "alternatives", {"node": 10**9})[0] == 400
    assert asked(running.url + "act", {"step": "x" * (1 << 21)})[0] == 400


def test_half_of_a_character_in_a_reason_is_kept(running: Workshop, tmp_path: Path) -> None:
    half = "\ud83d half of a face"
    step = {"version": 0, "step": {"do": "note", "node": 0, "reason": half}}
    status, text = asked(running.url + "act", step)
    assert (status, json.loads(text)["lines"][0]["reason"]) == (200, half)
    assert asked(running.url)[0] == 200
    assert asked(running.url + "save", {})[0] == 200
    assert hardwood.load(tmp_path / "model.hardwood").draft_ == Draft.load(tmp_path / "d.json")
    wrong = {"version": 1, "step": {"do": "prefer", "node": 0, "column": half}}
    assert asked(running.url + "act", wrong)[0] == 400


def test_the_server_listens_on_the_loopback_address_alone(running: Workshop) -> None:
    assert running._socket.getsockname()[0] == "127.0.0.1"
    with urllib.request.urlopen(running.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
