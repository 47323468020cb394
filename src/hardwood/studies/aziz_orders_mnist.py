"""`aziz-orders-mnist`: weight trimming on MNIST in other orders of the rows (AAA18, Table 6).

As `aziz-orders`, to 100 rounds in two drawn orders: a unit takes 100 s of processor time. The order
of the file is in `aziz-rules-mnist`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardwood.studies import study
from hardwood.studies.aziz_orders import NAMES, TRIMMED, conclude
from hardwood.studies.aziz_orders import STUDY as ORDERS
from hardwood.studies.aziz_runs import at


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    found = conclude(records)
    return replace(found, paragraph=found.paragraph + _apart(records)) if found.verdicts else found


def _apart(records: Sequence[study.Record]) -> str:
    """How far the orders are from each other at the last mark."""
    last = max(records[0]["marks"])
    ends = {}
    for name in NAMES:
        values = [at(record, last, name) for record in records]
        ends[name] = min(values), max(values)
    counts, train, test = (ends[name] for name in NAMES)
    return (
        f" After {last} rounds the orders differ from each other by "
        f"{counts[1] / counts[0] - 1:.1%} in what is assessed, {train[1] - train[0]:.3f} in the "
        f"training and {test[1] - test[0]:.3f} in the test error: which rows of equal weight are "
        "cut matters on MNIST as much as the distance between the paper's numbers and "
        "[ours](../aziz-rules-mnist/README.md), and as that between the paper's own two searches, "
        "whose trees should be the same."
    )


STUDY = replace(
    ORDERS,
    name="aziz-orders-mnist",
    title="Weight trimming on MNIST in other orders of the rows (AAA18, Table 6)",
    protocol=(
        "As in [aziz-orders](../aziz-orders/README.md), with trees of depth 4 on 780 columns, in "
        "two drawn orders; that of the file is in "
        "[aziz-rules-mnist](../aziz-rules-mnist/README.md). A printed number is *within* if it "
        "lies between the least and the largest of ours, half of its last digit allowed."
    ),
    full={"runs": {"mnist pairs": 100}, "ways": TRIMMED[1:], "first": 1, "orders": 3},
    quick={"runs": {"mnist pairs": 2}, "ways": TRIMMED[1:], "first": 1, "orders": 2},
    conclude=_conclude,
)
