"""`hardwood report` and `train --report`."""

import json
import re

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from tests.cli.bad_inputs import GOOD

TRAIN = ("train", "table.csv", "--target", "kind", "--folds", "0", "-q")


@pytest.fixture
def folder(tmp_path, monkeypatch, hardwood):
    """A folder with table.csv and a model of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(GOOD)
    assert hardwood(*TRAIN)[0] == 0
    return tmp_path


def content_of(path) -> dict:
    found = re.search(r'id="content">(.*?)</script>', path.read_text(), re.DOTALL)
    return json.loads(found[1])


def test_a_model_and_a_table_give_a_page(folder, hardwood):
    code, said, errors = hardwood("report", "model.hardwood", "table.csv")
    assert (code, errors) == (0, "")
    assert re.fullmatch(r"Wrote report.html, [\d.]+ kB\.\n", said)
    content = content_of(folder / "report.html")
    assert content["quality"]["rows"] == 40
    assert content["source"] == "table.csv"
    assert content["model"]["target"] == "kind"


def test_train_writes_the_page_of_its_training_rows(folder, hardwood):
    assert hardwood(*TRAIN, "--report", "page.html")[0] == 0
    content = content_of(folder / "page.html")
    assert content["here"]["trained"]
    assert content["source"] == "table.csv, the training rows"


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_columnar_files_give_the_same_page_as_csv(folder, hardwood, suffix):
    table = pyarrow.csv.read_csv("table.csv")
    if suffix == "parquet":
        pyarrow.parquet.write_table(table, "same.parquet")
    else:
        with pyarrow.ipc.new_file("same.feather", table.schema) as writer:
            writer.write_table(table)
    hardwood("report", "model.hardwood", "table.csv", "--out", "a.html")
    hardwood("report", "model.hardwood", f"same.{suffix}", "--out", "b.html")
    first, second = content_of(folder / "a.html"), content_of(folder / "b.html")
    assert first.pop("source") != second.pop("source")
    assert first == second


def test_libsvm_files_have_their_labels(folder, hardwood):
    rows = [f"{i % 2} 1:{i % 2}.5 3:{i % 7}" for i in range(30)]
    (folder / "data.svm").write_text("\n".join(rows) + "\n")
    assert hardwood("train", "data.svm", "--folds", "0", "-q")[0] == 0
    assert hardwood("report", "model.hardwood", "data.svm")[0] == 0
    assert content_of(folder / "report.html")["quality"]["wrong"] == 0


def test_numbers_as_classes_are_found_in_csv(folder, hardwood):
    text = "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(20))
    (folder / "numbers.csv").write_text(text)
    assert hardwood("train", "numbers.csv", "--target", "y", "--folds", "0", "-q")[0] == 0
    (folder / "floats.csv").write_text(text.replace(",1\n", ",1.0\n"))
    for name in ("numbers.csv", "floats.csv"):
        assert hardwood("report", "model.hardwood", name)[0] == 0
        counts = content_of(folder / "report.html")["data"]["classes"]
        assert np.array_equal(counts, [10, 10])


def test_a_table_without_the_target_gives_a_page_without_errors(folder, hardwood):
    lines = [line.rsplit(",", 1)[0] for line in GOOD.splitlines()]
    (folder / "less.csv").write_text("\n".join(lines) + "\n")
    code, said, _ = hardwood("report", "model.hardwood", "less.csv")
    assert code == 0
    assert said.endswith("It has no errors: less.csv has no column 'kind'.\n")
    assert content_of(folder / "report.html")["quality"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("report", "model.hardwood", "gone.csv"), "gone.csv does not exist"),
        (("report", "table.csv", "table.csv"), "table.csv"),
        (("report", "model.hardwood", "other.csv"), "lacks the column"),
        (("report", "model.hardwood", "bird.csv"), "holds 'bird' in row 40"),
        (("report", "model.hardwood", "empty.csv"), "holds nothing in row 40"),
        (("report", "model.hardwood", "table.csv", "--out", "no/page.html"), "no directory no"),
        (("report", "model.hardwood", "table.csv", "--out", "."), "is a directory"),
        ((*TRAIN, "--report", "model.hardwood"), "both name model.hardwood"),
        ((*TRAIN, "--report", "no/page.html"), "no directory no"),
    ],
)
def test_wrong_input_is_one_sentence_and_writes_nothing(folder, hardwood, arguments, sentence):
    (folder / "other.csv").write_text("a,b\n1,2\n")
    head, last = GOOD.rstrip("\n").rsplit(",", 1)
    assert last in ("cat", "dog")
    (folder / "bird.csv").write_text(f"{head},bird\n")
    (folder / "empty.csv").write_text(f"{head},\n")
    (folder / "report.html").write_text("before")
    before = sorted(folder.iterdir())
    code, said, errors = hardwood(*arguments)
    assert (code, said) == (2, "")
    assert sentence in errors
    assert errors.count("\n") == 1
    assert (folder / "report.html").read_text() == "before"
    assert sorted(folder.iterdir()) == before
