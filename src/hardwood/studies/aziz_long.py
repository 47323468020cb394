"""`aziz-long`: what aziz-mnist leaves out because it takes hours (AAA18)."""

from __future__ import annotations

from hardwood.studies.aziz_printed import RULE, SEARCHES
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import ALL_WAYS, conclude, measure, units
from hardwood.studies.study import Study

STUDY = Study(
    name="aziz-long",
    title="MNIST by the published searches, LazyBoost and trimming (AAA18, Tables 2 to 4 and 6)",
    protocol=(
        "As in [aziz-table3](../aziz-table3/README.md) and [aziz-mnist](../aziz-mnist/README.md), "
        "by adaptive and quick, for their counts. The published searches read rows in the order "
        "of their weights, so this takes hours. "
        f"{RULE}"
    ),
    full={
        "runs": {"mnist pairs": [300, SEARCHES]},
        "ways": list(ALL_WAYS),
    },
    quick={"runs": {"mnist pairs": [1, SEARCHES]}, "ways": list(ALL_WAYS)},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
