"""Leaves that answer together, so that the probabilities of a constrained tree are in order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import hardwood
from hardwood import TreeClassifier
from hardwood._core import isotonic_groups, meeting_leaves
from hardwood.certify import check
from hardwood.errors import ModelFileError
from hardwood.tree.packed import pack
from hardwood.tree.packed_checks import check_trees
from hardwood.tree.pools import _ranks
from tests.oracles.pools import nearest_in_order

pytestmark = [pytest.mark.grid, pytest.mark.filterwarnings("ignore::hardwood.errors.ModelWarning")]

numbers = st.integers(0, 12)
few = st.integers(1, 7)


@given(
    items=st.lists(st.tuples(numbers, few), min_size=1, max_size=6),
    pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=9),
)
def test_groups_are_those_of_the_nearest_numbers(items, pairs):
    value, weight = (np.array(each, dtype=float) for each in zip(*items, strict=True))
    kept = [(a, b) for a, b in pairs if max(a, b) < len(items) and a != b]
    ends = np.array(kept, dtype=np.int32).reshape(-1, 2)
    group = isotonic_groups(weight, value, ends[:, 0].copy(), ends[:, 1].copy())
    found = np.bincount(group, weight * value) / np.bincount(group, weight)
    expected = nearest_in_order([Fraction(w) for w in weight], [Fraction(v) for v in value], kept)
    np.testing.assert_allclose(found[group], np.array(expected, dtype=float), atol=1e-9)
    assert group.tolist() == np.unique(group, return_inverse=True)[1].tolist()
    if all(value[a] <= value[b] for a, b in kept):
        assert group.max() + 1 == len(items)


def small_table(seed: int, classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(30, 120))
    frame = pd.DataFrame({"a": rng.integers(0, 5, rows), "b": rng.integers(0, 4, rows)}).astype(
        float
    )
    frame.loc[rng.random(rows) < 0.15, "a"] = np.nan
    frame["big"] = rng.integers(2**63, 2**63 + 4, rows, dtype=np.uint64)
    frame["word"] = pd.Categorical(rng.choice(list("uvw"), rows), categories=list("uvwx"))
    y = rng.integers(0, classes, rows)
    y[:classes] = range(classes)
    return frame, y


GRID: dict[str, list[Any]] = {
    "a": [np.nan, *(np.arange(-1, 10) / 2)],
    "b": [np.nan, *(np.arange(-1, 8) / 2)],
    "big": [2**63 - 1, *range(2**63, 2**63 + 4)],
    "word": [None, *"uvwx"],
}


def grid(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for every combination of values, also of those that training did not see."""
    rows = dict(zip(GRID, zip(*product(*GRID.values()), strict=True), strict=True))
    return pd.DataFrame(
        {name: pd.Series(each).astype(frame[name].dtype) for name, each in rows.items()}
    )


def pairs_on(leaf: np.ndarray, column: str) -> set[tuple[int, int]]:
    """Leaves of rows that differ in the column alone: of the lower value, and of the higher."""
    shape = [len(values) for values in GRID.values()]
    lines = np.moveaxis(leaf.reshape(shape), list(GRID).index(column), 0)
    known = lines[1:] if column in ("a", "b") else lines
    found: set[tuple[int, int]] = set()
    for i, low in enumerate(known):
        for high in known[i + 1 :]:
            found |= set(zip(low.ravel().tolist(), high.ravel().tolist(), strict=True))
    return {(a, b) for a, b in found if a != b}


