"""`PaperRun`: the rules of the runs in Aziz, Anderton & Aslam 2018, against plain NumPy."""

from itertools import islice

import numpy as np
import pytest

import hardwood
from hardwood import BoostedTreesClassifier
from hardwood.certify import check
from hardwood.search import PaperRun, Quick, best_stump
from tests.oracles.paper_boosting import pairs_of, paper_rounds


def boosted(rounds, depth, **more):
    given = {"search": PaperRun(), "chance_rounds": "skip", **more}
    return BoostedTreesClassifier(
        n_estimators=rounds,
        variant="discrete",
        criterion="error",
        max_depth=depth,
        learning_rate=1.0,
        **given,
    )


def table(seed, classes=2, rows=120):
    """Few values, one rare class, one column that is constant, and columns that soon are."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, k, rows) for k in (2, 3, 6)] + [np.zeros(rows)])
    noise = rng.random(rows)
    y = ((X[:, 0] * X[:, 1] + X[:, 2] + 3 * noise) / 4).astype(int) % classes
    return X.astype(float), y


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_scores_and_assessments_are_those_of_the_oracle(seed, depth):
    X, y = table(seed)
    model = boosted(8, depth).fit(X, y)
    steps = islice(paper_rounds(X, 2.0 * y - 1, X[:0], depth), 8)
    ours = zip(model.staged_decision_function(X), model.history_["assessments"], strict=True)
    for (scores, count), (expected, assessed) in zip(steps, ours, strict=True):
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
        assert assessed == pytest.approx(count, rel=0.02)  # rows of nearly equal weight


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_boosted_as_their_table_is(seed):
    X, y = table(seed, classes=3)
    model = boosted(6, 2, multiclass="pairs").fit(X, y)
    pairs, sign = pairs_of(X, y, np.unique(y))
    steps = islice(paper_rounds(pairs, sign, pairs[:0], 2), 6)
    ours = zip(model.staged_decision_function(X), model.history_["assessments"], strict=True)
    for (scores, count), (expected, assessed) in zip(steps, ours, strict=True):
        np.testing.assert_allclose(scores.reshape(-1, 3), expected, rtol=1e-9, atol=1e-12)
        assert assessed == pytest.approx(count, rel=0.02)


def test_a_node_that_no_column_improves_stays_whole_and_is_counted_level_by_level():
    X = np.column_stack([np.arange(40) % 2, np.arange(40) % 5]).astype(float)
    y = (np.arange(40) < 4).astype(int)
    whole = boosted(1, 3).fit(X, y)
    assert whole.trees_[0].n_leaves == 1
    assert boosted(1, 3, search="adaptive").fit(X, y).trees_[0].n_leaves > 1
    assert (
        whole.history_["assessments"][0] == 3 * boosted(1, 1).fit(X, y).history_["assessments"][0]
    )


def test_a_column_that_is_constant_counts_as_it_competes():
    X, y = table(1)
    without = boosted(5, 1, search="adaptive").fit(X, y).assessments_
    assert boosted(5, 1).fit(X, y).assessments_ > without


def test_trimming_cuts_through_rows_of_equal_weight():
    X = np.repeat(np.arange(2.0), 30)[:, None]
    y = (np.arange(60) % 6 == 0).astype(int)
    model = boosted(4, 1, weight_fraction=0.9)
    with pytest.warns(UserWarning, match="leaves so few rows"):
        model.fit(X, y)
    # Then 10 rows hold half of the weight and 40 of the other 50 four fifths of the rest; with
    # rounding one more is needed. With its ties kept a tree would see all 60.
    assert model.history_["assessments"].tolist() == [54, 51, 51, 51]
    assert model.tree_weights_[1:].tolist() == [0, 0, 0]


def test_quick_counts_more_than_its_start_and_gives_the_same_trees():
    X, y = table(2)
    adaptive = boosted(6, 2).fit(X, y)
    quick = boosted(6, 2, search=PaperRun("quick", 0.5, 4)).fit(X, y)
    assert quick.digest() == adaptive.digest()
    assert quick.assessments_ >= 0.5 * boosted(6, 2, search=Quick(0.5, 4)).fit(X, y).assessments_


def test_it_is_kept_in_a_model_file_and_its_check_says_what_it_does_not_know(tmp_path):
    X, y = table(3)
    model = boosted(3, 2).fit(X, y)
    hardwood.save(model, tmp_path / "model.hardwood")
    assert hardwood.load(tmp_path / "model.hardwood").search == PaperRun()
    report = check(model, X, y)
    assert not report
    assert "PaperRun" in str(report)


def test_where_the_rules_do_not_apply_it_is_refused():
    X, y = table(4, classes=3)
    with pytest.raises(ValueError, match="two classes or pairs"):
        boosted(2, 2, multiclass="samme").fit(X, y)
    with pytest.raises(ValueError, match="two classes or pairs"):
        BoostedTreesClassifier(search=PaperRun()).fit(X, y)
    with pytest.raises(ValueError, match="best_stump takes"):
        best_stump(X, y == 1, search=PaperRun())
    with pytest.raises(ValueError, match='"adaptive" or "quick"'):
        PaperRun("auto")
    with pytest.raises(ValueError, match="start must lie between"):
        PaperRun("quick", start=2)
