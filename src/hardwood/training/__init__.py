"""One fit: what it was asked for, the rows it learns from, and what it does with them.

`Training` is what an estimator trains on. Rows in memory (`MemoryTraining`) and rows in parts
(`hardwood.distributed.training`) meet it alike, and give the same models.
"""

from hardwood.training.boosted import BoostedFit, Watching
from hardwood.training.in_memory import MemoryTraining
from hardwood.training.protocol import Training
from hardwood.training.pruned import PruningPlan, TreePlan, grow_and_prune, grow_tree
from hardwood.training.request import FitRequest

__all__ = [
    "BoostedFit",
    "FitRequest",
    "MemoryTraining",
    "PruningPlan",
    "Training",
    "TreePlan",
    "Watching",
    "grow_and_prune",
    "grow_tree",
]
