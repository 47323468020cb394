"""The ratios that `make bench-record` reads from the tables of results."""

from __future__ import annotations

import pytest

from benchmarks import front_page
from benchmarks.record import Record, append, machine_of, ratios_of, records, worse

TEXT = """# Title

## Machine and versions

Some(R) Xeon(R) Processor, 2 cores, 24 GiB, Linux x86_64.

## Fit

| learner       | threads | seconds | / LightGBM |
| ------------- | ------: | ------: | ---------: |
| hardwood gini |       2 |   0.137 |       0.14 |
| LightGBM      |       2 |   0.964 |       1.00 |

## Prediction

| learner  | million rows/s | / scikit-learn |
| -------- | -------------: | -------------: |
| hardwood |             16 |           2.50 |

## Tables

| table | size | hardwood, s | ratio | to reach |
| ----- | ---: | ----------: | ----: | -------: |
| a6a   |  100 |        0.54 |  1.90 |      0.8 |
"""


def test_our_ratios_are_read_and_rates_turned_over():
    assert ratios_of(TEXT, "tree") == {
        "tree: Fit: hardwood gini 2 / LightGBM": 0.14,
        "tree: Prediction: hardwood / scikit-learn": 0.4,
        "tree: Tables: a6a / LightGBM": 1.9,
    }


def test_a_ratio_that_is_more_than_a_tenth_worse_is_named():
    assert worse({"a": 1.0, "b": 1.0, "c": 0.02}, {"a": 1.09, "b": 1.2, "c": 0.03, "new": 5.0}) == [
        "b: 1 in the last record, now 1.2"
    ]


def test_records_come_back_in_order(tmp_path):
    path = tmp_path / "ratios.csv"
    made = [
        Record("2026-01-01", "abc", {"a, b": 0.25}, {"a, b": "Xeon, 2 cores"}),
        Record("2026-02-01", "def", {"a, b": 0.5}, {"a, b": "EPYC, 4 cores"}),
    ]
    for record in made:
        append(record, path)
    assert records(path) == made


def test_the_machine_is_told_in_words():
    assert machine_of(TEXT) == "Some Xeon, 2 cores"
    with pytest.raises(ValueError, match="does not say on which machine"):
        machine_of("# Title")


@pytest.mark.parametrize("page", front_page.PAGES, ids=lambda page: page.name)
def test_the_table_of_a_first_page_is_that_of_the_last_record(page):
    last = records()[-1]
    text = page.read_text(encoding="utf-8")
    expected = front_page.table(last.date, last.ratios, last.machines)
    assert front_page.with_table(text, expected) == text, "run: make bench-record"


def test_a_table_needs_its_ratios_and_a_page_its_marks():
    with pytest.raises(ValueError, match="no ratio 'tree: Fit time"):
        front_page.table("2026-01-01", {}, {})
    with pytest.raises(ValueError, match="once"):
        front_page.with_table("no marks", "")
