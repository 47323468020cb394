"""What Tables 4 to 9 of Aziz, Anderton & Aslam 2018 print, and how ours is set beside it.

In: records of boosting runs. Out: a verdict for every printed row: assessments, training and test
error after a number of rounds. A number that no run computed has a row that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwood.studies import study

# set;way;search; then per mark "rounds, assessments, training error, test error"
TEXT = """
a6a;AdaBoost;adaptive;100 3.35e8 .142 .155;300 1.02e9 .131 .157;500 1.69e9 .128 .160
a6a;AdaBoost;quick;100 3.57e8 .142 .155;300 1.09e9 .131 .157;500 1.83e9 .128 .160
a6a;LazyBoost (0.5);adaptive;100 1.69e8 .145 .156;300 5.11e8 .134 .159;500 8.48e8 .129 .160
a6a;LazyBoost (0.5);quick;100 1.80e8 .145 .157;300 5.50e8 .137 .158;500 9.22e8 .132 .160
a6a;LazyBoost (0.9);adaptive;100 2.99e8 .141 .156;300 9.07e8 .133 .157;500 1.51e9 .130 .159
a6a;LazyBoost (0.9);quick;100 3.18e8 .141 .156;300 9.75e8 .133 .157;500 1.64e9 .130 .159
a6a;wt. trim (0.9);adaptive;100 2.45e8 .151 .157;300 7.35e8 .151 .157;500 1.23e9 .151 .157
a6a;wt. trim (0.9);quick;100 2.49e8 .151 .157;300 7.46e8 .151 .157;500 1.24e9 .151 .157
a6a;wt. trim (0.99);adaptive;100 3.16e8 .141 .156;300 9.34e8 .132 .157;500 1.54e9 .126 .158
a6a;wt. trim (0.99);quick;100 3.28e8 .141 .156;300 9.62e8 .132 .157;500 1.58e9 .126 .160
w4a;AdaBoost;adaptive;100 3.92e8 .011 .019;300 1.07e9 .006 .018;500 1.69e9 .006 .018
w4a;AdaBoost;quick;100 4.64e8 .011 .020;300 1.45e9 .006 .018;500 2.41e9 .006 .018
w4a;LazyBoost (0.5);adaptive;100 2.00e8 .012 .019;300 5.46e8 .008 .018;500 8.61e8 .006 .018
w4a;LazyBoost (0.5);quick;100 2.35e8 .012 .019;300 7.35e8 .008 .018;500 1.22e9 .006 .018
w4a;LazyBoost (0.9);adaptive;100 3.48e8 .012 .020;300 9.66e8 .007 .018;500 1.52e9 .006 .018
w4a;LazyBoost (0.9);quick;100 4.27e8 .012 .020;300 1.32e9 .007 .018;500 2.19e9 .006 .018
w4a;wt. trim (0.9);adaptive;100 2.87e8 .016 .021;300 8.41e8 .016 .021;500 1.40e9 .016 .021
w4a;wt. trim (0.9);quick;100 2.97e8 .016 .021;300 8.63e8 .016 .021;500 1.43e9 .016 .021
w4a;wt. trim (0.99);adaptive;100 3.63e8 .012 .020;300 9.44e8 .007 .017;500 1.44e9 .006 .018
w4a;wt. trim (0.99);quick;100 3.96e8 .012 .020;300 1.01e9 .007 .018;500 1.52e9 .006 .018
satimage;AdaBoost;adaptive;100 1.98e8 .113 .150;300 5.46e8 .070 .121;500 8.64e8 .049 .109
satimage;AdaBoost;quick;100 2.20e8 .113 .150;300 6.61e8 .070 .121;500 1.11e9 .049 .109
satimage;LazyBoost (0.5);adaptive;100 1.11e8 .133 .152;300 3.22e8 .094 .123;500 5.17e8 .073 .115
satimage;LazyBoost (0.5);quick;100 1.23e8 .130 .150;300 3.68e8 .090 .129;500 6.11e8 .067 .113
satimage;LazyBoost (0.9);adaptive;100 1.88e8 .114 .128;300 5.13e8 .071 .119;500 8.05e8 .050 .110
satimage;LazyBoost (0.9);quick;100 2.06e8 .114 .128;300 6.07e8 .071 .119;500 1.01e9 .050 .110
satimage;wt. trim (0.9);adaptive;100 2.51e8 .756 .766;300 7.56e8 .756 .766;500 1.26e9 .756 .766
satimage;wt. trim (0.9);quick;100 2.51e8 .755 .765;300 7.57e8 .755 .765;500 1.26e9 .755 .765
satimage;wt. trim (0.99);adaptive;100 1.80e8 .109 .141;300 4.66e8 .066 .121;500 7.01e8 .045 .113
satimage;wt. trim (0.99);quick;100 1.89e8 .109 .141;300 4.91e8 .066 .121;500 7.39e8 .045 .113
mnist;AdaBoost;adaptive;100 1.26e11 .106 .111;300 3.52e11 .057 .064
mnist;AdaBoost;quick;100 1.36e11 .106 .111;300 3.96e11 .057 .064
mnist;LazyBoost (0.5);adaptive;100 6.65e10 .150 .145;200 1.28e11 .098 .098;300 1.87e11 .076 .079
mnist;LazyBoost (0.5);quick;100 7.07e10 .150 .145;200 1.39e11 .098 .098;300 2.07e11 .076 .079
mnist;LazyBoost (0.9);adaptive;100 1.17e11 .117 .118;200 2.22e11 .079 .085;300 3.20e11 .061 .069
mnist;LazyBoost (0.9);quick;100 1.25e11 .117 .118;200 2.43e11 .079 .085;300 3.59e11 .061 .069
mnist;wt. trim (0.9);adaptive;100 1.53e11 .901 .901;200 3.07e11 .901 .901;300 4.61e11 .901 .901
mnist;wt. trim (0.9);quick;100 1.53e11 .900 .901;200 3.07e11 .900 .901;300 4.61e11 .900 .901
mnist;wt. trim (0.99);adaptive;100 1.19e11 .117 .124;200 2.21e11 .076 .080;300 3.16e11 .062 .068
mnist;wt. trim (0.99);quick;100 1.29e11 .115 .117;200 2.37e11 .074 .078;300 3.37e11 .056 .061
rcv1;AdaBoost;adaptive;100 1.73e11 .027 .059;300 4.83e11 .005 .047;400 6.15e11 .001 .044
rcv1;AdaBoost;quick;100 1.85e11 .029 .061;300 5.13e11 .004 .047;400 6.58e11 .001 .046
rcv1;LazyBoost (0.5);adaptive;100 8.93e10 .029 .061;300 2.48e11 .006 .047;400 3.18e11 .002 .046
rcv1;LazyBoost (0.5);quick;100 9.06e10 .028 .060;300 2.55e11 .005 .048;400 3.29e11 .002 .046
rcv1;LazyBoost (0.9);adaptive;100 1.59e11 .027 .058;300 4.35e11 .005 .047;400 5.60e11 .002 .045
rcv1;LazyBoost (0.9);quick;100 1.64e11 .027 .058;300 4.62e11 .004 .047;400 5.93e11 .001 .045
rcv1;wt. trim (0.9);adaptive;100 1.19e11 .022 .059;300 2.92e11 .003 .047;400 3.65e11 .001 .046
rcv1;wt. trim (0.9);quick;100 1.22e11 .025 .058;300 3.03e11 .003 .047;400 3.79e11 .001 .046
rcv1;wt. trim (0.99);adaptive;100 1.62e11 .027 .059;300 4.40e11 .004 .047;400 5.61e11 .001 .045
rcv1;wt. trim (0.99);quick;100 1.70e11 .027 .059;300 4.60e11 .004 .048;400 5.86e11 .001 .046
"""

# Tables 2 and 3: how many per cent fewer assessments adaptive needs than quick at the last mark
IMPROVED = {
    "AdaBoost": {"a6a": 7.8, "mnist": 11.1, "rcv1": 6.5, "satimage": 22.5, "w4a": 29.8},
    "LazyBoost (0.5)": {"a6a": 8.1, "mnist": 9.7, "rcv1": 3.4, "satimage": 15.4, "w4a": 29.3},
    "LazyBoost (0.9)": {"a6a": 7.7, "mnist": 10.9, "rcv1": 5.6, "satimage": 20.0, "w4a": 30.5},
    "wt. trim (0.9)": {"a6a": 1.4, "mnist": 0.0, "rcv1": 3.6, "satimage": 0.1, "w4a": 2.5},
    "wt. trim (0.99)": {"a6a": 2.6, "mnist": 6.1, "rcv1": 4.4, "satimage": 5.1, "w4a": 5.3},
}

SETS = ("a6a", "w4a", "satimage", "mnist")
"""All but RCV1, which is not at hand and has a study of its own (aziz-rcv1)."""
SEARCHES = ("adaptive", "quick")
ABSENT = "not in this run"
COUNTED = "counted in [aziz-rules-mnist](../aziz-rules-mnist/README.md)"
"""Where MNIST's counts are, which take longest."""
MOST_OFF, MOST_POINTS, NEAR, DIGIT = 0.035, 3.5, 0.002, 0.0005
RULE = (
    f"A count is near if it is within {MOST_OFF:.1%} of the paper's; an error agrees to the digit "
    f"if it is within {DIGIT} (half of the last printed digit) and is near within {NEAR}; an "
    f"improvement is near within {MOST_POINTS} points."
)


