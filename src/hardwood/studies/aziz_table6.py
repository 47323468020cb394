"""`aziz-table6`: LazyBoost and weight trimming on MNIST (AAA18, Tables 3 and 6)."""

from __future__ import annotations

from hardwood.studies.aziz_mnist import mnist_study
from hardwood.studies.aziz_table3 import WAYS

STUDY = mnist_study(
    "aziz-table6",
    "LazyBoost and weight trimming on MNIST (AAA18, Tables 3 and 6)",
    "As in [aziz-table3](../aziz-table3/README.md).",
    list(WAYS),
)
