"""Searches for the best split, and what any search must at least look at."""

from hardwood.search.bounds import exact_bound, rows_needed, weight_order_bound
from hardwood.search.strategies import Adaptive, Auto, Exhaustive, PaperRun, Quick
from hardwood.search.stump import Stump, best_stump
from hardwood.search.tree_bounds import remembered_bound

__all__ = [
    "Adaptive",
    "Auto",
    "Exhaustive",
    "PaperRun",
    "Quick",
    "Stump",
    "best_stump",
    "exact_bound",
    "remembered_bound",
    "rows_needed",
    "weight_order_bound",
]
