"""Rows held out over parts: the same rows, and the same models, as in one place."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import make_scorer, roc_auc_score

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.distributed.decoding import decoded_rows
from hardwood.distributed.describing import PartData
from hardwood.distributed.in_process import train_in_process
from hardwood.distributed.part_held_out import HashRanges
from hardwood.encoding.drawn_rows import draw_fold, draw_share, drawn_rows
from hardwood.table import read_prediction_table
from tests.distributed.splitting import cut
from tests.effort import trials
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid


def noisy(seed, rows, classes, weights, parts):
    rng = np.random.default_rng(seed)
    frame, y = mixed_frame(rng, rows, classes)
    y = y.where(rng.random(rows) < 0.8, rng.integers(0, classes, rows))
    given = {"whole": rng.integers(0, 4, rows).astype(float), "any": rng.random(rows)}.get(weights)
    places = rng.integers(0, rows + 1, parts - 1).tolist()
    return frame, y, given, cut(frame, y, given, places)


tables = st.tuples(
    st.integers(0, 10**6),
    st.sampled_from([60, 300, 900]),
    st.sampled_from([2, 2, 3]),
    st.sampled_from([None, "whole", "any"]),
    st.sampled_from([1, 2, 7]),
)
weighting = st.sampled_from([None, "balanced"])


@settings(max_examples=trials(15), deadline=None)
@given(
    table=tables,
    pruning=st.sampled_from(
        [
            {"pruning": "reduced-error", "validation_fraction": 0.3},
            {"pruning": "reduced-error", "branching": "multiway", "max_leaf_nodes": 20},
            {"pruning": "cost-complexity", "ccp_alpha": "cv", "criterion": "gini"},
        ]
    ),
    class_weight=weighting,
    least=st.sampled_from([1, 3]),
)
def test_a_tree_pruned_by_held_out_rows_is_the_tree_of_one_place(
    pieces_of, table, pruning, class_weight, least
):
    frame, y, weights, parts = noisy(*table)
    options = {**pruning, "class_weight": class_weight, "min_samples_leaf": least}
    model = TreeClassifier(random_state=table[0], **options)
    here = model.fit(frame, y, sample_weight=weights)
    there = TreeClassifier(random_state=table[0], **options).fit(pieces_of(parts), None)
    assert there.digest() == here.digest()
    for name in ("rows", "class_weights", "cost"):
        assert np.array_equal(getattr(there.tree_, name), getattr(here.tree_, name)), name
    assert np.array_equal(there.grown_tree_.rows, here.grown_tree_.rows)
    assert str(there.certificate_) == str(here.certificate_)
    assert getattr(there, "ccp_alpha_", None) == getattr(here, "ccp_alpha_", None)


@settings(max_examples=trials(15), deadline=None)
@given(
    table=tables,
    variant=st.sampled_from(["logistic", "real", "discrete", "gentle"]),
    options=st.fixed_dictionaries(
        {
            "scoring": st.sampled_from([None, "accuracy", "neg_brier_score"]),
            "refit": st.booleans(),
            "class_weight": weighting,
            "min_samples_leaf": st.sampled_from([1, 3]),
            "weight_fraction": st.sampled_from([1.0, 0.8]),
        }
    ),
)
def test_early_stopping_on_rows_of_x_ends_where_it_does_in_one_place(
    pieces_of, table, variant, options
):
    frame, y, weights, parts = noisy(*table)
    model = BoostedTreesClassifier(
        n_estimators=25,
        learning_rate=0.5,
        variant=variant,
        early_stopping=True,
        n_iter_no_change=3,
        validation_fraction=0.25,
        random_state=table[0],
        **options,
    )
    here = model.fit(frame, y, sample_weight=weights)
    digest, rounds = here.digest(), here.n_estimators_
    errors = here.history_["error"]
    there = model.fit(pieces_of(parts), None)
    assert (there.digest(), there.n_estimators_) == (digest, rounds)
    assert np.array_equal(there.history_["error"], errors)


@pytest.mark.parametrize("refit", [False, True])
def test_a_fit_that_stops_early_resumes_from_its_checkpoint(pieces_of, tmp_path, refit):
    frame, y, _, parts = noisy(3, 600, 2, None, 3)
    model = BoostedTreesClassifier(
        n_estimators=60, early_stopping=True, n_iter_no_change=3, random_state=1, refit=refit
    )
    expected = model.fit(frame, y).digest()
    assert model.n_estimators_ < 60
    model.fit(pieces_of(parts), None, checkpoint=tmp_path)
    assert model.digest() == expected
    loss = model.history_["loss"]
    kept = sorted(tmp_path.rglob("round-*.npz"))
    assert len({path.parent for path in kept}) == (6 if refit else 1)
    for path in kept:
        if path.name > "round-00003.npz":
            path.unlink()
    assert model.fit(pieces_of(parts[:]), None, checkpoint=tmp_path).digest() == expected
    assert np.array_equal(model.history_["loss"], loss)


def test_rows_held_out_by_their_weight_are_rows_that_are_not_there():
    frame, y, _, _ = noisy(8, 400, 3, None, 1)
    model = BoostedTreesClassifier(
        n_estimators=12, early_stopping=True, n_iter_no_change=50, random_state=2, refit=False
    )
    drawn = drawn_rows(draw_share(np.bincount(y), 0.1, 2), y.to_numpy().astype(np.int32))
    alone = BoostedTreesClassifier(n_estimators=12, random_state=2).fit(frame[~drawn], y[~drawn])
    model.fit(frame, y)
    rounds = model.n_estimators_
    assert rounds > 3
    assert np.array_equal(model.history_["error"], alone.history_["error"][:rounds])


@pytest.mark.parametrize("cuts", [[], [100], [5, 6, 300, 301]])
def test_parts_draw_the_rows_that_one_place_draws(cuts):
    rng = np.random.default_rng(0)
    y = pd.Series(rng.choice(5, 500, p=[0.6, 0.3, 0.08, 0.01, 0.01]))
    y[:5] = range(5)
    labels = y.to_numpy().astype(np.int32)
    parts = cut(pd.DataFrame({"a": rng.normal(size=500)}), y, None, cuts)
    training = train_in_process(parts, None, None, 1)
    assert np.array_equal(training.class_rows, np.bincount(labels))
    draws = [draw_share(training.class_rows, share, 5) for share in (0.01, 0.25, 0.9)]
    draws += [draw_fold(training.class_rows, fold, 5, 9) for fold in range(5)]
    for draw in draws:
        left, held = training.hold_out(draw)
        assert (left, held) == (500 - draw.rows, draw.rows)
        masks = [part._held.mask for part in training._team._parts]
        assert np.array_equal(np.concatenate(masks), drawn_rows(draw, labels))


def test_a_range_without_rows_holds_out_none_even_at_the_ends():
    labels = np.zeros(4, dtype=np.int32)
    assert not HashRanges(0, {0: 0}, [0], [-1]).mask(0, labels).any()
    assert not HashRanges(0, {0: 0}, [2**64], [2**64 - 1]).mask(0, labels).any()
    assert HashRanges(0, {0: 0}, [0], [2**64 - 1]).mask(0, labels).all()


def test_decoded_rows_have_the_values_that_were_coded():
    rng = np.random.default_rng(4)
    frame, y = mixed_frame(rng, 800, 2)
    frame["unsigned"] = rng.integers(0, 2**64 - 1, 800, dtype=np.uint64)
    frame.loc[3, "word"] = None
    training = train_in_process([PartData(frame, y, None)], "from_dtype", None, 1)
    state = training._team._parts[0]
    rows = np.sort(rng.choice(800, 300, replace=False))
    found = decoded_rows(state._rows.stored, state._plan, rows)
    expected = read_prediction_table(frame.iloc[rows], training.schemas, True)
    for j, schema in enumerate(training.schemas):
        if schema.name == "same":
            continue
        one, other = found.column(j), expected.column(j)
        floats = other.values.dtype.kind == "f"
        assert np.array_equal(one.values, other.values, equal_nan=floats), schema.name
        assert one.missing is None or not one.missing.any()


@pytest.mark.parametrize(
    "model",
    [
        TreeClassifier(pruning="reduced-error"),
        TreeClassifier(pruning="cost-complexity", ccp_alpha="cv"),
        BoostedTreesClassifier(n_estimators=5, early_stopping=True),
    ],
)
def test_one_class_and_parts_without_held_out_rows(pieces_of, model):
    frame, y, _, _ = noisy(1, 40, 2, None, 1)
    for labels in (y * 0, y):
        here = model.fit(frame, labels).digest()
        pieces = cut(frame, labels, None, [1, 2, 20, 39])
        assert model.fit(pieces_of(pieces), None).digest() == here


def test_a_side_without_weight_is_refused_over_parts_as_in_memory(pieces_of):
    frame, y, _, _ = noisy(2, 40, 2, None, 1)
    drawn = drawn_rows(draw_share(np.bincount(y), 0.25, 0), y.to_numpy().astype(np.int32))
    for weights in (drawn.astype(float), (~drawn).astype(float)):
        tree = TreeClassifier(pruning="reduced-error", random_state=0)
        with pytest.raises(ValueError, match="no row with weight on one side"):
            tree.fit(frame, y, sample_weight=weights)
        with pytest.raises(ValueError, match="no row with weight on one side"):
            tree.fit(pieces_of(cut(frame, y, weights, [13])), None)
    few = (np.arange(40) < 4).astype(float)
    tree = TreeClassifier(pruning="cost-complexity", ccp_alpha="cv")
    with pytest.raises(ValueError, match="at least 5 rows with weight; given were 4"):
        tree.fit(pieces_of(cut(frame, y, few, [13])), None)


@pytest.mark.parametrize("weighted", [None, "any"])
@pytest.mark.parametrize(
    ("scoring", "classes"),
    [
        ("roc_auc", 2),
        ("balanced_accuracy", 3),
        (make_scorer(roc_auc_score, response_method="decision_function"), 2),
    ],
)
def test_scorers_that_look_at_all_rows_together_judge_as_in_memory(
    pieces_of, scoring, classes, weighted
):
    frame, y, weights, parts = noisy(5, 400, classes, weighted, 4)
    model = BoostedTreesClassifier(
        n_estimators=12, learning_rate=1.0, early_stopping=True, n_iter_no_change=2, scoring=scoring
    )
    for refit in (True, False):
        model.set_params(refit=refit)
        here = model.fit(frame, y, sample_weight=weights)
        digest, rounds = here.digest(), here.n_estimators_
        there = model.fit(pieces_of(parts), None)
        assert (there.digest(), there.n_estimators_) == (digest, rounds)


def test_a_function_that_may_look_at_the_rows_is_refused_over_parts(pieces_of):
    frame, y, _, parts = noisy(5, 200, 2, None, 2)

    def share_of_right(model, X, labels):
        return float((model.predict(X) == labels).mean()) + 0 * X.shape[1]

    model = BoostedTreesClassifier(n_estimators=6, early_stopping=True, scoring=share_of_right)
    with pytest.raises(ValueError, match="a function that may look at the held-out rows"):
        model.fit(pieces_of(parts), None)
    held = noisy(6, 100, 2, None, 1)
    given = {"X_val": held[0], "y_val": held[1]}
    here = model.fit(frame, y, **given).digest()
    assert model.fit(pieces_of(parts), None, **given).digest() == here