@dataclass(frozen=True)
class Printed:
    """One printed cell: what a search assessed and the errors after some rounds."""

    rounds: int
    assessments: float
    train: float
    test: float


def _parsed() -> dict[tuple[str, str, str], list[Printed]]:
    found = {}
    for line in TEXT.split("\n")[1:-1]:
        name, way, search, *cells = line.split(";")
        numbers = [cell.split() for cell in cells]
        found[name, way, search] = [Printed(int(a), *map(float, b)) for a, *b in numbers]
    return found


PRINTED = _parsed()


def printed(name: str, way: str, search: str, rounds: int) -> Printed | None:
    """The cell after so many rounds, if the paper has it."""
    cells = PRINTED.get((name, way, search), [])
    return next((cell for cell in cells if cell.rounds == rounds), None)


@dataclass(frozen=True)
class Beside:
    """A printed cell and ours; `counts` is False where only the errors are ours."""

    name: str
    way: str
    search: str
    paper: Printed
    ours: Printed
    counts: bool = True

    @property
    def count_off(self) -> float:
        return self.ours.assessments / self.paper.assessments - 1

    @property
    def errors_off(self) -> tuple[float, float]:
        return self.ours.train - self.paper.train, self.ours.test - self.paper.test

    @property
    def in_all_digits(self) -> int:
        """How many of the two errors agree to the digit."""
        return sum(abs(off) <= DIGIT + 1e-12 for off in self.errors_off)

    def verdict(self) -> study.Verdict:
        paper = f"{self.paper.train:.3f}; {self.paper.test:.3f}"
        ours = f"{self.ours.train:.4f}; {self.ours.test:.4f}"
        words = "; ".join(map(_error_words, self.errors_off))
        what = "training; test error"
        if self.counts:
            near = "near" if abs(self.count_off) <= MOST_OFF else "differs"
            paper = f"{self.paper.assessments:.2e}; {paper}"
            ours = f"{self.ours.assessments:.3e}; {ours}"
            words = f"{self.count_off:+.1%} {near}; {words}"
            what = f"assessments; {what}"
        return study.Verdict(f"{self._where()}: {what}", paper, ours, words)

    def _where(self) -> str:
        return f"{self.name}, {self.way}, {self.paper.rounds} rounds, {self.search}"


