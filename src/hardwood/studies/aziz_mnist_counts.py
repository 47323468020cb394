"""`aziz-mnist-counts`: MNIST counted by the published searches (AAA18)."""

from __future__ import annotations

from hardwood.studies.aziz_printed import RULE, SEARCHES
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import ALL_WAYS, conclude, measure, units
from hardwood.studies.study import Study

STUDY = Study(
    name="aziz-mnist-counts",
    title="MNIST counted by the published searches (AAA18, Tables 2, 4 and 6)",
    protocol=(
        "MNIST as in [aziz-mnist](../aziz-mnist/README.md), also with LazyBoost and trimming as in "
        "[aziz-table3](../aziz-table3/README.md), by adaptive and quick instead of auto, for their "
        "counts. The published searches read rows in the order of their weights, so this takes "
        f"hours. {RULE}"
    ),
    full={"runs": {"mnist pairs": [300, SEARCHES]}, "ways": list(ALL_WAYS)},
    quick={"runs": {"mnist pairs": [1, SEARCHES]}, "ways": list(ALL_WAYS)},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
