"""A case's model, what is recorded of it (digest, history, assessments), and the comparison.

Invariant: a record does not depend on the number of threads. The one thing in `history_` that does
are the assessments of trees with a limit on their leaves, where threads expand leaves ahead of
their turn; those are not recorded.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.golden.cases import Case
from tests.golden.stores import Rows, held_out

RECORDED = Path(__file__).with_name("digests.json")
WORK = ("assessments", "exhaustive_assessments")


def fitted(case: Case, rows: Rows, n_jobs: int, **options: Any) -> Any:
    """The case's model; with warm_start from a fit of a third of the rounds."""
    model = case.estimator(**case.parameters, n_jobs=n_jobs)
    if case.draft is not None:
        options["draft"] = case.draft
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="weight_fraction")
        warnings.filterwarnings("ignore", message=".* lines do not fit these rows")
        if case.parameters.get("warm_start"):
            rounds = case.parameters["n_estimators"]
            model.set_params(n_estimators=rounds // 3)
            model.fit(rows.X, rows.y, rows.weights, **options)
            model.set_params(n_estimators=rounds)
        return model.fit(rows.X, rows.y, rows.weights, **held_out(case), **options)


def record_of(case: Case, model: Any) -> dict[str, Any]:
    """What digests.json holds of a case."""
    record = {"digest": model.digest(), "history": history_hash(model.history_)}
    if "assessments" in model.history_ and case.parameters.get("max_leaf_nodes") is None:
        record["assessments"] = [int(model.history_[name].sum()) for name in WORK]
    return record


def history_hash(history: dict[str, Any]) -> str:
    """The first 16 digits of SHA-256 over all arrays but the assessments."""
    hashed = hashlib.sha256()
    for name in sorted(set(history) - set(WORK)):
        values = np.asarray(history[name])
        hashed.update(f"{name} {len(values)} ".encode())
        hashed.update(_bytes(values))
    return hashed.hexdigest()[:16]


def _bytes(values: Any) -> bytes:
    """Of fixed width and order; there is one NaN and one zero."""
    if values.dtype == object:
        return json.dumps(values.tolist()).encode()
    if values.dtype.kind == "f":
        return bytes(np.where(np.isnan(values), np.nan, values + 0.0).astype("<f8").tobytes())
    return bytes(values.astype("<i8").tobytes())


def recorded() -> dict[str, Any]:
    """What digests.json says, by case."""
    return json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}


def check(case: Case, got: dict[str, Any], records: dict[str, Any], store: str) -> None:
    """Fail with a sentence where something is not as recorded."""
    expected = records.get(case.name)
    if expected is None:
        pytest.fail(
            f"{case.name} is not recorded; run python tests/golden/record.py", pytrace=False
        )
    for what, value in got.items():
        if value != expected[what]:
            pytest.fail(
                f"{case.name}, rows in {store}: the {what} differs.\n"
                f"  recorded {expected[what]}\n"
                f"  got      {value}\n"
                "If the model in memory was changed on purpose:\n"
                f"  python tests/golden/record.py --accept {case.name}\n"
                "(a prefix accepts all cases whose names start with it; several may be given).",
                pytrace=False,
            )
