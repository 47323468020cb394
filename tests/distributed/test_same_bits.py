"""A model trained on parts is the model trained on the whole, whatever the parts."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process
from tests.distributed.splitting import cut
from tests.effort import trials
from tests.tables.frames import mixed_frame

WEIGHTS = ("none", "whole", "any", "equal", "twos")


def weights_of(kind, rng, rows):
    made = {
        "none": lambda: None,
        "whole": lambda: rng.integers(0, 4, rows).astype(float),
        "any": lambda: rng.random(rows),
        "equal": lambda: np.full(rows, 0.3),
        "twos": lambda: np.full(rows, 2.0),
    }
    return made[kind]()


tables = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "rows": st.sampled_from([40, 300, 900]),
        "classes": st.sampled_from([1, 2, 2, 3, 5]),
        "parts": st.sampled_from([1, 2, 7]),
        "weights": st.sampled_from(WEIGHTS),
    }
)
trees = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["km", "gini", "entropy", "error"]),
        "leaf_choice": st.sampled_from(["drop", "weight"]),
        "max_leaf_nodes": st.sampled_from([None, 12, 40]),
        "max_depth": st.sampled_from([None, 4]),
        "min_samples_leaf": st.sampled_from([1, 5]),
        "min_weight_fraction_leaf": st.sampled_from([0.0, 0.02]),
        "min_drop": st.sampled_from([0.0, 1e-3]),
        "class_weight": st.sampled_from([None, "balanced"]),
    }
)
multiway = st.sampled_from(
    [
        {},
        {"branching": "multiway", "max_leaf_nodes": 24},
        {"branching": "multiway", "max_leaf_nodes": 24, "price": "gamma", "gamma": 0.3},
    ]
)
boosts = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["real", "discrete", "gentle"]),
        "learning_rate": st.sampled_from([1.0, 0.1]),
        "weight_fraction": st.sampled_from([1.0, 0.8]),
        "feature_fraction": st.sampled_from([1.0, 0.5]),
        "min_samples_leaf": st.sampled_from([1, 5]),
        "max_leaf_nodes": st.sampled_from([None, 5]),
        "class_weight": st.sampled_from([None, "balanced"]),
        "ovr": st.booleans(),
    }
)


def made(table):
    rng = np.random.default_rng(table["seed"])
    frame, y = mixed_frame(rng, table["rows"], table["classes"])
    weights = weights_of(table["weights"], rng, table["rows"])
    places = rng.integers(0, table["rows"] + 1, table["parts"] - 1).tolist()
    return frame, y, weights, cut(frame, y, weights, places)


@settings(max_examples=trials(30), deadline=None)
@given(table=tables, options=trees, wide=multiway)
def test_a_tree_grown_on_parts_is_the_tree_grown_on_the_whole(pieces_of, table, options, wide):
    frame, y, weights, parts = made(table)
    options = {**options, **wide}
    whole = TreeClassifier(**({"pruning": None} | options)).fit(frame, y, sample_weight=weights)
    parted = TreeClassifier(**({"pruning": None} | options)).fit(pieces_of(parts), None)
    assert parted.digest() == whole.digest()
    assert np.array_equal(parted.tree_.rows, whole.tree_.rows)
    assert np.array_equal(parted.tree_.class_weights, whole.tree_.class_weights)
    for name, values in whole.history_.items():
        assert np.array_equal(parted.history_[name], values, equal_nan=True), name
    assert str(parted.certificate_) == str(whole.certificate_)


def test_negative_numbers_beside_numbers_beyond_2_63_are_refused():
    small = PartData(pd.DataFrame({"a": [-1, 2]}), [0, 1], None)
    wide = PartData(pd.DataFrame({"a": np.array([2**63, 5], dtype=np.uint64)}), [0, 1], None)
    with pytest.raises(ValueError, match="'a' has negative numbers here and numbers beyond 2\\^63"):
        train_in_process([small, wide], None, None, 1)


def test_whole_numbers_that_are_small_in_one_part_and_wide_in_another_are_one_column(pieces_of):
    rng = np.random.default_rng(0)
    for rows in (60, 900):
        small = rng.integers(-(2**40), 2**40, rows)
        frame = pd.DataFrame({"n": np.where(np.arange(rows) < rows // 2, small, small * 2**20)})
        y = pd.Series((frame["n"] > rng.permutation(frame["n"])).astype(int))
        model = TreeClassifier(pruning=None, max_leaf_nodes=12)
        here = model.fit(frame, y).digest()
        assert model.fit(pieces_of(cut(frame, y, None, [rows // 2])), None).digest() == here


@settings(max_examples=trials(25), deadline=None)
@given(table=tables, options=boosts)
def test_boosting_on_parts_gives_the_rounds_of_the_whole(pieces_of, table, options):
    frame, y, weights, parts = made(table)
    options = {**options, "n_estimators": 6, "random_state": 3}
    ovr, leaves = options.pop("ovr"), options["max_leaf_nodes"]
    if options["variant"] == "discrete":
        options.update(max_leaf_nodes=None, multiclass="ovr" if ovr else None)
    elif leaves:
        options["max_depth"] = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = BoostedTreesClassifier(**options).fit(frame, y, sample_weight=weights)
        parted = BoostedTreesClassifier(**options).fit(pieces_of(parts), None)
    assert parted.digest() == whole.digest()
    assert np.array_equal(parted.history_["error"], whole.history_["error"])
    np.testing.assert_allclose(parted.history_["bound"], whole.history_["bound"], rtol=1e-9)


def test_a_warm_start_on_parts_goes_on_where_the_last_fit_ended(pieces_of):
    table = {"seed": 4, "rows": 600, "classes": 3, "parts": 3, "weights": "whole"}
    frame, y, weights, parts = made(table)
    whole = BoostedTreesClassifier(n_estimators=7).fit(frame, y, sample_weight=weights)
    model = BoostedTreesClassifier(n_estimators=3, warm_start=True).fit(pieces_of(parts), None)
    model.set_params(n_estimators=7).fit(pieces_of(parts), None)
    assert model.digest() == whole.digest()


@pytest.mark.parametrize("variant", ["real", "discrete"])
def test_a_checkpoint_resumes_from_its_last_round(pieces_of, tmp_path, variant):
    table = {"seed": 5, "rows": 600, "classes": 2, "parts": 3, "weights": "any"}
    frame, y, weights, parts = made(table)
    options = {"variant": variant, "n_estimators": 6}
    whole = BoostedTreesClassifier(**options).fit(frame, y, sample_weight=weights)
    short = BoostedTreesClassifier(**{**options, "n_estimators": 4})
    short.fit(pieces_of(parts), None, checkpoint=tmp_path)
    kept = sorted(path.name for path in tmp_path.glob("round-*.npz"))
    assert kept == [f"round-{i:05d}.npz" for i in range(4)]
    model = BoostedTreesClassifier(**options).fit(pieces_of(parts), None, checkpoint=tmp_path)
    assert model.digest() == whole.digest()
    other = BoostedTreesClassifier(**options, min_samples_leaf=9)
    with pytest.raises(ValueError, match="rounds of another fit"):
        other.fit(pieces_of(parts), None, checkpoint=tmp_path)
