"""`aziz-mnist`: MNIST's errors by the fast search (AAA18, Tables 2, 4 and 6)."""

from __future__ import annotations

from hardwood.studies.aziz_printed import RULE
from hardwood.studies.aziz_runs import files_of
from hardwood.studies.aziz_table3 import conclude, measure, units
from hardwood.studies.study import Study

STUDY = Study(
    name="aziz-mnist",
    title="MNIST (AAA18, Tables 2, 4 and 6)",
    protocol=(
        "As in [aziz-table2](../aziz-table2/README.md) with trees of depth 4, "
        '`multiclass="pairs"`, by auto: it makes the same trees as the published searches, so the '
        "errors are theirs. What the published searches assess, and LazyBoost and trimming, are "
        f"counted by `hardwood study aziz-long`, in hours. {RULE}"
    ),
    full={"runs": {"mnist pairs": [300, ["auto"]]}, "ways": ["AdaBoost"]},
    quick={"runs": {"mnist pairs": [2, ["auto"]]}, "ways": ["AdaBoost"]},
    units=units,
    measure=measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
