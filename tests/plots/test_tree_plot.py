"""A drawn tree: nothing overlaps, nothing is lost, and matplotlib is optional."""

import subprocess
import sys
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest

from hand_built import SCHEMAS, build, interval, leaf, random_node
from hardwood.errors import MissingExtraError
from hardwood.plots import plot_tree

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


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"hardwood\[plots\]"):
        plot_tree(build(leaf(1, 2)), [], [0, 1])


def test_importing_the_plots_does_not_import_matplotlib():
    code = "import hardwood.plots, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
