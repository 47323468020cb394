"""Plots of fitted models show the numbers of their histories."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError

from hardwood import BoostedTreesClassifier, TreeClassifier, plots
from hardwood.criteria import impurity
from hardwood.errors import MissingExtraError

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


X, Y = load_breast_cancer(return_X_y=True)
SETTINGS = {"n_estimators": 12, "learning_rate": 1.0, "max_depth": 1}


@pytest.fixture(scope="module")
def tree():
    return TreeClassifier(min_samples_leaf=1, pruning=None).fit(X, Y)


@pytest.fixture(scope="module")
def boosted():
    return BoostedTreesClassifier(variant="discrete", search="adaptive", **SETTINGS).fit(X, Y)


@pytest.fixture(scope="module")
def many_classes():
    return [
        TreeClassifier(min_samples_leaf=1).fit(*load_iris(return_X_y=True)),
        BoostedTreesClassifier(variant="discrete", **SETTINGS).fit(*load_iris(return_X_y=True)),
        BoostedTreesClassifier(variant="real", **SETTINGS).fit(*load_iris(return_X_y=True)),
    ]


def texts(ax):
    return " ".join(text.get_text() for text in ax.texts)


def test_every_split_and_every_round_is_a_point(tree, boosted):
    for model, step in ((tree, "split"), (boosted, "round")):
        ax = plots.plot_advantages(model)
        assert ax.get_xlabel() == step
        assert np.array_equal(ax.lines[0].get_ydata(), model.history_["advantage"])


def test_two_sequences_share_axes_with_a_colour_each(tree, boosted):
    ax = plots.plot_advantages(tree, label="tree")
    assert plots.plot_advantages(boosted, ax=ax, label="AdaBoost") is ax
    assert ax.get_xlabel() == "split or round"
    means = [line for line in ax.lines if line.get_gid() == "advantage"]
    assert [line.get_label() for line in means] == ["tree", "AdaBoost"]
    assert means[0].get_color() != means[1].get_color()


def test_advantage_stands_against_weight_and_gain(tree):
    for draw, name in (
        (plots.plot_advantage_against_weight, "weight"),
        (plots.plot_advantage_against_gain, "gain"),
    ):
        points = draw(tree).collections[0].get_offsets()
        expected = np.column_stack([tree.history_["advantage"], tree.history_[name]])
        assert np.array_equal(np.asarray(points), expected)


def test_the_drawn_bound_is_never_below_the_drawn_potential(tree):
    lines = {line.get_label().split(",")[0]: line for line in plots.plot_potential(tree).lines}
    bound, potential = lines["bound"].get_ydata(), lines["potential"].get_ydata()
    assert np.all(bound >= potential * (1 - 1e-12))
    assert len(potential) == len(tree.history_["potential"]) + 1
    assert np.all(lines["2 x training error"].get_ydata() <= potential[1:] + 1e-12)


def test_a_boosted_model_shows_its_bound_and_the_error_of_given_rows(boosted):
    lines = {line.get_label(): line for line in plots.plot_potential(boosted, X, Y).lines}
    assert np.array_equal(lines["bound"].get_ydata(), boosted.history_["bound"])
    errors = [np.mean(guess != Y) for guess in boosted.staged_predict(X)]
    assert np.array_equal(lines["error on X, y"].get_ydata(), errors)
    assert np.all(np.array(errors) <= boosted.history_["bound"])
    with pytest.raises(ValueError, match="X and y go together"):
        plots.plot_potential(boosted, X)


@pytest.mark.parametrize("variant", ["discrete", "real", "gentle"])
def test_margins_lie_between_minus_1_and_1_and_are_negative_for_mistakes(variant):
    for data in (load_breast_cancer(return_X_y=True), load_iris(return_X_y=True)):
        model = BoostedTreesClassifier(variant=variant, **SETTINGS).fit(*data)
        found = plots.margins(model, *data)
        assert np.all(np.abs(found) <= 1 + 1e-12)
        clear = found != 0
        assert np.array_equal((found < 0)[clear], (model.predict(data[0]) != data[1])[clear])


def test_a_single_vote_has_margins_of_1():
    model = BoostedTreesClassifier(
        variant="discrete", learning_rate=1.0, max_depth=1, n_estimators=1
    ).fit([[0], [1], [2], [3]], [0, 0, 1, 0])
    assert plots.margins(model, [[0], [3]], [0, 1]).tolist() in ([1.0, 1.0], [1.0, -1.0])


def test_the_margin_curve_reaches_the_error_at_0(boosted):
    line = plots.plot_margins(boosted, X, Y).lines[0]
    x, share = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    assert share[x < 0].max() == pytest.approx(1 - boosted.score(X, Y))
    with pytest.raises(ValueError, match="y has the class 7"):
        plots.plot_margins(boosted, X[:1], [7])
    with pytest.raises(ValueError, match="X has 2 rows and y has 1"):
        plots.plot_margins(boosted, X[:2], [0])


def test_assessments_are_drawn_beside_exhaustive_search(boosted):
    ax = plots.plot_assessments(boosted)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.array_equal(lines["adaptive"], boosted.history_["assessments"])
    assert np.array_equal(lines["exhaustive"], boosted.history_["exhaustive_assessments"])
    total = plots.plot_assessments(boosted, total=True).lines[1].get_ydata()
    assert total[-1] == boosted.assessments_


def test_the_criteria_are_the_curves_of_the_formulas(tree):
    ax = plots.plot_criteria()
    assert len(ax.lines) == 4
    q = ax.lines[0].get_xdata()
    assert np.allclose(ax.lines[0].get_ydata(), 2 * np.sqrt(q * (1 - q)))
    marked = plots.plot_criteria(tree).lines[-1]
    shares = tree.history_["q"]
    assert np.array_equal(marked.get_xdata(), shares)
    assert np.allclose(
        marked.get_ydata(), impurity(np.column_stack([1 - shares, shares]), tree.criterion)
    )
    assert plots.plot_criteria(largest_q=0.05).get_xlim() == (0, 0.05)
    with pytest.raises(ValueError, match="largest_q must be a number above 0"):
        plots.plot_criteria(largest_q=0)


def test_what_cannot_be_drawn_is_said_inside_the_axes(many_classes):
    for model in many_classes:
        assert "this model has 3 classes" in texts(plots.plot_advantages(model))
    assert "Nothing is proved" in texts(plots.plot_potential(many_classes[1]))
    leaf = TreeClassifier().fit([[0], [0]], [0, 1])
    assert "single leaf" in texts(plots.plot_advantages(leaf))
    assert "single leaf" in texts(plots.plot_advantage_against_gain(leaf))
    assert len(plots.plot_potential(leaf).lines) == 3


def test_models_of_the_wrong_kind_are_refused(tree, boosted):
    with pytest.raises(NotFittedError):
        plots.plot_advantages(TreeClassifier())
    with pytest.raises(TypeError, match="given was int"):
        plots.plot_advantages(3)
    with pytest.raises(TypeError, match="give a fitted TreeClassifier"):
        plots.plot_advantage_against_weight(boosted)
    for draw in (plots.plot_assessments, lambda model: plots.plot_margins(model, X, Y)):
        with pytest.raises(TypeError, match="give a fitted BoostedTreesClassifier"):
            draw(tree)


def test_without_matplotlib_the_extra_is_named(tree, monkeypatch):
    monkeypatch.setattr("hardwood.plots.style.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'hardwood\[plots\]'"):
        plots.plot_advantages(tree)
