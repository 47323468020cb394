"""Drafts: what people decide about a tree before it is grown, with their reasons, as plain data."""

from hardwood.draft.draft import Draft
from hardwood.draft.lines import Line, node_text
from hardwood.draft.of_tree import draft_of_tree, node_at, path_of, split_line

__all__ = ["Draft", "Line", "draft_of_tree", "node_at", "node_text", "path_of", "split_line"]