@pytest.mark.parametrize("prior", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_answers_are_the_nearest_in_order(seed: int, prior: float) -> None:
    frame, y = small_table(seed, 2)
    told = {"a": 1, "b": -1, "big": 1}
    params: dict[str, Any] = {"max_leaf_nodes": 7, "pruning": None, "leaf_prior": prior}
    model = TreeClassifier(monotonic_cst=told, **params).fit(frame, y)
    rows = grid(frame)
    leaf = model.apply(rows)
    tree = model.tree_
    place = {int(each): i for i, each in enumerate(tree.leaf_ids)}
    pairs = set()
    for column, sign in told.items():
        for a, b in pairs_on(leaf, column):
            pairs.add((place[a], place[b]) if sign > 0 else (place[b], place[a]))
    alone = _by_themselves(model)
    weights = [Fraction(w) for w in tree.weight[tree.leaf_ids]]
    expected = nearest_in_order(weights, [Fraction(p) for p in alone[:, 1]], sorted(pairs))
    said = tree.shares[tree.leaf_ids]
    np.testing.assert_allclose(said[:, 1], np.array(expected, dtype=float), atol=1e-9)
    np.testing.assert_allclose(said.sum(axis=1), 1.0, atol=1e-12)
    assert all(said[a, 1] <= said[b, 1] and said[a, 0] >= said[b, 0] for a, b in pairs)
    assert not check(model, frame, y, thorough=True).differences


def _by_themselves(model: TreeClassifier) -> np.ndarray:
    return replace(model.tree_, pool=None).shares[model.tree_.leaf_ids]


@pytest.mark.parametrize("seed", range(5))
def test_every_class_with_signs_is_in_order(seed: int) -> None:
    frame, y = small_table(seed, 3)
    told = {"a": {0: 1, 2: -1}, "b": {1: 1}, "big": {0: -1}}
    model = TreeClassifier(monotonic_cst=told, pruning=None).fit(frame, y)
    rows = grid(frame)
    leaf, said = model.apply(rows), model.tree_.shares
    for column, signs in told.items():
        for a, b in pairs_on(leaf, column):
            for label, sign in signs.items():
                assert sign * said[a, label] <= sign * said[b, label]
    np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1.0, atol=1e-12)
    assert not check(model, frame, y).differences


def pooled_model(**params: Any) -> tuple[TreeClassifier, pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 12, (400, 3)).astype(float), columns=list("abc"))
    y = (frame["a"] - frame["b"] + rng.normal(size=400) * 8 > 0).to_numpy().astype(int)
    told = {"a": 1, "b": -1}
    model = TreeClassifier(monotonic_cst=told, **({"pruning": None} | params)).fit(frame, y)
    assert model.tree_.pool is not None
    return model, frame, y


@pytest.mark.parametrize("pruning", [None, "error-based"])
def test_a_model_file_keeps_pools(pruning: Any, tmp_path: Path) -> None:
    model, frame, _ = pooled_model(pruning=pruning, leaf_prior=0.0)
    path = tmp_path / "tree.hw"
    hardwood.save(model, path)
    again = hardwood.load(path)
    assert again.digest() == model.digest()
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert str(again.tree_) == str(model.tree_)
    assert (again.grown_tree_.pool is None) == (model.grown_tree_.pool is None)


@pytest.mark.parametrize("wrong", ["forward", "inner", "chain", "negative"])
def test_pools_that_are_none_are_refused(wrong: str) -> None:
    model, _, _ = pooled_model()
    packed = pack([model.tree_], model._schemas)
    check_trees(packed, model._schemas, 2)
    pool = packed["pool"].copy()
    leaves = model.tree_.leaf_ids
    if wrong == "forward":
        pool[leaves[0]] = leaves[-1]
    elif wrong == "inner":
        pool[leaves[-1]] = 0
    elif wrong == "chain":
        pool[leaves[:3]] = [leaves[0], leaves[0], leaves[1]]
    else:
        pool[leaves[0]] = -1
    with pytest.raises(ModelFileError, match="pool"):
        check_trees({**packed, "pool": pool}, model._schemas, 2)


def test_the_checker_finds_pools_that_are_not_needed() -> None:
    model, frame, y = pooled_model(leaf_prior=0.0)
    tree = model.tree_
    assert not check(model, frame, y).differences
    model.tree_ = model.grown_tree_ = replace(tree, pool=None)
    assert any("monotonic_cst is not kept" in each for each in check(model, frame, y).differences)
    together = tree.pool.copy()
    together[tree.leaf_ids] = tree.leaf_ids[0]
    model.tree_ = model.grown_tree_ = replace(tree, pool=together)
    assert any("need not answer" in each for each in check(model, frame, y).differences)


