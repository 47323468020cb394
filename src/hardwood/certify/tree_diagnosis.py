"""What the growth of a tree shows.

In: a tree as grown, its history and certificate, the names of its columns and the limits it was
grown under. Out: a `Diagnosis`. Advantages are those of Dietterich, Kearns & Mansour 1996 (eq. 7);
the bound is the certificate's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardwood.certify.certificate import Certificate
from hardwood.certify.diagnosis import (
    NEW_DATA,
    WEAK,
    Diagnosis,
    Finding,
    Floats,
    counted,
    first_weak,
    trend_text,
)
from hardwood.certify.history import History
from hardwood.theory import splits_needed
from hardwood.tree.arrays import Tree

MOST_SPLITS = 10_000
"""A larger number of splits that a bound asks for tells nobody anything."""


@dataclass(frozen=True)
class Growth:
    """A grown tree with what is needed to speak of it. `limits` names the parameters other than the
    leaf budget that can end growth, as they were set; `full`: whether the budget was used up."""

    tree: Tree
    history: History
    certificate: Certificate
    columns: Sequence[str]
    limits: Sequence[str]
    full: bool


def diagnose_tree(growth: Growth) -> Diagnosis:
    """What the splits of a growth show, in plain words."""
    found = growth.certificate
    subject = (
        f"A tree of {counted(found.leaves, 'leaf')}, criterion {found.criterion}, as grown: "
        f"{found.error_name} {found.error:.4g}, potential {found.potential:.4g}."
    )
    advantage = np.asarray(growth.history["advantage"], dtype=np.float64)
    known = len(advantage) > 0 and not np.isnan(advantage).any()
    findings = []
    if len(advantage):
        findings.append(Finding("Weak hypothesis assumption", _assumption(growth, advantage)))
    if known:
        findings.append(Finding("Advantage sequence", trend_text(advantage, "split")))
    more, text = _more(growth)
    findings.append(Finding("Would more splits help", text))
    findings.append(Finding("What the bound promises", _promise(growth, advantage, known)))
    return Diagnosis(
        subject,
        tuple(findings),
        first_weak(advantage) if known else None,
        more,
        float(found.bound) / 2.0,
    )


def _assumption(growth: Growth, advantage: Floats) -> str:
    """Where it holds, and where it fails."""
    if np.isnan(advantage).any():
        gain = growth.history["relative_gain"]
        t = int(gain.argmin())
        return (
            f"Advantages are defined for two classes; this tree has {growth.tree.n_classes}. By "
            f"relative gain the weakest split is number {t + 1} on {_column(growth, t)}, which "
            f"removed {gain[t]:.2%} of its leaf's impurity."
        )
    t = int(advantage.argmin())
    weakest = (
        f"the weakest is number {t + 1} on {_column(growth, t)}, advantage {advantage[t]:.3f} at a "
        f"leaf of {growth.history['weight'][t]:.1%} of the weight"
    )
    weak = int((advantage < WEAK).sum())
    if weak == 0:
        return f"It holds with gamma = {advantage[t]:.3f} at every split that was made; {weakest}."
    where = f"{weak} of {counted(len(advantage), 'split')}" if len(advantage) > 1 else "the split"
    text = f"It fails, with an advantage below {WEAK:g}, at {where}; {weakest}."
    if advantage[0] < WEAK:
        text += (
            f" It fails at the root already ({advantage[0]:.3f}): no single column tells the "
            "classes apart there, as when they depend on several columns together (parity is the "
            "extreme case), and the first splits are close to guesses."
        )
    return text


def _column(growth: Growth, t: int) -> str:
    return repr(str(growth.columns[int(growth.history["feature"][t])]))


def _more(growth: Growth) -> tuple[bool, str]:
    found = growth.certificate
    if found.error == 0.0 and found.potential == 0.0:
        return False, "No: every leaf is pure, the training error is 0."
    if growth.full:
        potential = np.concatenate(([found.root_potential], growth.history["potential"]))
        last = max(len(potential) // 4, 1)
        fall = potential[-1 - last] - potential[-1] if len(potential) > last else 0.0
        return True, (
            f"Yes, on the training rows: growth ended at the budget of {found.leaves} leaves with "
            f"potential left, and its last {counted(last, 'split')} still removed {fall:.4g} of "
            "potential. Whether that holds on other rows, only held-out rows can tell."
        )
    if growth.limits:
        return False, (
            "Not under these limits: no impure leaf has an admissible split that lowers the "
            f"potential. What ended growth is {', '.join(growth.limits)}, or rows that the columns "
            "do not tell apart."
        )
    return False, (
        "No: growth had no limit, and no split lowers the potential of the impure leaves any "
        "further. Their rows agree in every column, or no single column helps there; another "
        "column is needed."
    )


def _promise(growth: Growth, advantage: Floats, known: bool) -> str:
    found = growth.certificate
    if found.leaves == 1:
        return "Nothing: without a split there is no sequence to speak of."
    if math.isinf(found.gamma):
        return "One split removed all potential: the training error is 0."
    text = (
        f"By its own splits the tree certifies potential <= {found.bound:.4g} = "
        f"{found.root_potential:.4g} x {found.leaves}^-{found.gamma:.3g}, hence a "
        f"{found.error_name} of at most {found.bound / 2:.4g}. At that rate twice the leaves "
        f"leave at most {2.0**-found.gamma:.3g} of the potential."
    )
    if known and found.criterion != "error" and 0.0 < advantage.min() <= 0.5:
        needed = splits_needed(found.criterion, float(advantage.min()), 0.01, "sharp")
        if needed <= MOST_SPLITS:
            text += (
                f" If every leaf offered the smallest advantage seen, {advantage.min():.3f}, a "
                f"training error of 1 % would be reached after at most {math.ceil(needed):,} "
                "splits."
            )
    return f"{text} {NEW_DATA}"
