"""A boosted model's answer for one row: the Shapley values of its score, largest first.

In: the model's scored trees, a table of one row and what the model says about it. Out: a
`ScoreExplanation` that prints itself:

    malignant with probability 0.981
    score of malignant 1.972 = 0.121 expected + 1.851 by columns
      +0.8200  worst perimeter = 120.3
      -0.0213  mean texture = 19.1
      +0.0300  17 other columns

Invariant: `expected` and the contributions add up to `score`, within rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardwood.explain.row import UNSEEN, cell, cell_text
from hardwood.explain.shap import Floats, ScoredTree, expected, shap_values
from hardwood.table import Table
from hardwood.tree.numbers import plain_value, value_text

PRINTED = 10
"""Contributions that are printed; the rest is summed up."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What knowing a column's value adds to the score."""

    column: str
    value: object
    """The row's own; None: missing."""
    amount: float

    def __str__(self) -> str:
        text = cell_text(self.value)
        is_word = self.value is None or self.value is UNSEEN
        return f"{self.amount:+.4f}  {self.column} {'is' if is_word else '='} {text}"


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """Why a boosted model predicts what it does for a row."""

    prediction: object
    probabilities: dict[object, float]
    """Of every class; what predict_proba gives."""
    score_of: object
    """The class that `score` speaks for: the second of two, the predicted one of more."""
    score: float
    """As decision_function gives it."""
    expected: float
    """The score when no column is known."""
    contributions: tuple[Contribution, ...]
    """Of the columns that the trees ask about, largest amount first."""

    def __str__(self) -> str:
        total = sum(each.amount for each in self.contributions)
        sign = "+" if total >= 0 else "-"
        parts = f"{_number(self.expected)} expected {sign} {_number(abs(total))} by columns"
        lines = [
            f"{value_text(self.prediction)} with probability {self._probability_text()}",
            f"score of {value_text(self.score_of)} {_number(self.score)} = {parts}",
        ]
        lines += [f"  {each}" for each in self.contributions[:PRINTED]]
        rest = self.contributions[PRINTED:]
        if rest:
            noun = "1 other column" if len(rest) == 1 else f"{len(rest)} other columns"
            lines.append(f"  {sum(each.amount for each in rest):+.4f}  {noun}")
        return "\n".join(lines)

    def _probability_text(self) -> str:
        """Three digits, but 1 only when it is."""
        probability = self.probabilities[self.prediction]
        return "above 0.999" if 0.9995 <= probability < 1 else f"{probability:.3g}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says about one row."""

    prediction: object
    classes: Sequence[object]
    scores: Floats
    """[outputs]"""
    probabilities: Floats
    """[classes]"""


def explain_scores(trees: Sequence[ScoredTree], table: Table, verdict: Verdict) -> ScoreExplanation:
    """Explain the table's only row."""
    labels = [plain_value(label) for label in verdict.classes]
    prediction = plain_value(verdict.prediction)
    outputs = len(verdict.scores)
    output = labels.index(prediction) if outputs > 1 else 0
    amounts = shap_values(trees, table, outputs, 1)[0, :, output]
    used = np.array(sorted({j for each in trees for j in each.tree.used_features}), dtype=np.intp)
    order = used[np.argsort(-np.abs(amounts[used]), kind="stable")]
    columns = [table.column(int(j)) for j in order]
    return ScoreExplanation(
        prediction=prediction,
        probabilities=dict(zip(labels, verdict.probabilities.tolist(), strict=True)),
        score_of=prediction if outputs > 1 else labels[-1],
        score=float(verdict.scores[output]),
        expected=float(expected(trees, outputs)[output]),
        contributions=tuple(
            Contribution(column.schema.name, cell(column), float(amounts[j]))
            for j, column in zip(order, columns, strict=True)
        ),
    )


def _number(score: float) -> str:
    """Four digits; what is only rounding is 0."""
    return f"{round(score, 9) + 0.0:.4g}"
