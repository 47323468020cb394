"""A drawn tree: nothing overlaps, nothing is lost, and matplotlib is optional."""

import subprocess
import sys
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.errors import MissingExtraError
from hardwood.plots import plot_tree
from hardwood.plots.short_words import LONGEST_NAME, rounded, shortened_apart
from tests.hand_built import SCHEMAS, build, interval, leaf, random_node

pytestmark = pytest.mark.grid

mpl.use("Agg")
NAMES = ["setosa", "versicolor", "a class with quite a long name, indeed", "$other$", "fifth"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def text_boxes(ax):
    ax.figure.canvas.draw()
    return [text.get_window_extent() for text in ax.texts]


@pytest.mark.parametrize("leaves", [1, 2, 5, 15, 30])
@pytest.mark.parametrize("seed", range(2))
def test_no_text_overlaps_and_all_of_it_is_inside_the_figure(leaves, seed):
    classes = 2 + (leaves + seed) % 4
    tree = build(random_node(np.random.default_rng(seed), leaves, classes), SCHEMAS)
    ax = plot_tree(tree, SCHEMAS, NAMES[:classes])
    boxes = text_boxes(ax)
    assert len(boxes) == 2 * tree.n_nodes + classes
    width, height = ax.figure.canvas.get_width_height()
    for box in boxes:
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y0 >= 0
        assert box.y1 <= height
    for one, other in combinations(boxes, 2):
        across = min(one.x1, other.x1) - max(one.x0, other.x0)
        along = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert across <= 0 or along <= 1.5  # descenders may touch the line below


def test_cards_name_conditions_labels_and_rows():
    tree = build(interval(0, [42.5], leaf(995, 5), leaf(0, 1), missing=0), SCHEMAS)
    texts = {text.get_text() for text in plot_tree(tree, SCHEMAS, ["no", "yes"]).texts}
    assert {"age <= 42.5 or missing", "no  99.5% of 1,000 rows", "yes  100% of 1 row"} <= texts


def test_a_given_axes_is_used_and_filled():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2)
    tree = build(random_node(np.random.default_rng(3), 12, 2), SCHEMAS)
    assert plot_tree(tree, SCHEMAS, [0, 1], ax=axes[1]) is axes[1]
    assert len(figure.axes) == 2
    area = axes[1].get_window_extent()
    assert all(area.x0 - 1 <= box.x0 and box.x1 <= area.x1 + 1 for box in text_boxes(axes[1]))


def test_a_long_chain_stays_within_a_figure_that_can_be_drawn():
    node = leaf(1, 1)
    for depth in range(60):
        node = interval(0, [float(depth)], node, leaf(2, 0))
    ax = plot_tree(build(node, SCHEMAS), SCHEMAS, [0, 1])
    assert max(ax.figure.get_size_inches()) <= 60.0 + 1e-9


def test_a_model_in_place_of_a_tree_is_told_how_it_is_drawn():
    model = BoostedTreesClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"given was a BoostedTreesClassifier(.|\n)*model\.plot"):
        plot_tree(model, model._schemas, [0, 1])
    with pytest.raises(TypeError, match=r"given was a BoostedTreesClassifier(.|\n)*model\.plot"):
        plot_tree(model)
    with pytest.raises(TypeError, match=r"with its columns' schemas and its classes"):
        plot_tree(build(leaf(1, 2)))
    assert model.plot(tree=1).texts


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"hardwood\[plots\]"):
        plot_tree(build(leaf(1, 2)), [], [0, 1])


def test_importing_the_plots_does_not_import_matplotlib():
    code = "import hardwood.plots, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_thresholds_are_short_but_stay_apart():
    near = interval(0, [0.30000000000000004], leaf(3, 1), leaf(0, 2))
    tree = build(interval(0, [0.1 + 0.2 + 1e-9], near, leaf(1, 0)), SCHEMAS)
    texts = [text.get_text() for text in plot_tree(tree, SCHEMAS, ["no", "yes"]).texts]
    assert [text for text in texts if text.startswith("age <=")] == [
        "age <= 0.300000001",
        "age <= 0.3",
    ]
    assert rounded(26287.497231281228, 6) == 26287.5
    assert rounded(123456789.25, 6) == 123456789.0


def test_long_names_that_differ_in_the_middle_are_told_apart():
    names = [f"occupation number {place} of very many others" for place in range(12)]
    short = shortened_apart(names)
    assert len(set(short)) == 12
    assert max(map(len, short)) <= LONGEST_NAME
    assert shortened_apart(["a", "b"]) == ["a", "b"]


def test_no_two_of_24_classes_have_the_same_colour():
    tree = build(leaf(*range(1, 25)))
    ax = plot_tree(tree, [], list(range(24)))
    assert len({patch.get_facecolor() for patch in ax.patches[1:]}) == 24


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits])
def test_fifteen_leaves_are_readable_on_a_slide(load):
    X, y = load(return_X_y=True, as_frame=True)
    model = TreeClassifier(max_leaf_nodes=15, min_samples_leaf=1, pruning=None).fit(X, y)
    assert model.get_n_leaves() == 15
    ax = model.plot()
    width, height = ax.figure.get_size_inches()
    shrunk = min(1.0, 13.33 / width, 7.5 / height)
    assert min(text.get_fontsize() for text in ax.texts) * shrunk >= 8.0
    words = " ".join(" ".join(text.get_text().split()) for text in ax.texts)
    for rule in model.rules():
        for condition in rule.conditions:
            assert str(condition).split(" in (")[0].split(" <= ")[0] in words
    boxes = text_boxes(ax)
    cards = [patch.get_window_extent() for patch in ax.patches if hasattr(patch, "get_boxstyle")]
    assert len(cards) == model.tree_.n_nodes
    for one, other in combinations(cards, 2):
        across = min(one.x1, other.x1) - max(one.x0, other.x0)
        along = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert across <= 0 or along <= 0
    for box in boxes[: 2 * len(cards)]:
        assert any(
            card.x0 <= box.x0 and box.x1 <= card.x1 and card.y0 <= box.y0 and box.y1 <= card.y1
            for card in cards
        )
