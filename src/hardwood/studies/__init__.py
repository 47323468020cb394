"""The papers' tables and figures, each one command: `hardwood study NAME`.

    study      what a study is           running    one study or all, resumed where stopped
    folder     records on disk           measuring  units, in one process or several
    data       the data sets             writing    Markdown, CSV and PNG
    figures    forms of figure           times      what the studies cost

and one module per group of studies. Nothing of the library depends on this package.
"""

from importlib import import_module

from hardwood.studies.running import InterruptedStudyError, run_all, run_study
from hardwood.studies.study import Findings, Study, StudyError

MODULES = (
    "dkm_table1", "dkm_intervals", "dkm_table2", "dkm_advantage", "dkm_figure7", "curves", "hatano",
    "aziz_table2", "aziz_table3", "aziz_rules", "aziz_rules_mnist", "aziz_orders",
    "aziz_orders_mnist", "aziz_draws", "aziz_mnist", "aziz_table6", "aziz_rcv1", "aziz_table10",
    "aziz_figure1", "aziz_figure2", "aziz_bounds", "criteria_study",
)  # fmt: skip
"""Each has its `STUDY`; in the order in which they are listed."""

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (import_module(f"{__name__}.{module}").STUDY for module in MODULES)
}

__all__ = [
    "STUDIES",
    "Findings",
    "InterruptedStudyError",
    "Study",
    "StudyError",
    "run_all",
    "run_study",
]
