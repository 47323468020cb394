"""Scorecards: a row meets one line of each list, and points add up to the model's log odds."""

import csv
import io
import math
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import hardwood
from hardwood.export import scorecard
from hardwood.export.scorecard import scorecard_of
from hardwood.export.scorecard_text import condition_text
from hardwood.tree import Interval
from tools.ready_command import command as ready_command

SCALE = {"label": None, "base": 600.0, "odds": 1.0, "double": 20.0}


def table():
    """With categories, booleans, missing values and, in the rows to score, unknown categories."""
    data = load_breast_cancer(as_frame=True)
    rng = np.random.default_rng(1)
    X = data.data.iloc[:, :8].copy()
    X["town"] = rng.choice(list("abcdef"), len(X))
    X["size"] = pd.Categorical(rng.choice(list("SML"), len(X)), list("SML"), ordered=True)
    X["smoker"] = rng.random(len(X)) < 0.4
    X.loc[::9, "mean radius"] = np.nan
    effects = 2 * data.target - 1 + 2 * X.town.isin(["b", "e"]) - 2 * X.smoker
    y = np.where(effects + rng.normal(size=len(X)) > 0, "bad", "good")
    later = X.copy()
    later.loc[::5, "town"] = "elsewhere"
    later.loc[1::5, "town"] = None
    later.loc[2::5, "mean texture"] = np.nan
    return X, y, later


def meets(condition, value):
    """Written from the words of the conditions, apart from the library's own routing."""
    missing = value is None or value != value
    if isinstance(condition, Interval):
        if missing:
            return condition.missing
        low = condition.lower is None or value > condition.lower
        high = condition.upper is None or value <= condition.upper
        return condition.present and low and high
    if missing:
        return condition.missing
    categories = condition.schema.categories
    if value in [categories[code] for code in condition.codes]:
        return True
    excluded = [categories[code] for code in condition.excluded]
    return condition.others and value not in excluded


def points(card, row):
    total = card.base
    for lines in card.lists.values():
        met = [
            line
            for line in lines
            if all(meets(each, row[each.schema.name]) for each in line.conditions)
        ]
        assert len(met) == 1
        total += met[0].points
    return total


def stumps(variant="logistic", **more):
    X, y, later = table()
    model = hardwood.BoostedTreesClassifier(n_estimators=60, max_depth=1, variant=variant, **more)
    return model.fit(X, y), later


def log_odds(model, X, label):
    share = model.predict_proba(X)[:, list(model.classes_).index(label)]
    return np.log(share / (1 - share))


@pytest.mark.parametrize("digits", [0, 2, 12])
@pytest.mark.parametrize("variant", ["logistic", "real", "discrete"])
def test_points_of_stumps_add_up_to_the_log_odds(variant, digits):
    model, X = stumps(variant)
    card = scorecard_of(model, **SCALE, digits=digits)
    assert {"town", "smoker"} <= set(card.lists)
    wanted = 600 + 20 / math.log(2) * log_odds(model, X, "good")
    found = np.array([points(card, row) for row in X.to_dict("records")])
    assert card.rounding == pytest.approx(0.5 * 10.0**-digits * (1 + len(card.lists)))
    assert np.abs(found - wanted).max() <= card.rounding + 1e-8


@pytest.mark.parametrize("label", ["bad", "good"])
def test_points_of_a_tree_are_those_of_its_leaves(label):
    X, y, later = table()
    model = hardwood.TreeClassifier(max_leaf_nodes=12, pruning=None).fit(X, y)
    scale = {"label": label, "base": 500.0, "odds": 50.0, "double": 30.0}
    card = scorecard_of(model, **scale, digits=6)
    assert len(card.lists["leaf"]) == model.get_n_leaves()
    wanted = 500 + 30 / math.log(2) * (log_odds(model, later, label) - math.log(50))
    found = np.array([points(card, row) for row in later.to_dict("records")])
    assert np.abs(found - wanted).max() <= card.rounding + 1e-8


