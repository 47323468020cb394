"""Pruning a grown tree: error-based, cost-complexity and reduced-error."""

from hardwood.pruning.cost_complexity import PruningPath, pruning_path

__all__ = ["PruningPath", "pruning_path"]
