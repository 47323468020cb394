"""Columns, labels and weights as the integers that the core learns from."""

from hardwood.encoding.columns import EncodedTable, core_column, encode_table
from hardwood.encoding.labels import Labels, read_labels
from hardwood.encoding.weights import UserWeights, Weights, read_weights, user_weights

__all__ = [
    "EncodedTable",
    "UserWeights",
    "Labels",
    "Weights",
    "core_column",
    "encode_table",
    "user_weights",
    "read_labels",
    "read_weights",
]
