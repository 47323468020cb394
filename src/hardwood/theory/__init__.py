"""The papers' bounds and the sharp ones beside them, as functions of numbers alone.

    branch_price, e_gamma     what a k-way split costs (Hatano; Mansour & McAllester)
    size_bound                what weak hypotheses of advantage gamma leave of the potential
    splits_needed             how many splits bring the error down (Kearns & Mansour)
    adaboost_bound            the training error of AdaBoost from its rounds' errors
    logistic_drop             by how much a round for the log loss is bound to lower it
    logistic_bound            the training error from those drops
    rounds_needed             how many rounds either loss needs
    advantage                 how much better than guessing one split is
    play_weight_game          Hatano's game between a tree learner and the worst data

Nothing here knows trees or tables. Invariant: a wrong argument is a ValueError or TypeError that
says what is allowed, and a number too large for a float is infinite.
"""

from hardwood.theory.boosting import adaboost_bound, advantage, splits_needed
from hardwood.theory.branching import branch_price, e_gamma, size_bound
from hardwood.theory.logistic import logistic_bound, logistic_drop, rounds_needed
from hardwood.theory.weight_game import WeightGame, play_weight_game

__all__ = [
    "WeightGame",
    "adaboost_bound",
    "advantage",
    "branch_price",
    "e_gamma",
    "logistic_bound",
    "logistic_drop",
    "play_weight_game",
    "rounds_needed",
    "size_bound",
    "splits_needed",
]
