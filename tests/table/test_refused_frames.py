"""pandas, polars and Arrow frames that are no tables: one sentence says why."""

import datetime as dt
import importlib.util

import narwhals as nw
import numpy as np
import pytest
from pyarrow.dataset import dataset

from hardwood.table import read_training_table
from tests.table.columns import only_column
from tests.table.libraries import Capsule, every_library, pa, pd, pl


def test_pandas_object_columns_of_mixed_types_are_refused_by_name():
    with pytest.raises(TypeError, match="Column 'mixed' holds cells of type int, str"):
        only_column(pd.DataFrame({"mixed": [1, "a", None]}))


@every_library
@pytest.mark.parametrize(
    "cell", [dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.timedelta(1), dt.time(1)]
)
def test_dates_times_and_durations_are_refused_by_name(make, cell):
    with pytest.raises(TypeError, match="Column 'when' holds dates, times or durations"):
        only_column(make({"when": [cell, None]}))


def test_categories_that_are_dates_or_intervals_are_refused():
    with pytest.raises(TypeError, match="Column 'a' holds dates"):
        only_column(pd.DataFrame({"a": pd.Categorical(pd.to_datetime(["2020-01-01"]))}))
    with pytest.raises(TypeError, match="Column 'a' holds cells of type Interval"):
        only_column(pd.DataFrame({"a": pd.cut([1, 2, 3], 2)}))


def test_categories_of_mixed_types_are_refused():
    with pytest.raises(TypeError, match="Column 'a' holds cells of type int, str"):
        only_column(pd.DataFrame({"a": pd.Categorical([1, "a"])}))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
@pytest.mark.parametrize("cells", [[[1], [2]], [{"k": 1}, {"k": 2}], [b"x", b"y"]])
def test_nested_and_binary_columns_are_refused(make, cells):
    with pytest.raises(TypeError, match="Column 'a' holds cells of type"):
        only_column(make({"a": cells}))


def test_128_bit_integers_are_refused():
    with pytest.raises(ValueError, match="Column 'a' holds 128-bit integers"):
        only_column(pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.Int128)}))


def test_a_capsule_that_is_no_table_is_refused():
    with pytest.raises((TypeError, ValueError), match=r"not a table|Expected 2D array"):
        read_training_table(Capsule(pa.chunked_array([[1, 2]])))


def without(monkeypatch, *libraries):
    find = importlib.util.find_spec
    hide = lambda name, *more: None if name in libraries else find(name, *more)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", hide)


def test_capsules_are_read_by_polars_where_pyarrow_is_absent(monkeypatch):
    without(monkeypatch, "pyarrow")
    assert only_column(Capsule(pa.table({"a": [1.0, None]}))).schema.name == "a"


def test_capsules_need_pyarrow_or_polars(monkeypatch):
    without(monkeypatch, "pyarrow", "polars")
    with pytest.raises(ImportError, match="needs pyarrow or polars"):
        read_training_table(Capsule(pa.table({"a": [1.0]})))


@pytest.mark.parametrize("wrap", [lambda lazy: lazy, nw.from_native])
def test_lazy_frames_are_refused_with_what_to_do(wrap):
    with pytest.raises(TypeError, match=r"lazy frame .*collect"):
        read_training_table(wrap(pl.LazyFrame({"a": [1]})))


def test_data_sets_are_refused_with_what_to_do():
    with pytest.raises(TypeError, match=r"X is a data set .*X\.to_table\(\)"):
        read_training_table(dataset(pa.table({"a": [1.0]})))


@pytest.mark.parametrize("series", [pd.Series([1.0]), pl.Series([1.0]), pa.array([1.0])])
def test_a_single_series_is_refused(series):
    with pytest.raises((TypeError, ValueError), match="Expected 2D array|not a table"):
        read_training_table(series)


def test_empty_frames_are_refused():
    for X in (pd.DataFrame({"a": []}), pl.DataFrame({"a": []}), pa.table({"a": pa.array([])})):
        with pytest.raises(ValueError, match=r"0 sample\(s\)"):
            read_training_table(X)
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        read_training_table(pd.DataFrame(index=range(3)))


def test_names_of_mixed_types_are_refused_as_scikit_learn_does():
    with pytest.raises(TypeError, match="Feature names are only supported if all input features"):
        read_training_table(pd.DataFrame(np.ones((1, 2)), columns=["a", 1]))


def test_repeated_names_are_refused():
    with pytest.raises(ValueError, match="several columns named 'a'"):
        read_training_table(pd.DataFrame(np.ones((1, 3)), columns=["a", "b", "a"]))
