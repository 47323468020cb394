"""What must hold of every model: `check` raises `BrokenLawError`, or tells how the case ended.

A fit may refuse a case with a ValueError that is a sentence; it is then `refused`.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier, certify
from hardwood.distributed.describing import PartData
from hardwood.errors import ModelWarning
from hardwood.model_file import dumps, loads
from tests.distributed.pieces import Pieces
from tests.export.runners import expected, run_c, run_duckdb, run_onnx, run_python, same
from tests.laws.fuzzing import forms
from tests.laws.fuzzing.cases import Case, is_whole
from tests.laws.fuzzing.claims import constraint_claims

SEARCHES = ("adaptive", "quick", "exhaustive")


class BrokenLawError(AssertionError):
    """A law that a model does not keep."""


def estimator(case: Case, **others: Any) -> Any:
    kind = BoostedTreesClassifier if case.boosted else TreeClassifier
    return kind(**dict(case.parameters) | others)


def draft(case: Case) -> Draft:
    """The lines that go with those before them."""
    found = Draft()
    for do, node, column in case.draft:
        with contextlib.suppress(ValueError):
            found = getattr(found, do)(node, *([] if do == "leaf" else [column]))
    return found


def watched(case: Case) -> bool:
    """Whether rows are given that say when to stop."""
    return bool(dict(case.parameters).get("early_stopping")) and case.number % 4 == 1


def fitted(case: Case, X: Any, y: Any, w: Any, **others: Any) -> Any:
    given: dict[str, Any] = {"draft": draft(case)} if case.draft else {}
    if watched(case):
        given = {"X_val": forms.pandas(case).iloc[::3], "y_val": labels(case)[::3]}
    return estimator(case, **others).fit(X, y, w, **given)


def labels(case: Case) -> np.ndarray:
    return np.array(case.y)


def weights(case: Case) -> Any:
    return None if case.weights is None else np.array(case.weights)


def draws(case: Case) -> bool:
    """Whether rows are drawn by their positions."""
    given = dict(case.parameters)
    return bool(
        given.get("early_stopping")
        or given.get("pruning") == "reduced-error"
        or (given.get("pruning") == "cost-complexity" and given.get("ccp_alpha") == "cv")
    )


def check(case: Case) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ModelWarning)
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message="weight_fraction=", category=UserWarning)
        try:
            model = fitted(case, forms.pandas(case), labels(case), weights(case), n_jobs=1)
        except ValueError as error:
            if not str(error).rstrip().endswith((".", ")")):
                raise BrokenLawError(f"no sentence: {error}") from error
            return "refused"
        _Laws(case, model).all()
    return "kept"


class _Laws:
    def __init__(self, case: Case, model: Any) -> None:
        self.case, self.model, self.digest = case, model, model.digest()
        self.X, self.y, self.w = forms.pandas(case), labels(case), weights(case)
        self.fractional = dict(case.parameters).get("missing") == "fractional"

    def all(self) -> None:
        for law in (self.threads_and_order, self.other_forms, self.searches, self.parts,
                    self.data_set, self.certified, self.stored, self.numbers, self.additive,
                    self.twice, self.resumed, self.replayed, self.constrained,
                    self.exported):  # fmt: skip
            try:
                law()
            except Exception as error:
                text = str(error)[:600]
                raise BrokenLawError(f"{law.__name__}: {type(error).__name__}: {text}") from error

    def same(self, what: str, X: Any, y: Any, w: Any, **others: Any) -> None:
        found = fitted(self.case, X, y, w, **others)
        if found.digest() != self.digest:
            raise BrokenLawError(f"{what} has another digest")

    def threads_and_order(self) -> None:
        if draws(self.case):
            self.same("n_jobs=3", self.X, self.y, self.w, n_jobs=3)
            return
        rows = np.random.default_rng(self.case.number).permutation(self.case.rows).tolist()
        other = self.case.taken(rows)
        given = forms.pandas(other), labels(other), weights(other)
        self.same("another order with n_jobs=3", *given, n_jobs=3)

    def other_forms(self) -> None:
        """Half of them: those of odd and even places by turns."""
        several = (*forms.FORMS[self.case.number % 2 :: 2], forms.sparse_of_one_type)
        for form in dict.fromkeys(several):
            X = form(self.case) if form in forms.NAMED or not self.needs_names() else None
            if X is not None:
                self.same(form.__name__, X, self.y, self.w)

    def needs_names(self) -> bool:
        signs = dict(self.case.parameters).get("monotonic_cst")
        named = isinstance(signs, dict) and any(isinstance(key, str) for key in signs)
        return named or watched(self.case)

    def searches(self) -> None:
        if self.case.boosted:
            search = SEARCHES[self.case.number % len(SEARCHES)]
            self.same(search, self.X, self.y, self.w, search=search)

    def parts(self) -> None:
        rng = np.random.default_rng(self.case.number)
        cuts = sorted(int(i) for i in rng.integers(0, self.case.rows + 1, 2))
        edges = [0, *cuts, self.case.rows]
        parts = [
            PartData(self.X.iloc[a:b], self.y[a:b], None if self.w is None else self.w[a:b])
            for a, b in itertools.pairwise(edges)
        ]
        self.same("parts", Pieces(parts), None, None)

    def data_set(self) -> None:
        if self.case.number % 8:
            return
        table = forms.arrow(self.case).append_column("y", pa.array(self.y))
        if self.w is not None:
            table = table.append_column("w", pa.array(self.w))
        with tempfile.TemporaryDirectory() as folder:
            middle = self.case.rows // 3
            for k, some in enumerate((table.slice(0, middle), table.slice(middle))):
                if some.num_rows:
                    pq.write_table(some, Path(folder) / f"{k}.parquet")
            data = ds.dataset(folder)
            self.same("a data set", data, "y", None if self.w is None else "w")

    def certified(self) -> None:
        found = certify.check(self.model, self.X, self.y, self.w, thorough=True)
        if not found:
            raise BrokenLawError(str(found.differences[:3]))

    def stored(self) -> None:
        wanted = self.model.predict_proba(self.X)
        for again in (loads(dumps(self.model)), pickle.loads(pickle.dumps(self.model))):
            assert again.digest() == self.digest
            assert np.array_equal(again.predict_proba(self.X), wanted)

    def numbers(self) -> None:
        shares = self.model.predict_proba(self.X)
        assert np.isfinite(shares).all()
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
        importances = self.model.feature_importances_
        assert np.isfinite(importances).all()
        assert (importances >= 0).all()
        total = importances.sum()
        assert total == 0 or abs(total - 1) < 1e-12
        assert self.model.to_text()

    def additive(self) -> None:
        if self.fractional:
            return
        values, start = self.model.shap_values(self.X), self.model.shap_expected_value()
        found = values.sum(axis=1) + start
        if self.case.boosted:
            wanted = self.model.decision_function(self.X)
        else:
            wanted = self.model.predict_proba(self.X)
        scale = 1 + np.abs(wanted).max()
        np.testing.assert_allclose(found, wanted.reshape(found.shape), atol=1e-9 * scale, rtol=0)

    def twice(self) -> None:
        """Where docs/theory/rules.md#exact-arithmetic promises it."""
        given = dict(self.case.parameters)
        if draws(self.case) or not is_whole(self.case.weights):
            return
        if self.fractional or "class_weight" in given or "weight_fraction" in given:
            return
        told = [int(w) for w in self.case.weights or ()]
        if sum(told) > 2000:
            return
        rows = [i for i, w in enumerate(told) for _ in range(w)]
        rows += [i for i, w in enumerate(told) if not w]
        again = [1.0] * sum(told) + [0.0] * (len(rows) - sum(told))
        other = self.case.taken(rows)
        self.same("rows repeated", forms.pandas(other), labels(other), np.array(again))

    def resumed(self) -> None:
        given = dict(self.case.parameters)
        if not self.case.boosted or given.get("early_stopping"):
            return
        rounds = estimator(self.case).n_estimators  # a shrunk case may have lost its own
        if rounds < 2:
            return
        model = estimator(self.case, warm_start=True, n_estimators=1 + self.case.number % 2)
        model.fit(self.X, self.y, self.w)
        model.set_params(n_estimators=rounds).fit(self.X, self.y, self.w)
        if model.digest() != self.digest:
            raise BrokenLawError("rounds in two goes have another digest")

    def replayed(self) -> None:
        """The draft of the tree gives the tree."""
        if self.case.boosted:
            return
        again = estimator(self.case).fit(self.X, self.y, self.w, draft=self.model.edit())
        if again.digest() != self.digest:
            raise BrokenLawError("the draft of the tree gives another tree")
        assert again.unmet_ == ()

    def constrained(self) -> None:
        """No constraint is refuted, by code that shares nothing with growth."""
        found = certify.prove(self.model, constraint_claims(self.case, self.model))
        for each in found:
            if each.status == "refuted":
                raise BrokenLawError(str(each)[:300])

    def exported(self) -> None:
        if self.fractional:
            return
        turn = self.case.number % 60
        runner = {7: run_c, 17: run_onnx, 27: run_duckdb, 37: run_duckdb}.get(turn, run_python)
        if runner is not run_python and not self._suits(runner):
            return
        columns = [field.values for field in self.case.fields]
        rows = [list(row) for row in zip(*columns, strict=True)][:40]
        same(runner(self.model, rows), expected(self.model, rows))

    def _suits(self, runner: Any) -> bool:
        kinds = {schema.kind for schema in self.model._schemas}
        return runner is not run_onnx or kinds <= {"numeric"}
