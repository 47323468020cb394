"""The papers' bounds and the sharp ones beside them, as functions of numbers alone.

    branch_price, e_gamma     what a k-way split costs (Hatano; Mansour & McAllester)
    size_bound                what weak hypotheses of advantage gamma leave of the potential
    splits_needed             how many splits bring the error down (Kearns & Mansour)
    leaves_needed             the same in leaves, with our sharp constants; step_factor, one split
    least_error, leaves_forced, best_tree_error, complete_tree_error
                              trees on the hardest data: noisy copies of the label
    majority_error, majority_least, majority_leaves
                              trees on the majority of bits
    majority_table, copies_table
                              both as tables
    worst_potential           the worst data for complete trees, for any criterion
    order_bound, leaves_by_order
                              what the order of the leaves guarantees for gini and entropy
    copies_by_drop, copies_exponent
                              what the largest drop makes of noisy copies
    worst_error_by_drop       the worst data for the largest drop
    corner_bounds             what a split can cost while rows are unseen
    published_entropy_bounds  the same as Aziz, Anderton & Aslam print it
    occam_bound, vc_bound, tree_bits
                              what a training error says about the true error
    adaboost_bound            the training error of AdaBoost from its rounds' errors
    logistic_drop             by how much a round for the log loss is bound to lower it
    logistic_bound            the training error from those drops
    rounds_needed             how many rounds either loss needs
    advantage                 how much better than guessing one split is
    play_weight_game          Hatano's game between a tree learner and the worst data; sum_max
    grow_visit_tree           Mansour & McAllester's trees of visits and weights

Nothing here knows estimators. Invariant: a wrong argument is a ValueError or TypeError that
says what is allowed, and a number too large for a float is infinite.
"""

from hardwood.theory.boosting import adaboost_bound, advantage, splits_needed
from hardwood.theory.branching import branch_price, e_gamma, size_bound
from hardwood.theory.corners import corner_bounds, published_entropy_bounds
from hardwood.theory.largest_drop import (
    CopiesTree,
    copies_by_drop,
    copies_exponent,
    worst_error_by_drop,
)
from hardwood.theory.leaf_orders import leaves_by_order, order_bound
from hardwood.theory.logistic import logistic_bound, logistic_drop, rounds_needed
from hardwood.theory.majority import (
    copies_table,
    majority_error,
    majority_least,
    majority_leaves,
    majority_table,
)
from hardwood.theory.noisy_copies import (
    best_tree_error,
    complete_tree_error,
    least_error,
    leaves_forced,
)
from hardwood.theory.samples import occam_bound, tree_bits, vc_bound
from hardwood.theory.sharp import leaves_needed, step_factor
from hardwood.theory.visits import VisitTree, grow_visit_tree, sum_max
from hardwood.theory.weight_game import WeightGame, play_weight_game
from hardwood.theory.worst_splits import worst_potential

__all__ = [
    "CopiesTree",
    "VisitTree",
    "WeightGame",
    "adaboost_bound",
    "advantage",
    "best_tree_error",
    "branch_price",
    "complete_tree_error",
    "copies_by_drop",
    "copies_exponent",
    "copies_table",
    "corner_bounds",
    "e_gamma",
    "grow_visit_tree",
    "least_error",
    "leaves_by_order",
    "leaves_forced",
    "leaves_needed",
    "logistic_bound",
    "logistic_drop",
    "majority_error",
    "majority_least",
    "majority_leaves",
    "majority_table",
    "occam_bound",
    "order_bound",
    "play_weight_game",
    "published_entropy_bounds",
    "rounds_needed",
    "size_bound",
    "splits_needed",
    "step_factor",
    "sum_max",
    "tree_bits",
    "vc_bound",
    "worst_error_by_drop",
    "worst_potential",
]
