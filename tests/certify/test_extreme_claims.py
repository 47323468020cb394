"""Integers that no float holds, and things that are no lists, in claims, drafts and labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hardwood import Draft, TreeClassifier, certify

RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": RNG.normal(size=80), "b": RNG.integers(0, 5, 80)})
Y = (X["a"] + RNG.normal(size=80) > 0).astype(int)
LARGE = 10**400


@pytest.fixture(scope="module")
def model():
    return TreeClassifier().fit(X, Y)


def test_a_condition_beyond_every_float_holds_always_or_never(model):
    def split_by_b(**where):
        claim = {"claim": "same answer", "column": "b", "where": {"a": where}}
        return certify.prove(model, claim)[0].status

    plain = split_by_b(at_least=-1e300)
    assert split_by_b(at_least=-LARGE) == split_by_b(above=-LARGE) == plain
    assert split_by_b(at_most=LARGE) == split_by_b(below=LARGE) == plain


@pytest.mark.parametrize("side", ["at_least", "at_most"])
def test_a_limit_beyond_every_float_is_refused(model, side):
    for number in (LARGE, -LARGE):
        with pytest.raises(ValueError, match="beyond every float"):
            certify.prove(model, {"claim": "within", side: number})


def test_time_limits(model):
    claim = {"claim": "never uses", "column": "b"}
    assert certify.prove(model, claim, time_limit=LARGE)[0].status in ("proved", "refuted")
    for wrong in ("x", 1j, [1], 0, float("nan")):
        with pytest.raises(ValueError, match="time_limit is .*positive number"):
            certify.prove(model, claim, time_limit=wrong)


def test_claims_that_are_no_list_are_refused(model):
    with pytest.raises(TypeError, match="it takes a list of claims"):
        certify.prove(model, np.array(3))


@pytest.mark.parametrize("number", [LARGE, -LARGE])
def test_a_threshold_beyond_every_float_fits_no_rows(number):
    draft = Draft().split("", "a", number)
    with pytest.warns(UserWarning, match="draft"):
        assert TreeClassifier().fit(X, Y, draft=draft).unmet_ == (0,)


def test_thresholds_and_groups_that_are_no_lists_are_refused():
    for wrong in (3, None, 1j, "ab", np.array(3)):
        with pytest.raises(ValueError, match="The thresholds of a split must be a list"):
            Draft().split("", "a", thresholds=wrong)
    with pytest.raises(ValueError, match="The groups of a split must be a list"):
        Draft().split("", "b", groups=3)
    with pytest.raises(ValueError, match="The group of a split must be a list"):
        Draft().split("", "b", groups=[3, [4]])


def test_weights_and_labels_that_are_none_are_refused(model):
    with pytest.raises(ValueError, match="sample_weight must be numbers"):
        TreeClassifier().fit(X, Y, [LARGE] * 80)
    for wrong in (3, None, 1j, np.array(3)):
        with pytest.raises(ValueError, match="give one label per row"):
            certify.check(model, X, wrong)
