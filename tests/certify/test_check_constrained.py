"""`check` searches the splits of boosted trees with monotonic_cst again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from hardwood.certify import check
from hardwood.certify.checking.clipped_scores import ScoreAdmission
from hardwood.certify.checking.constraints import Admission
from tests.laws.constraint_trials import random_table

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]

VARIANTS = ["logistic", "real", "gentle", "discrete"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(4))
def test_constrained_boosted_trees_are_searched_again_and_accepted(variant: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = random_table(rng)
    X, y = X.iloc[:200], y[:200]
    prior = None if variant == "discrete" else (None, 0.0, 3.0)[seed % 3]
    model = BoostedTreesClassifier(
        variant=variant, multiclass="ovr" if y.max() > 1 else None, n_estimators=3, max_depth=4,
        leaf_prior=prior, random_state=1, interaction_cst=[None, "pairwise"][seed % 2],
        weight_fraction=[1.0, 0.8][seed // 2], feature_fraction=1.0,
        monotonic_cst={"c0": {1: 1}, "c1": {1: -1}, "size": {1: 1}},
    ).fit(X, y)  # fmt: skip
    report = check(model, X, y, thorough=True)
    assert not report.differences
    assert not any("monotonic_cst" in each for each in report.unchecked)


def noisy(rng: np.random.Generator) -> tuple[Any, Any]:
    X = rng.normal(size=(400, 3))
    return X, (X[:, 0] + 2 * X[:, 1] + rng.normal(size=400) > 0).astype(int)


def boosted(variant: str, **more: Any) -> BoostedTreesClassifier:
    given: dict[str, Any] = {"n_estimators": 1, "max_depth": 3, "monotonic_cst": [1, 0, 0]}
    return BoostedTreesClassifier(variant=variant, feature_fraction=1.0, **(given | more))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_split_that_is_not_the_best_admissible_one_is_found(variant: str) -> None:
    X, y = noisy(np.random.default_rng(1))
    model = boosted(variant, monotonic_cst=[1, -1, 0]).fit(X, y)
    assert not check(model, X, y, thorough=True).differences
    model.set_params(monotonic_cst=[1, 0, 0])
    assert any("column 1 offers" in each for each in check(model, X, y, thorough=True).differences)


@pytest.mark.parametrize("variant", VARIANTS[:3])
def test_a_leaf_that_could_be_split_is_found(variant: str) -> None:
    X, y = noisy(np.random.default_rng(2))
    model = boosted(variant, max_leaf_nodes=4, max_depth=None).fit(X, y)
    assert not check(model, X, y, thorough=True).differences
    model.set_params(max_leaf_nodes=5)
    told = check(model, X, y, thorough=True).differences
    assert any("could be split on column" in each for each in told)


@pytest.mark.parametrize("variant", VARIANTS[:3])
def test_what_clipping_costs_is_part_of_the_search_and_of_the_order(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same model is refused by a checker that forgets the loss of clipped leaves."""
    X, y = noisy(np.random.default_rng(4))
    y = np.where(np.random.default_rng(0).random(400) < 0.3, 1 - y, y)
    model = boosted(variant, max_depth=5, n_estimators=3, monotonic_cst=[-1, 1, 1]).fit(X, y)
    assert not check(model, X, y, thorough=True).differences
    monkeypatch.setattr(ScoreAdmission, "excess", Admission.excess)
    told = check(model, X, y, thorough=True).differences
    assert any("offers" in each for each in told)
    assert any("it was the turn of node" in each for each in told)
