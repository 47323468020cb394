"""The n x C table of (example, class) pairs, built in full: slow and obvious.

In: columns, labels and weights of examples. Out: columns, labels and weights of pairs, example by
example and class by class: the example's values, then the class as a number; label 1 where it is
the example's own (Aziz, Anderton & Aslam 2018). Boosted by `adaboost` as two classes.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles import adaboost
from tests.oracles.boosting_records import Boosting, Setting
from tests.oracles.topdown_problem import Column


def boost_pairs(
    columns: Sequence[Column],
    labels: Sequence[int],
    weights: Sequence[float],
    setting: Setting,
    n_classes: int,
) -> Boosting:
    pairs = [(i, c) for i in range(len(labels)) for c in range(n_classes)]
    repeated = [Column(col.kind, tuple(col.values[i] for i, _ in pairs)) for col in columns]
    classes = Column("numeric", tuple(float(c) for _, c in pairs))
    own = [int(labels[i] == c) for i, c in pairs]
    each = [weights[i] for i, _ in pairs]
    return adaboost.boost([*repeated, classes], own, each, setting, n_classes=2)


def scores_of_classes(boosting: Boosting, round_number: int, n_classes: int) -> list[list[float]]:
    """[examples][classes] after so many rounds."""
    scores = [of_pair[1] for of_pair in boosting.rounds[round_number - 1].scores]
    return [scores[i : i + n_classes] for i in range(0, len(scores), n_classes)]
