"""`aziz-table6`: LazyBoost and weight trimming on MNIST (AAA18, Tables 3 and 6)."""

from __future__ import annotations

from hardwood.studies.aziz_mnist import PAIRS
from hardwood.studies.aziz_printed import RULE
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import WAYS, conclude, measure, units
from hardwood.studies.study import Study

STUDY = Study(
    name="aziz-table6",
    title="LazyBoost and weight trimming on MNIST (AAA18, Tables 3 and 6)",
    protocol=(
        f"As in [aziz-table3](../aziz-table3/README.md). {PAIRS} Where only errors are shown the "
        "fast search made the trees, which are the same, and counted nothing. "
        f"{RULE}"
    ),
    full={
        "runs": {"mnist pairs": [300, ["auto"]]},
        "ways": list(WAYS),
        "counted": ["LazyBoost (0.5)", "LazyBoost (0.9)"],
    },
    quick={"runs": {"mnist pairs": [2, ["auto"]]}, "ways": list(WAYS)[:1]},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