@given(data=st.data())
def test_a_tree_in_order_has_no_pools(data):
    x = np.array(data.draw(st.lists(st.integers(0, 9), min_size=5, max_size=30)), dtype=float)
    y = (x > data.draw(st.integers(0, 8))).astype(int)
    assume(0 < y.sum() < len(y))
    assert TreeClassifier(monotonic_cst=[1]).fit(x[:, None], y).tree_.pool is None


def test_a_tree_may_be_as_deep_as_it_has_rows() -> None:
    rows = 6000
    x = np.arange(rows, dtype=float)[:, None]
    y = np.arange(rows) % 2
    model = TreeClassifier(monotonic_cst=[1], pruning=None, criterion="error", min_drop=0).fit(x, y)
    said = model.predict_proba(x)[:, 1]
    assert (np.diff(said) >= 0).all()


def test_the_dictionary_says_what_the_pools_say() -> None:
    model, frame, _ = pooled_model(leaf_prior=0.0)
    listed = {node["node"]: node["shares"] for node in model.to_dict()["nodes"]}
    leaf = model.apply(frame)
    np.testing.assert_array_equal([listed[each] for each in leaf], model.predict_proba(frame))


def _slowly_nearest(
    weight: np.ndarray, value: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> np.ndarray:
    """Pair by pair: the worst of each item are asked until all pairs are in order."""
    asked = np.zeros(len(lower), dtype=bool)
    group, found = np.arange(len(value)), value
    while True:
        surplus = found[lower] - found[upper]
        wrong = np.flatnonzero(surplus > 0)
        before = np.count_nonzero(asked)
        for ends in (lower, upper):
            worst = np.zeros(len(value))
            np.maximum.at(worst, ends[wrong], surplus[wrong])
            asked[wrong[surplus[wrong] == worst[ends[wrong]]]] = True
        if np.count_nonzero(asked) == before:
            return group
        group = _with_all_pairs(weight, value, lower[asked], upper[asked])
        found = (np.bincount(group, weight * value) / np.bincount(group, weight))[group]


def _with_all_pairs(
    weight: np.ndarray, value: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> np.ndarray:
    """The core's solver leaves pairs out only where they have no cycle; two more items make one."""
    n = len(value)
    ends = (
        np.append(each, more).astype(np.int32)
        for each, more in ((lower, [n, n + 1]), (upper, [n + 1, n]))
    )
    return np.asarray(
        isotonic_groups(np.append(weight, [1.0, 1.0]), np.append(value, [0.0, 0.0]), *ends)
    )[:n]


@pytest.mark.parametrize("seed", range(6))
def test_many_pairs_give_the_groups_of_the_slow_way(seed: int) -> None:
    """Few whole weights and values, so that many groups have equal means."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (3_000, 6)).astype(float)
    y = rng.integers(0, 2, len(X))
    params: dict[str, Any] = {"pruning": None, "min_samples_leaf": 2, "leaf_prior": 0.0}
    free = TreeClassifier(**params).fit(X, y)
    signs = np.ones((6, 2), dtype=np.int8)
    found = meeting_leaves(free.tree_, _ranks(free.tree_, free._schemas), signs[:, 0].view("u1"))
    below, above, column = found.pairs()
    assert len(below) == len(above) == len(column) > 16 * free.tree_.n_leaves
    leaves = free.tree_.leaf_ids
    place = np.zeros(free.tree_.n_nodes, dtype=np.int32)
    place[leaves] = np.arange(len(leaves))
    weight = free.tree_.weight[leaves] / free.tree_.weight[0]
    value = np.ascontiguousarray(free.tree_.shares[leaves, 1])
    group = found.nearest(signs[:, 0].copy(), place, weight, value)
    slow = _slowly_nearest(weight, value, place[below], place[above])
    assert group.tolist() == slow.tolist()
    wrong = np.flatnonzero(value[place[below]] > value[place[above]])[0]
    expected = place[below][wrong], place[above][wrong]
    assert found.first_wrong(signs[:, 0].copy(), place, value) == expected
