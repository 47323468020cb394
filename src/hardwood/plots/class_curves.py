"""How well a model finds a class: ROC, precision and recall, lift, costs, calibration, confusion.

In: a fitted model, rows and their labels. Out: the axes. Curves are of the second of two classes;
of more classes each has its own, against the others, unless `positive` names one. The numbers are
those of the report page (`hardwood.judging`), and scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hardwood.judging import Steps, calibration, steps_of
from hardwood.plots.fitted import class_numbers, class_place, history_of
from hardwood.plots.short_words import shortened_apart
from hardwood.plots.style import GREY, PALETTE, axes_for, finish, refuse
from hardwood.tree.numbers import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CURVES = 8
"""The most frequent classes, where there are more; a colour each."""
_ONE_CLASS = "The model knows one class only:\nthere is nothing to tell apart."


def plot_roc(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, positive: Any = None,
    label: str | None = None,
) -> Axes:  # fmt: skip
    """The share of a class that is found against the share of the others that is taken for it, at
    every threshold, with the area (AUC). Call it again with the same `ax` to compare models."""
    ax = axes_for(ax, (5.2, 4.6))
    judged = _judged(model, X, y)
    if judged is None:
        return refuse(ax, _ONE_CLASS)
    for name, _, steps in _classes(model, *judged, positive, label):
        _line(ax, steps.false_alarm_rate, steps.recall, f"{name}, AUC {steps.auc():.4f}")
    _once(ax, [0, 1], [0, 1])
    return finish(
        ax, xlabel="share of the others taken (false alarms)", ylabel="share found", legend=True
    )


def plot_precision_recall(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, positive: Any = None,
    label: str | None = None,
) -> Axes:  # fmt: skip
    """The share of the rows taken that is right against the share found, with the average
    precision."""
    ax = axes_for(ax, (5.2, 4.6))
    judged = _judged(model, X, y)
    if judged is None:
        return refuse(ax, _ONE_CLASS)
    for name, _, steps in _classes(model, *judged, positive, label):
        text = f"{name}, average precision {steps.average_precision():.4f}"
        precision = np.concatenate((steps.precision[1:2], steps.precision[1:]))
        _line(ax, steps.recall, precision, text, drawstyle="steps-pre")
    ax.set_ylim(0, 1.03)
    return finish(ax, xlabel="share found (recall)", ylabel="precision", legend=True)


def plot_lift(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, positive: Any = None,
    label: str | None = None,
) -> Axes:  # fmt: skip
    """How many times more of a class there is among the most probable rows than among all."""
    ax = axes_for(ax, (5.2, 4.0))
    judged = _judged(model, X, y)
    if judged is None:
        return refuse(ax, _ONE_CLASS)
    for name, _, steps in _classes(model, *judged, positive, label):
        _line(ax, steps.taken, steps.lift, name)
    _once(ax, [0, 1], [1, 1])
    ax.set_ylim(bottom=0)
    ax.set_xlim(0, 1)
    return finish(ax, xlabel="share of the rows taken", ylabel="lift", legend=True)


def plot_costs(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, miss: float = 1.0,
    false_alarm: float = 1.0, positive: Any = None, label: str | None = None,
) -> Axes:  # fmt: skip
    """The expected cost per row at every threshold on the class's probability, with the cheapest
    one; a missed row of the class costs `miss`, another one taken for it `false_alarm`."""
    for name, cost in (("miss", miss), ("false_alarm", false_alarm)):
        if not np.isfinite(cost) or cost < 0:
            raise ValueError(f"{name} must be a finite number of at least 0; given was {cost!r}.")
    ax = axes_for(ax, (5.6, 4.0))
    judged = _judged(model, X, y)
    if judged is None:
        return refuse(ax, _ONE_CLASS)
    for name, _, steps in _classes(model, *judged, positive, label):
        missed = steps.positives - steps.hits
        costs = (miss * missed + false_alarm * steps.alarms) / (steps.positives + steps.negatives)
        best = int(costs.argmin())
        limit = steps.threshold(best)
        said = "above every row" if np.isinf(limit) else f"{limit:g}"
        x = np.concatenate(([0.0], steps.scores[:0:-1], [1.0]))
        y_values = np.concatenate((costs[-1:], costs[:0:-1], costs[:1]))
        colour = _line(ax, x, y_values, f"{name}, cheapest {said}", drawstyle="steps-pre")
        ax.plot([min(limit, 1.0)], [costs[best]], "o", color=colour, markersize=6)
    ax.set_ylim(bottom=0)
    return finish(ax, xlabel="threshold", ylabel="expected cost per row", legend=True)


def plot_calibration(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, positive: Any = None,
    label: str | None = None, log_odds: bool | None = None,
) -> Axes:  # fmt: skip
    """What the model says against the share that was so, with 95 % intervals, of about ten groups
    of rows. `log_odds` draws both axes in log odds; by default for a class rarer than 10 %."""
    ax = axes_for(ax, (5.0, 4.6))
    judged = _judged(model, X, y)
    if judged is None:
        return refuse(ax, _ONE_CLASS)
    proba, codes = judged
    least = 1.0
    for name, c, steps in _classes(model, proba, codes, positive, label):
        share = steps.positives / (steps.positives + steps.negatives)
        log_odds = share < 0.1 if log_odds is None else log_odds
        found = calibration(proba[:, c], codes == c)
        said, so, low, high = found.said, found.so, found.low, found.high
        seen = np.concatenate((said, so, low, 1 - said, 1 - so, 1 - high))
        least = min(least, float(seen[seen > 0].min(initial=0.1)))
        if log_odds:
            edge = max(least / 1.5, 1e-6)
            said, so, low, high = (np.clip(each, edge, 1 - edge) for each in (said, so, low, high))
        colour = _line(ax, said, so, f"{name}, {found.off:.1%} apart", marker="o", linestyle="")
        ax.vlines(said, low, high, color=colour, linewidth=1.2)
    edge = max(least / 1.5, 1e-6) if log_odds else 0.0
    if log_odds:
        _log_odds_axes(ax)
        grid = np.linspace(np.log(edge / (1 - edge)), -np.log(edge / (1 - edge)), 50)
        _once(ax, 1 / (1 + np.exp(-grid)), 1 / (1 + np.exp(-grid)))
    else:
        _once(ax, [0, 1], [0, 1])
    return finish(ax, xlabel="probability said", ylabel="share that was so", legend=True)


def plot_confusion(
    model: Any, X: Any, y: Any, ax: Axes | None = None, *, threshold: float | None = None,
    positive: Any = None,
) -> Axes:  # fmt: skip
    """Rows of a class (down) by what the model says (across); with `threshold`, what is said when
    `positive` (the second class) is taken from that probability on."""
    ax = axes_for(ax, (4.8, 4.2))
    history_of(model)
    names = shortened_apart([value_text(each) for each in model.classes_.tolist()])
    if threshold is None:
        said = np.asarray(model.predict(X))
        truth, guess = (class_numbers(model, each, len(said)) for each in (y, said))
    else:
        proba = np.asarray(model.predict_proba(X))
        codes = class_numbers(model, y, len(proba))
        c = len(names) - 1 if positive is None else class_place(model, positive)
        names = [names[c], names[1 - c] if len(names) == 2 else "other classes"]
        truth = (codes != c).astype(np.intp)
        guess = (proba[:, c] < threshold).astype(np.intp)
    counts = np.bincount(truth * len(names) + guess, minlength=len(names) ** 2)
    matrix = counts.reshape(len(names), len(names))
    ax.imshow(matrix, cmap="Blues", vmin=0, vmax=max(2 * int(matrix.max()), 1), aspect="auto")
    for (row, column), count in np.ndenumerate(matrix):
        ax.text(column, row, f"{count:,}", ha="center", va="center", fontsize=9)
    places = range(len(names))
    ax.set_xticks(places, names, rotation=90 if len(names) > 5 else 0)
    ax.set_yticks(places, names)
    ax.set_xlabel("the model says")
    ax.set_ylabel("class")
    return ax


def _judged(model: Any, X: Any, y: Any) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
    """Probabilities and class numbers; None where there is one class."""
    history_of(model)
    proba = np.asarray(model.predict_proba(X))
    codes = class_numbers(model, y, len(proba))
    return None if proba.shape[1] < 2 else (proba, codes)


def _classes(
    model: Any,
    proba: NDArray[np.float64],
    codes: NDArray[np.intp],
    positive: Any,
    label: str | None,
) -> Iterator[tuple[str, int, Steps]]:
    """What is drawn: a name, a class and its steps."""
    counts = np.bincount(codes, minlength=proba.shape[1])
    if positive is not None:
        shown = [class_place(model, positive)]
    elif proba.shape[1] == 2:
        shown = [1]
    else:
        shown = np.sort(np.argsort(-counts, kind="stable")[:MOST_CURVES]).tolist()
    names = shortened_apart([value_text(each) for each in model.classes_.tolist()])
    for c in shown:
        name = names[c] if label is None else label if len(shown) == 1 else f"{label}: {names[c]}"
        yield name, c, steps_of(proba[:, c], codes == c)


def _line(ax: Axes, x: Any, y: Any, label: str, **style: Any) -> str:
    """In the next colour, which is returned."""
    number = sum(line.get_gid() == "curve" for line in ax.lines)
    colour = PALETTE[number % len(PALETTE)]
    (line,) = ax.plot(x, y, color=colour, linewidth=1.8, label=label, **style)
    line.set_gid("curve")
    return colour


def _log_odds_axes(ax: Axes) -> None:
    """Both, with the shares themselves written at the marks."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    ax.set_xscale("logit")
    ax.set_yscale("logit")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda share, _: f"{share:g}"))
        axis.set_minor_formatter(NullFormatter())


def _once(ax: Axes, x: Any, y: Any) -> None:
    """A line to compare with, in axes that may have it already."""
    if not any(line.get_gid() == "compare" for line in ax.lines):
        (line,) = ax.plot(x, y, "--", color=GREY, linewidth=0.8)
        line.set_gid("compare")
