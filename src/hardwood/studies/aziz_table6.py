"""`aziz-table6`: MNIST's errors with LazyBoost and trimming, by our rules (AAA18, Table 6)."""

from __future__ import annotations

from hardwood.studies import study
from hardwood.studies.aziz_mnist import PAIRS
from hardwood.studies.aziz_printed import RULE
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import WAYS, conclude, measure, units

STUDY = study.Study(
    name="aziz-table6",
    title="Errors on MNIST with LazyBoost and weight trimming (AAA18, Table 6)",
    protocol=f"As in [aziz-table3](../aziz-table3/README.md). {PAIRS} {RULE}",
    full={"runs": {"mnist pairs": [300, ["auto"]]}, "ways": list(WAYS)},
    quick={"runs": {"mnist pairs": [2, ["auto"]]}, "ways": list(WAYS)[:1]},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
