"""Models keep the digests that were recorded of them, in every store and for any threads.

A case in memory is trained by one thread and must have the recorded digest, history and
assessments; in another store it is trained by two and must have the digest, a tree also the
history. (The bounds of boosting over parts are sums in another order, equal to some digits only.)
"""

from __future__ import annotations

import inspect

import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.stored import source
from tests.effort import covering
from tests.golden.boosted_choices import BOOSTED
from tests.golden.cases import CASES, stores_of
from tests.golden.fitting import check, fitted, record_of, recorded
from tests.golden.stores import rows_in
from tests.golden.tables import table
from tests.golden.tree_choices import TREES

RECORDED = recorded()


@pytest.mark.parametrize("name", CASES)
def test_a_model_has_the_digest_that_was_recorded(name, files):
    case = CASES[name]
    model = fitted(case, rows_in("memory", case, files), n_jobs=1)
    check(case, record_of(case, model), RECORDED, "memory")


def cases_in_other_stores():
    """Every case in its stores; those of NumPy and SciPy alone suit ThreadSanitizer. `make test`
    takes every choice of parameters, and every table with its weights, to each of its stores."""
    pairs = [(name, store) for name, case in CASES.items() for store in stores_of(case)]
    shown = [[(part, store) for part in name.rsplit("/", 1)] for name, store in pairs]
    for (name, store), first in zip(pairs, covering(shown), strict=True):
        marks = [pytest.mark.threads] if store == "other-form" else []
        yield pytest.param(name, store, marks=marks if first else [*marks, pytest.mark.thorough])


@pytest.mark.parametrize(("name", "store"), list(cases_in_other_stores()))
def test_rows_from_another_store_give_the_recorded_digest(
    name, store, files, parts_are_taken, monkeypatch
):
    case = CASES[name]
    monkeypatch.setattr(source, "BLOCK_ROWS", max(50, table(case.table).rows // 3))
    model = fitted(case, rows_in(store, case, files), n_jobs=2)
    got = record_of(case, model)
    compared = ("digest", "history") if name.startswith("tree/") else ("digest",)
    check(case, {key: got[key] for key in compared}, RECORDED, store)


def test_every_recorded_case_is_trained():
    assert set(RECORDED) == set(CASES), "run tests/golden/record.py: it adds new cases, drops old"


@pytest.mark.parametrize(
    ("estimator", "choices"), [(TreeClassifier, TREES), (BoostedTreesClassifier, BOOSTED)]
)
def test_every_parameter_is_given_in_some_case(estimator, choices):
    given = {name for parameters, _ in choices.values() for name in parameters}
    given -= {"draft"}  # which fit takes
    known = set(inspect.signature(estimator).parameters) - {"n_jobs", "verbose"}
    assert given == known, f"cases.py lacks, or gives in vain: {sorted(given ^ known)}"
