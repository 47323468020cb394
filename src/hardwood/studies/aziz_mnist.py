"""`aziz-mnist`: MNIST's errors by the library's own rules (AAA18, Table 4)."""

from __future__ import annotations

from hardwood.studies import study
from hardwood.studies.aziz_printed import RULE
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import conclude, measure, units

PAIRS = (
    'Trees of depth 4 and `multiclass="pairs"`: 600,000 pairs of an example and a class, 780 '
    "columns as in the paper. The fast search made the trees and counts nothing; what the "
    "published searches assess is in [aziz-rules-mnist](../aziz-rules-mnist/README.md)."
)
STUDY = study.Study(
    name="aziz-mnist",
    title="Errors on MNIST (AAA18, Table 4)",
    protocol=f"As in [aziz-table2](../aziz-table2/README.md). {PAIRS} {RULE}",
    full={"runs": {"mnist pairs": [300, ["auto"]]}, "ways": ["AdaBoost"]},
    quick={"runs": {"mnist pairs": [2, ["auto"]]}, "ways": ["AdaBoost"]},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
