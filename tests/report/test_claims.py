"""The section of claims in the page."""

from hardwood import TreeClassifier
from hardwood.certify import NeverUses, SameAnswer, prove
from tests.report.pages import breast_cancer


def test_the_page_tells_claims_and_shows_the_rows_that_refute_them(open_page):
    X, y = breast_cancer()
    model = TreeClassifier(max_leaf_nodes=6, pruning=None).fit(X, y)
    unused = next(j for j in range(30) if j not in model.tree_.used_features)
    used = int(model.tree_.feature[0])
    claims = [
        NeverUses(column=X.columns[unused]),
        SameAnswer(column=X.columns[used]),
    ]
    html = model.report(X, y, claims=claims)
    assert html == model.report(X, y, claims=prove(model, claims))
    page = open_page(html)
    words = page.locator("#claims").inner_text()
    assert "2 claims: 1 proved, 1 refuted" in words
    assert f"the model never uses {X.columns[unused]}" in words
    page.locator("#claims summary").click()
    assert page.locator("#claims table").first.is_visible()
    assert "claims" not in [
        each.get_attribute("id") for each in open_page(model.report(X, y)).locator("section").all()
    ]
