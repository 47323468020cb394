"""What `criteria` shows: sign tests of km against the others, and the rare classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.criteria import CRITERIA
from hardwood.studies import study
from hardwood.studies.figures import bars


def conclude(records: Sequence[study.Record]) -> study.Findings:
    plain = [record for record in records if record["label"] is None]
    rare = [record for record in records if record["label"] is not None]
    tables, verdicts = [], []
    if plain:
        tables += [_plain_table(plain), _summary(plain)]
        verdicts += _size_verdicts(plain)
    if rare:
        tables.append(_rare_table(rare))
        verdicts += _rare_verdicts(rare)
    figures = {}
    if rare:
        tasks = list(dict.fromkeys(record["task"] for record in rare))
        figures["rare-class"] = lambda figure: bars(
            figure,
            tasks,
            {c: [_value(rare, t, c, "f1_pruned") for t in tasks] for c in CRITERIA},
            "F1 of the rare class, pruned trees",
        )
    return study.Findings(verdicts, _paragraph(plain, rare), tables, figures)


def _value(records: Sequence[study.Record], task: str, criterion: str, name: str) -> float:
    record = study.one(records, task=task, criterion=criterion)
    return float(record[name]) if record else float("nan")


def _tasks(records: Sequence[study.Record]) -> list[str]:
    return list(dict.fromkeys(record["task"] for record in records))


def _plain_table(records: Sequence[study.Record]) -> study.Table:
    rows = []
    for task in _tasks(records):
        first = study.by(records, task=task)[0]
        rows.append(
            [
                task,
                first["rows"],
                first["classes"],
                *[100 * _value(records, task, c, "error_pruned") for c in CRITERIA],
                *[_value(records, task, c, "leaves_pruned") for c in CRITERIA],
            ]
        )
    columns = [
        "set",
        "rows",
        "classes",
        *[f"{c} error %" for c in CRITERIA],
        *[f"{c} leaves" for c in CRITERIA],
    ]
    return study.Table("Test error and leaves of pruned trees", columns, rows)


def _summary(records: Sequence[study.Record]) -> study.Table:
    rows = []
    for group, chosen in (
        ("two classes", [r for r in records if r["classes"] == 2]),
        ("more classes", [r for r in records if r["classes"] > 2]),
        ("all", list(records)),
    ):
        for criterion in CRITERIA:
            part = study.by(chosen, criterion=criterion)
            if part:
                rows.append(
                    [
                        group,
                        len(part),
                        criterion,
                        *[
                            float(np.mean([scale * r[name] for r in part]))
                            for name, scale in (
                                ("error_pruned", 100),
                                ("leaves_pruned", 1),
                                ("error_grown", 100),
                                ("leaves_grown", 1),
                            )
                        ],
                    ]
                )
    return study.Table(
        "Means over the sets",
        [
            "sets",
            "number",
            "criterion",
            "error % pruned",
            "leaves pruned",
            "error % unpruned",
            "leaves unpruned",
        ],
        rows,
    )


def _compare(records: Sequence[study.Record], other: str, name: str) -> tuple[int, int, float]:
    """On how many tasks km is lower and higher than another criterion; sign test."""
    from scipy.stats import binomtest

    pairs = [
        (_value(records, task, "km", name), _value(records, task, other, name))
        for task in _tasks(records)
    ]
    lower, higher = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    p = float(binomtest(lower, lower + higher).pvalue) if lower + higher else 1.0
    return lower, higher, p


def _size_verdicts(records: Sequence[study.Record]) -> list[study.Verdict]:
    verdicts = []
    for other in ("entropy", "gini", "error"):
        lower, higher, p = _compare(records, other, "error_pruned")
        fewer, more, p_size = _compare(records, other, "leaves_grown")
        verdicts.append(
            study.Verdict(
                f"km against {other}: test error lower : higher; unpruned trees smaller : larger",
                "8 : 1; 8 : 1 (DKM96)" if other == "entropy" else "-",
                f"{lower} : {higher} (p = {p:.2g}); {fewer} : {more} (p = {p_size:.2g})",
                f"{_told(lower, higher, p)} in error, {_told(fewer, more, p_size)} in size",
            )
        )
    return verdicts


def _told(lower: int, higher: int, p: float) -> str:
    if p >= 0.05:
        return "no clear difference"
    return "km clearly lower" if lower > higher else "km clearly higher"


def _rare_table(records: Sequence[study.Record]) -> study.Table:
    rows = [
        [
            record["task"],
            100 * record["share"],
            record["criterion"],
            100 * record["error_pruned"],
            *[
                record[f"{name}_{kind}"]
                for kind in ("pruned", "grown")
                for name in ("recall", "f1", "average_precision")
            ],
        ]
        for record in records
    ]
    return study.Table(
        "Rare classes",
        [
            "task",
            "rare %",
            "criterion",
            "error % pruned",
            "recall",
            "F1",
            "average precision",
            "unpruned: recall",
            "F1",
            "average precision",
        ],
        rows,
    )


def _rare_verdicts(records: Sequence[study.Record]) -> list[study.Verdict]:
    verdicts = []
    for name in ("recall", "f1", "average_precision"):
        means = {
            c: float(np.mean([r[f"{name}_pruned"] for r in study.by(records, criterion=c)]))
            for c in CRITERIA
        }
        best = max(means, key=lambda c: means[c])
        lower, higher, p = _compare(records, "entropy", f"{name}_pruned")
        verdicts.append(
            study.Verdict(
                f"rare class, mean {name.replace('_', ' ')} of pruned trees",
                "-",
                ", ".join(f"{c} {value:.3f}" for c, value in means.items()),
                f"best mean: {best}; against entropy km is higher on {higher}, lower on {lower} "
                f"(p = {p:.2g})",
            )
        )
    return verdicts


def _paragraph(plain: Sequence[study.Record], rare: Sequence[study.Record]) -> str:
    sentences = []
    if plain:
        lower, higher, p = _compare(plain, "entropy", "error_pruned")
        fewer, more, p_size = _compare(plain, "entropy", "leaves_grown")
        sentences.append(
            f"Over {len(_tasks(plain))} sets km has a lower test error than entropy on {lower} and "
            f"a higher one on {higher} ({_told(lower, higher, p)}, p = {p:.2g}), and smaller "
            f"unpruned trees on {fewer}, larger on {more} ({_told(fewer, more, p_size)}, "
            f"p = {p_size:.2g})."
        )
    if rare:
        means = {
            c: float(np.mean([r["f1_pruned"] for r in study.by(rare, criterion=c)]))
            for c in CRITERIA
        }
        order = sorted(means, key=lambda c: -means[c])
        sentences.append(
            f"On the {len(_tasks(rare))} rare classes the mean F1 of pruned trees is "
            + ", ".join(f"{c} {means[c]:.3f}" for c in order)
            + f"; {_worth(rare)}."
        )
    return " ".join(sentences)


def _worth(rare: Sequence[study.Record]) -> str:
    """How often km's F1 is the higher one; a mean over few classes can hang on one of them."""
    parts = []
    for other in ("entropy", "gini"):
        lower, higher, p = _compare(rare, other, "f1_pruned")
        clear = "clearly" if p < 0.05 else "not clearly"
        side = "more" if higher > lower else "less"
        parts.append(
            f"higher than {other}'s on {higher} and lower on {lower} ({clear} {side} often, "
            f"p = {p:.2g})"
        )
    return f"km's is {' and '.join(parts)}"
