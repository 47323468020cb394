"""A program with type hints, as a user writes one: `mypy --strict` accepts its right lines.

The last line is wrong, and mypy must say so: `warn_unused_ignores` makes the comment on it an error
where it finds nothing to ignore.
"""

import numpy as np
from numpy.typing import NDArray

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier


def train(X: NDArray[np.float64], y: NDArray[np.int64], path: str) -> str:
    """Two models, one of them saved; text of the other."""
    tree: TreeClassifier = TreeClassifier(max_leaf_nodes=8).fit(X, y)
    boosted: BoostedTreesClassifier = BoostedTreesClassifier(n_estimators=3).fit(X, y)
    hardwood.save(boosted, path)
    text: str = tree.to_text()
    return text + tree.digest()


def wrong(tree: TreeClassifier) -> int:
    """A digest is no number."""
    return tree.digest()  # type: ignore[return-value]
