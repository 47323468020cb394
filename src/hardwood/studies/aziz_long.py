"""`aziz-long`: what aziz-table3 and aziz-mnist leave out because it takes long (AAA18)."""

from __future__ import annotations

from hardwood.studies.aziz_printed import RULE, SEARCHES
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import ALL_WAYS, conclude, measure, units
from hardwood.studies.study import Study

STUDY = Study(
    name="aziz-long",
    title="All rounds of A6A, W4A and MNIST by the published searches (AAA18, Tables 2 to 9)",
    protocol=(
        "As in [aziz-table3](../aziz-table3/README.md) and [aziz-mnist](../aziz-mnist/README.md), "
        "to the paper's last round and by adaptive and quick, for their counts. The published "
        "searches read rows in the order of their weights, so on MNIST this takes hours. "
        f"{RULE}"
    ),
    full={
        "runs": {"a6a": [500, SEARCHES], "w4a": [500, SEARCHES], "mnist pairs": [300, SEARCHES]},
        "ways": list(ALL_WAYS),
    },
    quick={"runs": {"mnist pairs": [1, SEARCHES]}, "ways": list(ALL_WAYS)},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