def _error_words(off: float) -> str:
    size = abs(off) - 1e-12
    word = "to the digit" if size <= DIGIT else "near" if size <= NEAR else "differs"
    return f"{off:+.4f} {word}"


def set_beside(records: Sequence[study.Record]) -> list[Beside]:
    """All printed cells that a record has; errors also from auto, which makes the same trees."""
    found = []
    for (name, way, search), cells in PRINTED.items():
        there = [r for r in study.by(records, way=way) if r["run"].split()[0] == name]
        counting = study.one(there, search=search)
        record = counting or study.one(there, search="auto")
        for cell in cells:
            if record is not None and cell.rounds in record["marks"]:
                i = record["marks"].index(cell.rounds)
                numbers = (float(record[kind][i]) for kind in ("assessments", "train", "test"))
                ours = Printed(cell.rounds, *numbers)
                found.append(Beside(name, way, search, cell, ours, counting is not None))
    return found


def _absent(name: str) -> str:
    return COUNTED if name == "mnist" else ABSENT


def verdicts(
    beside: Sequence[Beside], sets: Sequence[str], ways: Sequence[str]
) -> list[study.Verdict]:
    """A row for every printed cell of these sets and ways; what is not ours says why."""
    found = {(b.name, b.way, b.search, b.paper.rounds): b for b in beside}
    rows = []
    for (name, way, search), cells in PRINTED.items():
        for cell in cells if name in sets and way in ways else []:
            ours = found.get((name, way, search, cell.rounds))
            where = f"{name}, {way}, {cell.rounds} rounds, {search}"
            if ours is not None:
                rows.append(ours.verdict())
            if ours is None or not ours.counts:
                what, paper = "assessments", f"{cell.assessments:.2e}"
                if ours is None:
                    what += "; training; test error"
                    paper += f"; {cell.train:.3f}; {cell.test:.3f}"
                rows.append(study.Verdict(f"{where}: {what}", paper, "not run", _absent(name)))
    return rows + [_improvement(found, name, way) for way in ways for name in sets]


