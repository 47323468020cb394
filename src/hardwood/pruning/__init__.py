"""Pruning a grown tree: error-based, cost-complexity and reduced-error."""

from hardwood.pruning.cost_complexity import PruningPath, pruning_path
from hardwood.pruning.pruned import Material, PruningPlan, grow_and_prune

__all__ = ["Material", "PruningPath", "PruningPlan", "grow_and_prune", "pruning_path"]
