"""Laws of drafts: what is replayed is the same, what is forbidden does not happen."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hardwood
from hardwood import Draft, TreeClassifier
from hardwood.certify import check
from hardwood.errors import ModelWarning
from tests.tables.frames import every_kind, mixed_frame

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]

SETTINGS: list[dict[str, Any]] = [
    {},
    {"criterion": "gini", "pruning": None, "max_leaf_nodes": 12},
    {"criterion": "entropy", "pruning": None, "leaf_choice": "weight", "max_leaf_nodes": 9},
    {"criterion": "error", "pruning": None, "min_samples_leaf": 1, "max_depth": 4},
    {"pruning": "cost-complexity", "ccp_alpha": 0.005},
    {"pruning": "cost-complexity", "ccp_alpha": "cv"},
    {"pruning": "reduced-error", "min_samples_leaf": 1},
    {"branching": "multiway", "max_leaf_nodes": 16, "pruning": None},
    {"branching": "multiway", "max_leaf_nodes": 16},
    {"min_category_size": 1, "min_drop": 0.001},
]


def table(seed: int, classes: int, weighted: bool) -> tuple[pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(seed)
    X, y = mixed_frame(rng, 300, classes)
    X["rank"] = pd.Categorical.from_codes(
        rng.integers(-1, 4, len(X)), ["low", "middle", "high", "top"], ordered=True
    )
    weights = rng.integers(0, 4, len(X)).astype(float) if weighted else None
    return X, y, weights


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
@pytest.mark.parametrize(("classes", "weighted"), [(2, False), (2, True), (3, False), (4, True)])
def test_the_draft_of_a_fitted_tree_gives_that_tree(
    setting: int, classes: int, weighted: bool
) -> None:
    X, y, weights = table(setting, classes, weighted)
    model = TreeClassifier(**SETTINGS[setting]).fit(X, y, weights)
    draft = model.edit()
    again = TreeClassifier(**SETTINGS[setting]).fit(X, y, weights, draft=draft)
    assert again.digest() == model.digest()
    assert again.unmet_ == ()
    assert again.certificate_.holds
    assert again.edit() == draft
    assert not check(again, X, y, weights, thorough=True).differences


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_an_empty_draft_is_a_plain_fit(setting: int) -> None:
    X, y, weights = table(setting, 2 + setting % 2, setting % 3 == 0)
    model = TreeClassifier(**SETTINGS[setting])
    plain = model.fit(X, y, weights).digest()
    history = {name: values.copy() for name, values in model.history_.items()}
    model.fit(X, y, weights, draft=Draft())
    assert model.digest() == plain
    for name, values in history.items():
        np.testing.assert_array_equal(model.history_[name], values)


@pytest.mark.parametrize("seed", range(4))
def test_with_costs_a_draft_is_replayed_and_its_splits_are_not_pruned(seed: int) -> None:
    X, y, weights = table(seed, 2, weighted=seed % 2 == 1)
    first, second = sorted(set(y))
    costs = {(first, second): 1.0, (second, first): 6.0}

    def fitted(draft: Draft | None = None) -> TreeClassifier:
        return TreeClassifier(costs=costs, min_samples_leaf=1).fit(X, y, weights, draft=draft)

    plain = fitted()
    for draft in (Draft(), plain.edit()):
        assert fitted(draft).digest() == plain.digest()
    told = Draft().prefer("", "few").prefer("R", "word").leaf("L")
    model = fitted(told)
    assert model.unmet_ == ()
    tree = model.tree_
    names = [model._schemas[f].name for f in tree.feature[[0, int(tree.first_child[0]) + 1]]]
    assert names == ["few", "word"]
    assert tree.is_leaf[tree.first_child[0]]
    assert fitted(told).digest() == model.digest()
    assert not check(model, X, y, weights, thorough=True).differences


def started(model: TreeClassifier) -> Draft:
    """The best split of the root, a column that is preferred, one that is forbidden."""
    root = model.edit().lines[0]
    return (
        Draft([root])
        .prefer("L", "few", reason="asked for")
        .forbid("R", "many", reason="not known in time")
        .note("R", "to be discussed")
    )


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_a_draft_is_carried_out_and_the_rest_is_checked_as_exact(setting: int) -> None:
    X, y, weights = table(100 + setting, 2 + setting % 2, setting % 2 == 0)
    settings = SETTINGS[setting]
    draft = started(TreeClassifier(**settings).fit(X, y, weights))
    model = TreeClassifier(**settings).fit(X, y, weights, draft=draft)
    assert model.certificate_.holds
    assert not check(model, X, y, weights, thorough=True).differences
    forbidden = [schema.name for schema in model._schemas].index("many")
    for tree in (model.tree_, model.grown_tree_):
        below = {int(tree.first_child[0]) + 1}
        for node in range(1, tree.n_nodes):
            if node in below or int(tree.parent[node]) in below:
                below.add(node)
                assert tree.feature[node] != forbidden
    if 1 not in model.unmet_:
        few = [schema.name for schema in model._schemas].index("few")
        assert model.tree_.feature[int(model.tree_.first_child[0])] == few


def test_the_digest_does_not_depend_on_threads_or_row_order() -> None:
    X, y, weights = table(5, 3, True)
    draft = started(TreeClassifier().fit(X, y, weights))
    found = TreeClassifier().fit(X, y, weights, draft=draft).digest()
    assert TreeClassifier(n_jobs=3).fit(X, y, weights, draft=draft).digest() == found
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = X.iloc[order], y.iloc[order], weights[order]
    assert TreeClassifier().fit(*shuffled, draft=draft).digest() == found
    assert (
        TreeClassifier().fit(X, y, weights, draft=Draft.from_dict(draft.to_dict())).digest()
        == found
    )


def test_every_prefix_of_a_trees_draft_grows_the_same_tree_by_best_first() -> None:
    """The best split, decided beforehand, is still the best one."""
    X, y, weights = table(6, 2, False)
    settings: dict[str, Any] = {"pruning": None, "max_leaf_nodes": 10}
    model = TreeClassifier(**settings).fit(X, y, weights)
    splits = [line for line in model.edit() if line.do == "split"]
    for count in range(len(splits) + 1):
        again = TreeClassifier(**settings).fit(X, y, weights, draft=Draft(splits[:count]))
        assert again.digest() == model.digest()


def test_a_preferred_column_gets_its_best_split_by_brute_force() -> None:
    X, y, weights = table(7, 2, True)
    model = TreeClassifier(pruning=None, max_leaf_nodes=6).fit(X, y, weights)
    for column in ("many", "word", "tenths", "wide", "rank", "city", "few"):
        alone = TreeClassifier(pruning=None, max_leaf_nodes=2).fit(X[[column]], y, weights)
        told = TreeClassifier(pruning=None, max_leaf_nodes=2).fit(
            X, y, weights, draft=Draft().prefer("", column)
        )
        assert told.edit().lines[0] == alone.edit().lines[0]
    assert model.get_n_leaves() == 6


def test_a_zero_gain_split_is_taken_and_the_certificate_holds() -> None:
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 10, "b": [0, 1, 0, 1] * 10})
    y = (X["a"] ^ X["b"]).to_numpy()
    assert TreeClassifier(min_samples_leaf=1).fit(X, y).get_n_leaves() == 1
    draft = Draft().split("", "a", 0, reason="the two halves were measured apart")
    model = TreeClassifier(min_samples_leaf=1).fit(X, y, draft=draft)
    assert model.get_n_leaves() == 4
    assert model.history_["drop"][0] == 0
    assert model.certificate_.holds
    assert (model.predict(X) == y).all()
    assert not check(model, X, y, thorough=True).differences


def test_instructed_nodes_are_not_pruned() -> None:
    X, y, _ = table(8, 2, False)
    draft = Draft().split("", "few", 2).split("L", "flag", 0).leaf("R")
    for settings in SETTINGS:
        model = TreeClassifier(**settings).fit(X, y, draft=draft)
        tree = model.tree_
        assert [int(tree.feature[0]), int(tree.feature[1])] == [1, 2]
        assert tree.is_leaf[2]


def test_a_model_file_and_a_pickle_keep_the_draft_with_its_reasons(tmp_path: Path) -> None:
    X, y = every_kind()
    draft = Draft().leaf("", reason="nothing pays\ud800 \u2028 </script>")
    model = TreeClassifier().fit(X, y, draft=draft)
    hardwood.save(model, tmp_path / "m.hardwood")
    for other in (
        hardwood.load(tmp_path / "m.hardwood"),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
    ):
        assert other.draft_ == draft
        assert other.unmet_ == ()
        assert other.digest() == model.digest()
    plain = TreeClassifier().fit(X, y)
    hardwood.save(plain, tmp_path / "plain.hardwood")
    assert not hasattr(hardwood.load(tmp_path / "plain.hardwood"), "draft_")


def test_on_new_rows_a_fit_says_which_lines_no_longer_make_sense() -> None:
    X, y, _ = table(9, 2, False)
    draft = Draft().split("", "few", 2).split("L", "many", 1e9).prefer("LL", "flag").leaf("R")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ModelWarning)
        model = TreeClassifier().fit(X, y, draft=draft)
    told = [str(w.message) for w in caught if "draft" in str(w.message)]
    assert len(told) == 1
    assert "2 of the draft's 4 lines" in told[0]
    assert "line 2" in told[0]
    assert "a branch would have no rows" in told[0]
    assert "line 3" in told[0]
    assert model.unmet_ == (1, 2)
    assert not check(model, X, y, thorough=True).differences


def test_a_row_of_weight_0_makes_no_branch_between_thresholds() -> None:
    """Missing values alone do not fill an interval of numbers, whatever values other rows have."""
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, np.nan] * 10})
    y = np.array([0, 1, 1, 0] * 10)
    more, labels = pd.concat([X, pd.DataFrame({"a": [0.0, 9.0]})]), np.append(y, [0, 1])
    weights = np.append(np.ones(len(y)), [0.0, 0.0])
    for threshold, missing in ((0.5, 0), (5.0, 1)):
        draft = Draft().split("", "a", threshold, missing=missing)
        plain = TreeClassifier(min_samples_leaf=1).fit(X, y, draft=draft)
        weighted = TreeClassifier(min_samples_leaf=1).fit(more, labels, weights, draft=draft)
        assert plain.unmet_ == weighted.unmet_ == (0,)
        assert plain.digest() == weighted.digest()
