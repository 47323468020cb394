"""What a data set may hold, and what is refused, by file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from hardwood import TreeClassifier
from hardwood.stored import source

rng = np.random.default_rng(1)
ROWS = pd.DataFrame(
    {
        "a": rng.normal(size=400),
        "b": rng.integers(0, 3, 400),
        "word": rng.choice(["x", "y", "z"], 400),
    }
)
ROWS["label"] = ((ROWS["a"] > 0) ^ (ROWS["word"] == "x")).astype(int)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(source, "BLOCK_ROWS", 120)


def tree():
    return TreeClassifier(pruning=None, max_leaf_nodes=12)


def arrow(rows):
    return rows if isinstance(rows, pa.Table) else pa.Table.from_pandas(rows, preserve_index=False)


@pytest.fixture
def files(tmp_path):
    def write(*tables):
        for i, rows in enumerate(tables):
            pq.write_table(arrow(rows), tmp_path / f"{i}.parquet")
        return ds.dataset(tmp_path)

    return write


def here(table):
    """The digest of the same rows in memory."""
    table = arrow(table)
    return tree().fit(table.drop_columns(["label"]), table.column("label").to_numpy()).digest()


def test_partitions_in_folder_names_are_columns(tmp_path):
    for column in ("word", "label"):
        place = tmp_path / column
        ds.write_dataset(
            arrow(ROWS), place, format="parquet", partitioning=[column], partitioning_flavor="hive"
        )
        X = ds.dataset(place, partitioning="hive")
        model = tree().fit(X, "label")
        assert model.digest() == here(X.to_table())
        assert model.target_name_ == "label"
        lazy = pl.scan_parquet(place / "**" / "*.parquet", hive_partitioning=True)
        assert tree().fit(lazy, "label").n_features_in_ == 3


def test_a_lazy_frame_may_compute_columns(files, tmp_path):
    files(ROWS.iloc[:150], ROWS.iloc[150:])
    lazy = pl.scan_parquet(tmp_path / "*.parquet")
    doubled = lazy.with_columns(twice=pl.col("a") * 2).filter(pl.col("b") > 0)
    assert tree().fit(doubled, "label").digest() == here(doubled.collect().to_arrow())
    wrong = lazy.with_columns(number=pl.col("word").cast(pl.Int32))
    with pytest.raises(ValueError, match=r"lazy frame could not be computed .*InvalidOperation"):
        tree().fit(wrong, "label")
    with pytest.raises(ValueError, match="lazy frame could not be computed .*FileNotFound"):
        tree().fit(pl.scan_parquet(tmp_path / "absent.parquet"), "label")


def test_strings_and_dictionaries_are_categories(files):
    coded = arrow(ROWS)
    coded = coded.set_column(2, "word", coded.column("word").dictionary_encode())
    declared = [
        ROWS.assign(word=pd.Categorical(ROWS["word"], categories=order))
        for order in (["z", "x", "y"], ["y", "x", "z", "q"])
    ]
    for tables in (
        [ROWS.iloc[:150], ROWS.iloc[150:]],
        [coded.slice(0, 150), coded.slice(150)],
        [declared[0].iloc[:150], declared[0].iloc[150:]],
        [declared[0].iloc[:150], declared[1].iloc[150:]],
        [declared[1].iloc[150:], declared[0].iloc[:150]],
    ):
        X = files(*tables)
        assert tree().fit(X, "label").digest() == here(X.to_table())


def test_the_blocks_do_not_decide_the_order_of_categories(files, monkeypatch):
    orders = [["z", "x", "y"], ["y", "x", "z", "q"], ["x", "y", "z"]]
    X = files(*[ROWS.assign(word=pd.Categorical(ROWS["word"], categories=o)) for o in orders])
    digests = set()
    for size in (50, 120, 500, 5000):
        monkeypatch.setattr(source, "BLOCK_ROWS", size)
        digests.add(tree().fit(X, "label").digest())
    assert digests == {here(X.to_table())}


def with_column(values, kind):
    return arrow(ROWS).append_column("extra", pa.array(values, kind))


def test_decimals_are_numbers_and_dates_are_refused(files):
    X = files(with_column(list(range(400)), pa.decimal128(5, 1)))
    assert tree().fit(X, "label").digest() == here(X.to_table())
    for kind in (pa.date32(), pa.timestamp("s"), pa.duration("s")):
        with pytest.raises(TypeError, match=r"In .*0.parquet: Column 'extra' holds dates"):
            tree().fit(files(with_column([1] * 400, kind)), "label")
    with pytest.raises(TypeError, match=r"In .*0.parquet: Column 'extra' holds cells of type List"):
        tree().fit(files(with_column([[1]] * 400, pa.list_(pa.int64()))), "label")


REFUSED = {
    "a missing label": ({"label": ROWS["label"].where(ROWS["a"] > 0)}, "Input y contains NaN"),
    "fractions": ({"label": ROWS["a"]}, "Unknown label type: continuous"),
    "a negative weight": ({"weight": -1.0}, "sample_weight contains the negative value -1"),
    "a missing weight": ({"weight": np.nan}, "sample_weight contains NaN"),
    "infinity": ({"a": np.inf}, "Column 'a' of X contains infinity"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_rows_are_refused_by_file(files, case):
    change, sentence = REFUSED[case]
    given = ROWS.assign(weight=1.0, label=ROWS["label"] + 0.0)
    X = files(given, given.assign(**change))
    with pytest.raises(ValueError, match=f"In .*1.parquet: {sentence}"):
        tree().fit(X, "label", sample_weight="weight")


def test_wrong_columns_are_refused(files, tmp_path):
    X = files(ROWS)
    with pytest.raises(ValueError, match="both the column 'label'"):
        tree().fit(X, "label", sample_weight="label")
    with pytest.raises(ValueError, match=r"In .*0.parquet: sample_weight must be numbers"):
        tree().fit(X, "label", sample_weight="word")
    with pytest.raises(ValueError, match="no partition has a row"):
        tree().fit(files(ROWS.iloc[:0]), "label")
    with pytest.raises(ValueError, match="Found X with 0 feature"):
        tree().fit(files(ROWS[["label"]]), "label")


def test_a_broken_or_absent_file_is_named(files, tmp_path):
    X = files(ROWS, ROWS, ROWS)
    lazy = pl.scan_parquet(tmp_path / "*.parquet")
    content = (tmp_path / "1.parquet").read_bytes()
    (tmp_path / "1.parquet").write_bytes(content[:20] + bytes(4000) + content[4020:])
    with pytest.raises(ValueError, match=r"lazy frame could not be computed after row \d+"):
        tree().fit(lazy, "label")
    for damage in (content[: len(content) // 2], None):
        (tmp_path / "1.parquet").unlink()
        if damage is not None:
            (tmp_path / "1.parquet").write_bytes(damage)
        with pytest.raises(ValueError, match="1.parquet could not be read"):
            tree().fit(X, "label")
