"""`hardwood diff`."""

import pytest

from tests.cli.bad_inputs import GOOD

TRAIN = ("train", "table.csv", "--target", "kind", "--folds", "0", "-q")


@pytest.fixture
def folder(tmp_path, monkeypatch, hardwood):
    """A folder with table.csv and two models of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(GOOD)
    assert hardwood(*TRAIN, "--out", "old")[0] == 0
    assert hardwood(*TRAIN, "--out", "new", "--max-depth", "1", "--criterion", "error")[0] == 0
    return tmp_path


def test_two_models_are_compared_without_and_with_rows(folder, hardwood):
    code, said, errors = hardwood("diff", "old", "new")
    assert (code, errors) == (0, "")
    assert "max_depth: None -> 1" in said
    assert "answers" not in said
    code, said, errors = hardwood("diff", "old", "new", "table.csv", "--report", "page.html")
    assert (code, errors) == (0, "")
    assert "of 40 rows get another answer" in said
    page = (folder / "page.html").read_text()
    assert "Rows that get another answer" in page
    assert "max_depth: None -&gt; 1" in page


def test_a_model_and_itself_are_one(folder, hardwood):
    code, said, _ = hardwood("diff", "old", "old", "table.csv")
    assert code == 0
    assert "one model" in said
    assert "0 of 40 rows" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("old", "absent"), "absent"),
        (("old", "table.csv"), "table.csv"),
        (("old", "new", "absent.csv"), "absent.csv"),
        (("old", "new", "table.csv", "--report", "no/where.html"), "no directory"),
    ],
)
def test_wrong_files_are_one_sentence(folder, hardwood, words, sentence):
    code, said, errors = hardwood("diff", *words)
    assert (code, said) == (2, "")
    assert sentence in errors
    assert errors.count("\n") == 1
