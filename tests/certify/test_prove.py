"""`prove`: models made to violate, sums that hold together, time, wording, wrong claims."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, load, save
from hardwood.certify import Monotone, NeverTogether, NeverUses, SameAnswer, Within, prove
from hardwood.table.schema import ColumnSchema
from tests.certify.proof_models import boosted, table, tree
from tests.hand_built import build, groups, interval, leaf


def steps(rounds=1, columns=2, seed=0, **given):
    """Boosted stumps (or deeper) on whole numbers, whose score rises with x0."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (400, columns)).astype(float)
    y = (X[:, 0] + rng.normal(size=400) > 2.5).astype(int)
    settings = {"n_estimators": rounds, "max_depth": 1, "feature_fraction": 1.0}
    settings |= {"cut_fraction": 1.0, **given}
    return BoostedTreesClassifier(**settings).fit(X, y), X


def edited(model, place, **change):
    """The model with one tree changed."""
    trees = model._run.boosters[0].trees
    trees[place] = replace(trees[place], **change)
    model._take(model._run)
    return model


def with_tree(model, tree):
    model.tree_ = tree
    return model


def hand_made(root, schemas):
    """A TreeClassifier that holds a tree made by hand."""
    model = TreeClassifier().fit(np.zeros((2, len(schemas))), [0, 1])
    model._schemas = tuple(schemas)
    return with_tree(model, build(root, schemas))


def test_a_violation_put_into_one_of_many_trees_is_found():
    model, _ = steps(rounds=60, max_depth=2)
    rises = Monotone(column="x0")
    assert prove(model, rises).proved
    deep = next(i for i, each in enumerate(model.trees_) if (each.feature == 0).any())
    edited(model, deep, value=-40 * model.trees_[deep].value)
    (result,) = prove(model, rises)
    assert result.status == "refuted"
    first, second = model.predict_proba(pd.DataFrame(result.rows).to_numpy())[:, 1]
    assert first > second
    assert result.rows[0]["x0"] < result.rows[1]["x0"]


def test_a_sum_that_rises_is_proved_though_one_of_its_trees_falls():
    model, _ = steps(rounds=2)
    assert [each.feature[0] for each in model.trees_] == [0, 0]
    same = model.trees_[0]
    edited(model, 0, value=np.array([0.0, -1.0, 1.0]))
    for less, status in ((0.5, "proved"), (1.5, "refuted")):
        edited(model, 1, thresholds=same.thresholds, value=np.array([0.0, less, -less]))
        (result,) = prove(model, Monotone(column="x0"))
        assert result.status == status
        (other,) = prove(model, Monotone(column="x0", direction="decreasing", label=0))
        assert other.status == status


def test_trees_that_cancel_to_within_rounding_are_not_called_monotone_without_proof():
    model, _ = steps(rounds=3)
    cut = model.trees_[0].thresholds
    for place, step in enumerate((0.1, 0.2, -0.3)):
        edited(model, place, thresholds=cut, value=np.array([0.0, -step, step]))
    (result,) = prove(model, Monotone(column="x0"))
    low, high = model.decision_function([[0.0, 0.0], [5.0, 0.0]])
    assert result.status in (("not proved", "proved") if low <= high else ("refuted",))


def test_a_threshold_moved_past_another_is_read_from_the_tree_as_it_is():
    schemas = [ColumnSchema("a", "numeric"), ColumnSchema("b", "category", ("u", "v", "w"))]
    good = interval(0, [1.0], leaf(8, 2), groups(1, [[0], [1]], leaf(5, 5), leaf(1, 9)))
    bad = interval(0, [1.0], leaf(2, 8), groups(1, [[0], [1]], leaf(5, 5), leaf(1, 9)))
    rises = Monotone(column="a")
    assert prove(hand_made(good, schemas), rises).proved
    (result,) = prove(hand_made(bad, schemas), rises)
    assert result.rows[0]["b"] != "v"
    only_v = Monotone(column="a", where={"b": "v"})
    assert prove(hand_made(bad, schemas), only_v).proved


def test_a_node_that_no_row_reaches_proves_and_refutes_nothing():
    schemas = [ColumnSchema("a", "numeric"), ColumnSchema("b", "numeric")]
    unreached = interval(0, [5.0], leaf(3, 3), interval(1, [0.0], leaf(9, 1), leaf(1, 9)))
    model = hand_made(interval(0, [1.0], unreached, leaf(2, 8)), schemas)
    present = {"where": {"a": {"missing": False}}}
    assert prove(model, NeverUses(column="b", **present)).proved
    assert prove(model, NeverTogether(columns=["a", "b"], **present)).proved
    assert prove(model, Within(at_most=0.8, at_least=0.5, **present)).proved


def test_columns_asked_on_one_path_are_found_and_named():
    X, y = table(0, 2)
    model = TreeClassifier(max_leaf_nodes=8, pruning=None).fit(X, y)
    (result,) = prove(model, NeverTogether(columns=["x", "size"]))
    assert result.status == "refuted"
    assert "asks this row about x and size on one path" in result.explanation
    path = model.explain(result.rows[0])
    assert {"x", "size"} <= {step.condition.schema.name for step in path.steps}


def test_the_largest_numbers_have_no_cell_above_them():
    schemas = [ColumnSchema("n", "unsigned"), ColumnSchema("f", "numeric")]
    top = np.finfo(np.float64).max
    root = interval(0, [2**64 - 1], interval(1, [top], leaf(7, 3), leaf(1, 9)), leaf(1, 9))
    model = hand_made(root, schemas)
    assert prove(model, Within(at_most=0.3, missing=False)).proved
    assert prove(model, Monotone(column="n")).proved


