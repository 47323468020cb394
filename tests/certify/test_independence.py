"""The checker's own code: what it may import, and that it states the library's rules."""

import ast
import math
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hardwood import theory
from hardwood.boosting.columns_drawn import allowed_columns
from hardwood.certify.checking import class_numbers, draws, formulas
from hardwood.criteria import CRITERIA, cost
from hardwood.encoding import read_labels
from hardwood.encoding.drawn_rows import draw_share, drawn_rows

SHARED = ("hardwood.table", "hardwood.tree.arrays", "hardwood.errors", "hardwood.certify.checking")


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_the_checker_imports_only_records_and_the_reading_of_tables():
    files = list(Path(formulas.__file__).parent.glob("*.py"))
    assert len(files) > 10
    for path in files:
        ours = [name for name in imported(path) if name.split(".")[0] in ("hardwood", "sklearn")]
        assert all(name.startswith(SHARED) for name in ours), path


@pytest.mark.parametrize("criterion", CRITERIA)
def test_costs_are_those_of_the_library(criterion):
    random = np.random.RandomState(0)
    for classes in (1, 2, 3, 7):
        units = random.randint(0, 2**40, (200, classes)) * random.randint(0, 2, (200, classes))
        nearly_pure = units + np.array([2**50] + [1] * (classes - 1))
        for a in (units, nearly_pure):
            np.testing.assert_allclose(formulas.cost(a, criterion), cost(a, criterion), rtol=1e-14)


def test_advantages_prices_and_bounds_are_those_of_the_library():
    random = np.random.RandomState(1)
    for k in range(2, 40):
        units = random.randint(0, 1000, (k, 2)).astype(float)
        assert formulas.advantage(units) == pytest.approx(theory.advantage(units.T), abs=1e-15)
        assert formulas.price(k, None) == theory.branch_price(k)
        for gamma in (1e-9, 0.1, 0.5, 0.999):
            assert formulas.price(k, gamma) == pytest.approx(theory.branch_price(k, gamma))
            assert formulas.e_gamma(k, gamma) == pytest.approx(theory.e_gamma(k, gamma))
            assert formulas.size_bound(k, gamma) == pytest.approx(theory.size_bound(k, gamma))
    assert math.isnan(formulas.advantage(np.array([[1.0, 0.0], [2.0, 0.0]])))
    assert formulas.e_gamma(3, 1.0) == theory.e_gamma(3, 1.0) == 0.0


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31, -3, 2**70])
def test_drawn_columns_are_those_of_the_library(seed):
    for columns, fraction in [(1, 0.5), (5, 0.2), (17, 0.55), (200, 0.999)]:
        drawn = allowed_columns(seed, 3, 4, columns, fraction)
        for r in range(4):
            mine = draws.drawn_columns(seed, 3 + r, columns, fraction)
            assert mine.tolist() == np.flatnonzero(drawn[r]).tolist()


@pytest.mark.parametrize("seed", range(8))
def test_held_out_rows_are_those_of_the_library(seed):
    random = np.random.RandomState(100 + seed)
    classes = 2 + seed % 4
    labels = random.randint(0, classes, 60 + 7 * seed)
    share = float(random.uniform(0.1, 0.6))
    draw = draw_share(np.bincount(labels, minlength=classes), share, seed)
    mine = draws.held_out_rows(seed, labels, classes, share)
    assert (mine == drawn_rows(draw, labels.astype(np.int32))).all()


def test_one_row_of_a_class_is_never_held_out():
    held = draws.held_out_rows(0, np.array([0, 0, 0, 1]), 2, 0.6)
    assert held[:3].any()
    assert not held.all()
    assert not held[3]


@pytest.mark.parametrize(
    "y",
    [
        [3, 1, 2, 1],
        [True, False, True],
        np.array([1.0, 0.0, 1.0]),
        np.array([-5, 2**40, 7]),
        np.array([2**63, 0, 2**64 - 1], dtype=np.uint64),
        [-1, 2**63, 2**70],
        ["b", "a", "ä", "B"],
        np.array(["yes", "no"], dtype=object),
        np.array([b"yes", b"no"]),
        pd.Series(["u", "v", "u"], dtype="category"),
        pd.Series([2, 1, 2], dtype="Int64"),
        pl.Series(["u", "v", "u"]),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_class_numbers_are_those_of_the_library(y):
    classes, numbers = class_numbers.class_numbers(y, len(y))
    told = read_labels(y, len(y))
    assert np.array_equal(told.classes, classes)
    assert numbers.tolist() == told.codes.tolist()


@pytest.mark.parametrize("y", [[0, 1, None], [0.0, 1.0, math.nan], ["a", "b", pd.NA]])
def test_missing_labels_are_refused(y):
    with pytest.raises(ValueError, match="missing labels"):
        class_numbers.class_numbers(y, 3)


def test_labels_that_cannot_be_sorted_are_refused():
    with pytest.raises(TypeError, match="several types"):
        class_numbers.class_numbers(["a", 1], 2)
