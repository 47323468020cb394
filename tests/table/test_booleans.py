"""Columns of True and False: two-valued numbers that every text calls true and false."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import hardwood
from hardwood.table import read_training_table
from hardwood.table.schema import ColumnSchema
from hardwood.tree.conditions import Interval


def people(n=240, seed=5):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"smoker": rng.random(n) < 0.4, "age": rng.integers(18, 80, n)})
    return frame, np.where(frame.smoker & (frame.age > 50), "ill", "well")


FORMS = {
    "pandas": lambda frame: frame,
    "pandas nullable": lambda frame: frame.astype({"smoker": "boolean"}),
    "objects": lambda frame: frame.astype({"smoker": object}),
    "polars": pl.from_pandas,
    "Arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_library_says_true_and_false(form):
    frame, y = people()
    model = hardwood.TreeClassifier(pruning=None).fit(FORMS[form](frame), y)
    plain = hardwood.TreeClassifier(pruning=None).fit(frame.astype({"smoker": int}), y)
    assert model.digest() == plain.digest()
    text = model.to_text()
    assert "smoker is false" in text
    assert "smoker is true" in text
    assert "smoker <=" not in text
    assert "smoker <= 0" in plain.to_text()
    assert any("smoker is true" in str(rule) for rule in model.rules())
    assert "smoker is true" in hardwood.export.dot(model)
    assert "smoker is true" in str(model.to_dict())
    said = str(model.explain({"smoker": True, "age": 70}))
    assert "smoker is true   here true" in said


def test_a_drawing_says_it_too():
    pytest.importorskip("matplotlib").use("Agg")
    frame, y = people()
    ax = hardwood.TreeClassifier(pruning=None).fit(frame, y).plot()
    assert "smoker is false" in {text.get_text() for text in ax.texts}


def test_boosted_trees_say_it_too():
    frame, y = people()
    model = hardwood.BoostedTreesClassifier(n_estimators=3, max_depth=2).fit(frame, y)
    assert "smoker is true" in model.to_text()
    assert "smoker is true" in "\n".join(map(str, model.rules()))


def test_arrays_lists_and_sparse_matrices_of_booleans_are_known():
    values = np.array([[True], [False], [True]])
    for table in (values, values.astype(object), [[True], [False], [True]]):
        assert read_training_table(table).column(0).schema.boolean
    assert read_training_table(sparse.csr_matrix(values)).column(0).schema.boolean
    with_missing = np.array([[True], [None], [False]], dtype=object)
    column = read_training_table(with_missing).column(0)
    assert column.schema.boolean
    assert column.missing.tolist() == [False, True, False]
    assert not read_training_table(np.array([[1], [0]])).column(0).schema.boolean
    mixed = np.array([[True], [2]], dtype=object)
    assert not read_training_table(mixed).column(0).schema.boolean
    absent = np.array([[None], [None]], dtype=object)
    assert not read_training_table(absent).column(0).schema.boolean


def test_parts_of_a_table_agree_that_a_column_is_boolean():
    frame, y = people()
    table = pa.Table.from_pandas(frame.assign(state=y), preserve_index=False)
    dataset = pytest.importorskip("pyarrow.dataset").dataset(table)
    model = hardwood.TreeClassifier(pruning=None).fit(dataset, y="state")
    assert "smoker is true" in model.to_text()
    assert model.digest() == hardwood.TreeClassifier(pruning=None).fit(frame, y).digest()


def test_a_model_file_remembers_it_and_files_without_booleans_stay_as_they_were(tmp_path):
    frame, y = people()
    model = hardwood.TreeClassifier(pruning=None).fit(frame, y)
    hardwood.save(model, tmp_path / "a")
    assert hardwood.load(tmp_path / "a").to_text() == model.to_text()
    plain = hardwood.TreeClassifier(pruning=None).fit(frame.astype(int), y)
    hardwood.save(plain, tmp_path / "b")
    again = hardwood.load(tmp_path / "b")
    assert again.to_text() == plain.to_text()
    assert not any(schema.boolean for schema in again._schemas)


def test_intervals_without_true_and_false_keep_their_numbers():
    schema = ColumnSchema("smoker", "numeric", boolean=True)
    assert str(Interval(schema, upper=0.5)) == "smoker is false"
    assert str(Interval(schema, lower=0, missing=True, missing_seen=True)) == (
        "smoker is true or missing"
    )
    assert str(Interval(schema, lower=-1, upper=3)) == "smoker is present"
    assert str(Interval(schema, lower=1)) == "smoker > 1"


@pytest.mark.parametrize("values", [["2020-01-01"], [np.timedelta64(3, "D")]])
def test_dates_are_refused_with_a_way_out(values):
    kind = "datetime64[D]" if isinstance(values[0], str) else None
    frame = pd.DataFrame({"since": np.array(values * 4, dtype=kind), "age": range(4)})
    with pytest.raises(TypeError, match="turn it into numbers first, for example days since"):
        hardwood.TreeClassifier().fit(frame, [0, 1, 0, 1])
