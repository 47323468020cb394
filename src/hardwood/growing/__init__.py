"""Top-down growth: the core's loop, its options and its result."""

from hardwood.growing.constraints import Constraints
from hardwood.growing.growth import Growth
from hardwood.growing.instructed import Followed, Instructions
from hardwood.growing.topdown import Prices, StopRules, grow, tree_of

__all__ = [
    "Constraints",
    "Followed",
    "Growth",
    "Instructions",
    "Prices",
    "StopRules",
    "grow",
    "tree_of",
]
