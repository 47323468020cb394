"""Random tables and parameters keep all laws at once; `make fuzz-laws` tries far more."""

from __future__ import annotations

import pytest

from tests.effort import THOROUGH, trials
from tests.laws.fuzzing.cases import Case, Field
from tests.laws.fuzzing.checks import BrokenLawError, check
from tests.laws.fuzzing.forms import TYPES, sparse_of_one_type
from tests.laws.fuzzing.random_cases import random_case
from tests.laws.fuzzing.run import some, with_pieces
from tests.laws.fuzzing.shrinking import script, shrink


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_random_models_keep_all_laws(first):
    count = trials(25)
    ends, failures = some(range(first, first + count), seed=0)
    assert not failures, failures[0]
    assert ends["kept"] > (0.6 if THOROUGH else 0.4) * count  # shares of few cases vary more


def test_cases_cover_every_kind_of_column_and_both_estimators():
    cases = [random_case(number) for number in range(200)]
    kinds = {field.kind for case in cases for field in case.fields}
    assert kinds == {"float", "int", "bool", "text", "category"}
    assert {case.boosted for case in cases} == {True, False}
    assert max(len(set(case.y)) for case in cases) == 40


def test_cases_cover_drafts_constraints_costs_and_sparse_matrices_of_every_type():
    cases = [random_case(number) for number in range(1500)]
    assert any(case.draft for case in cases)
    given = {name for case in cases for name, _ in case.parameters}
    wanted = {"monotonic_cst", "interaction_cst", "costs", "scoring", "leaf_prior", "cut_fraction"}
    assert given >= wanted
    made = [X for X in map(sparse_of_one_type, cases) if X is not None]
    assert {X.dtype.name for X in made} == set(TYPES)
    assert {X.format for X in made} == {"csr", "csc", "coo"}


def test_a_broken_law_is_found_and_shrunk_to_a_script_that_repeats_it(monkeypatch):
    def broken(case: Case) -> str | None:
        return "law" if sum(v == 7 for f in case.fields for v in f.values) else None

    fields = (Field("int", tuple(range(40))), Field("int", (1,) * 40))
    case = Case(0, fields, (0, 1) * 20, (1.0,) * 40, False, (("max_depth", 2),))
    small = shrink(case, broken)
    assert [field.values for field in small.fields] == [(7,)]
    assert (small.weights, small.parameters) == (None, ())
    told: dict[str, Case] = {}
    exec(script(small).split("with with_pieces")[0], told)
    assert told["case"] == small


def test_a_wrong_digest_is_a_broken_law(monkeypatch):
    counted = iter(range(100_000))
    monkeypatch.setattr("hardwood.TreeClassifier.digest", lambda _: str(next(counted)))
    case = next(c for c in map(random_case, range(50)) if not c.boosted)
    with with_pieces(), pytest.raises(BrokenLawError, match="n_jobs=3"):
        check(case)


def test_equal_whole_weights_break_a_tie_as_the_rows_repeated_do():
    """Found by the fuzzer: three times the weight rounded the costs of two columns otherwise."""
    words = ("é", "z z", "'", "z z", "0", "z z", "z z", "'", "z z", "'", "0", "z z")
    numbers = (-0.8703986278391681, 1.0586908415094725, 0.728913508740289, -0.8041289142132793,
               0.59901556779048, -1.0959070190066065, -0.8219309080588679, 1.6884899904324098,
               0.4460958717095209, 1.3981407426002457, 0.6193086932084944,
               0.21829987016051944)  # fmt: skip
    y = (-2, -1, 2, 0, 3, 3, 1, 4, -1, 0, 2, -2)
    fields = (Field("text", words), Field("float", numbers))
    with with_pieces():
        assert check(Case(0, fields, y, (3.0,) * 12, False, ())) == "kept"
