"""The papers' tables and figures, each one command: `hardwood study NAME`.

    study      what a study is           running   units, resumed where a run was stopped
    folder     records on disk           writing   Markdown, CSV and PNG
    data       the data sets             figures   forms of figure that studies share

and one module per group of studies. Nothing of the library depends on this package.
"""

from importlib import import_module

from hardwood.studies.running import InterruptedStudyError, run_study
from hardwood.studies.study import Findings, Study, StudyError

MODULES = (
    "dkm_table1", "dkm_intervals", "dkm_table2", "dkm_advantage", "dkm_figure7", "curves", "hatano",
    "aziz_table2", "aziz_table3", "aziz_rules", "aziz_mnist", "aziz_table6", "aziz_rcv1",
    "aziz_table10", "aziz_figure1", "aziz_figure2", "aziz_bounds", "criteria_study",
)  # fmt: skip
"""Each has its `STUDY`; in the order in which they are listed."""

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (import_module(f"{__name__}.{module}").STUDY for module in MODULES)
}

__all__ = ["STUDIES", "Findings", "InterruptedStudyError", "Study", "StudyError", "run_study"]
