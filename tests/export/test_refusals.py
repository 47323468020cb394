"""What an export cannot express, it refuses with a sentence."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from hardwood import TreeClassifier, export
from hardwood.errors import MissingExtraError
from hardwood.table.schema import ColumnSchema
from tests.export.models import SCHEMAS, as_model, hand_made
from tests.hand_built import build, groups, interval, leaf

EVERY = [export.dot, export.json, export.sql, export.python, export.c, export.onnx]


@pytest.mark.parametrize("write", EVERY)
def test_only_fitted_models_of_ours_are_taken(write):
    with pytest.raises(NotFittedError):
        write(TreeClassifier())
    with pytest.raises(TypeError, match="given was DecisionTreeClassifier"):
        write(DecisionTreeClassifier())


@pytest.mark.parametrize("write", [export.dot, export.sql, export.python, export.c, export.onnx])
def test_fractional_examples_are_refused_where_one_path_is_followed(write):
    model = hand_made(0, 4, [0, 1])
    model.tree_ = replace(model.tree_, share=np.ones(model.tree_.n_nodes))
    with pytest.raises(ValueError, match="missing='fractional'"):
        write(model)
    assert '"share": 1.0' in export.json(model)


def of_category(*values, name="c"):
    schemas = (ColumnSchema(name, "category", values),)
    return as_model(build(groups(0, [[0], [1]], leaf(1, 0), leaf(0, 2)), schemas), [0, 1], schemas)


@pytest.mark.parametrize("write", [export.sql, export.c])
@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_text_cannot_hold_are_refused(write, name):
    with pytest.raises(ValueError, match="rename it before training"):
        write(of_category(name, "b"))


@pytest.mark.parametrize("write", [export.sql, export.c, export.onnx])
def test_integer_categories_beyond_double_are_refused(write):
    with pytest.raises(ValueError, match="categories that are integers beyond 2"):
        write(of_category(2**53 + 1, 5))


def test_onnx_refuses_integers_beyond_double_only_when_a_tree_asks_them():
    tree = build(interval(3, [2**60], leaf(1, 0), leaf(0, 1)), SCHEMAS)
    with pytest.raises(ValueError, match="integers beyond 2\\^53"):
        export.onnx(as_model(tree, [0, 1], SCHEMAS))
    export.onnx(as_model(build(leaf(1, 2), SCHEMAS), [0, 1], SCHEMAS))


def test_onnx_needs_a_string_for_missing_that_is_no_category():
    with pytest.raises(ValueError, match="missing_string='' is a category"):
        export.onnx(of_category("", "b"))
    export.onnx(of_category("", "b"), missing_string="none")


def test_without_onnx_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"hardwood\[onnx\]"):
        export.onnx(hand_made(0, 1, [0, 1]))


def test_python_source_refuses_an_infinite_value_that_decides():
    schemas = (ColumnSchema("a", "numeric"), ColumnSchema("b", "numeric"))
    tree = build(interval(0, [1.5], leaf(1, 0), leaf(0, 2)), schemas)
    module = {}
    exec(export.python(as_model(tree, ["no", "yes"], schemas)), module)
    with pytest.raises(ValueError, match="infinity"):
        module["predict"]({"a": math.inf, "b": 0.0})
    assert module["predict"]({"a": np.float32(1.5), "b": math.inf}) == "no"
    with pytest.raises(ValueError, match="A row has 1 values; the model has 2 columns"):
        module["predict"]([1.0])
