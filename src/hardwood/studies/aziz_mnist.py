"""`aziz-mnist`: MNIST by the published searches (AAA18, Tables 2 and 4)."""

from __future__ import annotations

from hardwood.studies.aziz_printed import RULE, SEARCHES
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import conclude, measure, units
from hardwood.studies.study import Study

PAIRS = (
    'Trees of depth 4 and `multiclass="pairs"`: 600,000 pairs of an example and a class. What the '
    "published searches assess is counted pair by pair, as they ask for it, but had from sums by "
    "example."
)
STUDY = Study(
    name="aziz-mnist",
    title="MNIST (AAA18, Tables 2 and 4)",
    protocol=f"As in [aziz-table2](../aziz-table2/README.md). {PAIRS} {RULE}",
    full={"runs": {"mnist pairs": [300, SEARCHES]}, "ways": ["AdaBoost"]},
    quick={"runs": {"mnist pairs": [2, ["auto"]]}, "ways": ["AdaBoost"]},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
