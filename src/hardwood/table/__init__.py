"""Any table (NumPy, pandas, polars, Arrow, scipy.sparse, lists) read as named columns.

In: the caller's table. Out: a lazy `Table` of `Column`s, each with the `ColumnSchema` that a
model remembers. Invariant: the caller's data is never written to, and no value is rounded.
"""

from hardwood.table.reading import Table, read_prediction_table, read_training_table
from hardwood.table.schema import Column, ColumnSchema, Kind

__all__ = [
    "Column",
    "ColumnSchema",
    "Kind",
    "Table",
    "read_prediction_table",
    "read_training_table",
]
