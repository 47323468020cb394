"""`shap_explanation` gives what the shap package's plots take, in the unit that it names."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.errors import MissingExtraError
from tests.tables.frames import every_kind


@pytest.fixture(scope="module")
def shap():
    pytest.importorskip("matplotlib").use("Agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("shap")


@pytest.mark.parametrize("variant", ["logistic", "real", "gentle"])
def test_a_boosted_models_values_add_up_to_its_log_odds(shap, variant):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = BoostedTreesClassifier(n_estimators=10, variant=variant).fit(X, y)
    found = model.shap_explanation(X[:50])
    proba = model.predict_proba(X[:50])[:, 1]
    total = found.values.sum(axis=1) + found.base_values
    np.testing.assert_allclose(total, np.log(proba / (1 - proba)), rtol=1e-6)
    assert found.output_names == "log odds of 1"
    assert list(found.feature_names) == list(X.columns)
    np.testing.assert_array_equal(found.data, X[:50])


def test_a_trees_values_add_up_to_its_probabilities(shap):
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier().fit(X, y)
    found = model.shap_explanation(X)
    total = found.values.sum(axis=1) + found.base_values
    np.testing.assert_allclose(total, model.predict_proba(X), atol=1e-9)
    assert found.output_names[2] == "probability of 2"


def test_the_packages_plots_draw_it_with_categories(shap):
    import matplotlib.pyplot as plt

    X, y = every_kind()
    model = BoostedTreesClassifier(n_estimators=5).fit(X, y)
    found = model.shap_explanation(X)
    if found.values.ndim == 3:
        found = found[..., 1]
    place = list(found.feature_names).index("city")
    assert set(found.display_data[:, place]) <= {*map(str, X["city"].dropna()), "missing"}
    drawn = {}
    for name, plot, given in (
        ("beeswarm", shap.plots.beeswarm, found),
        ("waterfall", shap.plots.waterfall, found[0]),
        ("scatter", shap.plots.scatter, found[:, place]),
    ):
        plt.figure()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plot(given, show=False)
            plt.gcf().canvas.draw()
        axes = plt.gcf().axes
        drawn[name] = " ".join(t.get_text() for ax in axes for t in ax.get_yticklabels())
        drawn[name] += " ".join(t.get_text() for ax in axes for t in ax.get_xticklabels())
    assert "city" in drawn["beeswarm"]
    assert f"{found.display_data[0, place]} = city" in drawn["waterfall"]
    assert "Oslo" in drawn["scatter"]
    plt.close("all")


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch):
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier().fit(X, y)
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'hardwood\[shap\]'"):
        model.shap_explanation(X)


@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=3)])
def test_the_page_says_what_to_call_in_place_of_tree_explainer(shap, model):
    """shap reads models of libraries that it names; if it comes to take ours, the page changes."""
    X, y = load_breast_cancer(return_X_y=True)
    model.fit(X, y)
    with pytest.raises(Exception, match="Model type not yet supported by TreeExplainer"):
        shap.TreeExplainer(model)
    page = Path(__file__).parents[2] / "docs/how-to/explain.md"
    said = " ".join(page.read_text(encoding="utf-8").split())
    assert "Model type not yet supported by TreeExplainer" in said
    assert "call `model.shap_explanation(X)` in its place" in said
    assert "log odds" in str(model.shap_explanation.__doc__)
