"""Batches of sums as bytes: nothing is lost on the way, and what was cut off is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hardwood._core import HistogramBatch
from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process


@pytest.fixture(scope="module")
def histograms() -> HistogramBatch:
    """Of a column whose k-th value weighs 2^k, so that the sums have every number of bytes."""
    weights = np.ldexp(1.0, np.arange(50))
    X = np.column_stack([np.arange(50.0), np.arange(50.0) % 7])
    made = train_in_process([PartData(X, np.arange(50) % 2, weights)], None, None, 1)
    state = made._team._parts[0]
    state.set_weights(0, None, 0)
    state.core.start(-1, 1, False)
    return state.core.histograms([0, 0])


def test_sums_of_any_length_survive_their_journey(histograms):
    packed = histograms.__getstate__()
    back = pickle.loads(pickle.dumps(histograms))
    assert len(back) == 2
    assert back.__getstate__() == packed
    assert len(packed) < 2 * 2 * 57 * 5


def test_sums_that_were_cut_off_are_refused(histograms):
    packed = histograms.__getstate__()
    for end in range(len(packed)):
        made = HistogramBatch.__new__(HistogramBatch)
        with pytest.raises(ValueError, match="pack"):
            made.__setstate__(packed[:end])
