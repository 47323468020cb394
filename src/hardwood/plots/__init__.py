"""Drawings of fitted models; matplotlib is imported only when something is drawn.

plot_advantages                  advantage of every split or round
plot_advantage_against_weight    and against each split's weight
plot_advantage_against_gain      and gain
plot_potential                   potential, bound and error as the model grows
plot_margins, margins            how clearly a boosted model votes
plot_assessments                 what each round's search looked at
plot_criteria                    the criteria G(q)
plot_tree                        a tree as cards; models call it as `model.plot()`
"""

from hardwood.plots.advantages import (
    plot_advantage_against_gain,
    plot_advantage_against_weight,
    plot_advantages,
)
from hardwood.plots.criterion_curves import plot_criteria
from hardwood.plots.margins import margins, plot_margins
from hardwood.plots.potentials import plot_potential
from hardwood.plots.tree_plot import plot_tree
from hardwood.plots.work import plot_assessments

__all__ = [
    "margins",
    "plot_advantage_against_gain",
    "plot_advantage_against_weight",
    "plot_advantages",
    "plot_assessments",
    "plot_criteria",
    "plot_margins",
    "plot_potential",
    "plot_tree",
]
