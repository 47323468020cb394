"""One fit over parts: what the estimators ask, whoever holds the parts.

In: a team whose parts are coded, and what they agreed on. Out: a `Growth`, or boosters, exactly
those of one process.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import BoostingOptions, PartsBooster, grow_parts
from hardwood.boosting.pairs import PairRounds, pair_rounds, refuse_too_many
from hardwood.boosting.rounds import (
    BoostingRules,
    Rounds,
    booster_constraints,
    boosting_options,
)
from hardwood.boosting.row_losses import RowLoss
from hardwood.criteria import Criterion
from hardwood.distributed.agreement import Agreement, Grid, weighted_grid
from hardwood.distributed.events import SetFactors, SetWeights, StartRows
from hardwood.distributed.held_out import PartsHeldOut, PartsWatch
from hardwood.distributed.messages import Request
from hardwood.distributed.pruning import PartLocations, PartsPruning
from hardwood.distributed.requests import (
    CountExamples,
    HistogramsOf,
    LeafClassRows,
    OpenBuckets,
    RowsOf,
    WeightProducts,
)
from hardwood.distributed.team import Team, Traffic
from hardwood.draft import Draft
from hardwood.encoding.drawn_rows import Draw
from hardwood.growing import Constraints, Followed, Growth, Prices, StopRules
from hardwood.growing.instructed import Instructions
from hardwood.growing.topdown import (
    example_units,
    growth_of,
    growth_options,
    set_draft,
    set_limits,
    weight_of_example,
    whole_shares,
)
from hardwood.progress import Progress
from hardwood.search.strategies import PaperRun
from hardwood.tree import Tree

# Values (rows x columns) of a node whose rows are fetched. An estimate; only this one was tried.
SMALL_NODE = 1 << 20


class PartsTraining:
    def __init__(self, team: Team, agreement: Agreement) -> None:
        self._team = team
        self._agreement = agreement
        self.schemas = agreement.plan.schemas
        self.names = agreement.names
        self.classes = agreement.classes
        self.n_columns = len(self.schemas)
        self.class_rows = agreement.class_rows
        self.rows = agreement.rows
        self.examples = agreement.examples
        self._held_out = PartsHeldOut(team, agreement)

    @property
    def traffic(self) -> Traffic:
        return self._team.traffic

    def close(self) -> None:
        self._team.close()

    def grow(
        self,
        *,
        criterion: str,
        leaf_choice: str,
        rules: StopRules,
        prices: Prices | None,
        constraints: Constraints | None,
        progress: Progress,
        draft: Draft | None = None,
    ) -> Growth:
        """As `hardwood.growing.grow`."""
        told = None if draft is None else Instructions(draft, self.schemas)
        plan, grid = self._agreement.plan, self._grid()
        examples = grid.examples
        fractional, units = self._agreement.fractional, 1
        if fractional and examples:
            units = example_units(self._team.learn(CountExamples()))
        weights = SetWeights(grid.exponent, grid.factors, units if examples else 0)
        questions = OpenBuckets(plan.core.uncoded_questions(0))
        requests: list[Request[Any]] = [HistogramsOf([0]), RowsOf(0), questions]
        answer = self._team.ask([weights, StartRows(-1, 1, fractional)], requests)
        sums, classes = answer.events[1], len(self.classes)
        own = [float(weight) for weight in sums[:classes]]
        histogram, rows, uncoded = answer.requests
        total = grid.weights(sum(own), answer.events[0])
        options = growth_options(criterion, leaf_choice, rules, prices)
        options.fractional = fractional
        if told is not None:
            set_draft(options, told, rules)
        set_limits(options, rules, total, units)
        counted = int(answer.events[0][0]) if examples else None
        if constraints is not None:
            weight = weight_of_example(total, counted)
            options.constraints = constraints.for_tree(weight, total.unit)
        grown = grow_parts(
            plan.core,
            self._team,
            own,
            float(sums[-1]) if examples else -1.0,
            int(rows),
            histogram,
            uncoded,
            options,
            SMALL_NODE,
            lambda leaves: progress.show("leaf", leaves, rules.max_leaf_nodes),
        )
        taken = (grown.pop(name) for name in ("part_leaves", "part_names", "untold"))
        locations = PartLocations(*taken)
        self._pruning = PartsPruning(self._team, plan, locations, total, fractional=fractional)
        if self._agreement.missing == "fractional" and not fractional:
            grown["share"] = whole_shares(grown, classes)
        growth = growth_of(grown, total, classes, counted)
        if told is None:
            return growth
        return replace(growth, followed=told.followed(grown["told"], grown["outcome"]))

    def prune(
        self,
        tree: Tree,
        *,
        criterion: Criterion,
        confidence: float,
        raising: bool,
        followed: Followed | None = None,
    ) -> Tree:
        """As `hardwood.pruning.error_based`, of the tree that was grown last."""
        return self._pruning.error_based(
            tree,
            criterion=criterion,
            confidence=confidence,
            raising=raising,
            freedom=None if followed is None else followed.freedom,
        )

    def boosters(
        self, rules: BoostingRules, form: str, constraints: Constraints | None
    ) -> list[Rounds]:
        """A booster, one per class, or one over pairs; they share the parts."""
        if isinstance(rules.search, PaperRun):
            raise ValueError(
                "search=PaperRun(...) needs a table in memory: it goes by the order of all rows. "
                "Use another search."
            )
        classes = len(self.classes)
        if form == "pairs":
            return self._pair_boosters(rules, constraints)
        one_versus_rest = form == "ovr"
        number = classes if one_versus_rest else 1
        own = 2 if one_versus_rest else max(classes, 2)
        options, rows = self._begin_boosting(rules, own, number)
        boosters = []
        for i in range(number):
            label = i if one_versus_rest else min(1, classes - 1)
            options.constraints = booster_constraints(constraints, label)
            target = i if one_versus_rest else -1
            core, counted = self._agreement.plan.core, rules.min_samples_leaf > 1
            booster = PartsBooster(core, self._team, i, target, counted, rows, options)
            boosters.append(Rounds(booster, own))
        return boosters

    def _begin_boosting(
        self, rules: BoostingRules, own: int, number: int, pairs: int = 0
    ) -> tuple[BoostingOptions, int]:
        """The parts get factors. Out: what boosters of `own` classes are told, and their rows."""
        grid, times = self._grid(), max(pairs, 1)
        counted, logistic = rules.min_samples_leaf > 1, rules.variant == "logistic"
        factors = SetFactors(grid.factors, grid.whole, counted, logistic, number, pairs)
        counts = self._team.tell(factors)
        options = boosting_options(rules, own, grid.n_examples(counts) * times)
        options.whole_weights = grid.whole
        options.pairs = pairs
        return options, (self._agreement.rows - self._held_out.rows) * times

    def _pair_boosters(self, rules: BoostingRules, constraints: Constraints | None) -> list[Rounds]:
        classes = len(self.classes)
        refuse_too_many(self._agreement.rows_of_largest_part, classes, "a partition has")
        options, pairs = self._begin_boosting(rules, 2, 1, classes)
        options.constraints = booster_constraints(constraints, 0)
        plan, counted = self._agreement.plan.core, rules.min_samples_leaf > 1
        with_class = plan.with_class_column(classes)
        booster = PartsBooster(with_class, self._team, 0, -1, counted, pairs, options)
        return pair_rounds(booster, classes, self.n_columns, rules)

    def take_over(self, boosters: list[Rounds], earlier: list[Rounds]) -> bool:
        """Start where an earlier fit left off; whether it was on the same rows."""
        if isinstance(boosters[0], PairRounds):
            return boosters[0].replay_pairs_over_parts(earlier)
        both = zip(boosters, earlier, strict=True)
        same = [booster.replay_over_parts(before) for booster, before in both]
        return all(same)

    def hold_out(self, draw: Draw) -> tuple[int, int]:
        """As `Training` says."""
        return self._held_out.hold(draw, self._grid())

    def held_out_weights(self, tree: Tree) -> NDArray[np.float64]:
        return self._held_out.class_weights(tree)

    def leaf_class_rows(self, tree: Tree) -> NDArray[np.int64] | None:
        grid = self._agreement.grid
        if grid.exponent is None and grid.factors is None and grid.unit == 1.0:
            return None
        return self._team.learn(LeafClassRows(tree))

    def row_numbers(self) -> list[str]:
        return []

    def watch_held_out(self, judge: RowLoss) -> PartsWatch:
        return self._held_out.watch(judge)

    @property
    def held_out(self) -> PartsHeldOut:
        return self._held_out

    def _grid(self) -> Grid:
        grid = self._agreement.grid
        if grid.factors is None:
            return grid
        addends, largest, whole = self._team.learn(WeightProducts(grid.factors))
        return weighted_grid(grid, addends, largest, whole, self._agreement.rows)
