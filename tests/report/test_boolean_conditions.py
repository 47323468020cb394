"""The page calls the values of a boolean column true and false, as `to_text` does."""

import numpy as np
import pandas as pd

from hardwood import TreeClassifier


def test_conditions_of_booleans_are_those_of_the_rules(open_page):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"smoker": rng.random(300) < 0.4, "age": rng.integers(18, 80, 300)})
    y = np.where(X.smoker & (X.age > 50), "ill", "well")
    model = TreeClassifier(pruning=None).fit(X, y)
    page = open_page(model.report(X, y))
    told = page.evaluate(
        "n => [...Array(n).keys()].slice(1).map(node => "
        'hardwoodReport.trees[0].told(node).map(part => part[0]).join(""))',
        model.tree_.n_nodes,
    )
    assert {"smoker is true", "smoker is false"} <= set(told)
    assert not any("smoker <=" in each for each in told)
    field = page.locator("select", has=page.locator("option", has_text="true"))
    assert field.evaluate("each => each.selectedOptions[0].textContent") == "false"
    row = pd.DataFrame({"smoker": [True], "age": [60]})
    page.get_by_label("smoker", exact=True).select_option("true")
    page.get_by_label("age", exact=True).fill("60")
    assert page.inner_text("#what-if .answer").endswith(model.predict(row)[0])
    assert "true in " in page.inner_text("#data")
