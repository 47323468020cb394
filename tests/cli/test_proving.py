"""`hardwood prove` and `report --claims`."""

import json
import re

import pytest

from tests.cli.bad_inputs import GOOD


@pytest.fixture
def folder(tmp_path, monkeypatch, hardwood):
    """A folder with table.csv and a model of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text(GOOD)
    assert hardwood("train", "table.csv", "--target", "kind", "--folds", "0", "-q")[0] == 0
    return tmp_path


TRUE = """
[[claims]]
claim = "never uses"
column = "colour"
[[claims]]
claim = "monotone"
column = "width"
direction = "increasing"
class = "cat"
[[claims]]
claim = "within"
class = "cat"
at_most = 0.5
where = { width = { at_most = 3 } }
"""
FALSE = """
time_limit = 5
[[claims]]
claim = "same answer"
column = "width"
"""


def test_claims_that_hold_end_with_0(folder, hardwood):
    (folder / "claims.toml").write_text(TRUE)
    code, said, errors = hardwood("prove", "model.hardwood", "claims.toml")
    assert (code, errors) == (0, "")
    assert said.startswith("3 claims: 3 proved\nproved: the model never uses colour\n")


def test_a_claim_that_does_not_hold_ends_with_1_and_shows_rows(folder, hardwood):
    (folder / "claims.toml").write_text(TRUE + FALSE.replace("time_limit = 5", ""))
    code, said, errors = hardwood("prove", "model.hardwood", "claims.toml", "--time-limit", "3")
    assert (code, errors) == (1, "")
    assert "refuted: the answer is the same whatever width says" in said
    assert re.search(r"second row: the same, but width = \d", said)


def test_a_report_tells_what_is_proved(folder, hardwood):
    (folder / "claims.toml").write_text(FALSE)
    code, _, errors = hardwood("report", "model.hardwood", "table.csv", "--claims", "claims.toml")
    assert (code, errors) == (0, "")
    page = (folder / "report.html").read_text()
    content = json.loads(re.search(r'id="content">(.*?)</script>', page, re.DOTALL)[1])
    (result,) = content["claims"]["results"]
    assert result["status"] == "refuted"
    assert len(result["rows"]) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claims = 3", "has no claims"),
        ("[[claims", "is no TOML file"),
        ("[[claim]]\n", "has 'claim'; a file of claims has a table [[claims]]"),
        ('[[claims]]\nclaim = "fair"', "claim is 'fair'; allowed are 'monotone', 'within'"),
        ('[[claims]]\nclaim = "never uses"\ncolumn = "weight"', "no column 'weight'"),
        ('time_limit = "long"\n[[claims]]\nclaim = "within"\nat_most = 1', "number of seconds"),
    ],
)
def test_wrong_files_of_claims_are_one_sentence(folder, hardwood, text, expected):
    (folder / "claims.toml").write_text(text)
    code, said, errors = hardwood("prove", "model.hardwood", "claims.toml")
    assert (code, said) == (2, "")
    assert expected in errors
    assert errors.count("\n") == 1


def test_costs_are_an_option_of_training(folder, hardwood):
    train = ("train", "table.csv", "--target", "kind", "--out", "costly")
    code, said, errors = hardwood(*train, "--costs", "cat:dog=5,dog:cat=1")
    assert (code, errors) == (0, "")
    assert re.search(r"Cost [\d.e-]+ per row; the cheapest answer to all rows costs [\d.]+\.", said)
    code, _, errors = hardwood(*train, "--costs", "cat=5")
    assert code == 2
    assert "give true:predicted=cost for every kind of mistake" in errors
    code, _, errors = hardwood(*train, "--costs", "cat:dog=5")
    assert code == 2
    assert "does not say what ('dog', 'cat') costs" in errors


def test_a_file_that_is_not_there_is_named(folder, hardwood):
    code, _, errors = hardwood("prove", "model.hardwood", "none.toml")
    assert code == 2
    assert "none.toml" in errors
