"""Fitted models written for other places: Graphviz, SQL, Python, C, JSON, ONNX and scorecards.

Each function takes a fitted TreeClassifier or BoostedTreesClassifier and gives text (`onnx`: a
model) that predicts what `predict` does, on every row; `scorecard` gives rounded points. Nothing of
the training data is in it but thresholds, category names and class weights.
"""

from hardwood.export.c_source import c
from hardwood.export.dot_graph import dot
from hardwood.export.json_text import json
from hardwood.export.onnx_model import onnx
from hardwood.export.python_source import python
from hardwood.export.scorecard import scorecard
from hardwood.export.sql_query import sql

__all__ = ["dot", "json", "sql", "python", "c", "onnx", "scorecard"]
