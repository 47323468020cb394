"""Rows that get another answer, and why.

In: two models and the rows, each in the columns of its model. Out: `RowChange`s, those of most rows
first. Of two trees the reason is the node where the ways part; of two boosted models the column
whose Shapley value moved the lead of the new answer over the old one most.
"""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from hardwood.comparing.records import RowChange
from hardwood.comparing.structure import Alignment
from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.explain.reasons import ranked
from hardwood.table.frames import refuse_absent_rows
from hardwood.tree.numbers import plain_value

EXPLAINED = 1000
"""Rows of boosted models whose Shapley values are compared; the others are counted with them."""


def rows_for(model: Any, X: Any) -> Any:
    """X, or those columns of a frame that the model knows by name."""
    refuse_absent_rows(X)
    names = getattr(model, "feature_names_in_", None)
    if names is None or not nw.dependencies.is_into_dataframe(X):
        return X
    frame = nw.from_native(X, eager_only=True)
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise ValueError(
            f"X lacks the column {absent[0]!r}, which one of the models asks for; give all columns "
            "of both."
        )
    return frame.select(list(names)).to_native()


def row_changes(
    old: Any, new: Any, X_old: Any, X_new: Any, alignment: Alignment | None
) -> tuple[int, list[RowChange]]:
    """The number of rows, and those that get another answer."""
    before, after = old.predict(X_old).tolist(), new.predict(X_new).tolist()
    if len(before) != len(after):
        raise ValueError(f"The models were given {len(before)} and {len(after)} rows.")
    moved = np.array(
        [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b], dtype=np.intp
    )
    reasons = _reasons(old, new, X_old, X_new, moved, alignment)
    grouped: dict[tuple[object, object, str], list[int]] = {}
    for row, why in zip(moved.tolist(), reasons, strict=True):
        grouped.setdefault((before[row], after[row], why), []).append(row)
    found = [
        RowChange(plain_value(a), plain_value(b), tuple(rows), why)
        for (a, b, why), rows in grouped.items()
    ]
    return len(before), sorted(found, key=lambda each: -len(each.rows))


def _reasons(
    old: Any, new: Any, X_old: Any, X_new: Any, moved: NDArray[np.intp], alignment: Alignment | None
) -> list[str]:
    if not len(moved):
        return []
    if alignment is not None:
        leaves = old.apply(X_old)[moved].tolist()
        return [_parting(alignment, leaf) for leaf in leaves]
    both = (old, new)
    if not all(isinstance(model, BoostedTreesClassifier) for model in both):
        kinds = " and ".join(type(model).__name__ for model in both)
        return [f"{kinds} come to it in different ways"] * len(moved)
    few = _by_columns(old, new, X_old, X_new, moved[:EXPLAINED])
    return few + ["not looked into"] * (len(moved) - len(few))


def _parting(alignment: Alignment, leaf: int) -> str:
    number = alignment.cause.get(leaf)
    if number is None:
        return "missing values or unknown categories take another way"
    change = alignment.changes[number]
    return f"{change.where} the old tree has {change.old}, the new one {change.new}"


def _by_columns(old: Any, new: Any, X_old: Any, X_new: Any, moved: NDArray[np.intp]) -> list[str]:
    names = sorted({schema.name for model in (old, new) for schema in model._schemas})
    known = [label for label in old.classes_.tolist() if label in new.classes_.tolist()]
    if len(known) < 2:
        return ["the models share fewer than two classes"] * len(moved)
    amounts = [_leads(model, X, names, known, moved) for model, X in ((old, X_old), (new, X_new))]
    labels = [model.predict(X)[moved].tolist() for model, X in ((old, X_old), (new, X_new))]
    words = []
    for i, (a, b) in enumerate(zip(*labels, strict=True)):
        if a not in known or b not in known:
            words.append("the answer is no class of the other model")
            continue
        lead = amounts[1][i] - amounts[0][i]
        towards = lead[:, known.index(b)] - lead[:, known.index(a)]
        most = ranked(towards.tolist())[:1]
        words.append(f"mostly by {names[most[0]]}" if most else "by the start of the scores alone")
    return words


def _leads(
    model: Any, X: Any, names: list[str], classes: list[Any], rows: NDArray[np.intp]
) -> NDArray[np.float64]:
    """[rows, names, classes] Shapley values; a column that the model does not have has 0."""
    values = model.shap_values(X)[rows]
    if values.ndim == 2:  # two classes: F speaks for the second
        values = np.stack([-values / 2, values / 2], axis=2)
    places = [model.classes_.tolist().index(label) for label in classes]
    out = np.zeros((len(rows), len(names), len(classes)))
    for j, schema in enumerate(model._schemas):
        out[:, names.index(schema.name)] = values[:, j][:, places]
    return out


def comparable_trees(old: Any, new: Any) -> bool:
    return isinstance(old, TreeClassifier) and isinstance(new, TreeClassifier)
