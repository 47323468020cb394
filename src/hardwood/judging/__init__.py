"""How well probabilities fit the truth, and how a column moves them.

In: probabilities and class numbers, or a fitted model and a table. Out: numbers, not pictures: the
report page and the plots draw the same ones. Rows count one each.
"""

from hardwood.judging.calibration import Calibration, calibration, wilson
from hardwood.judging.dependence import Dependence, partial_dependence
from hardwood.judging.steps import Steps, steps_of

__all__ = [
    "Calibration",
    "Dependence",
    "Steps",
    "calibration",
    "partial_dependence",
    "steps_of",
    "wilson",
]
