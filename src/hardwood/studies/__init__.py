"""The papers' tables and figures, each one command: `hardwood study NAME`.

    study      what a study is           running   units, resumed where a run was stopped
    folder     records on disk           writing   Markdown, CSV and PNG
    data       the data sets             figures   forms of figure that studies share

and one module per group of studies. Nothing of the library depends on this package.
"""

from hardwood.studies.aziz_figure1 import FIGURE1
from hardwood.studies.aziz_figure2 import FIGURE2
from hardwood.studies.aziz_pairs import PAIRS
from hardwood.studies.aziz_table2 import TABLE2 as AZIZ_TABLE2
from hardwood.studies.aziz_table3 import TABLE3
from hardwood.studies.aziz_table10 import TABLE10
from hardwood.studies.criteria_study import CRITERIA_STUDY
from hardwood.studies.curves import CURVES
from hardwood.studies.dkm_advantage import ADVANTAGE
from hardwood.studies.dkm_figure7 import FIGURE7
from hardwood.studies.dkm_intervals import INTERVALS
from hardwood.studies.dkm_table1 import TABLE1
from hardwood.studies.dkm_table2 import TABLE2 as DKM_TABLE2
from hardwood.studies.hatano import MULTIWAY
from hardwood.studies.running import InterruptedStudyError, run_study
from hardwood.studies.study import Findings, Study, StudyError

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        TABLE1,
        INTERVALS,
        DKM_TABLE2,
        ADVANTAGE,
        FIGURE7,
        CURVES,
        MULTIWAY,
        AZIZ_TABLE2,
        TABLE3,
        PAIRS,
        TABLE10,
        FIGURE1,
        FIGURE2,
        CRITERIA_STUDY,
    )
}

__all__ = ["STUDIES", "Findings", "InterruptedStudyError", "Study", "StudyError", "run_study"]
