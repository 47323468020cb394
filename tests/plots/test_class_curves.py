"""Plots of curves, costs, calibration, effects and splits show the numbers they name."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from hardwood import BoostedTreesClassifier, TreeClassifier, plots

mpl.use("Agg")
X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
CURVES = [plots.plot_roc, plots.plot_precision_recall, plots.plot_lift, plots.plot_costs,
          plots.plot_calibration]  # fmt: skip


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module", params=["tree", "boosted"])
def model(request):
    kinds = {
        "tree": TreeClassifier(max_leaf_nodes=10),
        "boosted": BoostedTreesClassifier(n_estimators=20),
    }
    return kinds[request.param].fit(X[::2], Y[::2])


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def test_roc_goes_through_scikit_learn_s_points(model):
    score, truth = model.predict_proba(X)[:, 1], Y
    (line,) = curves(plots.plot_roc(model, X, Y))
    fallout, recall, _ = roc_curve(truth, score, drop_intermediate=False)
    np.testing.assert_allclose(line.get_xdata(), fallout)
    np.testing.assert_allclose(line.get_ydata(), recall)
    assert line.get_label() == f"1, AUC {roc_auc_score(truth, score):.4f}"
    (line,) = curves(plots.plot_roc(model, X, Y, positive=0, label="ours"))
    assert line.get_label() == f"ours, AUC {roc_auc_score(1 - truth, 1 - score):.4f}"


def test_precision_and_recall_are_scikit_learn_s(model):
    score = model.predict_proba(X)[:, 1]
    (line,) = curves(plots.plot_precision_recall(model, X, Y))
    precision, recall, _ = precision_recall_curve(Y, score)
    np.testing.assert_allclose(line.get_xdata(), recall[::-1])
    np.testing.assert_allclose(line.get_ydata()[1:], precision[::-1][1:])
    assert f"{average_precision_score(Y, score):.4f}" in line.get_label()


def test_the_cheapest_threshold_is_marked(model):
    score, truth = model.predict_proba(X)[:, 1], Y.to_numpy() == 1
    ax = plots.plot_costs(model, X, Y, miss=5, false_alarm=2)

    def cost(limit):
        missed, alarms = truth & (score < limit), ~truth & (score >= limit)
        return (5 * missed.sum() + 2 * alarms.sum()) / len(truth)

    limits = np.append(np.unique(score), 1.5)
    ((x, y),) = [line.get_xydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    assert y == pytest.approx(min(map(cost, limits)))
    assert cost(x) == pytest.approx(y)
    (line,) = curves(ax)
    for at, drawn in list(zip(line.get_xdata(), line.get_ydata(), strict=True))[1:-1:7]:
        assert drawn == pytest.approx(cost(at))
    with pytest.raises(ValueError, match="miss must be a finite number"):
        plots.plot_costs(model, X, Y, miss=-1)


def test_lift_ends_at_one_and_calibration_at_the_rows(model):
    (line,) = curves(plots.plot_lift(model, X, Y))
    assert line.get_ydata()[-1] == pytest.approx(1.0)
    assert line.get_xdata()[-1] == pytest.approx(1.0)
    ax = plots.plot_calibration(model, X, Y)
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")
    assert plots.plot_calibration(model, X, Y, log_odds=True).get_xscale() == "logit"


def test_a_rare_class_is_calibrated_in_log_odds():
    Z, y = make_classification(3000, 8, weights=[0.97], random_state=0)
    model = BoostedTreesClassifier(n_estimators=10).fit(Z, y)
    ax = plots.plot_calibration(model, Z, y)
    assert ax.get_xscale() == "logit"
    (line,) = curves(ax)
    assert ((line.get_ydata() > 0) & (line.get_ydata() < 1)).all()
    ax.figure.canvas.draw()


@pytest.mark.parametrize("draw", CURVES)
def test_several_classes_have_a_curve_each_and_one_can_be_chosen(draw):
    Z, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = TreeClassifier().fit(Z, names)
    ax = draw(model, Z, names)
    assert [line.get_label().split(",")[0] for line in curves(ax)] == sorted(set(names))
    assert len(curves(draw(model, Z, names, positive="virginica"))) == 1
    other = draw(model, Z, names, ax=ax, positive="virginica", label="again")
    assert other is ax
    assert len(curves(ax)) == 4
    with pytest.raises(ValueError, match="positive must be one of the classes 'setosa'"):
        draw(model, Z, names, positive="rose")
    with pytest.raises(ValueError, match="'rose', which the model does not know"):
        draw(model, Z, ["rose"] * 150)


def test_one_class_is_said_to_have_no_curve():
    model = TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    for draw in CURVES:
        ax = draw(model, [[1.0], [2.0]], ["a", "a"])
        assert "one class only" in ax.texts[0].get_text()


def test_the_confusion_matrix_is_scikit_learn_s(model):
    counts = [int(text.get_text()) for text in plots.plot_confusion(model, X, Y).texts]
    assert counts == confusion_matrix(Y, model.predict(X)).ravel().tolist()
    ax = plots.plot_confusion(model, X, Y, threshold=0.8)
    said = (model.predict_proba(X)[:, 1] >= 0.8).astype(int)
    counts = [int(text.get_text()) for text in ax.texts]
    assert counts == confusion_matrix(Y, said, labels=[1, 0]).ravel().tolist()


def test_partial_dependence_is_drawn_for_numbers_and_categories(model):
    for column in ("worst radius", 22):
        (line,) = plots.plot_partial_dependence(model, X, column).lines
        for value, mean in line.get_xydata()[::6]:
            rows = np.linspace(0, len(X) - 1, 500).astype(int)
            changed = X.iloc[rows].copy()
            changed[X.columns[22] if column == 22 else column] = value
            assert mean == pytest.approx(model.predict_proba(changed)[:, 1].mean())
    with pytest.raises(ValueError, match="column must be a name"):
        plots.plot_partial_dependence(model, X, "no such column")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"town": pd.Categorical(rng.choice(["Oslo", "Rome"], 200))})
    tree = TreeClassifier().fit(frame, frame["town"] == "Rome")
    ax = plots.plot_partial_dependence(tree, frame, "town")
    assert [text.get_text() for text in ax.get_xticklabels()] == ["Oslo", "Rome"]
    assert ax.lines[0].get_ydata()[0] < 0.1 < 0.9 < ax.lines[0].get_ydata()[1]


def test_importances_are_the_model_s(model):
    ax = plots.plot_importances(model, most=5)
    widths = [patch.get_width() / 100 for patch in ax.patches]
    np.testing.assert_allclose(widths, np.sort(model.feature_importances_)[::-1][:5])
    stump = TreeClassifier(max_depth=1).fit([[1.0], [1.0]], [0, 1])
    assert "no column" in plots.plot_importances(stump).texts[0].get_text()


def test_what_a_split_sees_adds_up_to_the_rows_of_its_node():
    tree = TreeClassifier(max_leaf_nodes=6).fit(X, Y)
    ax = plots.plot_split(tree, X, Y)
    assert sum(patch.get_height() for patch in ax.patches) == len(X)
    first = tree.to_text().splitlines()[1]
    assert float(first.split(" <= ")[1].split()[0].rstrip(":")) == ax.lines[0].get_xdata()[0]
    node = int(np.flatnonzero(tree.tree_.branches)[1])
    here = tree.decision_path(X).toarray()[:, node] == 1
    ax = plots.plot_split(tree, X, Y, node=node)
    assert sum(patch.get_height() for patch in ax.patches) == here.sum()
    assert sum(patch.get_height() for patch in plots.plot_split(tree, X).patches) == len(X)
    leaf = int(tree.tree_.leaf_ids[0])
    with pytest.raises(ValueError, match="node must be a split"):
        plots.plot_split(tree, X, Y, node=leaf)
    with pytest.raises(TypeError, match="splits of one tree"):
        plots.plot_split(BoostedTreesClassifier(n_estimators=2).fit(X, Y), X, Y)
