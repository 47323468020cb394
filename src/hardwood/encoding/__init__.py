"""Columns, labels and weights as the integers that the core learns from."""

from hardwood.encoding.columns import EncodedTable, core_column, encode_table
from hardwood.encoding.labels import Labels, read_labels
from hardwood.encoding.weights import Weights, read_weights

__all__ = [
    "EncodedTable",
    "Labels",
    "Weights",
    "core_column",
    "encode_table",
    "read_labels",
    "read_weights",
]
