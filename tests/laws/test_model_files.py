"""Law: load(save(model)) is the model, whatever table it was trained on."""

from __future__ import annotations

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from hardwood import BoostedTreesClassifier
from hardwood.model_file import dumps, loads
from tests.effort import trials
from tests.laws.reading import fit
from tests.model_file.same import assert_same_model
from tests.tables.small import any_rules, tables


@settings(max_examples=trials(25))
@given(table=tables(), rules=any_rules)
def test_a_tree_comes_back_from_its_file(table, rules):
    model = fit(table, rules)
    content = dumps(model)
    assert_same_model(model, loads(content))
    assert_same_model(model, pickle.loads(pickle.dumps(model)))
    assert dumps(loads(content)) == content


@settings(max_examples=trials(25))
@given(
    table=tables(),
    variant=st.sampled_from(("real", "discrete", "gentle")),
    multiclass=st.sampled_from((None, "ovr")),
    rounds=st.integers(1, 4),
)
def test_a_boosted_model_comes_back_from_its_file(table, variant, multiclass, rounds):
    model = BoostedTreesClassifier(n_estimators=rounds, variant=variant, multiclass=multiclass)
    model.fit(table.X, table.y, sample_weight=table.sample_weight)
    content = dumps(model)
    assert_same_model(model, loads(content))
    assert dumps(loads(content)) == content
