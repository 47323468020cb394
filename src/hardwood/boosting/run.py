"""One fit of a boosted model: its boosters, round by round, and what they leave behind.

Two classes and SAMME have one booster; one-versus-rest has one per class, which go round by round
together. A class whose booster has ended adds a leaf of score 0 from then on. Over pairs the first
class's rounds train those of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.boosting.columns_drawn import allowed_columns
from hardwood.boosting.early_stopping import BestSoFar, Watch
from hardwood.boosting.ensemble import Ensemble
from hardwood.boosting.plan import BoostingPlan
from hardwood.boosting.rounds import Rounds, run_all
from hardwood.progress import Progress
from hardwood.tree import Tree


class BoostingRun:
    """Boosters and their rounds."""

    def __init__(
        self, plan: BoostingPlan, boosters: list[Rounds], classes: int, columns: int
    ) -> None:
        self.plan = plan
        self.boosters = boosters
        self.classes = classes
        self.columns = columns
        self.kept: int | None = None  # rounds that early stopping keeps
        self.stopped_early = False

    @property
    def rounds_done(self) -> int:
        return max(len(booster.records) for booster in self.boosters)

    @property
    def ended(self) -> bool:
        return all(booster.ended for booster in self.boosters)

    def train(
        self,
        threads: int,
        watch: Watch | None,
        each_round: Callable[[list[Rounds]], None] | None,
        progress: Progress,
        most: int,
    ) -> None:
        """Train up to `most` rounds; `each_round` sees the boosters after each. With a watch the
        rounds up to the best one are kept."""
        plan = self.plan
        alone = watch is not None or each_round is not None
        step = 1 if alone else max(1, most // 50) if plan.verbose else most
        best = None if watch is None else BestSoFar(watch, plan.n_iter_no_change, threads)
        # Rounds of an earlier fit count as if they were trained here.
        over = best is not None and any(
            best.over(self.ensemble(r, r + 1), r + 1) for r in range(self.n_rounds)
        )
        while self.rounds_done < most and not (self.ended or over):
            done = self.rounds_done
            self._run_rounds(done, min(step, most - done), threads)
            if each_round is not None:
                each_round(self.boosters)
            progress.show("round", self.rounds_done, most)
            if best is not None:
                over = best.over(self.ensemble(done), self.n_rounds)
        if best is not None and best.rounds < self.n_rounds:
            self.keep(best.rounds)
        for booster in self.boosters:
            booster.booster = None

    def keep(self, rounds: int) -> None:
        """Early stopping chose so many rounds."""
        self.kept, self.stopped_early = rounds, True

    def _run_rounds(self, done: int, rounds: int, threads: int) -> None:
        allowed = None
        if self.plan.feature_fraction < 1:
            share = self.plan.feature_fraction
            columns = self.columns + (self.plan.form(self.classes) == "pairs")  # and the class
            allowed = allowed_columns(self.plan.seed, done, rounds, columns, share)
        run_all(self.boosters, rounds, allowed, threads)

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


def _tree(booster: Rounds, r: int) -> tuple[Tree, float]:
    """Round r's tree and weight; a booster that has ended repeats its last tree with weight 0."""
    if r < len(booster.trees):
        return booster.trees[r], booster.tree_weights[r]
    return booster.trees[-1], 0.0
