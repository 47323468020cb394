"""Where rows have weights, rows are told as rows and weights as weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import hardwood
from hardwood import TreeClassifier
from hardwood.certify import check
from tests.tables.frames import every_kind

PRUNINGS = [
    {"pruning": None},
    {"pruning": "error-based", "min_samples_leaf": 1},
    {"pruning": "cost-complexity", "ccp_alpha": 0.01},
    {"pruning": "cost-complexity", "ccp_alpha": "cv", "random_state": 3},
    {"pruning": "reduced-error", "random_state": 3},
]


def rare(seed=0, n=900):
    """Two classes, the second rare and hard to tell, with missing values."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    y = np.where(X[:, 0] + random.normal(size=n) > 1.6, "bad", "good")
    X[random.random(X.shape) < 0.1] = np.nan
    return X, y


def counted(model, X, y, here):
    """[N, classes] by the slow way: each row's path, one row at a time."""
    counts = np.zeros((model.tree_.n_nodes, len(model.classes_)), dtype=np.int64)
    labels = np.searchsorted(model.classes_, y)
    path = model.decision_path(X).toarray()
    for row in np.flatnonzero(here):
        for node in np.flatnonzero(path[row]):
            counts[node, labels[row]] += 1
    return counts


@pytest.mark.parametrize("how", PRUNINGS[:4], ids=lambda how: str(how["pruning"]))
def test_the_rows_of_each_class_are_counted_at_every_node(how):
    X, y = rare()
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) * 0.5
    model = TreeClassifier(class_weight="balanced", **how).fit(X, y, sample_weight=weights)
    tree = model.tree_
    assert tree.n_leaves > 1
    assert np.array_equal(tree.class_rows, counted(model, X, y, weights > 0))
    assert np.array_equal(tree.class_rows.sum(axis=1), tree.rows)
    assert np.array_equal(model.grown_tree_.class_rows.sum(axis=1), model.grown_tree_.rows)


def test_rows_held_out_for_pruning_are_not_counted():
    X, y = rare()
    how = PRUNINGS[-1]
    model = TreeClassifier(class_weight="balanced", **how).fit(X, y)
    plain = TreeClassifier(**how).fit(X, y)
    assert np.array_equal(model.tree_.class_rows[0], plain.tree_.class_weights[0])
    assert model.tree_.rows[0] < len(y)


def test_categories_and_raised_branches_are_counted_too():
    X, y = every_kind()
    weights = 0.25 + np.arange(len(y)) % 7
    for confidence in (0.05, 0.25, 0.5):
        model = TreeClassifier(confidence=confidence, class_weight="balanced")
        model.fit(X, y, sample_weight=weights)
        here = np.ones(len(y), dtype=bool)
        assert np.array_equal(model.tree_.class_rows, counted(model, X, y, here))
        report = check(model, X, y, sample_weight=weights)
        assert report, str(report)


def test_the_checker_finds_a_wrong_count():
    X, y = rare()
    model = TreeClassifier(class_weight="balanced").fit(X, y)
    wrong = model.tree_.class_rows[:, ::-1]
    model.tree_ = replace(model.tree_, class_rows=wrong)
    assert any("class_rows" in each for each in check(model, X, y).differences)


@pytest.mark.parametrize("given", [None, np.ones(900), "ones by class"])
def test_rows_of_weight_one_are_told_as_before(given):
    X, y = rare()
    plain = TreeClassifier().fit(X, y)
    classes = {"good": 1.0, "bad": 1.0} if isinstance(given, str) else None
    weights = None if isinstance(given, str) else given
    model = TreeClassifier(class_weight=classes).fit(X, y, sample_weight=weights)
    assert model.tree_.class_rows is None
    assert model.to_text() == plain.to_text()
    assert list(map(str, model.rules())) == list(map(str, plain.rules()))


def test_the_digest_does_not_know_the_counts():
    X, y = rare()
    model = TreeClassifier(class_weight="balanced").fit(X, y)
    before = model.digest()
    model.tree_ = replace(model.tree_, class_rows=None)
    assert model.digest() == before


