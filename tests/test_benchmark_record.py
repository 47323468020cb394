"""The ratios that `make bench-record` reads from the tables of results."""

from __future__ import annotations

import pytest

from benchmarks import front_page
from benchmarks.kept_ratios import (
    Figure,
    Record,
    append,
    comparable,
    latest,
    measured_again,
    records,
)
from benchmarks.record import machine_of, ratios_of, worse

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
    last = {
        name: Figure(ratio, "2026-01-01", "abc", "Xeon, 2 cores")
        for name, ratio in {"a": 1.0, "b": 1.0, "c": 0.02}.items()
    }
    assert worse(last, {"a": 1.09, "b": 1.2, "c": 0.03, "new": 5.0}) == [
        "b: 1 on 2026-01-01 (Xeon, 2 cores), now 1.2"
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


def test_a_table_that_was_not_measured_again_is_not_recorded():
    machine = "Xeon, 2 cores"
    first = {"tree: Fit: a": 0.5, "tree: Fit: b": 0.25, "shap: a6a: a": 0.1, "shap: w4a: a": 0.2}
    old = Record("2026-01-01", "abc", first, dict.fromkeys(first, machine))
    now = first | {"tree: Fit: a": 0.6, "tree: Size: a": 1.0}
    machines = dict.fromkeys(now, machine) | {"shap: w4a: a": "EPYC, 2 cores"}
    new = measured_again(Record("2026-02-01", "def", now, machines), latest([old]))
    assert set(new.ratios) == {"tree: Fit: a", "tree: Fit: b", "tree: Size: a", "shap: w4a: a"}
    figures = latest([old, new])
    assert figures["shap: a6a: a"] == Figure(0.1, "2026-01-01", "abc", machine)
    assert figures["shap: w4a: a"] == Figure(0.2, "2026-02-01", "def", "EPYC, 2 cores")


def test_a_ratio_is_compared_with_the_last_of_its_kind_of_machine():
    kept = [
        Record("2026-01-01", "abc", {"a": 0.2}, {"a": "Xeon, 2 cores"}),
        Record("2026-02-01", "def", {"a": 0.1, "b": 0.5}, dict.fromkeys("ab", "EPYC, 2 cores")),
    ]
    assert comparable(kept, dict.fromkeys("ab", "Xeon, 2 cores")) == {
        "a": Figure(0.2, "2026-01-01", "abc", "Xeon, 2 cores"),
        "b": Figure(0.5, "2026-02-01", "def", "EPYC, 2 cores"),
    }


def test_no_record_repeats_what_was_not_measured_again():
    kept = records()
    for number in range(1, len(kept)):
        assert measured_again(kept[number], latest(kept[:number])) == kept[number]


def test_the_machine_is_told_in_words():
    assert machine_of(TEXT) == "Some Xeon, 2 cores"
    with pytest.raises(ValueError, match="does not say on which machine"):
        machine_of("# Title")


@pytest.mark.parametrize("page", front_page.PAGES, ids=lambda page: page.name)
def test_the_table_of_a_first_page_is_that_of_the_records(page):
    text = page.read_text(encoding="utf-8")
    expected = front_page.table(latest(records()))
    assert front_page.with_table(text, expected) == text, "run: make bench-record"


def test_a_table_needs_its_ratios_and_a_page_its_marks():
    with pytest.raises(ValueError, match="No record has a ratio 'tree: Fit time"):
        front_page.table({})
    with pytest.raises(ValueError, match="once"):
        front_page.with_table("no marks", "")
