"""AdaBoost over exact trees: rounds, their loop, ensembles and what is drawn at random."""

from hardwood.boosting.ensemble import Ensemble
from hardwood.boosting.rounds import LEAF_RATIO_CAP_BITS, BoostingRules, Rounds, start_rounds

__all__ = ["LEAF_RATIO_CAP_BITS", "BoostingRules", "Ensemble", "Rounds", "start_rounds"]