def test_rules_explanations_text_and_graphviz_tell_shares_of_rows():
    X, y = rare()
    model = TreeClassifier(class_weight={"bad": 9.0}, max_depth=1, leaf_prior=0).fit(X, y)
    tree = model.tree_
    leaf = max(tree.leaf_ids, key=lambda node: tree.shares[node, 0])
    inside = y[model.apply(X) == leaf]
    share = 100 * np.mean(inside == "bad")
    assert share < 60 < 100 * tree.shares[leaf, 0]
    said = f"{share:.4g}% of {len(inside)} rows, {100 * tree.shares[leaf, 0]:.4g}% of their weight"
    rule = next(rule for rule in model.rules() if rule.leaf == leaf)
    assert rule.row_share == np.mean(inside == "bad")
    assert str(rule).endswith(f"then bad ({said})")
    row = X[np.flatnonzero(model.apply(X) == leaf)[0]]
    told = str(model.explain(row.tolist())).splitlines()[0]
    assert told == "bad: " + said.replace("rows", "training rows")
    from hardwood.export import dot

    assert said in dot(model)
    header, *lines = model.to_text().splitlines()
    assert header.split()[-8:] == [
        "rows",
        "row",
        "share",
        "weight",
        "weighted",
        "share",
        "bad",
        "good",
    ]
    cells = next(line for line in lines if "  bad" in line).split()
    assert cells[-5] == f"{share / 100:.3f}"
    assert cells[-3] == cells[-2]
    assert model.to_dict()["nodes"][leaf]["class_rows"] == [
        int(np.sum(inside == "bad")), int(np.sum(inside == "good"))
    ]  # fmt: skip


def test_a_plot_and_a_report_tell_shares_of_rows():
    pytest.importorskip("matplotlib")
    X, y = rare()
    model = TreeClassifier(class_weight={"bad": 9.0}, max_depth=1, leaf_prior=0).fit(X, y)
    tree = model.tree_
    leaf = max(tree.leaf_ids, key=lambda node: tree.shares[node, 0])
    ax = model.plot()
    wanted = f"{100 * tree.row_shares[leaf, 0]:.0f}% of {tree.rows[leaf]} rows, "
    texts = [text.get_text() for text in ax.texts]
    assert any(wanted in text and text.endswith("of their weight") for text in texts)
    from hardwood.report.writing import content

    page = content(model, X, y)
    assert page["model"]["trees"][0]["class_rows"] == tree.class_rows.ravel().tolist()
    assert page["here"]["trained"]


def test_fractional_examples_are_told_by_weight():
    X, y = rare()
    model = TreeClassifier(missing="fractional", class_weight="balanced").fit(X, y)
    assert model.tree_.class_rows is None
    assert model.tree_.row_shares is None
    assert all("of the weight of" in str(rule) for rule in model.rules())
    assert "weighted share" in model.to_text()


@pytest.mark.parametrize("how", PRUNINGS, ids=lambda how: str(how["pruning"]))
def test_parts_count_the_same_rows(tmp_path, how):
    dataset = pytest.importorskip("pyarrow.dataset")
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    X, y = rare()
    names = [f"x{j}" for j in range(X.shape[1])]
    columns = {name: X[:, j] for j, name in enumerate(names)} | {"y": y}
    parquet.write_table(pa.table(columns), tmp_path / "rows.parquet", row_group_size=250)
    model = TreeClassifier(class_weight="balanced", **how)
    one = model.fit(pa.table(columns).drop(["y"]), y)
    expected = one.digest(), one.tree_.class_rows, one.grown_tree_.class_rows
    other = TreeClassifier(class_weight="balanced", **how)
    other.fit(dataset.dataset(tmp_path / "rows.parquet"), y="y")
    assert other.digest() == expected[0]
    assert np.array_equal(other.tree_.class_rows, expected[1])
    assert np.array_equal(other.grown_tree_.class_rows, expected[2])


def test_a_model_file_keeps_the_counts(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    model = TreeClassifier(class_weight="balanced").fit(X, y)
    hardwood.save(model, tmp_path / "model.hardwood")
    loaded = hardwood.load(tmp_path / "model.hardwood")
    assert np.array_equal(loaded.tree_.class_rows, model.tree_.class_rows)
    assert loaded.to_text() == model.to_text()