def _improvement(
    found: dict[tuple[str, str, str, int], Beside], name: str, way: str
) -> study.Verdict:
    last = PRINTED[name, way, "adaptive"][-1].rounds
    counts = [found.get((name, way, search, last)) for search in SEARCHES]
    what = f"{name}, {way}, {last} rounds: fewer assessments than quick's, in %"
    paper = f"{IMPROVED[way][name]:.1f}"
    if not all(each is not None and each.counts for each in counts):
        return study.Verdict(what, paper, "not run", _absent(name))
    adaptive, quick = (each.ours.assessments for each in counts if each is not None)
    ours = 100 * (1 - adaptive / quick)
    off = ours - IMPROVED[way][name]
    near = "near" if abs(off) <= MOST_POINTS else "differs"
    return study.Verdict(what, paper, f"{ours:.2f}", f"{off:+.1f} points {near}")


def improvements(beside: Sequence[Beside]) -> list[study.Verdict]:
    """Of the sets and ways whose last mark both searches have."""
    found = {(b.name, b.way, b.search, b.paper.rounds): b for b in beside if b.counts}
    rows = [_improvement(found, name, way) for way in IMPROVED for name in SETS]
    return [row for row in rows if row.ours != "not run"]


def sentences(beside: Sequence[Beside]) -> str:
    """How many counts are near and how many errors agree, by set."""
    told = []
    for name in dict.fromkeys(each.name for each in beside):
        mine = [each for each in beside if each.name == name]
        counts = [each.count_off for each in mine if each.counts]
        near = sum(abs(off) <= NEAR + 1e-12 for each in mine for off in each.errors_off)
        text = (
            f"on {name} {sum(each.in_all_digits for each in mine)} of {2 * len(mine)} errors agree "
            f"to the digit and {near} are within {NEAR}"
        )
        if counts:
            worst = max(counts, key=abs)
            most = sum(abs(off) <= MOST_OFF for off in counts)
            text += f", {most} of {len(counts)} counts are near (the farthest {worst:+.1%})"
        told.append(text)
    if not told:
        return "No run is as long as one of the paper's, so nothing is compared."
    return f"Of the printed numbers, {'; '.join(told)}."
