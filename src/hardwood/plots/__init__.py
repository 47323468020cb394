"""Drawings of fitted models; matplotlib is imported only when something is drawn.

plot_roc                         a class found against others taken for it, with the AUC
plot_precision_recall            precision against recall, with the average precision
plot_lift                        how much denser a class is among the most probable rows
plot_costs                       the expected cost of every threshold, and the cheapest
plot_calibration                 what was said against what was so, also in log odds
plot_confusion                   the confusion matrix, as predicted or at a threshold
plot_partial_dependence          how a column moves the answer
plot_importances                 which columns matter
plot_split                       what a split sees: its column by class
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
from hardwood.plots.class_curves import (
    plot_calibration,
    plot_confusion,
    plot_costs,
    plot_lift,
    plot_precision_recall,
    plot_roc,
)
from hardwood.plots.column_views import plot_importances, plot_partial_dependence, plot_split
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
    "plot_calibration",
    "plot_confusion",
    "plot_costs",
    "plot_criteria",
    "plot_importances",
    "plot_lift",
    "plot_margins",
    "plot_partial_dependence",
    "plot_potential",
    "plot_precision_recall",
    "plot_roc",
    "plot_split",
    "plot_tree",
]
