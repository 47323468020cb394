"""`aziz-draws`: LazyBoost with other draws of its columns (AAA18, Tables 5, 8 and 9).

Which columns each tree sees is random and not given. In: the runs of `aziz-rules` to 100 rounds,
with other draws. Out: for every printed number the least and the largest of ours, and whether the
printed one lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardwood.studies import study
from hardwood.studies.aziz_orders import conclude
from hardwood.studies.aziz_rules import by_rules
from hardwood.studies.aziz_runs import at, data_set, files_of, paper_parts
from hardwood.studies.data import DataFolder

LAZY = ["LazyBoost (0.5)", "LazyBoost (0.9)"]


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.unit(run, way, draw, run=run, way=way, search="adaptive", rounds=rounds, draw=draw)
        for run, rounds in settings["runs"].items()
        for way in LAZY
        for draw in range(1, settings["draws"] + 1)
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    return by_rules(unit, paper_parts(unit.given["run"], data))


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    found = conclude(records, "draw")
    return replace(found, paragraph=found.paragraph + _apart(records)) if found.verdicts else found


def _apart(records: Sequence[study.Record]) -> str:
    """How far the draws of a run are from each other."""
    told = []
    for run in dict.fromkeys(record["run"] for record in records):
        spreads = []
        for name in ("train", "test"):
            apart = [
                max(values) - min(values)
                for way in LAZY
                for values in [[at(r, 100, name) for r in study.by(records, run=run, way=way)]]
            ]
            spreads.append(max(apart))
        told.append(f"{data_set(run)} {spreads[0]:.3f} and {spreads[1]:.3f}")
    return (
        f" After 100 rounds the draws of one run differ in training and test error by up to: "
        f"{'; '.join(told)}. The paper's own two searches draw apart on SATIMAGE and A6A."
    )


STUDY = study.Study(
    name="aziz-draws",
    title="LazyBoost with other draws of its columns (AAA18, Tables 5, 8 and 9)",
    protocol=(
        "LazyBoost as in [aziz-rules](../aziz-rules/README.md), adaptive search, 100 rounds, with "
        "five other draws of the columns (random_state 1 to 5; 0 is there). A printed number is "
        "*within* if it lies between the least and the largest of ours, half of its last digit "
        "allowed."
    ),
    full={"runs": {"a6a": 100, "w4a": 100, "satimage pairs": 100}, "draws": 5},
    quick={"runs": {"a6a": 3}, "draws": 2},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