def test_a_class_of_several_can_be_counted_for_a_tree():
    data = load_iris()
    model = hardwood.TreeClassifier().fit(data.data, data.target)
    card = scorecard_of(model, **SCALE | {"label": 2}, digits=8)
    found = [points(card, {f"x{j}": x for j, x in enumerate(row)}) for row in data.data]
    assert np.allclose(found, 600 + 20 / math.log(2) * log_odds(model, data.data, 2), atol=1e-6)


def test_the_least_points_of_a_list_are_0_and_texts_have_them_all():
    model, _ = stumps()
    card = scorecard_of(model, **SCALE, digits=1)
    assert all(min(line.points for line in lines) == 0 for lines in card.lists.values())
    told = list(csv.DictReader(io.StringIO(scorecard(model, digits=1))))
    assert told[0]["list"] == "base points"
    assert float(told[0]["points"]) == card.base
    assert "20 points more double" in told[0]["condition"]
    listed = [(name, line) for name, lines in card.lists.items() for line in lines]
    assert [(each["list"], each["condition"], float(each["points"])) for each in told[1:]] == [
        (name, condition_text(line), line.points) for name, line in listed
    ]
    conditions = {each["condition"] for each in told}
    assert {"smoker is true", "smoker is false", "town is missing"} <= conditions
    assert "town is another value" in conditions
    assert not any(" more" in each["condition"] for each in told[1:])


def test_the_page_has_every_line_and_names_are_escaped():
    X, y, _ = table()
    X = X.rename(columns={"town": "<b>town</b> & more"})
    model = hardwood.BoostedTreesClassifier(n_estimators=40, max_depth=1).fit(X, y)
    page = scorecard(model, "html")
    card = scorecard_of(model, **SCALE, digits=0)
    assert page.count("<tr>") == 2 + sum(map(len, card.lists.values()))
    assert "<b>town" not in page
    assert "&lt;b&gt;town&lt;/b&gt; &amp; more" in page
    assert "http" not in page


def test_labels_double_turn_and_scale():
    model, _ = stumps()
    one = scorecard_of(model, **SCALE, digits=6)
    other = scorecard_of(model, **SCALE | {"label": "bad"}, digits=6)
    for name, lines in one.lists.items():
        most = max(line.points for line in lines)
        turned = [most - line.points for line in lines]
        assert [line.points for line in other.lists[name]] == pytest.approx(turned, abs=1e-5)
    wide = scorecard_of(model, **SCALE | {"double": 40.0}, digits=6)
    for name, lines in one.lists.items():
        for line, twice in zip(lines, wide.lists[name], strict=True):
            assert twice.points == pytest.approx(2 * line.points, abs=1e-5)


def test_what_has_no_scorecard_is_refused_in_a_sentence():
    X, y, _ = table()
    deep = hardwood.BoostedTreesClassifier(n_estimators=3, max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="fit with max_depth=1"):
        scorecard(deep)
    data = load_iris()
    three = hardwood.BoostedTreesClassifier(n_estimators=3, max_depth=1)
    with pytest.raises(ValueError, match="two classes, and these have 3"):
        scorecard(three.fit(data.data, data.target))
    pure = hardwood.TreeClassifier(leaf_prior=0.0, pruning=None).fit(X, y)
    with pytest.raises(ValueError, match="leaf_prior above 0"):
        scorecard(pure)
    model, _ = stumps()
    for wrong, words in [
        ({"label": "neither"}, "label must be one of the classes"),
        ({"double": 0}, "double must be a finite number above 0"),
        ({"odds": -1.0}, "odds must be"),
        ({"base": math.inf}, "base must be a finite number"),
        ({"digits": 13}, "digits must be"),
        ({"form": "pdf"}, 'form must be "csv" or "html"'),
    ]:
        with pytest.raises(ValueError, match=words):
            scorecard(model, **wrong)


def test_the_command_line_prints_both_forms(tmp_path):
    model, _ = stumps()
    path = tmp_path / "model.hardwood"
    hardwood.save(model, path)
    for form, wanted in (("csv", "scorecard"), ("html", "scorecard-html")):
        command = [*ready_command(), "show", str(path), "--as", wanted]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert told.strip() == scorecard(model, form).strip()
