"""`dkm-advantage`: the advantages of TopDown and AdaBoost, step by step, and against
weight and information gain (Dietterich, Kearns & Mansour 1996, Figures 8 to 12).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.dkm_sequences import FULL, PROTOCOL, QUICK, chosen, files, measure, units
from hardwood.studies.figures import panels


def _conclude_advantage(records: Sequence[study.Record]) -> study.Findings:
    problems = list(dict.fromkeys(record["problem"] for record in records))
    sequences = {
        problem: {
            label: _mean_sequence(study.by(records, problem=problem), name)
            for label, name in (("TopDown", "topdown"), ("AdaBoost", "adaboost"))
        }
        for problem in problems
    }
    facts = {problem: _facts(sequences[problem]) for problem in problems}
    verdicts = [_below(problem, facts[problem]) for problem in problems]
    verdicts += [_holds(problem, facts[problem]) for problem in problems]
    scatter = study.by(records, problem=problems[0])
    weights = np.concatenate([record["weight"] for record in scatter])
    gains = np.concatenate([record["gain"] for record in scatter])
    advantages = np.concatenate([record["topdown"] for record in scatter])
    heavy = advantages[weights >= 0.02]
    verdicts.append(
        study.Verdict(
            f"{problems[0]}: nodes of at least 2 % of the rows still have large advantages",
            "many (Fig. 11)",
            f"{np.mean(heavy >= 0.2):.0%} of {len(heavy)} have at least .2",
            ("agrees: more than a quarter" if np.mean(heavy >= 0.2) > 0.25 else "differs: fewer")
            + chosen(problems[0]),
        )
    )
    first, last = (
        [facts[problem][key] for problem in problems] for key in ("topdown_first", "topdown_last")
    )
    below = [facts[problem]["below"] for problem in problems]
    summary = ", ".join("never" if t is None else f"after {t}" for t in below)
    rises = sum(b >= a for a, b in zip(first, last, strict=True))
    paragraph = (
        f"AdaBoost's mean advantage falls below .05 {summary} rounds on {', '.join(problems)}; the "
        "paper says within 40. TopDown's mean advantage over the last quarter of its splits is at "
        f"least that over the first quarter on {rises} of {len(problems)} problems ("
        + ", ".join(f"{a:.3f} to {b:.3f}" for a, b in zip(first, last, strict=True))
        + "). "
        + _picture(below, rises == len(problems))
    )
    figures = {
        "sequences": lambda figure: panels(
            figure, sequences, xlabel="round or split", ylabel="mean advantage"
        ),
        "scatter": lambda figure: panels(
            figure,
            {
                "against weight (Fig. 11)": {"": (advantages.tolist(), weights.tolist())},
                "against information gain (Fig. 12)": {"": (advantages.tolist(), gains.tolist())},
            },
            xlabel="advantage",
            ylabel="weight w / information gain",
            points=True,
        ),
    }
    return study.Findings(verdicts, paragraph, [], figures, _sequence_table(sequences))


def _picture(below: Sequence[int | None], rises: bool) -> str:
    falls = all(rounds is not None and rounds <= 40 for rounds in below)
    if falls and rises:
        return (
            "The filtered distributions get harder for AdaBoost and easier for TopDown, on every "
            "problem, which is the paper's point."
        )
    return "The paper's picture, harder for AdaBoost and easier for TopDown, is not met everywhere."


def _mean_sequence(records: Sequence[study.Record], name: str) -> tuple[list[int], list[float]]:
    """Means over the trials, as far as at least half of them go."""
    longest = sorted(len(record[name]) for record in records)[len(records) // 2]
    steps = range(longest)
    means = [
        float(np.mean([record[name][t] for record in records if len(record[name]) > t]))
        for t in steps
    ]
    return [t + 1 for t in steps], means


def _facts(lines: Any) -> dict[str, Any]:
    boosted, grown = lines["AdaBoost"][1], lines["TopDown"][1]
    below = next((t + 1 for t, value in enumerate(boosted) if value < 0.05), None)
    quarter = max(len(grown) // 4, 1)
    return {
        "below": below,
        "topdown_first": float(np.mean(grown[:quarter])),
        "topdown_last": float(np.mean(grown[-quarter:])),
        "adaboost_last": float(np.mean(boosted[-max(len(boosted) // 4, 1) :])),
    }


def _below(problem: str, facts: dict[str, Any]) -> study.Verdict:
    rounds = facts["below"]
    return study.Verdict(
        f"{problem}: AdaBoost's advantage falls below .05",
        "within 40 rounds",
        "never" if rounds is None else f"in round {rounds}",
        ("agrees" if rounds is not None and rounds <= 40 else "differs") + chosen(problem),
    )


def _holds(problem: str, facts: dict[str, Any]) -> study.Verdict:
    first, last = facts["topdown_first"], facts["topdown_last"]
    return study.Verdict(
        f"{problem}: TopDown's advantage, first and last quarter",
        "rises or holds",
        f"{first:.3f}, {last:.3f}",
        ("agrees: falls by at most .02" if last >= first - 0.02 else "differs: falls")
        + chosen(problem),
    )


def _sequence_table(sequences: Any) -> study.Table:
    rows = [
        [problem, label, x, y]
        for problem, lines in sequences.items()
        for label, (xs, ys) in lines.items()
        for x, y in zip(xs, ys, strict=True)
    ]
    return study.Table("", ["problem", "algorithm", "step", "mean_advantage"], rows)


STUDY = study.Study(
    name="dkm-advantage",
    title="Advantage sequences of TopDown and AdaBoost (DKM96, Figures 8 to 12)",
    protocol=PROTOCOL + " Sequences are means over the trials that go as far.",
    full=FULL,
    quick=QUICK,
    units=units,
    measure=measure,
    conclude=_conclude_advantage,
    files=files,
)
