"""One fit of a boosted model: its boosters, round by round, and what they leave behind.

Two classes and SAMME have one booster; one-versus-rest has one per class, which go round by round
together. A class whose booster has ended adds a leaf of score 0 from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting import Ensemble, Rounds, start_rounds
from hardwood.boosting.columns_drawn import allowed_columns
from hardwood.distributed.progress import Progress
from hardwood.distributed.training import PartsTraining
from hardwood.encoding import EncodedTable, GivenWeights, Labels
from hardwood.estimators.boosting_plan import Plan
from hardwood.table import Table
from hardwood.tree import Tree

_BOUND_MARGIN = 1 + 2.0**-40


class Watch(Protocol):
    """Tells the error on held-out rows."""

    def error(self, latest: Ensemble, threads: int) -> float: ...


class BoostingRun:
    """Boosters and their rounds."""

    def __init__(self, plan: Plan, boosters: list[Rounds], classes: int, columns: int) -> None:
        self.plan = plan
        self.boosters = boosters
        self.classes = classes
        self.columns = columns
        self.kept: int | None = None  # rounds that early stopping keeps
        self.stopped_early = False

    @classmethod
    def start(
        cls, plan: Plan, table: EncodedTable, labels: Labels, weights: GivenWeights
    ) -> BoostingRun:
        classes = len(labels.classes)
        rules = plan.rules(classes)
        if classes > 2 and plan.multiclass == "ovr":
            boosters = [
                start_rounds(table, (labels.codes == c).astype(np.int32), 2, weights, rules)
                for c in range(classes)
            ]
        else:
            boosters = [start_rounds(table, labels.codes, max(classes, 2), weights, rules)]
        return cls(plan, boosters, classes, len(table.storages))

    @classmethod
    def over_parts(cls, plan: Plan, training: PartsTraining) -> BoostingRun:
        """The same on data that is not in memory."""
        classes = len(training.classes)
        one_versus_rest = classes > 2 and plan.multiclass == "ovr"
        boosters = training.boosters(plan.rules(classes), one_versus_rest)
        return cls(plan, boosters, classes, training.n_columns)

    @property
    def rounds_done(self) -> int:
        return max(len(booster.records) for booster in self.boosters)

    @property
    def ended(self) -> bool:
        return all(booster.ended for booster in self.boosters)

    def take_over(self, earlier: BoostingRun, table: Table, threads: int) -> None:
        """Start where an earlier fit on the same rows left off."""
        for booster, before in zip(self.boosters, earlier.boosters, strict=True):
            booster.replay(before, table, threads)

    def take_over_parts(self, earlier: list[Rounds]) -> bool:
        """Start where an earlier fit left off, when rows are not in memory; whether they are the
        same rows."""
        pairs = zip(self.boosters, earlier, strict=True)
        told = [booster.replay_over_parts(before) for booster, before in pairs]
        return all(told)

    def train(
        self,
        plan: Plan,
        threads: int,
        watch: Watch | None,
        each_round: Callable[[list[Rounds]], None] | None = None,
    ) -> None:
        """Train up to the planned number of rounds; `each_round` sees the boosters after each."""
        alone = watch is not None or each_round is not None
        step = (
            1 if alone else max(1, plan.n_estimators // 50) if plan.verbose else plan.n_estimators
        )
        progress = Progress(plan.verbose)
        best = None if watch is None else _BestSoFar(watch, plan.n_iter_no_change, threads)
        if best is not None:  # rounds of an earlier fit count as if they were trained here
            self.stopped_early = any(
                best.over(self.ensemble(r, r + 1), r + 1) for r in range(self.n_rounds)
            )
        while self.rounds_done < plan.n_estimators and not (self.ended or self.stopped_early):
            done = self.rounds_done
            rounds = min(step, plan.n_estimators - done)
            allowed = None
            if plan.feature_fraction < 1:
                share = plan.feature_fraction
                allowed = allowed_columns(plan.seed, done, rounds, self.columns, share)
            for booster in self.boosters:
                booster.run(rounds, allowed, threads)
            if each_round is not None:
                each_round(self.boosters)
            progress.show("round", self.rounds_done, plan.n_estimators)
            if best is not None:
                self.stopped_early = best.over(self.ensemble(done), self.n_rounds)
        if best is not None and self.stopped_early:
            self.kept = max(best.rounds, 1)
        progress.end()
        for booster in self.boosters:
            booster.booster = None

    @property
    def n_rounds(self) -> int:
        """Rounds that have trees."""
        rounds = max(len(booster.trees) for booster in self.boosters)
        return rounds if self.kept is None else min(rounds, self.kept)

    def trees(self) -> list[Any]:
        """A tree per round, or a list of one per class."""
        if len(self.boosters) == 1:
            return list(self.boosters[0].trees[: self.n_rounds])
        return [[_tree(booster, r)[0] for booster in self.boosters] for r in range(self.n_rounds)]

    def all_trees(self) -> list[Tree]:
        """Round by round, class by class."""
        return [_tree(booster, r)[0] for r in range(self.n_rounds) for booster in self.boosters]

    def tree_weights(self) -> NDArray[np.float64]:
        weights = [
            [_tree(booster, r)[1] for booster in self.boosters] for r in range(self.n_rounds)
        ]
        table = np.array(weights, dtype=np.float64)
        return table[:, 0] if len(self.boosters) == 1 else table

    def ensemble(self, first_round: int = 0, last_round: int | None = None) -> Ensemble:
        """The trees of some rounds, with where they add."""
        votes = len(self.boosters) == 1 and self.classes > 2
        outputs = self.classes if self.classes > 2 else 1
        rounds = tuple(
            tuple(
                (*_tree(booster, r), -1 if votes else place)
                for place, booster in enumerate(self.boosters)
            )
            for r in range(first_round, self.n_rounds if last_round is None else last_round)
        )
        return Ensemble(rounds, outputs)


class _BestSoFar:
    """The number of rounds with the least error on held-out rows, and when to stop looking."""

    def __init__(self, watch: Watch, patience: int, threads: int) -> None:
        self._watch, self._patience, self._threads = watch, patience, threads
        self._error, self.rounds = np.inf, 0

    def over(self, latest: Ensemble, rounds: int) -> bool:
        """Add the trees that brought the model to so many rounds."""
        error = self._watch.error(latest, self._threads)
        if error < self._error:
            self._error, self.rounds = error, rounds
            return False
        return rounds - self.rounds >= self._patience


def round_history(run: BoostingRun) -> dict[str, NDArray[Any]]:
    """One entry per round that has trees, or that ended training."""
    rounds = run.rounds_done if run.kept is None else min(run.rounds_done, run.kept)
    records = [
        [booster.records[r] for booster in run.boosters if r < len(booster.records)]
        for r in range(rounds)
    ]
    error = np.array([np.mean([each.error for each in row]) for row in records])
    two = run.classes <= 2
    bound = [row[0].bound * _BOUND_MARGIN if two else np.nan for row in records]
    stopped = [
        row[0].stopped if len(run.boosters) == 1 else "; ".join(e.stopped for e in row if e.stopped)
        for row in records
    ]
    if run.stopped_early:
        stopped[-1] = "early stopping"
    work = np.array(
        [
            [sum(e.assessments for e in row), sum(e.exhaustive_assessments for e in row)]
            for row in records
        ],
        dtype=np.int64,
    )
    return {
        "error": error,
        "advantage": 0.5 - error if two else np.full(rounds, np.nan),
        "assessments": work[:, 0],
        "exhaustive_assessments": work[:, 1],
        "bound": np.array(bound, dtype=np.float64),
        "stopped": np.array(stopped, dtype=object),
    }


def _tree(booster: Rounds, r: int) -> tuple[Tree, float]:
    """Round r's tree and weight; a booster that has ended repeats its last tree with weight 0."""
    if r < len(booster.trees):
        return booster.trees[r], booster.tree_weights[r]
    return booster.trees[-1], 0.0
