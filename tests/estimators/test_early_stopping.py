"""Early stopping: how held-out rows are judged, how many rounds are kept, what is trained again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import log_loss, make_scorer, roc_auc_score

import hardwood.training.boosted as boosted
from hardwood import BoostedTreesClassifier, certify, load, save
from hardwood.encoding.drawn_rows import draw_fold, draw_share, drawn_rows
from tests.tables.matrices import noisy

SHAPE = {"n_estimators": 40, "max_depth": 2, "learning_rate": 0.5, "n_iter_no_change": 4}


def best_round(losses, patience):
    best = 0
    for r, loss in enumerate(losses):
        if loss < losses[best]:
            best = r
        elif r - best >= patience:
            break
    return best + 1


def staged_log_losses(model, X, y):
    """The slow, obvious way: a metric of scikit-learn after every round."""
    link = (lambda s: 1 / (1 + np.exp(-s))) if model.variant == "logistic" else None
    assert link is not None
    for score in model.staged_decision_function(X):
        p = link(score)
        p = np.column_stack([1 - p, p]) if p.ndim == 1 else p / p.sum(axis=1, keepdims=True)
        yield log_loss(y, p, labels=model.classes_)


def chosen_by_hand(X, y, masks, seed):
    plain = BoostedTreesClassifier(**SHAPE, random_state=seed)
    found = []
    for held in masks:
        model = clone(plain).fit(X[~held], y[~held])
        losses = list(staged_log_losses(model, X[held], y[held]))
        found.append(best_round(losses, SHAPE["n_iter_no_change"]))
    return sorted(found)[(len(found) - 1) // 2]


@pytest.mark.parametrize("classes", [2, 3])
def test_small_tables_take_the_median_of_five_folds_and_are_trained_on_all_rows(classes):
    X, y = noisy(classes, rows=300)
    sizes, labels = np.bincount(y), y.astype(np.int32)
    folds = [drawn_rows(draw_fold(sizes, k, 5, 7), labels) for k in range(5)]
    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, random_state=7).fit(X, y)
    assert model.n_estimators_ == chosen_by_hand(X, y, folds, 7) < 40
    rounds = model.n_estimators_
    shape = {**SHAPE, "n_estimators": rounds, "random_state": 7}
    plain = BoostedTreesClassifier(**shape).fit(X, y)
    assert model.digest() == plain.digest()
    assert model.history_["stopped"].tolist() == [""] * (rounds - 1) + ["early stopping"]
    assert certify.check(model, X, y)


@pytest.mark.parametrize("refit", [False, True])
def test_larger_tables_hold_out_one_share(monkeypatch, refit):
    monkeypatch.setattr(boosted, "FEW_ROWS", 60)
    X, y = noisy(2, rows=300)
    held = drawn_rows(draw_share(np.bincount(y), 0.2, 3), y.astype(np.int32))
    model = BoostedTreesClassifier(
        **SHAPE, early_stopping=True, validation_fraction=0.2, random_state=3, refit=refit
    ).fit(X, y)
    rounds = chosen_by_hand(X, y, [held], 3)
    assert model.n_estimators_ == rounds < 40
    rows = slice(None) if refit else ~held
    shape = {**SHAPE, "n_estimators": rounds, "random_state": 3}
    plain = BoostedTreesClassifier(**shape).fit(X[rows], y[rows])
    assert np.array_equal(model.decision_function(X), plain.decision_function(X))
    assert certify.check(model, X, y)


def test_the_best_round_is_kept_also_where_patience_never_ends():
    (X, y), (X_val, y_val) = noisy(2, rows=300), noisy(2, rows=300, seed=1)
    model = BoostedTreesClassifier(**{**SHAPE, "n_iter_no_change": 100})
    losses = list(staged_log_losses(clone(model).fit(X, y), X_val, y_val))
    model.set_params(early_stopping=True).fit(X, y, X_val=X_val, y_val=y_val)
    assert model.n_estimators_ == int(np.argmin(losses)) + 1 < 40


def auc(estimator, X, y):
    return roc_auc_score(y, estimator.predict_proba(X)[:, 1])


@pytest.mark.parametrize(
    "scoring", ["roc_auc", auc, make_scorer(roc_auc_score, response_method="decision_function")]
)
def test_scorers_of_any_kind_judge_alike(scoring):
    (X, y), (X_val, y_val) = noisy(2, rows=300), noisy(2, rows=300, seed=1)
    plain = BoostedTreesClassifier(**SHAPE)
    scores = [
        -roc_auc_score(y_val, s) for s in clone(plain).fit(X, y).staged_decision_function(X_val)
    ]
    model = clone(plain).set_params(early_stopping=True, scoring=scoring)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    assert model.n_estimators_ == best_round(scores, SHAPE["n_iter_no_change"])


@pytest.mark.parametrize("name", ["accuracy", "neg_log_loss", "neg_brier_score"])
def test_a_loss_of_rows_stops_where_scikit_learns_scorer_of_that_name_does(name):
    from sklearn.metrics import get_scorer

    (X, y), (X_val, y_val) = noisy(3, rows=300), noisy(3, rows=300, seed=1)
    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, scoring=name)
    digest = model.fit(X, y, X_val=X_val, y_val=y_val).digest()
    theirs = clone(model).set_params(scoring=get_scorer(name))
    assert theirs.fit(X, y, X_val=X_val, y_val=y_val).digest() == digest


def some_tables():
    X, y = noisy(2, rows=200)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    return y, {
        "array": X,
        "list": X.tolist(),
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame),
        "sparse": sparse.csr_matrix(X),
    }


@pytest.mark.parametrize("form", ["array", "list", "pandas", "polars", "arrow", "sparse"])
def test_scorers_see_the_rows_in_their_own_form(form):
    y, tables = some_tables()
    seen = []

    def scorer(estimator, X, labels):
        seen.append(type(X))
        twice = estimator.predict_proba(X), estimator.predict_proba(X[:])
        assert np.array_equal(*twice)
        return estimator.score(X, labels)

    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, scoring=scorer)
    rounds = model.fit(tables[form], y).n_estimators_
    assert set(seen) == {type(tables[form])} if form != "list" else seen
    assert clone(model).set_params(scoring="accuracy").fit(tables[form], y).n_estimators_ == rounds


def test_rows_of_weight_0_do_not_decide_and_equal_weights_are_none():
    X, y = noisy(2, rows=400)
    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, refit=False)
    digest = model.fit(X, y).digest()
    assert model.fit(X, y, sample_weight=np.full(400, 0.25)).digest() == digest
    w = (np.arange(400) % 4 > 0).astype(float)
    expected = model.fit(X, y, sample_weight=w).digest()
    X[w == 0] = X[w == 0][::-1] + 0.5
    assert model.fit(X, y, sample_weight=w).digest() == expected


@pytest.mark.parametrize("refit", [False, True])
def test_warm_starts_end_where_one_fit_does(refit):
    X, y = noisy(3, rows=300)
    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, warm_start=True, refit=refit)
    at_once = clone(model).fit(X, y)
    assert 3 < at_once.n_estimators_ < 40
    for rounds in (3, at_once.n_estimators_ + 2, 40, 40):
        model.set_params(n_estimators=rounds).fit(X, y)
    assert model.digest() == at_once.digest()


def test_a_stopped_model_goes_through_a_file_and_a_function_as_scoring_is_left_out(tmp_path):
    X, y = noisy(2, rows=200)
    model = BoostedTreesClassifier(**SHAPE, early_stopping=True, scoring=auc).fit(X, y)
    with pytest.warns(UserWarning, match="scoring"):
        save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.digest() == model.digest()
    assert (again.scoring, again.refit) == (None, True)
    assert np.array_equal(again.history_["stopped"], model.history_["stopped"])


def fails(estimator, X, y):
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("scoring", "classes", "sentence"),
    [
        ("rock", 2, "scoring must be None(.|\n)*'rock'"),
        (3, 2, "scoring must be None(.|\n)*3"),
        ("roc_auc", 3, "scoring='roc_auc' (could not judge|gave nan)"),
        (fails, 2, "could not judge(.|\n)*no such thing"),
        (lambda *_: None, 2, "gave None"),
        (lambda *_: np.nan, 2, "gave nan"),
    ],
)
def test_scoring_that_cannot_be_is_refused_in_words(scoring, classes, sentence):
    X, y = noisy(classes, rows=100)
    model = BoostedTreesClassifier(n_estimators=3, early_stopping=True, scoring=scoring)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)
    assert not hasattr(model, "classes_")


def test_held_out_rows_of_one_class_cannot_be_ranked():
    X, y = noisy(2, rows=100)
    model = BoostedTreesClassifier(n_estimators=3, early_stopping=True, scoring="roc_auc")
    with pytest.raises(ValueError, match=r"roc_auc(.|\n)*class"), np.errstate(all="ignore"):
        model.fit(X, y, X_val=X[y == 1], y_val=y[y == 1])


@pytest.mark.parametrize("refit", [False, True])
def test_classes_of_few_rows_and_weights_of_0(refit):
    X, y = noisy(3, rows=60)
    y = np.where(np.arange(60) == 5, 9, y % 2)
    model = BoostedTreesClassifier(
        n_estimators=8, early_stopping=True, refit=refit, validation_fraction=0.4
    ).fit(X, y)
    given = model.predict_proba(X)
    assert (given > 0).all()
    np.testing.assert_allclose(given.sum(axis=1), 1.0)
    one = model.fit(X, np.zeros(60))
    assert one.n_estimators_ == 1
    assert (one.predict(X) == 0).all()
    held = drawn_rows(draw_share(np.array([60]), 0.4, 0), np.zeros(60, dtype=np.int32))
    with pytest.raises(ValueError, match="have no weight"):
        clone(model).set_params(refit=False).fit(X, np.zeros(60), sample_weight=~held)


def test_refit_is_true_or_false():
    X, y = noisy(2, rows=50)
    with pytest.raises(ValueError, match="refit must be True or False; given was 1"):
        BoostedTreesClassifier(refit=1).fit(X, y)


def test_rows_that_are_each_the_only_one_of_their_class_cannot_be_held_out():
    with pytest.raises(ValueError, match="the only one of its class; give X_val"):
        BoostedTreesClassifier(early_stopping=True).fit(np.arange(12.0)[:, None], np.arange(12))
