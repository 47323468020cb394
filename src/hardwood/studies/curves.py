"""`paper-curves`: the figures that are functions (KM96, Figures 2, 3, 8 to 13; DKM96, 3 to 6).

In: nothing but formulas. Out: the curves, drawn, and what the captions say of them, checked on a
fine grid of q.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from hardwood.criteria import CRITERIA, cost
from hardwood.studies import study
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels

NAMES = {"km": "2 sqrt(q(1-q))", "entropy": "H(q)", "gini": "4q(1-q)", "error": "2 min(q, 1-q)"}
FIGURES = {"gini": (8, 9), "entropy": (10, 11), "km": (12, 13)}
GAMMA = 0.1


def criterion_at(q: Any, criterion: Any) -> Any:
    """G(q) for an array of shares."""
    return cost(np.stack((1.0 - q, q), axis=-1), criterion)


def slope_at(q: Any, criterion: str) -> Any:
    """G'(q)."""
    if criterion == "gini":
        return 4.0 - 8.0 * q
    if criterion == "entropy":
        return np.log2((1.0 - q) / q)
    return (1.0 - 2.0 * q) / np.sqrt(q * (1.0 - q))


def tangent_gap(q: Any, tau: float, gamma: float, criterion: str) -> Any:
    """The derivative of the gain by tau (KM96, eq. 18): the tangent at p less the tangent at r,
    both at q."""
    p, r = q - gamma * q * (1 - q) / (1 - tau), q + gamma * q * (1 - q) / tau
    at_p = criterion_at(p, criterion) + (q - p) * slope_at(p, criterion)
    at_r = criterion_at(r, criterion) - (r - q) * slope_at(r, criterion)
    return at_p - at_r


def _units(settings: study.Settings) -> list[study.Unit]:
    points = settings["points"]
    return [
        *[study.Unit(f"curve-{name}", {"curve": name, "points": points}) for name in NAMES],
        *[
            study.Unit(f"gap-{name}-{tau}", {"gap": name, "tau": tau, "points": points})
            for name in FIGURES
            for tau in (0.4, 0.6)
        ],
    ]


def _measure(unit: study.Unit, _data: DataFolder) -> study.Values:
    q = (np.arange(unit.given["points"]) + 0.5) / unit.given["points"]
    if "curve" in unit.given:
        name = unit.given["curve"]
        assert name in CRITERIA
        return {"q": q.tolist(), "value": criterion_at(q, name).tolist()}
    values = tangent_gap(q, unit.given["tau"], GAMMA, unit.given["gap"])
    return {
        "q": q.tolist(),
        "value": values.tolist(),
        "least": float(values.min()),
        "most": float(values.max()),
    }


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    curves = {name: study.one(records, curve=name) for name in NAMES}
    values = [np.array(curves[name]["value"]) for name in NAMES if curves[name]]  # type: ignore[index]
    ordered = all((a >= b - 1e-12).all() for a, b in pairwise(values))
    verdicts = [
        study.Verdict(
            "KM96 Fig. 2, 3; DKM96 Fig. 5, 6: from top to bottom km, entropy, gini, error",
            "at every q",
            "at every q" if ordered else "not at every q",
            "agrees" if ordered else "differs",
        )
    ]
    for name, (low, high) in FIGURES.items():
        for number, tau in ((low, 0.4), (high, 0.6)):
            found = study.one(records, gap=name, tau=tau)
            if found is None:
                continue
            holds = found["most"] < 0 if tau < 0.5 else found["least"] > 0
            verdicts.append(
                study.Verdict(
                    f"KM96 Fig. {number}: {name}, gamma = .1, tau = {tau}",
                    "negative for all q" if tau < 0.5 else "positive for all q",
                    f"{found['least']:.2g} to {found['most']:.2g}",
                    "agrees" if holds else "differs",
                )
            )
    agreed = sum(verdict.verdict == "agrees" for verdict in verdicts)
    paragraph = (
        f"{agreed} of {len(verdicts)} statements about the curves hold at all points of the grid. "
        "The captions of KM96's Figures 8 to 13 print the last sign of the expression wrongly "
        "(docs/theory/errata.md); eq. 18 is drawn here."
    )
    figures = {
        "criteria": lambda figure: _draw_criteria(figure, curves),
        "gaps": lambda figure: _draw_gaps(figure, records),
    }
    return study.Findings(verdicts, paragraph, (), figures)


def _draw_criteria(figure: Any, curves: Any) -> None:
    def lines(most: float) -> Any:
        return {
            NAMES[name]: (
                [q for q in record["q"] if q <= most],
                [v for q, v in zip(record["q"], record["value"], strict=True) if q <= most],
            )
            for name, record in curves.items()
        }

    panels(figure, {"all q": lines(1.0), "small q": lines(0.1)}, xlabel="q", ylabel="G(q)")


def _draw_gaps(figure: Any, records: Sequence[study.Record]) -> None:
    panels(
        figure,
        {
            name: {
                f"tau = {record['tau']}": (record["q"], record["value"])
                for record in records
                if record.unit.given.get("gap") == name
            }
            for name in FIGURES
        },
        xlabel="q",
        ylabel="derivative of the gain by tau",
        points=True,
    )


STUDY = study.Study(
    name="paper-curves",
    title="The criteria as curves (KM96, Figures 2, 3, 8 to 13; DKM96, Figures 3 to 6)",
    protocol=(
        "The four criteria, and for the three that boost the derivative of the gain by tau at "
        "gamma = .1, at points of q between 0 and 1. No data are read. DKM96's Figures 3 and 4 "
        "show the gain as a vertical distance below two of these curves."
    ),
    full={"points": 500},
    quick={"points": 50},
    units=_units,
    measure=_measure,
    conclude=_conclude,
)
