"""A chain of thousands of levels and a tree of very many leaves: loaded, asked and written out.

Everything ends in bounded time and without a recursion error, or says in a sentence that it will
not.
"""

from __future__ import annotations

import ast
import json

import numpy as np
import pytest

from hardwood import TreeClassifier, export
from hardwood.model_file import dumps, loads
from hardwood.report import report
from tests.effort import THOROUGH
from tests.model_file.large import tried
from tests.model_file.using_fully import or_refused

LEVELS = 10_000 if THOROUGH else 3_000  # thrice as many as Python calls may be nested


@pytest.fixture(scope="module")
def chain():
    """Alternating labels: every split takes one row off an end."""
    X = np.arange(LEVELS + 1, dtype=float)[:, np.newaxis]
    weights = 1.0 + X[:, 0] * 1e-9
    model = TreeClassifier(pruning=None, min_samples_leaf=1)
    model.fit(X, np.arange(LEVELS + 1) % 2, weights)
    assert model.get_depth() == LEVELS
    return loads(dumps(model)), X


def test_a_chain_answers(chain):
    model, X = chain
    assert (model.predict(X) == np.arange(LEVELS + 1) % 2).all()
    assert np.isfinite(model.shap_values(X[:2])).all()
    assert str(model.explain(X[0]))
    assert str(model.diagnose())


def test_a_chain_is_written_out(chain):
    model, _ = chain
    assert len(model.rules()) == LEVELS + 1
    assert model.to_dict()
    assert model.to_text().count("\n") > LEVELS
    assert json.loads(export.json(model))
    assert export.dot(model).startswith("digraph")
    compile(export.python(model), "exported.py", "exec", flags=ast.PyCF_ONLY_AST)
    for write in (export.sql, export.c):
        assert isinstance(or_refused(lambda write=write: write(model), ""), str)


def test_a_chain_is_not_drawn_and_the_axes_say_so(chain):
    plt = pytest.importorskip("matplotlib.pyplot")
    axes = chain[0].plot()
    assert "too many to draw" in axes.texts[0].get_text()
    plt.close(axes.figure)


def test_a_chain_goes_into_a_report(chain, tmp_path):
    model, X = chain
    report(model, X[:20], np.arange(20) % 2, tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 10**5


def test_a_chain_is_a_scorecard_and_onnx_or_refused(chain):
    model, _ = chain
    assert or_refused(lambda: len(export.scorecard(model)), 1)
    assert or_refused(lambda: export.onnx(model).ByteSize(), 1)


def test_a_tree_of_many_leaves_goes_through_every_output():
    """`make large` does the same with a million leaves."""
    ends = tried(12)
    assert len(ends) == 16
    assert int(ends["rules"][1]) > 2**10
