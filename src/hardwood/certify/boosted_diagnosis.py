"""What the rounds of a boosted model show.

In: the rounds' history, the number of classes, and how more than two were treated. Out: a
`Diagnosis`. A round's advantage is chance minus its weighted error; chance is 1/2, and 1 -
1/classes for SAMME. The bound is the product of the normalisers (Freund & Schapire; DKM96 Theorem
2.1); for logistic boosting the mean log loss over ln 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hardwood.certify.diagnosis import (
    NEW_DATA,
    WEAK,
    Diagnosis,
    Finding,
    Floats,
    counted,
    first_weak,
    quarters,
    trend_text,
)
from hardwood.certify.history import History

ERROR_0, NO_BETTER = "error 0", "no better than chance"
NOTHING_LEFT = "nothing left to learn"


@dataclass(frozen=True)
class Rounds:
    """`rounds`: how many have trees; `rows`: how many of equal weight were trained on,
    None when weights differ or trees saw a part of them."""

    history: History
    classes: int
    multiclass: str
    rounds: int
    rows: int | None


def diagnose_rounds(run: Rounds) -> Diagnosis:
    """What the rounds of a boosted model show, in plain words."""
    several = run.classes > 2
    chance = 1.0 - 1.0 / run.classes if several and run.multiclass == "samme" else 0.5
    advantage = chance - np.asarray(run.history["error"], dtype=np.float64)
    bound = float(run.history["bound"][-1]) if len(run.history["bound"]) else math.nan
    form = f", {run.classes} classes ({run.multiclass})" if several else ""
    promised = "" if math.isnan(bound) else f"; training error proved to be at most {bound:.4g}"
    subject = f"{counted(run.rounds, 'round')} of boosting{form}{promised}."
    more, text = _more(run, bound)
    findings = (
        Finding("Weak hypothesis assumption", _assumption(run, advantage, chance)),
        Finding("Advantage sequence", trend_text(advantage, "round")),
        Finding("Would more rounds help", text),
        Finding("What the bound promises", _promise(run, bound)),
    )
    return Diagnosis(subject, findings, first_weak(advantage), more, bound)


def _assumption(run: Rounds, advantage: Floats, chance: float) -> str:
    of_classes = run.classes > 2 and run.multiclass == "ovr"
    kind = "mean advantage of the classes' trees" if of_classes else "advantage"
    reason = str(run.history["stopped"][-1])
    if NO_BETTER in reason:
        return (
            f"It fails in round {len(advantage)}: the tree is no better than chance ({chance:.3g}) "
            "on that round's weights."
        )
    weak = first_weak(advantage)
    if weak is None:
        t = int(advantage.argmin())
        return (
            f"It holds with gamma = {advantage[t]:.3f} in every round; the smallest {kind} is that "
            f"of round {t + 1}."
        )
    share = float((advantage < WEAK).mean())
    return (
        f"The {kind} falls below {WEAK:g} in round {weak} first, and is below it in {share:.0%} of "
        f"all rounds; the last round has {advantage[-1]:.2g}."
    )


def _more(run: Rounds, bound: float) -> tuple[bool | None, str]:
    reason = str(run.history["stopped"][-1])
    if run.classes <= 2 or run.multiclass != "ovr":
        if reason == ERROR_0:
            return False, "No: the last tree makes no mistake on its weights, so training ended."
        if reason == NOTHING_LEFT:
            return False, "No: no tree of this kind moves any row's weight any more."
        if reason == NO_BETTER:
            return False, (
                "No: no tree of this kind is better than chance any more. Deeper trees may be, or "
                "other columns."
            )
    if reason == "early stopping":
        return False, "No: held-out rows were not predicted better any more, which ended training."
    if math.isnan(bound):
        return None, (
            "The history cannot tell: nothing is proved for this form. Give held-out rows and "
            "early_stopping=True."
        )
    if run.rows is not None and bound < 1.0 / run.rows:
        return False, (
            f"Not the training error: the bound is below 1/{run.rows}, less than one row when all "
            "weigh the same, so no mistake is left. More rounds can only widen the margins."
        )
    return _rate(run)


def _rate(run: Rounds) -> tuple[bool, str]:
    """What the last quarter of the rounds gained, carried on."""
    # A product of normalisers may be below the smallest float64.
    bounds = np.maximum(np.asarray(run.history["bound"], dtype=np.float64), math.ulp(0.0))
    steps = -np.diff(np.log(np.concatenate(([_start(run)], bounds))))
    recent = quarters(steps)[1]
    if recent < 1e-5:
        return False, (
            "Hardly: the last quarter of the rounds lowered the bound by less than a hundred "
            "thousandth each. Deeper trees or other columns may help, more of the same will not."
        )
    rounds = math.ceil(math.log(2.0) / recent)
    return True, (
        f"Yes, on the training rows: each round of the last quarter lowered the bound by "
        f"{-math.expm1(-recent):.2%} on average; at that rate {counted(rounds, 'further round')} "
        "would halve it. Advantages that keep falling make it slower."
    )


def _start(run: Rounds) -> float:
    """The bound before the first round."""
    return run.classes / 2 if run.classes > 2 and run.multiclass == "pairs" else 1.0


def _promise(run: Rounds, bound: float) -> str:
    if math.isnan(bound):
        return (
            f"Nothing: no bound is proved for {run.classes} classes by {run.multiclass}."
            if run.classes > 2
            else "Nothing is proved for these settings."
        )
    if bound >= 0.5:
        tail = " That says little: more than half of the rows may still be wrong."
    else:
        tail = ""
    source = "the product of the rounds' normalisers"
    if run.classes > 2:
        source = f"{run.classes}/2 times {source}"
    if not math.isnan(float(run.history["loss"][-1])):
        source = f"the mean log loss of {float(run.history['loss'][-1]):.4g} over ln 2"
    return f"The weighted training error is at most {bound:.4g}, {source}.{tail} {NEW_DATA}"
