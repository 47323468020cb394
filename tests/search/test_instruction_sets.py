"""The hot loops are compiled for several instruction sets, and all of them give the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, _core
from tests.encoding.same_tree import assert_same_tree
from tests.tables.frames import every_storage

pytestmark = pytest.mark.grid

SETS = ("portable", "avx2", "avx512")


@pytest.fixture
def limit():
    """Sets the widest instruction set for one test."""
    yield _core.limit_instruction_set
    _core.limit_instruction_set("avx512")


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
def test_the_tree_is_the_same_for_every_instruction_set(criterion, n_classes, weighted, limit):
    frame, y, weights = every_storage(20 + n_classes, n_classes=n_classes)
    numbers = frame.select_dtypes("number").to_numpy(float)
    for X in (frame, numbers[:, :31]):
        fits = []
        for name in SETS:
            limit(name)
            model = TreeClassifier(
                pruning=None, min_samples_leaf=1, criterion=criterion, max_leaf_nodes=60, n_jobs=2
            )
            fits.append(model.fit(X, y, weights if weighted else None))
        assert len({model.digest() for model in fits}) == 1
        for other in fits[1:]:
            assert_same_tree(fits[0], other)


@pytest.mark.parametrize("rows", [7, 40, 1003, 9000])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosted_trees_are_the_same_for_every_instruction_set(n_classes, rows, limit):
    # Rows are divided and picked eight and sixteen at a time, in order and with their weights.
    frame, y, weights = every_storage(30 + n_classes, n_classes=n_classes)
    many = np.random.default_rng(1).integers(0, len(frame), rows)
    many[:n_classes] = [np.flatnonzero(y == label)[0] for label in np.unique(y)]
    digests = set()
    for name in SETS:
        limit(name)
        model = BoostedTreesClassifier(n_estimators=6, max_depth=None, max_leaf_nodes=20, n_jobs=2)
        digests.add(model.fit(frame.iloc[many], y[many], weights[many]).digest())
    assert len(digests) == 1


def test_the_instruction_set_can_be_narrowed_and_widened_again(limit):
    usual = _core.instruction_set()
    limit("portable")
    assert _core.instruction_set() == "portable"
    limit("avx512")
    assert _core.instruction_set() == usual
    with pytest.raises(ValueError, match="portable, avx2 or avx512"):
        limit("sse")


@pytest.mark.parametrize("criterion", ["km", "gini", "entropy", "error"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33])
def test_columns_of_any_few_values_split_alike_in_every_instruction_set(count, criterion, limit):
    # Lengths on both sides of a vector's width, where remainders are handled apart.
    rng = np.random.default_rng(count)
    X = rng.integers(0, count + 1, (400, 3)).astype(float)
    y = (X[:, 0] * 7 % 3 + rng.random(400) > 1.5).astype(int)
    digests = set()
    for name in SETS:
        limit(name)
        digests.add(
            TreeClassifier(pruning=None, min_samples_leaf=1, criterion=criterion).fit(X, y).digest()
        )
    assert len(digests) == 1
