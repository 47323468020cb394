"""Potentials and bounds over splits or rounds.

In: a fitted model. Out: the axes. For a tree: the potential after every split, the bound G(root)
T^-gamma that its certificate gives for T leaves, and twice the training error, which never lies
above the potential. For boosted trees: the bound after every round, and the training error when X
and y are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardwood.plots.fitted import history_of, is_tree, steps
from hardwood.plots.style import PALETTE, axes_for, finish, refuse

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_potential(model: Any, X: Any = None, y: Any = None, ax: Axes | None = None) -> Axes:
    """How what is left of the error falls, and the bound on it. X and y, the training rows, add the
    training error of a boosted model; a tree knows its own."""
    history_of(model)
    if (X is None) != (y is None):
        raise ValueError("X and y go together: give both, or neither.")
    ax = axes_for(ax)
    return _tree(model, ax) if is_tree(model) else _boosted(model, X, y, ax)


def _tree(model: Any, ax: Axes) -> Axes:
    history, found = model.history_, model.certificate_
    potential = np.concatenate(([found.root_potential], history["potential"]))
    leaves = np.concatenate(([1], 1 + np.cumsum(history["branches"] - 1)))
    with np.errstate(invalid="ignore"):
        bound = found.root_potential * leaves ** -float(found.gamma)
    bound[0] = found.root_potential
    style: dict[str, Any] = {"marker": "o", "markersize": 3} if len(leaves) < 60 else {}
    ax.plot(leaves, bound, "--", color=PALETTE[1], label=f"bound, gamma {found.gamma:.3g}")
    ax.plot(leaves, potential, color=PALETTE[0], linewidth=1.8, label="potential", **style)
    ax.plot(
        leaves[1:],
        2 * history["error"],
        color=PALETTE[2],
        label="2 x training error",
        **style,
    )
    _from_zero(ax, float(max(potential.max(), 1e-12)))
    return finish(ax, xlabel="leaves", ylabel=f"potential ({found.criterion})", legend=True)


def _boosted(model: Any, X: Any, y: Any, ax: Axes) -> Axes:
    bound = np.asarray(model.history_["bound"], dtype=np.float64)
    proved = not np.isnan(bound).all()
    if X is None and not proved:
        return refuse(
            ax, "Nothing is proved about the training error\nof this model; give X and y to see it."
        )
    if proved:
        ax.plot(steps(bound), bound, "--", color=PALETTE[1], label="bound")
    if X is not None:
        truth = np.asarray(y)
        errors = np.array([np.mean(guess != truth) for guess in model.staged_predict(X)])
        ax.plot(steps(errors), errors, color=PALETTE[2], linewidth=1.8, label="error on X, y")
    if proved and bound.min() < 0.05 * bound.max():
        # A symmetric logarithm shows small bounds and still has a place for an error of 0.
        least = 10.0 ** np.floor(np.log10(max(float(bound.min()), 1e-6)))
        ax.set_yscale("symlog", linthresh=least)
        ax.set_ylim(0, 1.2)
    else:
        _from_zero(ax, float(np.nanmax(bound)) if proved else float(errors.max()))
    return finish(ax, xlabel="round", ylabel="error", legend=True)


def _from_zero(ax: Axes, top: float) -> None:
    ax.set_ylim(0, 1.05 * top if top > 0 else 1)
