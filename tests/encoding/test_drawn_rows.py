"""Rows drawn by hashes of their positions: against an oracle, and each class's share."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood.encoding.drawn_rows import draw_fold, draw_share, drawn_rows, row_hashes
from tests.oracles import drawing

labels = st.lists(st.integers(0, 4), min_size=1, max_size=60).map(
    lambda listed: np.unique(np.array(listed), return_inverse=True)[1].astype(np.int32)
)
seeds = st.integers(-(2**70), 2**70)


@settings(max_examples=100, deadline=None)
@given(labels=labels, share=st.floats(0.001, 0.9), seed=seeds)
def test_a_share_is_drawn_as_the_oracle_says(labels, share, seed):
    draw = draw_share(np.bincount(labels), share, seed)
    found = drawn_rows(draw, labels)
    assert found.tolist() == drawing.held_out(labels.tolist(), share, seed)
    assert draw.rows == found.sum()
    for c in range(labels.max() + 1):
        own = labels == c
        assert found[own].sum() < own.sum()  # every class is left to grow on
        assert abs(found[own].sum() - share * own.sum()) <= 1


@settings(max_examples=100, deadline=None)
@given(labels=labels, folds=st.integers(2, 7), seed=seeds)
def test_folds_are_drawn_as_the_oracle_says_and_hold_every_row_once(labels, folds, seed):
    rows = np.bincount(labels)
    drawn = [drawn_rows(draw_fold(rows, f, folds, seed), labels) for f in range(folds)]
    assert np.array_equal(np.sum(drawn, axis=0), np.ones(len(labels)))
    assert np.argmax(drawn, axis=0).tolist() == drawing.folds(labels.tolist(), folds, seed)
    sizes = [int(each.sum()) for each in drawn]
    assert max(sizes) - min(sizes) <= 1


def test_hashes_follow_from_positions_wherever_a_part_begins():
    whole = row_hashes(7, 0, 1000)
    assert np.array_equal(row_hashes(7, 300, 200), whole[300:500])
    assert whole[:3].tolist() == [drawing.row_hash(7, row) for row in range(3)]
    assert len(set(whole.tolist())) == 1000
    assert not np.array_equal(whole, row_hashes(8, 0, 1000))
