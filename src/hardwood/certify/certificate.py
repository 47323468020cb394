"""The certificate of a grown tree: G(T) <= G(root) L^-gamma, and the papers' claims beside it.

In: what the grower recorded. Out: a `Certificate`. With T leaves and potential G before a split and
T', G' after it, gamma = min over the splits of ln(G/G') / ln(T'/T), so the bound follows by
telescoping, for any criterion, number of classes, leaf choice, arity and stop. A split that brings
the potential to 0 counts as infinity. Invariant: `holds` is computed from the numbers, and the
bound is rounded up by 2^-40.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hardwood.certify.claims import SLACK, Claim, Evidence, claims
from hardwood.certify.history import History
from hardwood.certify.new_rows import TrueError, true_error
from hardwood.criteria import Criterion
from hardwood.growing.growth import Growth

TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Certificate:
    """About the tree as grown: its potential is at most `bound` = G(root) leaves^-gamma, and its
    training error at most half its potential."""

    criterion: Criterion
    gamma: float
    """The least rate, over the splits, at which potential fell against the number of leaves."""
    bound: float
    """G(root) leaves^-gamma, rounded up."""
    potential: float
    """G(T), the sum of w(l)G(l) over the leaves."""
    error: float
    """The training error."""
    leaves: int
    root_potential: float
    """G(root)."""
    pruned_leaves: int | None = None
    """Of the tree after pruning, if there was any."""
    pruned_error: float | None = None
    """The training error after pruning, if there was any."""
    evidence: Evidence = field(repr=False, kw_only=True)
    """What happened at each split; the claims follow from it."""
    given_gamma: float | None = field(repr=False, default=None, kw_only=True)
    """The gamma of price="gamma"."""

    @property
    def holds(self) -> bool:
        """Whether bound >= potential and potential / 2 >= error, within 1e-12."""
        below_bound = self.bound >= self.potential - TOLERANCE
        return below_bound and self.potential / 2.0 >= self.error - TOLERANCE

    @property
    def weighted(self) -> bool:
        """Whether rows had weights: errors are shares of the weight then, not of the rows."""
        return self.evidence.tree.class_rows is not None

    @property
    def error_name(self) -> str:
        """What texts call the error."""
        return "weighted training error" if self.weighted else "training error"

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The named claims of the papers whose conditions the growth met."""
        return claims(self.evidence, self.given_gamma)

    def true_error(
        self, columns: int, *, delta: float = 0.05, questions: int | None = None
    ) -> TrueError:
        """What is proved about the error on new rows, of the tree after pruning if there was any.

        The training rows must be drawn independently from where the new ones come. With probability
        1 - `delta` over their draw the error is at most `bound`, for any thresholds on the
        `columns` columns of X. Had the splits been chosen among `questions` that were fixed before
        the rows were seen, it is at most `fixed`. A ValueError where neither is proved: weights,
        costs, fractional examples, groups of categories.
        """
        leaves = self.leaves if self.pruned_leaves is None else self.pruned_leaves
        error = self.error if self.pruned_error is None else self.pruned_error
        return true_error(self.evidence.tree, leaves, error, columns, delta, questions)

    def after_pruning(self, leaves: int, error: float) -> Certificate:
        """The same certificate, which also tells the size and training error of the pruned tree."""
        return replace(self, pruned_leaves=leaves, pruned_error=error)

    def __str__(self) -> str:
        leaves = "1 leaf" if self.leaves == 1 else f"{self.leaves} leaves"
        lines = [
            f"Certificate of the tree as grown ({leaves}, criterion {self.criterion})",
            f"  It bounds the {self.error_name}: {self._proved()}.",
            "  It does not bound the error on new data; only rows kept from training tell that.",
            f"  potential       {self.potential:.6g}",
            f"  bound           {self.bound:.6g}  {self._bound_text()}",
            f"  training error  {self.error:.6g}  (at most half the potential)",
        ]
        if not self.holds:
            lines.append("  WRONG           the numbers contradict each other")
        lines += [f"  claim {claim}" for claim in self.claims]
        if self.pruned_leaves is not None and self.pruned_error is not None:
            pruned = "1 leaf" if self.pruned_leaves == 1 else f"{self.pruned_leaves} leaves"
            lines.append(f"After pruning: {pruned}, {self.error_name} {self.pruned_error:.6g}")
        return "\n".join(lines)

    def _proved(self) -> str:
        """In plain words: half the bound, unless every tree errs so little."""
        said = f"{self.error:.4g} on the rows it was grown from"
        proved = self.bound / 2.0
        if proved >= 0.5:
            return f"{said}, where the splits alone prove nothing below one half"
        return f"{said}, at most {max(proved, self.error):.4g} by the strength of its splits"

    def _bound_text(self) -> str:
        root = f"{self.root_potential:.6g}"
        if self.leaves == 1:
            return "(no split: the potential of the root)"
        if math.isinf(self.gamma):
            return "(one split removed all potential)"
        return f"= {root} * {self.leaves}^-{self.gamma:.6g}"


def certify(
    growth: Growth, history: History, criterion: Criterion, gamma: float | None = None
) -> Certificate:
    """The certificate of a growth; `gamma` is the one given for Mansour & McAllester's price."""
    branches = history["branches"].astype(np.int64)
    leaves_after = 1 + np.cumsum(branches - 1)
    leaves_before = leaves_after - (branches - 1)
    leaves = int(leaves_after[-1]) if len(branches) else 1
    root, split = growth.root_potential, len(branches) > 0
    rate = _telescoped_gamma(root, growth.potential, leaves_before, leaves_after)
    return Certificate(
        criterion=criterion,
        gamma=rate,
        bound=root * leaves**-rate * (1.0 + SLACK) if split else root,
        potential=float(growth.potential[-1]) if split else root,
        error=float(growth.error[-1]) if split else growth.root_error,
        leaves=leaves,
        root_potential=root,
        evidence=Evidence(
            criterion=criterion,
            tree=growth.tree,
            root_potential=root,
            leaves=leaves,
            nodes=growth.split_nodes,
            branches=branches,
            leaves_before=leaves_before,
            relative_gain=history["relative_gain"],
            advantage=history["advantage"],
        ),
        given_gamma=gamma,
    )


def _telescoped_gamma(
    root: float,
    potential: NDArray[np.float64],
    leaves_before: NDArray[np.int64],
    leaves_after: NDArray[np.int64],
) -> float:
    """Infinite without a split, or when the only one left no potential."""
    before = np.concatenate(([root], potential[:-1]))[: len(potential)]
    left = potential > 0.0
    fall = np.log(before[left] / potential[left])
    rates = fall / np.log(leaves_after[left] / leaves_before[left])
    # Rounding can make a potential rise by its last bit; gamma = 0 still bounds it.
    return max(float(rates.min(initial=math.inf)), 0.0)
