"""Boosting and early stopping together, since early stopping holds rows out of boosting.

In: a `Training`, a `BoostingPlan`, and what watches rows that are not trained on. Out: a
`BoostingRun`. Rows of X that are held out are drawn from the plan's seed and the rows' positions.

With `refit`, held-out rows only choose the number of rounds, and the model is trained on all rows.
Few held-out rows choose badly, so where a share of the table is fewer than FEW_ROWS rows, five
folds are held out one after the other, and the median of their choices is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hardwood.boosting.checkpoint import Checkpoint
from hardwood.boosting.early_stopping import Watch
from hardwood.boosting.plan import BoostingPlan
from hardwood.boosting.rounds import Rounds
from hardwood.boosting.run import BoostingRun
from hardwood.encoding.drawn_rows import Draw, draw_fold, draw_none, draw_share
from hardwood.growing import Constraints
from hardwood.progress import Progress
from hardwood.training.protocol import Training

FOLDS = 5
FEW_ROWS = 1000
"""Mean test log loss over 13 tables below 1,000 rows: .330 by the median of five folds, .345 by one
tenth of the rows, .349 without stopping (benchmarks/early_stopping.py, 100 rounds)."""


@dataclass(frozen=True, eq=False)
class Watching:
    """`given`: X_val and y_val. `held_out`: makes a watch of the rows that are held out then."""

    given: Watch | None
    held_out: Callable[[], Watch]


@dataclass(frozen=True, eq=False)
class BoostedFit:
    """`earlier`: the boosters of a fit that is gone on with. `kept`: where rounds are kept, claimed
    for this fit."""

    training: Training
    plan: BoostingPlan
    watching: Watching
    threads: int
    progress: Progress
    constraints: Constraints | None = None
    earlier: list[Rounds] | None = None
    kept: Checkpoint | None = None

    def train(self) -> BoostingRun:
        plan = self.plan
        if not plan.early_stopping:
            return self._trained(None, plan.n_estimators)
        if self.watching.given is not None:
            return self._trained(self.watching.given, plan.n_estimators)
        if not plan.refit:
            return self._trained(self._hold(self._one_draw()), plan.n_estimators)
        rounds = self._chosen_rounds()
        self.training.hold_out(draw_none(self.training.class_rows))
        run = self._trained(None, rounds)
        if rounds < plan.n_estimators and rounds <= run.n_rounds:
            run.keep(rounds)
        return run

    def _trained(self, watch: Watch | None, most: int) -> BoostingRun:
        """The model itself."""
        run = self._started()
        if self.earlier is not None:
            self.training.take_over(run.boosters, self.earlier)
        self._go_on(run, watch, most, self.kept)
        return run

    def _started(self) -> BoostingRun:
        plan, classes = self.plan, len(self.training.classes)
        boosters = self.training.boosters(
            plan.rules_for(classes), plan.form(classes), self.constraints
        )
        return BoostingRun(plan, boosters, classes, len(self.training.schemas))

    def _go_on(
        self, run: BoostingRun, watch: Watch | None, most: int, kept: Checkpoint | None
    ) -> None:
        """Train, from the rounds that are kept if there are any."""
        if kept is not None and run.rounds_done == 0:
            earlier = kept.load(len(run.boosters), run.boosters[0].classes, most)
            if not self.training.take_over(run.boosters, earlier):
                raise kept.of_another_fit()
        run.train(self.threads, watch, None if kept is None else kept.save, self.progress, most)

    def _chosen_rounds(self) -> int:
        """The best number of rounds on held-out rows: the lower median over the draws."""
        found = []
        for number, draw in enumerate(self._draws()):
            watch = self._hold(draw)
            run = self._started()
            kept = None if self.kept is None else self.kept.within(f"held-out-{number}")
            self._go_on(run, watch, self.plan.n_estimators, kept)
            found.append(run.n_rounds if run.kept is None else run.kept)
        return sorted(found)[(len(found) - 1) // 2]

    def _draws(self) -> list[Draw]:
        one, training = self._one_draw(), self.training
        if one.rows >= FEW_ROWS:
            return [one]
        if training.rows < 2 * FOLDS:
            raise ValueError(
                f"early_stopping chooses the number of rounds over {FOLDS} folds, which needs at "
                f"least {2 * FOLDS} rows; given were {training.rows}. Give more rows, or X_val and "
                "y_val, or use early_stopping=False."
            )
        seed, folds = self.plan.seed, []
        for fold in range(FOLDS):
            draw = draw_fold(training.class_rows, fold, FOLDS, seed)
            alone = training.class_rows == 1  # the only row of its class is always trained on
            folds.append(Draw(seed, draw.first, np.where(alone, draw.first, draw.end)))
        if not any(draw.rows for draw in folds):
            raise ValueError(
                f"early_stopping holds rows out, but each of the {training.rows} rows is the only "
                "one of its class; give X_val and y_val, or use early_stopping=False."
            )
        return [draw for draw in folds if draw.rows]

    def _one_draw(self) -> Draw:
        plan = self.plan
        return draw_share(self.training.class_rows, plan.validation_fraction, plan.seed)

    def _hold(self, draw: Draw) -> Watch:
        """Hold rows out of the boosters that are started afterwards, and watch them."""
        share, rows = self.plan.validation_fraction, self.training.rows
        if draw.rows == 0:
            raise ValueError(
                f"early_stopping holds out {share:g} of {rows} rows, which is none; give more "
                "rows, a larger validation_fraction, or X_val and y_val."
            )
        left, held = self.training.hold_out(draw)
        if left == 0 or held == 0:
            which = "the others" if left == 0 else "these"
            raise ValueError(
                f"early_stopping holds out {draw.rows} of {rows} rows, and {which} have no weight; "
                "give more rows with weight, or X_val and y_val."
            )
        return self.watching.held_out()
