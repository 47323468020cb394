"""`aziz-table2`: assessments, seconds and errors of the searches (AAA18 Tables 2 and 4)."""

from __future__ import annotations

from hardwood.studies.aziz_runs import boosted, counted, files_of, read_run
from hardwood.studies.aziz_table2_findings import SEARCHES, conclude
from hardwood.studies.data import DataFolder
from hardwood.studies.study import Settings, Study, Unit, Values

MARKS = [20, 50, 100, 300, 500]


def _units(settings: Settings) -> list[Unit]:
    """`rounds`: how many each run has; `counted`: how many with the published, slow searches."""
    units = []
    for run, (rounds, few) in settings["runs"].items():
        for search in SEARCHES:
            many = rounds if search == "auto" else few
            given = {"run": run, "search": search, "rounds": many}
            units.append(Unit(f"{run.replace(' ', '-')}-{search}", given))
    return units


def _measure(unit: Unit, data: DataFolder) -> Values:
    run, rounds = unit.given["run"], unit.given["rounds"]
    marks = sorted({*[mark for mark in MARKS if mark <= rounds], rounds})
    return counted(boosted(run, unit.given["search"], rounds), read_run(run, data), marks)


STUDY = Study(
    name="aziz-table2",
    title="Assessments of exact searches (AAA18, Tables 2 and 4)",
    protocol=(
        "AdaBoost (discrete, criterion error, learning rate 1) over trees of depth 3, MNIST 4, on "
        "the official splits. quick is `Quick(start=0.9, batches=10)`: the paper does not give its "
        "parameters, and these were chosen to come near its counts on a6a and w4a, so quick's "
        "agreement there is by choice. Runs without a further word are "
        'one-versus-rest where there are more than two classes; "SAMME" is the other form, "slow" '
        "is one-versus-rest with learning rate .02. The slow form was found by search: some thirty "
        "forms were tried on satimage (SAMME with four criteria and four learning rates and with "
        "forced splits, AdaBoost.MH, weights shared by the classes, one-versus-rest with smaller "
        "learning rates or depths), and its errors came nearest. That they are near is what the "
        "search selected, not a confirmation. On MNIST the slow searches are counted over "
        "the first rounds only (5, SAMME 20); the errors are those of auto's 300. RCV1 is not at "
        "hand; Reuters money-fx stands in with 20 rounds and has no number to meet. Seconds are "
        "those of this run on a shared machine and compare only roughly. auto counts what it was "
        "asked for, which on small tables is everything."
    ),
    full={
        "runs": {
            "a6a": [500, 500],
            "w4a": [500, 500],
            "satimage": [500, 500],
            "satimage SAMME": [500, 500],
            "satimage slow": [500, 500],
            "mnist": [300, 5],
            "mnist SAMME": [300, 20],
            "reuters": [20, 20],
        }
    },
    quick={"runs": {"a6a": [20, 20]}},
    units=_units,
    measure=_measure,
    conclude=conclude,
    files=lambda settings: files_of(list(settings["runs"])),
)
