"""The printed tables of Aziz, Anderton & Aslam, and boosting by the rules of their runs."""

from itertools import islice

import numpy as np
import pytest

from hardwood.studies import STUDIES
from hardwood.studies.aziz_printed import PRINTED, SETS, Beside, Printed, set_beside, verdicts
from hardwood.studies.study import Record, Unit
from tests.oracles.paper_boosting import Coded, Race, pairs_of, paper_rounds


def brute_force(codes, signed):
    """The smallest error of any cut and polarity, constant ones included."""
    errors = [
        np.abs(signed[np.where(codes[:, k] <= cut, left, -left) * signed < 0]).sum()
        for k in range(codes.shape[1])
        for cut in range(codes[:, k].max() + 1)
        for left in (-1, 1)
    ]
    return min(errors)


@pytest.mark.parametrize("seed", range(30))
def test_the_race_finds_the_smallest_error_with_constant_stumps(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 60), rng.integers(1, 7)
    table = Coded.of(rng.integers(0, 4, (rows, columns)))
    weights = np.sort(rng.integers(1, 50, rows))[::-1].astype(float)
    signed = weights * np.where(rng.random(rows) < 0.3, 1, -1)
    stump = Race(table.codes, signed, table.sizes).winner()
    assert stump.error == brute_force(table.codes, signed)
    answers = np.where(table.codes[:, stump.column] <= stump.code, stump.left, -stump.left)
    assert weights[answers * signed < 0].sum() == stump.error
    assert rows <= stump.assessed <= rows * columns


def test_trimming_cuts_through_ties_and_a_chance_round_repeats():
    X = np.repeat(np.arange(2.0), 30)[:, None]
    sign = np.where(np.arange(60) % 6 == 0, 1.0, -1.0)
    steps = list(islice(paper_rounds(X, sign, X[:0], 1, weight_fraction=0.9), 4))
    assert [count for _, count in steps] == [54, 50, 50, 50]  # 10 and 4/5 of 50 from the second on
    assert np.all(steps[-1][0] == steps[0][0])


def test_how_ties_are_decided_shows_in_the_errors_that_a_collapsed_run_ends_with():
    """Of pairs trimmed to 90 % the constant stump ties with every other in the second round."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), np.arange(120) % 4
    pairs, sign = pairs_of(X, y, np.unique(y))

    def ended(ties):
        *_, (scores, _) = islice(paper_rounds(pairs, sign, pairs[:0], 2, 0.9, ties), 12)
        return np.round(scores.reshape(-1, 4), 9)

    assert len(np.unique(ended(None))) == 1  # all pairs alike: the first class for every row
    drawn = [ended(np.random.default_rng(seed)) for seed in range(6)]
    assert any(len(np.unique(scores)) > 1 for scores in drawn)
    errors = {float(np.mean(np.argmax(scores, axis=1) != y)) for scores in drawn}
    assert len(errors) > 1


def test_every_printed_cell_has_one_row():
    assert len(PRINTED) == 50
    assert sum(map(len, PRINTED.values())) == 148
    found = [row for way in ("AdaBoost", "wt. trim (0.9)") for row in verdicts([], SETS, [way])]
    assert len(found) == 2 * 4 * (2 * 3 + 1) - 2  # and the improvement; MNIST has fewer marks
    assert len({row.what for row in found}) == len(found)
    assert all(row.ours == "not run" for row in found)


def test_every_cell_of_rcv1_has_a_row_and_a_stand_in_where_it_was_run():
    def record(way: str, search: str, rounds: int) -> Record:
        marks = [mark for mark in (100, 300, 400) if mark <= rounds]
        values = {"marks": marks, "rounds": rounds}
        for name, value in (("exhaustive", 4e8), ("train", 0.0), ("test", 0.07)):
            values[name] = [value] * len(marks)
        values["assessments"] = [1e8 if search == "adaptive" else 2e8] * len(marks)
        given = {"run": "rcv1 sample", "way": way, "search": search, "rounds": 400}
        return Record(Unit(f"{way}-{search}", given), values, 1.0)

    records = [record("AdaBoost", "adaptive", 400), record("AdaBoost", "quick", 350)]
    rows = {row.what: row for row in STUDIES["aziz-rcv1"].conclude(records).verdicts}
    assert len(rows) == 5 * (2 * 3 + 1)
    end = "rounds, adaptive: share assessed; training; test error"
    assert rows[f"rcv1, AdaBoost, 100 {end}"].paper == "0.60; 0.027; 0.059"
    assert rows[f"rcv1, LazyBoost (0.5), 100 {end}"].paper == "0.62; 0.029; 0.061"
    assert rows[f"rcv1, AdaBoost, 400 {end}"].ours == "0.250; 0.0000; 0.0700"
    ended = rows[f"rcv1, AdaBoost, 400 {end.replace('adaptive', 'quick')}"]
    assert ended.ours == "0.500; 0.0000; 0.0700 (after 300; training ended)"
    assert ended.verdict.startswith("stand-in")
    improved = rows["rcv1, AdaBoost, 400 rounds: fewer assessments than quick's, in %"]
    assert (improved.paper, improved.ours) == ("6.5", "50.00 (after 300)")
    assert sum(row.ours == "not run" for row in rows.values()) == 4 * 7


def test_a_cell_is_compared_by_the_stated_rule():
    values = {"marks": [100], "assessments": [1.98e8 * 1.03], "train": [0.1134], "test": [0.152]}
    given = {"run": "satimage pairs", "way": "AdaBoost", "search": "adaptive"}
    (adaptive,) = set_beside([Record(Unit("a", given), values, 1.0)])
    assert adaptive == Beside(
        "satimage", "AdaBoost", "adaptive", Printed(100, 1.98e8, 0.113, 0.15),
        Printed(100, 1.98e8 * 1.03, 0.1134, 0.152),
    )  # fmt: skip
    assert adaptive.verdict().verdict == "+3.0% near; +0.0004 to the digit; +0.0020 near"
    by_auto = set_beside([Record(Unit("a", {**given, "search": "auto"}), values, 1.0)])
    assert [each.counts for each in by_auto] == [False, False]
    assert by_auto[0].verdict().paper == "0.113; 0.150"
