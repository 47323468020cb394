"""Columns in which one value prevails (amounts, counts): few buckets, most rows in one of them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood._core import HistogramBatch
from hardwood.boosting import rounds
from hardwood.distributed import codebooks, describing
from hardwood.distributed.codebooks import BUCKETED, CodePlan
from hardwood.distributed.in_process import train_in_process
from hardwood.distributed.team import LocalTeam
from hardwood.growing import topdown, tree_of
from hardwood.model_file import dumps
from tests.distributed.splitting import cut
from tests.effort import EXAMPLES

MODELS = {
    "pruned": TreeClassifier(),
    "grown": TreeClassifier(pruning=None, max_leaf_nodes=30, min_samples_leaf=5),
    "multiway": TreeClassifier(pruning=None, branching="multiway", max_leaf_nodes=16),
    "boosted": BoostedTreesClassifier(n_estimators=3),
    "trimmed": BoostedTreesClassifier(n_estimators=3, variant="discrete", weight_fraction=0.8),
}


def numbers(rng, kind, rows):
    made = {
        "around": lambda: rng.normal(size=rows),
        "above": lambda: rng.exponential(size=rows),
        "below": lambda: -rng.exponential(size=rows),
        "counts": lambda: rng.integers(0, 5000, rows),
        "denormal": lambda: rng.integers(-1000, 1000, rows) * 5e-324,
        "wide": lambda: rng.integers(-(2**62), 2**62, rows),
        "unsigned": lambda: rng.integers(0, 2**64, rows, dtype=np.uint64, endpoint=False),
        "highest": lambda: np.uint64(2**64 - 1) - rng.integers(0, 3000, rows).astype(np.uint64),
    }
    return made[kind]()


def column(rng, kind, share, missing, rows):
    """The value that prevails is zero, the least, the largest or any."""
    values = numbers(rng, kind, rows)
    which = rng.choice([values.dtype.type(0), values.min(), values.max(), values[0]])
    values = np.where(rng.random(rows) < share, which.astype(values.dtype), values)
    series = pd.Series(values)
    if values.dtype.kind in "iu":
        series = series.astype("UInt64" if values.dtype.kind == "u" else "Int64")
    return series.mask(rng.random(rows) < missing)


def labels(rng, frame, classes):
    score = 0.3 * rng.normal(size=len(frame))
    for name in frame:
        known = frame[name].astype("Float64").fillna(0).to_numpy(dtype=float)
        at = rng.choice(known)
        score += rng.normal() * (known > at) + rng.normal() * (known == at)
        score += rng.normal() * frame[name].isna().to_numpy()
    return pd.Series(np.digitize(score, np.quantile(score, np.arange(1, classes) / classes)))


def zero_inflated(rows):
    rng = np.random.default_rng(0)
    amount = np.where(rng.random(rows) < 0.96, 0.0, rng.normal(size=rows))
    frame = pd.DataFrame({"amount": amount, "noise": rng.normal(size=rows)})
    return frame, pd.Series((amount > 0) ^ (rng.random(rows) < 0.25)).astype(int)


@pytest.mark.parametrize("name", MODELS)
def test_a_column_that_is_mostly_zero_gives_the_model_of_the_whole(pieces_of, name):
    frame, y = zero_inflated(40_000)  # more than 255 values in each part
    parts, model = cut(frame, y, None, [10_000, 20_000, 30_000]), MODELS[name]
    here = model.fit(frame, y).digest()
    assert model.fit(pieces_of(parts), None).digest() == here
    dumps(model)


columns = st.tuples(
    st.sampled_from(
        ["around", "above", "below", "counts", "denormal", "wide", "unsigned", "highest"]
    ),
    st.sampled_from([0.0, 0.5, 0.9, 0.96, 0.99]),
    st.sampled_from([0.0, 0.0, 0.1, 0.9]),
)


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kinds=st.lists(columns, min_size=1, max_size=4),
    classes=st.sampled_from([2, 3]),
    parts=st.sampled_from([1, 2, 7]),
    codes=st.sampled_from([2, 3, 8, 20, 255]),
    sample=st.sampled_from([5, 60, 4096]),
    weighted=st.booleans(),
    name=st.sampled_from(list(MODELS)),
)
def test_whatever_value_prevails_the_parts_give_the_model_of_the_whole(
    pieces_of, seed, kinds, classes, parts, codes, sample, weighted, name
):
    """Few codes and a small sample make few buckets of many rows, as large tables have them."""
    rng, rows = np.random.default_rng(seed), 800
    frame = pd.DataFrame({f"c{i}": column(rng, *kind, rows) for i, kind in enumerate(kinds)})
    y = labels(rng, frame, classes)
    weights = rng.integers(0, 4, rows).astype(float) if weighted else None
    pieces = cut(frame, y, weights, rng.integers(0, rows + 1, parts - 1).tolist())
    model = MODELS[name]
    here = model.fit(frame, y, sample_weight=weights).digest()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codebooks, "MOST_CODES", codes)
        patch.setattr(describing, "MOST_CODES", codes)
        patch.setattr(describing.describe, "__defaults__", (sample,))
        assert model.fit(pieces_of(pieces), None).digest() == here
    dumps(model)


def plan_of(frame, y) -> CodePlan:
    return train_in_process(cut(frame, y, None, []), None, None, 1)._agreement.plan


def test_a_value_of_many_rows_has_a_bucket_of_its_own():
    frame, y = zero_inflated(20_000)
    code = plan_of(frame, y).codes[0]
    zero = codebooks.key_of(0.0, "numeric")
    assert code.coding == BUCKETED
    assert len(code.keys) + 2 <= 16
    assert {zero - 1, zero} <= set(code.keys.tolist())
    high = np.uint64(2**63) + np.arange(20_000, dtype=np.uint64)
    least = pd.DataFrame({"n": np.where(frame["amount"] > 0, high, np.uint64(0))})
    assert plan_of(least, y).codes[0].keys[0] == 0  # there is no key below


def test_values_so_rare_that_no_sampled_row_has_one_still_make_buckets(pieces_of):
    rng = np.random.default_rng(1)
    values = np.full(40_000, np.nan)
    values[1 + 9 * np.arange(400)] = rng.normal(size=400)  # every ninth row is looked at
    frame, y = pd.DataFrame({"rare": values}), pd.Series(values > 0).astype(int)
    y ^= rng.random(40_000) < 0.1
    model = TreeClassifier()
    here = model.fit(frame, y).digest()
    assert model.fit(pieces_of(cut(frame, y, None, [])), None).digest() == here


def test_sums_that_are_not_those_of_the_node_end_the_fit(pieces_of, monkeypatch):
    frame, y = zero_inflated(2000)
    send = LocalTeam._send

    def spoiled(team, step):
        answer = send(team, step)
        for batch in answer.requests:
            if isinstance(batch, HistogramBatch):
                batch.merge(pickle.loads(pickle.dumps(batch)))
        return answer

    monkeypatch.setattr(LocalTeam, "_send", spoiled)
    with pytest.raises(RuntimeError, match="sums are not those of their node"):
        TreeClassifier().fit(pieces_of(cut(frame, y, None, [1000])), None)


@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=2)])
def test_a_fit_that_made_no_model_says_so_and_leaves_the_estimator_as_it_was(
    pieces_of, monkeypatch, model
):
    frame, y = zero_inflated(2000)
    before = model.fit(frame, y).digest()

    def without_thresholds(arrays, *others):
        arrays["thresholds"][:] = np.nan
        return tree_of(arrays, *others)

    monkeypatch.setattr(topdown, "tree_of", without_thresholds)
    monkeypatch.setattr(rounds, "tree_of", without_thresholds)
    with pytest.raises(RuntimeError, match=r"cannot be: a threshold is not a finite number\."):
        model.fit(pieces_of(cut(frame, y, None, [1000])), None)
    assert model.digest() == before
