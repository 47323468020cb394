"""Columns, labels and weights as the integers that the core learns from."""

from hardwood.encoding.columns import EncodedTable, core_column, encode_table
from hardwood.encoding.labels import Labels, read_labels
from hardwood.encoding.weights import GivenWeights, Weights, given_weights, read_weights

__all__ = [
    "EncodedTable",
    "GivenWeights",
    "Labels",
    "Weights",
    "core_column",
    "encode_table",
    "given_weights",
    "read_labels",
    "read_weights",
]
