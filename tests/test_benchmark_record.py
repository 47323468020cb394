"""The ratios that `make bench-record` reads from the tables of results."""

from __future__ import annotations

from benchmarks.record import append, ratios_of, records, worse

TEXT = """# Title

## Fit

| learner       | threads | seconds | / LightGBM |
| ------------- | ------: | ------: | ---------: |
| hardwood gini |       2 |   0.137 |       0.14 |
| LightGBM      |       2 |   0.964 |       1.00 |

## Prediction

| learner  | million rows/s | / scikit-learn |
| -------- | -------------: | -------------: |
| hardwood |             16 |           2.50 |
"""


def test_our_ratios_are_read_and_rates_turned_over():
    assert ratios_of(TEXT, "tree") == {
        "tree: Fit: hardwood gini 2 / LightGBM": 0.14,
        "tree: Prediction: hardwood / scikit-learn": 0.4,
    }


def test_a_ratio_that_is_more_than_a_tenth_worse_is_named():
    assert worse({"a": 1.0, "b": 1.0, "c": 0.02}, {"a": 1.09, "b": 1.2, "c": 0.03, "new": 5.0}) == [
        "b: 1 in the last record, now 1.2"
    ]


def test_records_come_back_in_order(tmp_path):
    path = tmp_path / "ratios.csv"
    append("2026-01-01", "abc", {"a, b": 0.25}, path)
    append("2026-02-01", "def", {"a, b": 0.5}, path)
    assert records(path) == [
        ("2026-01-01", "abc", {"a, b": 0.25}),
        ("2026-02-01", "def", {"a, b": 0.5}),
    ]
