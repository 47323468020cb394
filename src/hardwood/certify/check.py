"""`check`: every number of a fitted model, derived a second time from the data.

In: a fitted model and what `fit` was given. Out: a `Report`. The checker shares no code with the
grower: it reads the table, makes the whole-number weights, sends the rows down the trees and
computes the criteria on its own, slowly, in NumPy. Invariant: the model is only read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardwood.certify.checking.boosted import check_boosted
from hardwood.certify.checking.ledger import Ledger, Report
from hardwood.certify.checking.single_tree import check_tree
from hardwood.certify.checking.training_rows import training_rows


def check(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, thorough: bool = False
) -> Report:
    """Compare a fitted TreeClassifier or BoostedTreesClassifier with the data it was fitted to.

    The report is true when every number of `history_` and `certificate_`, the conditions and the
    leaf values agree with the data; its `differences` are sentences, and `unchecked` says what the
    data and the model alone cannot tell. With `thorough` every binary split of every node is tried
    again, to see that the one taken is the best and that no leaf was left that could be split:
    rows x columns x nodes in NumPy, for small tables.
    """
    boosted = hasattr(model, "trees_")
    if not boosted and not hasattr(model, "tree_"):
        raise TypeError(
            "check needs a fitted TreeClassifier or BoostedTreesClassifier; given was "
            f"{type(model).__name__}, which has neither tree_ nor trees_. Call fit first."
        )
    ledger = Ledger()
    data = training_rows(model, X, y, sample_weight)
    same = ledger.true(
        np.array_equal(model.classes_, data.classes),
        f"classes_ is {model.classes_}; y has {data.classes}.",
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # a changed tree may have empty nodes
        if same and boosted:
            check_boosted(ledger, model, data, thorough)
        elif same:
            check_tree(ledger, model, data, thorough)
    return ledger.report()
