"""Drawings of fitted models; matplotlib is imported only when something is drawn."""

from hardwood.plots.tree_plot import plot_tree

__all__ = ["plot_tree"]
