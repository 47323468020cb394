"""Trees do not depend on which nodes are small, so that the coordinator fetches their rows."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

from hardwood import TreeClassifier
from hardwood._core import RowBatch
from hardwood.distributed import training
from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process
from hardwood.distributed.requests import GatherRows
from hardwood.distributed.team import LocalTeam
from tests.distributed.splitting import cut
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid

ROWS = 900


def table(classes=3):
    rng = np.random.default_rng(5)
    frame, y = mixed_frame(rng, ROWS, classes)
    frame["unsigned"] = rng.integers(2**63, 2**64 - 1, ROWS, dtype=np.uint64, endpoint=True)
    frame["city"] = rng.choice([f"c{i}" for i in range(400)], ROWS)
    weights = rng.integers(0, 4, ROWS).astype(float)
    return frame, y, weights


@pytest.fixture
def counted(monkeypatch):
    """How many nodes' rows were fetched."""
    asked = []
    ask = LocalTeam.ask

    def counting(team, events, requests):
        asked.extend(n for each in requests if isinstance(each, GatherRows) for n in each.nodes)
        return ask(team, events, requests)

    monkeypatch.setattr(LocalTeam, "ask", counting)
    return asked


@pytest.mark.parametrize(
    "parameters",
    [
        {"pruning": None},
        {"pruning": "error-based", "criterion": "entropy", "class_weight": "balanced"},
        {"pruning": None, "min_samples_leaf": 3, "max_depth": 9, "leaf_choice": "weight"},
        {"pruning": None, "monotonic_cst": {"many": 1}, "classes": 2},
        {"pruning": None, "interaction_cst": [["many", "word", "few"], ["city", "wide"]]},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_any_limit_of_small_nodes_gives_the_local_tree(
    parameters, weighted, pieces_of, monkeypatch, counted
):
    parameters = dict(parameters)
    frame, y, weights = table(parameters.pop("classes", 3))
    weights = weights if weighted else None
    local = TreeClassifier(n_jobs=1, **parameters).fit(frame, y, sample_weight=weights)
    fetched = []
    for limit in (0, 1000, 4000, 1 << 20):
        monkeypatch.setattr(training, "SMALL_NODE", limit)
        counted.clear()
        pieces = pieces_of(cut(frame, y, weights, [100, 101, 500]))
        model = TreeClassifier(n_jobs=2, **parameters).fit(pieces, None)
        assert model.digest() == local.digest()
        np.testing.assert_array_equal(model.history_["error"], local.history_["error"])
        fetched.append(len(counted))
    assert fetched[0] == 0
    assert min(fetched[1:]) > 0


@pytest.mark.parametrize(
    "parameters", [{"max_leaf_nodes": 20}, {"max_depth": 3}, {"missing": "fractional"}]
)
def test_rows_are_not_fetched_where_they_may_be_of_no_use(parameters, pieces_of, counted):
    frame, y, _ = table()
    TreeClassifier(**parameters).fit(pieces_of(cut(frame, y, None, [300])), None)
    assert not counted


def batch_of_a_part():
    frame, y, weights = table()
    made = train_in_process([PartData(frame, y, weights)], "from_dtype", None, 1)
    state = made._team._parts[0]
    state.core.start(-1, 1, False)
    return state.core.gather([0])


def test_rows_survive_their_journey_and_cut_off_ones_are_refused():
    batch = batch_of_a_part()
    packed = batch.__getstate__()
    back = pickle.loads(pickle.dumps(batch))
    assert len(back) == len(batch) == ROWS
    assert back.__getstate__() == packed
    for end in range(0, len(packed), 97):
        made = RowBatch.__new__(RowBatch)
        with pytest.raises(ValueError, match="packed"):
            made.__setstate__(packed[:end])


def packed_number(number):
    """Seven bits a byte; the last has no eighth bit."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


@pytest.mark.parametrize("rows", [10**6, 2**40, 2**58, 2**64 - 1])
def test_a_message_is_not_believed_more_rows_than_it_has_room_for(rows):
    nothing = packed_number(0) + b"\x01"  # a list without numbers
    same = packed_number(rows) + packed_number(0) + nothing * 2  # numbers of no bits
    made = RowBatch.__new__(RowBatch)
    with pytest.raises(ValueError, match="damaged"):
        made.__setstate__(packed_number(0) + packed_number(rows) + same * 2 + packed_number(0) * 2)


def test_rows_that_are_all_alike_survive_their_journey():
    frame = pd.DataFrame({"a": np.repeat([0, 1], 5000), "b": np.repeat([0.0, 2.5], 5000)})
    y = np.repeat([0, 1], 5000)
    made = train_in_process(
        [PartData(frame[half], y[half], None) for half in (slice(5000), slice(5000, None))],
        "from_dtype",
        None,
        1,
    )
    for state in made._team._parts:
        state.core.start(-1, 1, False)
        batch = state.core.gather([0])
        back = pickle.loads(pickle.dumps(batch))
        assert len(back) == 5000
        assert back.__getstate__() == batch.__getstate__()


def test_ctrl_c_stops_what_grows_below_fetched_nodes(pieces_of, monkeypatch):
    """Within a second, although nothing is asked of the parts until all of it is grown."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300_000, 6)))
    pieces = pieces_of(cut(frame, pd.Series(rng.integers(0, 2, len(frame))), None, [100_000]))
    monkeypatch.setattr(training, "SMALL_NODE", 1 << 40)
    ask, sent = LocalTeam.ask, []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def asking(team, events, requests):
        answer = ask(team, events, requests)
        if any(isinstance(each, GatherRows) for each in requests):
            threading.Timer(0.2, interrupt).start()
        return answer

    monkeypatch.setattr(LocalTeam, "ask", asking)
    with pytest.raises(KeyboardInterrupt):
        TreeClassifier(pruning=None, n_jobs=1).fit(pieces, None)
    assert time.monotonic() - sent[0] < float(os.environ.get("HARDWOOD_PATIENCE", "1"))
