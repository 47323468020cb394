"""Fractional examples over parts: rows are divided where they are, and the tree is that of one
place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import TreeClassifier
from hardwood.distributed.events import ChangeNodes
from hardwood.distributed.team import Team
from tests.distributed.splitting import cut
from tests.distributed.test_same_bits import made, multiway, tables, trees
from tests.effort import trials
from tests.tables.frames import mixed_frame

PRUNINGS = (
    {"pruning": None},
    {"pruning": "reduced-error", "validation_fraction": 0.3},
    {"pruning": "cost-complexity", "ccp_alpha": 0.003},
    {"pruning": "cost-complexity", "ccp_alpha": "cv"},
    {"pruning": "error-based"},
    {"pruning": "error-based", "confidence": 0.45},
)


def same(here, there):
    assert there.digest() == here.digest()
    for name in ("rows", "class_weights", "cost", "share", "missing_branch", "default_branch"):
        assert np.array_equal(getattr(there.tree_, name), getattr(here.tree_, name)), name
    assert np.array_equal(there.grown_tree_.rows, here.grown_tree_.rows)
    assert str(there.certificate_) == str(here.certificate_)


@settings(max_examples=trials(30), deadline=None)
@given(
    table=tables,
    options=trees,
    branching=multiway,
    pruning=st.sampled_from(PRUNINGS),
    threads=st.sampled_from([1, 3]),
)
def test_a_tree_of_fractional_examples_is_the_tree_of_one_place(
    pieces_of, table, options, branching, pruning, threads
):
    frame, y, weights, parts = made(table)
    settings = {**options, **branching, **pruning, "missing": "fractional", "n_jobs": threads}
    here = TreeClassifier(random_state=1, **settings).fit(frame, y, sample_weight=weights)
    there = TreeClassifier(random_state=1, **settings).fit(pieces_of(parts), None)
    same(here, there)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_many_rows_open_their_buckets_in_runs(pieces_of, number):
    rng = np.random.default_rng(number)
    frame, y = mixed_frame(rng, 15_000, 3)
    frame["zeros"] = np.where(rng.random(len(frame)) < 0.6, 0.0, frame["many"].round(3))
    frame.loc[rng.random(len(frame)) < 0.1, ["zeros", "many"]] = np.nan
    y = y.where(rng.random(len(y)) < 0.9, 0)
    settings = {"missing": "fractional", "max_leaf_nodes": 25, "min_samples_leaf": 4}
    here = TreeClassifier(**settings).fit(frame, y)
    places = np.sort(rng.integers(0, len(frame), number - 1)).tolist()
    there = TreeClassifier(**settings).fit(pieces_of(cut(frame, y, None, places)), None)
    same(here, there)


def test_a_table_that_misses_nothing_has_shares_of_all_weight(pieces_of):
    frame, y = mixed_frame(np.random.default_rng(2), 400, 3)
    frame = frame[["many", "few", "word", "name", "rare"]]
    settings = {"missing": "fractional"}
    here = TreeClassifier(**settings).fit(frame, y)
    there = TreeClassifier(**settings).fit(pieces_of(cut(frame, y, None, [100, 250])), None)
    same(here, there)


@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_branches_are_raised_as_in_one_place(pieces_of, branching, monkeypatch):
    raised = []

    def ask(team, events, requests):
        for event in events:
            if isinstance(event, ChangeNodes):
                raised.extend(change for change in event.changes if len(change) > 1)
        return asked(team, events, requests)

    asked = Team.ask
    monkeypatch.setattr(Team, "ask", ask)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        frame, y = mixed_frame(rng, 500, 3)
        frame = frame.mask(rng.random(frame.shape) < 0.15)
        frame["city"] = frame["city"].astype("category")
        y = y.where(rng.random(len(y)) < 0.7, rng.integers(0, 3, len(y)))
        settings = {"missing": "fractional", "branching": branching, "min_samples_leaf": 1}
        if branching == "multiway":
            settings["max_leaf_nodes"] = 120
        model = TreeClassifier(pruning="error-based", confidence=0.4, **settings)
        there = model.fit(pieces_of(cut(frame, y, None, [80, 81, 300])), None)
        here = TreeClassifier(pruning="error-based", confidence=0.4, **settings).fit(frame, y)
        same(here, there)
    assert len(raised) > (5 if branching == "binary" else 0)
