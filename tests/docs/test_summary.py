"""The page that counts the papers' numbers: its rules, and that it is what the studies say."""

import importlib.util
from pathlib import Path

import pytest

from hardwood.studies import STUDIES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def making():
    spec = importlib.util.spec_from_file_location("make_summary", DOCS / "make_summary.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["make_summary"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_pages_of_the_studies_say(making):
    page = DOCS.parent / "docs/studies/summary.md"
    assert page.read_text(encoding="utf-8") == making.summary()


def test_every_entry_has_rows_or_a_reason_and_names_a_study(making):
    for item in making.ITEMS:
        numbers, statements = making._counts(item)
        assert numbers or statements or item.reason
        assert item.study is None or item.study in STUDIES


@pytest.mark.parametrize(
    ("paper", "ours", "found"),
    [
        ("0.113", "0.1127", ["to the printed digit"]),
        ("0.070", "0.0706", ["within 3 %"]),
        ("1.69e+09", "1.6e+09", ["differ"]),
        ("1.98e+08", "1.939e+08", ["within 3 %"]),
        ("0.142, 0.155", "0.1420, 0.1549", ["to the printed digit"] * 2),
        ("218.0; 9.4 %", "159.3; 13.2 %", ["differ"] * 2),
        ("within 40 rounds", "in round 15", None),
        ("8 of 9", "7 of 9", None),
        ("most problems", "10 of 27", None),
    ],
)
def test_numbers_are_compared_digit_by_digit_and_statements_are_not(making, paper, ours, found):
    assert making.compared(paper, ours) == found


def test_what_was_chosen_or_not_told_by_a_test_is_not_counted_as_held(making):
    assert making._judged("agrees: one to four") == "hold"
    assert making._judged("same conclusion; the intervals overlap") == "hold"
    for verdict in ("agrees; no evidence, as our list was chosen", "no evidence of a gap"):
        assert making._judged(verdict) == making.NO_EVIDENCE
    assert making._judged("other conclusion; the intervals overlap") == "do not hold"
    item = making.Item("DKM96", "Table 2", "dkm-table2", "decision list")
    assert making._counts(item)[0] == {making.NO_EVIDENCE: 4}
    assert making._causes(item) == []


def test_every_number_that_differs_has_one_cause(making):
    for item in making.ITEMS:
        numbers, _ = making._counts(item)
        assert len(making._causes(item)) == numbers[making.FAR]


def test_a_cause_is_found_by_study_run_and_part(making):
    row = ("w4a, LazyBoost (0.5), 100 rounds, quick: assessments; training; test error", "", "", "")
    classes = [making.FAR, making.FAR, making.DIGIT]
    quick, drawn = making.causes_of("aziz-rules", row, classes)
    assert quick.words.startswith("Quick's parameters")
    assert drawn.words.startswith("LazyBoost draws")
    assert making.causes_of("aziz-rules", ("x: y", "", "", ""), [making.FAR]) == [making.UNKNOWN]


def test_a_run_by_the_papers_rules_stands_in_the_place_of_ours(making):
    item = making.Item("AAA18", "Tables 2 and 4, SATIMAGE", "aziz-table2", "^satimage")
    rows = making.rows_of(item)
    assert {study for study, _ in rows} == {"aziz-rules"}
    assert len(rows) == len(making.verdict_rows("aziz-table2", "^satimage"))