def test_scores_of_one_class_are_decided_where_the_normalised_probability_is_open():
    model = boosted("logistic", 0, 3, rounds=3)
    result = prove(model, [Monotone(column="x", label=2, of=of) for of in ("score", "probability")])
    assert result[0].status in ("proved", "refuted")
    if result[0].rows:
        first, second = model.decision_function(pd.DataFrame(result[0].rows))[:, 2]
        assert first > second


def test_score_limits_hold_for_the_decision_function():
    model, _ = steps(rounds=5)
    grid = np.array([[a, b] for a in range(-1, 7) for b in range(-1, 7)], dtype=float)
    scores = model.decision_function(np.vstack([grid, [[np.nan, np.nan]]]))
    high = float(scores.max())
    assert prove(model, Within(of="score", at_most=high)).proved
    (result,) = prove(model, Within(of="score", at_most=float(np.nextafter(high, -9))))
    assert model.decision_function(pd.DataFrame(result.rows).to_numpy())[0] == high


def test_time_that_is_up_is_told_and_nothing_is_claimed():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=600) > 0).astype(int)
    model = BoostedTreesClassifier(n_estimators=80).fit(X, y)
    (result,) = prove(model, Within(at_most=0.95), time_limit=1e-9)
    assert result.status == "not proved"
    assert "seconds were not enough" in result.explanation


def test_the_model_is_only_read_and_a_loaded_one_gives_the_same(tmp_path):
    model = tree("plain", 0, 3)
    before = model.digest()
    claims = [SameAnswer(column="city"), Within(label=1, at_most=0.5), NeverUses(column="size")]
    said = str(prove(model, claims))
    save(model, tmp_path / "model")
    assert str(prove(load(tmp_path / "model"), claims)) == said
    assert model.digest() == before


def test_one_class_and_models_without_names():
    single = BoostedTreesClassifier(n_estimators=2).fit([[0.0], [1.0]], ["a", "a"])
    assert prove(single, Within(label="a", at_least=1.0)).proved
    model, _ = steps()
    assert prove(model, [Monotone(column=0), NeverUses(column="x1")]).proved


def test_proofs_read_as_sentences_and_are_a_list():
    model, _ = steps()
    proofs = prove(model, [NeverUses(column="x1"), {"claim": "same answer", "column": "x0"}])
    assert len(proofs) == 2
    assert not proofs
    assert [each.status for each in proofs] == ["proved", "refuted"]
    lines = str(proofs).splitlines()
    assert lines[0] == "2 claims: 1 proved, 1 refuted"
    assert lines[1] == "proved: the model never uses x1"
    assert lines[-1].startswith("  second row: the same, but x0 = ")
    assert prove(model, []).proved


WRONG = [
    (Monotone(column="income"), "no column 'income'; its columns are 'x0', 'x1'"),
    (Monotone(column="x0", label="yes"), "no class 'yes'; its classes are 0, 1"),
    (Monotone(column="x0", direction="up"), "direction is 'up'"),
    (Within(), "needs at_least, at_most, or both"),
    (Within(at_least=0.7, at_most=0.3), "no number is both"),
    (Within(at_most=1.5), "lies between 0 and 1"),
    (Within(at_most=float("nan")), "must be a number"),
    (Within(at_most=1, where={"x0": {"above": 3, "below": 2}}), "No row is meant"),
    (Within(at_most=1, where={"x0": {"above": 3, "under": 2}}), "has 'under'"),
    (Within(at_most=1, where={"x0": "much"}), "a column of numbers"),
    (Within(at_most=1, where=["x0"]), "conditions by column"),
    (NeverTogether(columns=["x0"]), "at least two different columns"),
    (NeverTogether(columns="x0"), "a list of at least two columns"),
    ({"column": "x0"}, "the key claim is missing"),
    ({"claim": "monotone"}, "needs 'column'"),
    ({"claim": "monotone", "column": "x0", "slope": 1}, "does not take 'slope'"),
    (7, "a claim is a mapping or an object"),
]


@pytest.mark.parametrize(("claim", "sentence"), WRONG, ids=[each[1] for each in WRONG])
def test_wrong_claims_are_refused_with_a_sentence(claim, sentence):
    model, _ = steps()
    with pytest.raises((ValueError, TypeError), match="Claim 1") as caught:
        prove(model, [claim])
    assert sentence in str(caught.value)


def test_claims_that_do_not_go_with_the_model_are_refused():
    model = tree("plain", 0, 3)
    for claim, sentence in [
        (Monotone(column="x"), "3 classes; say which one"),
        (Monotone(column="city", label=1), "have no order"),
        (Within(label=1, at_most=1, where={"city": "d"}), "no category 'd'; it has 'a', 'b', 'c'"),
        (Within(label=1, at_most=1, where={"city": {"above": "a"}}), "have no order"),
        (Within(label=1, of="score", at_most=1), "probabilities only"),
    ]:
        with pytest.raises(ValueError, match="Claim 1") as caught:
            prove(model, [claim])
        assert sentence in str(caught.value)
    with pytest.raises(TypeError, match="Call fit first"):
        prove(TreeClassifier(), [])
    with pytest.raises(TypeError, match="list of claims"):
        prove(model, "monotone")
    with pytest.raises(ValueError, match="time_limit"):
        prove(model, [], time_limit=0)
