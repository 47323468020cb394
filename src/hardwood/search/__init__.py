"""Searches for the best split, and what any search must at least look at."""

from hardwood.search.bounds import exact_bound, weight_order_bound
from hardwood.search.strategies import Adaptive, Auto, Exhaustive, PaperRun, Quick
from hardwood.search.stump import Stump, best_stump

__all__ = [
    "Adaptive",
    "Auto",
    "Exhaustive",
    "PaperRun",
    "Quick",
    "Stump",
    "best_stump",
    "exact_bound",
    "weight_order_bound",
]
