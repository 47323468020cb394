"""`train`, `predict` and `show` on every format, against the estimators themselves."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import hardwood as package
from hardwood import BoostedTreesClassifier, TreeClassifier

FORMATS = [
    "t.csv",
    "t.csv.gz",
    "t.tsv",
    "semicolon.csv",
    "t.parquet",
    "t.arrow",
    "t.feather",
    "s.arrow",
]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    n = 300
    size, colour = rng.normal(size=n).round(3), rng.choice(["red", "dark, blue", 'the "x"'], n)
    wet = rng.random(n) < 0.4
    kind = np.where(size + wet + (colour == "red") > 0.9, "yes", "no")
    return pa.table(
        {
            "size": pa.array(size, mask=rng.random(n) < 0.1),
            "colour": pa.array(colour.tolist(), mask=rng.random(n) < 0.1),
            "wet": wet,
            "big": rng.integers(2**60, 2**60 + 50, n),
            "kind": kind.tolist(),
        }
    )


def write(table, path):
    text = io.BytesIO()
    delimiter = {"t.tsv": "\t", "semicolon.csv": ";"}.get(path.name, ",")
    pyarrow.csv.write_csv(table, text, pyarrow.csv.WriteOptions(delimiter=delimiter))
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=70)
    elif path.name == "s.arrow":
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=100)
    elif path.suffix in (".arrow", ".feather"):
        pyarrow.feather.write_feather(table, path, chunksize=100)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.getvalue()))
    else:
        path.write_bytes(text.getvalue())
    return path


def predicted(out: str):
    return pyarrow.csv.read_csv(io.BytesIO(out.encode()))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_model_and_predictions_of_the_library(
    name, table, hardwood, tmp_path
):
    data, file = write(table, tmp_path / name), tmp_path / "model.hardwood"
    code, out, err = hardwood(
        "train", data, "--target", "kind", "--max-leaf-nodes", 6, "--out", file
    )
    assert (code, err) == (0, "")
    X, y = table.drop_columns(["kind"]), table["kind"].to_numpy()
    tree = TreeClassifier(max_leaf_nodes=6).fit(X, y)
    model = package.load(file)
    assert model.digest() == tree.digest()
    assert model.target_name_ == "kind"
    assert tree.to_text() in out
    assert str(tree.certificate_) in out
    assert "categories    1  colour (3)" in out
    assert "10-fold cross-validation" in out

    reordered = table.select(["kind", "wet", "colour", "big", "size"]).append_column(
        "other", pa.array(["?"] * len(table))
    )
    code, out, err = hardwood("predict", file, write(reordered, tmp_path / f"other-{name}"))
    assert (code, err) == (0, "")
    rows = predicted(out)
    assert rows.column_names == ["prediction", "p_no", "p_yes"]
    assert rows["prediction"].to_pylist() == tree.predict(X).tolist()
    np.testing.assert_array_equal(
        np.column_stack([rows["p_no"], rows["p_yes"]]), tree.predict_proba(X)
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".feather"])
def test_predictions_are_written_in_the_format_of_the_suffix(suffix, table, hardwood, tmp_path):
    data, file, out = write(table, tmp_path / "t.parquet"), tmp_path / "m", tmp_path / f"p{suffix}"
    out.write_text("old")
    X, y = table.drop_columns(["kind"]), table["kind"].to_numpy()
    model = BoostedTreesClassifier(n_estimators=4).fit(X, y)
    package.save(model, file)
    assert hardwood("predict", file, data, "--out", out) == (0, "", "")
    read = {".csv": pyarrow.csv.read_csv, ".parquet": pyarrow.parquet.read_table}
    rows = read.get(suffix, pyarrow.feather.read_table)(out)
    assert rows["prediction"].to_pylist() == model.predict(X).tolist()
    np.testing.assert_array_equal(rows["p_yes"], model.predict_proba(X)[:, 1])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m", out.name, "t.parquet"]


def test_boosted_models_are_trained_with_their_options(table, hardwood, tmp_path):
    data, file = write(table, tmp_path / "t.csv"), tmp_path / "model.hardwood"
    code, out, _ = hardwood(
        *("train", data, "--target", "kind", "--model", "boosted", "--out", file),
        *("--n-estimators", 5, "--learning-rate", 0.5, "--class-weight", "no=2,yes=1"),
    )
    assert code == 0
    assert "5 boosted trees" in out
    X, y = table.drop_columns(["kind"]), table["kind"].to_numpy()
    weight = {"no": 2.0, "yes": 1.0}
    model = BoostedTreesClassifier(n_estimators=5, learning_rate=0.5, class_weight=weight)
    assert package.load(file).digest() == model.fit(X, y).digest()


def test_libsvm_files_are_read_sparse_by_their_own_indices(hardwood, tmp_path):
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 3, (80, 4))
    labels = np.where(rows[:, 1] > 0, 1, -1)
    lines = [
        " ".join([str(label), *(f"{j + 1}:{v}" for j, v in enumerate(row) if v)])
        for label, row in zip(labels, rows, strict=True)
    ]
    data, file = tmp_path / "t.txt", tmp_path / "model.hardwood"
    data.write_text("\n".join(lines))
    code, out, _ = hardwood("train", data, "--out", file)
    assert code == 0
    assert "x2 <= 0" in out
    wider = tmp_path / "wider.libsvm"
    wider.write_text("".join(f"{line} 9:1\n" for line in lines))
    code, out, _ = hardwood("predict", file, wider)
    assert predicted(out)["prediction"].to_pylist() == labels.tolist()
    assert predicted(out).column_names == ["prediction", "p_-1", "p_1"]


def test_columns_that_teach_nothing_are_left_out_and_named(hardwood, tmp_path):
    lines = [
        f"{i},2020-01-{1 + i % 28:02d},,n{i},{i % 2},{'a' if i % 3 else 'b'}" for i in range(60)
    ]
    data, file = tmp_path / "t.csv", tmp_path / "m"
    data.write_text("row,day,empty,name,bit,kind\n" + "\n".join(lines))
    code, out, _ = hardwood("train", data, "--target", "kind", "--ignore", "row", "--out", file)
    assert code == 0
    assert "left out      3  day (dates), empty (no value), name (60 different texts)" in out
    assert package.load(file).feature_names_in_.tolist() == ["bit"]
    declared = ("--categorical-features", "name,bit")
    code, out, _ = hardwood("train", data, "--target", "kind", "--out", file, *declared)
    assert code == 0
    assert "categories    2  name (60), bit (2)" in out
    assert hardwood("predict", file, data)[1].count("\n") == 61


def test_numbers_as_categories_and_booleans_are_found_again(hardwood, tmp_path):
    lines = [
        f"{i % 4},{'true' if i % 2 else 'false'},{'odd' if i % 4 in (1, 2) else 'even'}\n"
        for i in range(40)
    ]
    data, file = tmp_path / "t.csv", tmp_path / "m"
    data.write_text("code,flag,kind\n" + "".join(lines))
    code, *_ = hardwood(
        "train", data, "--target", "kind", "--out", file, "--categorical-features", "code"
    )
    assert code == 0
    rows = predicted(hardwood("predict", file, data)[1])
    assert rows["prediction"].to_pylist() == [line.strip().split(",")[2] for line in lines]


def test_quiet_says_nothing_and_folds_can_be_chosen(table, hardwood, tmp_path):
    data, file = write(table, tmp_path / "t.csv"), tmp_path / "m"
    train = ("train", data, "--target", "kind", "--out", file)
    assert hardwood(*train, "--quiet") == (0, "", "")
    assert "3-fold" in hardwood(*train, "--folds", 3)[1]
    assert "fold" not in hardwood(*train, "--folds", 0)[1]


def test_bytes_that_are_not_utf8_are_found_wherever_they_stand(hardwood, tmp_path):
    data = tmp_path / "t.csv"
    good = b"size,name,kind\n" + b"1,a,x\n2,b,y\n" * 9000
    data.write_bytes(good + "3,é,x\n".encode("latin-1"))
    code, _, err = hardwood("train", data, "--target", "kind", "--out", tmp_path / "m")
    assert code == 2
    assert "is not utf-8 text (column 'name')" in err
    latin = ("--encoding", "latin-1")
    train = ("train", data, "--target", "kind", "--out", tmp_path / "m")
    assert hardwood(*train, "--quiet", *latin) == (0, "", "")
    code, _, err = hardwood("predict", tmp_path / "m", data)
    assert (code, "is not utf-8 text" in err) == (2, True)
    code, out, _ = hardwood("predict", tmp_path / "m", data, *latin)
    assert (code, out.count("\n")) == (0, 18002)


def test_class_names_that_need_quotes_get_them(hardwood, tmp_path):
    data, file = tmp_path / "t.csv", tmp_path / "m"
    data.write_text("size,kind\n" + '1,"a, b"\n2,"line\nbreak"\n3,plain\n' * 5)
    assert hardwood("train", data, "--target", "kind", "--out", file, "-q")[0] == 0
    out = hardwood("predict", file, data)[1]
    options = pyarrow.csv.ParseOptions(newlines_in_values=True)
    rows = pyarrow.csv.read_csv(io.BytesIO(out.encode()), parse_options=options)
    assert rows["prediction"].to_pylist() == ["a, b", "line\nbreak", "plain"] * 5
    assert rows.column_names[1:] == ["p_a, b", "p_line\nbreak", "p_plain"]


@pytest.mark.parametrize("form", ["rules", "dot", "json", "sql", "python", "c"])
def test_show_prints_the_export(form, table, hardwood, tmp_path):
    X, y = table.drop_columns(["kind"]), table["kind"].to_numpy()
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y)
    package.save(model, tmp_path / "m")
    rules = "\n".join(map(str, model.rules()))
    expected = rules if form == "rules" else getattr(package.export, form)(model)
    assert hardwood("show", tmp_path / "m", "--as", form) == (0, expected.rstrip("\n") + "\n", "")


def test_show_tells_what_the_model_is(table, hardwood, tmp_path):
    X, y = table.drop_columns(["kind"]), table["kind"].to_numpy()
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y)
    package.save(model, tmp_path / "m")
    code, out, _ = hardwood("show", tmp_path / "m")
    assert code == 0
    assert out.startswith("TreeClassifier of the target, 2 classes (no, yes), 4 columns\n")
    assert model.to_text() in out


def test_the_demonstration_writes_a_model_file(hardwood, tmp_path):
    code, out, _ = hardwood("demo", "--out", tmp_path / "demo.hardwood")
    assert code == 0
    assert "Test error" in out
    assert package.load(tmp_path / "demo.hardwood").get_n_leaves() <= 8
    assert f"{tmp_path / 'demo.html'}: open it in a browser" in out
    assert f"show {tmp_path / 'demo.hardwood'} --as rules" in out
    assert (tmp_path / "demo.html").stat().st_size > 10_000
