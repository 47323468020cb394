"""What a column is read as."""

from __future__ import annotations

from tests.oracles.thresholds import all_whole
from tests.oracles.topdown_problem import Column


def kind_of(column: Column) -> tuple[bool, bool, bool]:
    """A column that loses values may be read as another kind, or become one of whole numbers; such
    tables are left out of laws about absent rows."""
    whole = column.kind != "category" and all_whole(column.values)
    return column.kind == "integer", any(v is not None for v in column.values), whole
