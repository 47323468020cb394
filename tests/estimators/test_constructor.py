"""Constructors that are made from the classes' annotated values."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier

ESTIMATORS = (TreeClassifier, BoostedTreesClassifier)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_each_parameter_is_a_keyword_and_is_kept_as_it_was_given(kind):
    parameters = inspect.signature(kind).parameters.values()
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    given = {each.name: object() for each in parameters}
    assert kind(**given).get_params(deep=False) == given
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        kind(depth=3)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_models_of_the_same_parameters_are_not_taken_for_each_other(kind):
    """As dataclasses they would be, by Dask's tokens for one, which read the fields alone."""
    assert not dataclasses.is_dataclass(kind)
    assert kind() != kind()
