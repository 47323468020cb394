"""`hatano-multiway`: binary against multi-way splits at equal leaf budgets (Hatano 2004).

In: data sets and budgets. Out: for binary trees and both prices, leaves, potential, the bounds that
the growth certifies, training and test error. All trees take the heaviest leaf first, as the
theorems ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from hardwood.studies import study
from hardwood.studies.data import DataFolder
from hardwood.studies.figures import panels

WAYS: dict[str, dict[str, Any]] = {
    "binary": {"leaf_choice": "weight"},
    "log2 price": {"branching": "multiway", "price": "log2"},
    "gamma price .1": {"branching": "multiway", "price": "gamma", "gamma": 0.1},
    "gamma price .5": {"branching": "multiway", "price": "gamma", "gamma": 0.5},
}
SETS = [
    "adult",
    "car",
    "crx",
    "kr_vs_kp",
    "mushroom",
    "pima",
    "satimage",
    "segmentation",
    "tic_tac_toe",
    "vote",
]
MOST_ROWS = 8000


def _units(settings: study.Settings) -> list[study.Unit]:
    return [
        study.Unit(
            f"{name}-{budget}-{way.replace(' ', '-')}", {"set": name, "budget": budget, "way": way}
        )
        for name in settings["sets"]
        for budget in settings["budgets"]
        for way in WAYS
    ]


def _measure(unit: study.Unit, data: DataFolder) -> study.Values:
    from hardwood import TreeClassifier

    problem = data.read(unit.given["set"])
    rows = np.random.default_rng(2004).permutation(len(problem.y))[:MOST_ROWS]
    third = len(rows) // 3
    tree = TreeClassifier(
        max_leaf_nodes=unit.given["budget"],
        min_samples_leaf=1,
        pruning=None,
        n_jobs=-1,
        **WAYS[unit.given["way"]],
    ).fit(*problem.rows(rows[third:]))
    found = tree.certificate_
    claims = {claim.name: float(claim.bound) for claim in found.claims}
    return {
        "leaves": int(found.leaves),
        "splits": len(tree.history_["node"]),
        "widest": int(tree.history_["branches"].max(initial=0)),
        "root": float(found.root_potential),
        "potential": float(found.potential),
        "bound": float(found.bound),
        "claim": claims.get("mansour-mcallester", claims.get("hatano")),
        "holds": bool(found.holds),
        "train_error": float(found.error),
        "test_error": float(1 - tree.score(*problem.rows(rows[:third]))),
    }


COLUMNS = [
    "budget", "way", "leaves", "splits", "widest",
    "potential / root", "bound / root", "train error", "test error",
]  # fmt: skip


def _conclude(records: Sequence[study.Record]) -> study.Findings:
    budgets = sorted({record["budget"] for record in records})
    sets = list(dict.fromkeys(record["set"] for record in records))
    rows = [_row(records, budget, way) for budget in budgets for way in WAYS]
    held = sum(record["holds"] for record in records)
    within = [record for record in records if record["claim"] is not None]
    kept = sum(record["claim"] >= record["potential"] - 1e-12 for record in within)
    wins = {way: _wins(records, sets, budgets, way) for way in list(WAYS)[1:]}
    verdicts = [
        study.Verdict(
            "the certified bound G(root) L^-gamma",
            "holds",
            f"{held} of {len(records)} trees",
            "agrees" if held == len(records) else "DIFFERS",
        ),
        study.Verdict(
            "the named claim (H04 Thm 5; MM02), where its conditions were met",
            "holds",
            f"{kept} of {len(within)} trees (of {len(records)} in all)",
            "agrees" if kept == len(within) else "DIFFERS",
        ),
        *[_against_binary(way, counts) for way, counts in wins.items()],
    ]
    draw = partial(
        panels,
        series={name: _lines(records, name, "test_error") for name in sets},
        xlabel="leaf budget",
        ylabel="test error",
        doubling=True,
        height=2.6,
    )
    log2 = wins["log2 price"]
    paragraph = (
        f"{held} of {len(records)} trees keep the bound that they certify, and the "
        f"theorem's own bound holds wherever its conditions were met ({kept} of {len(within)}). "
        "Multi-way trees by Hatano's price have the lower potential at equal budgets in "
        f"{log2[0]} cases and the higher in {log2[1]}, the lower test error in {log2[2]} and the "
        f"higher in {log2[3]}: {_balance(log2[2], log2[3])}. The theory promises multi-way "
        "splits no smaller error at an equal number of leaves, only that the same guarantee "
        "survives them; what they buy is fewer, wider splits, as the columns of splits and "
        "widest show."
    )
    table = study.Table("Means over the data sets", COLUMNS, rows)
    return study.Findings(verdicts, paragraph, [table], {"test-error": draw})


def _against_binary(way: str, counts: tuple[int, int, int, int]) -> study.Verdict:
    lower, higher, better, worse = counts
    return study.Verdict(
        f"{way} against binary at equal budgets: potential lower : higher; test error "
        "lower : higher",
        "no experiment",
        f"{lower} : {higher}; {better} : {worse}",
        _balance(better, worse),
    )


def _row(records: Sequence[study.Record], budget: int, way: str) -> list[Any]:
    part = study.by(records, budget=budget, way=way)
    mean = {
        name: float(np.mean([record[name] for record in part]))
        for name in ("leaves", "splits", "widest", "train_error", "test_error")
    }
    potential = float(np.mean([record["potential"] / record["root"] for record in part]))
    bound = float(np.mean([record["bound"] / record["root"] for record in part]))
    return [
        budget,
        way,
        mean["leaves"],
        mean["splits"],
        mean["widest"],
        potential,
        bound,
        mean["train_error"],
        mean["test_error"],
    ]


def _wins(
    records: Sequence[study.Record], sets: Sequence[str], budgets: Sequence[int], way: str
) -> tuple[int, int, int, int]:
    counts = [0, 0, 0, 0]
    for name in sets:
        for budget in budgets:
            pair = [study.one(records, set=name, budget=budget, way=w) for w in (way, "binary")]
            if pair[0] is None or pair[1] is None:
                continue
            for i, what in enumerate(("potential", "test_error")):
                difference = pair[0][what] - pair[1][what]
                counts[2 * i] += difference < -1e-12
                counts[2 * i + 1] += difference > 1e-12
    return counts[0], counts[1], counts[2], counts[3]


def _balance(better: int, worse: int) -> str:
    from scipy.stats import binomtest

    if better + worse == 0:
        return "no difference"
    p = float(binomtest(better, better + worse).pvalue)
    if p >= 0.05:
        return f"no clear difference in test error (sign test p = {p:.2g})"
    side = "lower" if better > worse else "higher"
    return f"clearly {side} test error (sign test p = {p:.2g})"


def _lines(records: Sequence[study.Record], name: str, what: str) -> dict[str, Any]:
    return {
        way: (
            [record["budget"] for record in study.by(records, set=name, way=way)],
            [record[what] for record in study.by(records, set=name, way=way)],
        )
        for way in WAYS
    }


STUDY = study.Study(
    name="hatano-multiway",
    title="Binary against multi-way splits at equal leaf budgets (H04, MM02)",
    protocol=(
        "Trees of at most so many leaves, criterion km, the heaviest leaf first, unpruned: "
        "binary, multi-way by Hatano's price ceil(log2 k), multi-way by Mansour & McAllester's "
        "price with gamma = .1 and .5. A third of the rows (at most 8,000 are used) is held out "
        "for the test error. The papers have theorems and no experiment, so there are no "
        "numbers to meet."
    ),
    full={"sets": SETS, "budgets": [4, 8, 16, 32, 64, 128, 512]},
    quick={"sets": ["car", "vote"], "budgets": [4, 16]},
    units=_units,
    measure=_measure,
    conclude=_conclude,
    files=lambda settings: [f"{name}.parquet" for name in settings["sets"]],
)
