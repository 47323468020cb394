"""What a boosted model tells of itself agrees with what it predicts."""

import json

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris

from hardwood import BoostedTreesClassifier
from hardwood.tree import Group
from tests.export.models import CLASSES, edge_rows, frame_of, hand_boosted

mpl.use("Agg")


def holds(condition, value):
    """Whether a value meets a condition of a rule, followed by hand."""
    if value is None:
        return condition.missing
    if isinstance(condition, Group):
        known = dict(zip(condition.schema.categories, range(100), strict=False))
        code = known.get(value)
        return code in condition.codes or (condition.others and code not in condition.excluded)
    low, high = condition.lower, condition.upper
    above = low is None or value > low
    return condition.present and above and (high is None or value <= high)


@pytest.mark.parametrize("multiclass", ["ovr", "samme"])
@pytest.mark.parametrize("labels", [["no", "yes"], CLASSES["strings"]], ids=["two", "five"])
def test_the_rules_that_a_row_satisfies_add_up_to_its_score(labels, multiclass):
    model = hand_boosted(3, multiclass, labels)
    rows = edge_rows(model)[:80]
    columns = {schema.name: j for j, schema in enumerate(model._schemas)}
    found = []
    for row in rows:
        scores = dict.fromkeys(labels, 0.0)
        for rule in model.rules():
            if all(holds(c, row[columns[c.schema.name]]) for c in rule.conditions):
                scores[rule.label] += rule.score
        found.append(scores["yes"] if len(labels) == 2 else list(scores.values()))
    assert np.array_equal(found, model.decision_function(frame_of(model, rows)))


@pytest.fixture(scope="module")
def iris():
    data = load_iris()
    return data.data, data.target_names[data.target]


ROUTES = (
    "A missing value that a split did not meet in training takes its branch with the most weight."
)


def test_the_text_shows_rounds_weights_and_scores(iris):
    X, y = iris
    options = {"variant": "real", "learning_rate": 0.1}
    model = BoostedTreesClassifier(n_estimators=3, max_depth=1, **options).fit(X[50:], y[50:])
    assert model.to_text(max_rounds=1).splitlines() == [
        "3 rounds, a positive sum of scores says virginica, any other versicolor",
        ROUTES,
        "",
        "round 1, weight 0.1",
        "2 leaves, depth 1  score      rows",
        "├─ x3 <= 1.75      -0.114119    54",
        "└─ x3 > 1.75       +0.190333    46",
        "",
        "... 2 more rounds",
    ]
    assert model.to_text().count("round ") == model.n_estimators_
    assert str(model.rules()[0]) == "round 1: if x3 <= 1.75 then -0.114119 for virginica"
    with pytest.raises(ValueError, match="max_rounds"):
        model.to_text(max_rounds=0)


def test_one_versus_rest_names_the_class_of_each_tree(iris):
    model = BoostedTreesClassifier(n_estimators=2, max_depth=2).fit(*iris)
    text = model.to_text()
    assert text.count("for virginica") == 2
    told = model.to_dict()
    assert [tree["class"] for tree in told["rounds"][0]] == ["setosa", "versicolor", "virginica"]
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_votes_name_the_class_of_each_leaf(iris):
    model = BoostedTreesClassifier(n_estimators=2, max_depth=2, variant="discrete").fit(*iris)
    lines = model.to_text().splitlines()
    assert lines[4].split()[-3:] == ["label", "rows", "score"]
    assert {rule.label for rule in model.rules()} == {"setosa", "versicolor", "virginica"}


def test_one_round_is_drawn(iris):
    import matplotlib.pyplot as plt

    model = BoostedTreesClassifier(n_estimators=2, max_depth=1).fit(*iris)
    figure, ax = plt.subplots()
    assert model.plot(ax=ax, tree=-1, label="virginica") is ax
    shown = {text.get_text() for text in ax.texts}
    assert {"other", "virginica"} <= shown
    plt.close(figure)
    with pytest.raises(ValueError, match="tree must be the number of a round, 0 to 1"):
        model.plot(tree=2)
    with pytest.raises(ValueError, match="label must be a class"):
        model.plot(label="tulip")
