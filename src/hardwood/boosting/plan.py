"""What a boosted fit was asked for, beside its data: parameters that are checked already.

`rules` is what every booster is told; the rest decides how many boosters there are, how long they
train and what is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardwood.boosting.rounds import BoostingRules
from hardwood.search.strategies import PaperRun


@dataclass(frozen=True, slots=True)
class BoostingPlan:
    rules: BoostingRules
    n_estimators: int
    multiclass: str
    feature_fraction: float
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    refit: bool
    seed: int
    verbose: bool

    def form(self, classes: int) -> str:
        """A booster per class is "ovr"; one over pairs, with a tree per class, "pairs"; else
        "one"."""
        return self.multiclass if classes > 2 and self.multiclass != "samme" else "one"

    def rules_for(self, classes: int) -> BoostingRules:
        """The rules of one booster; AAA18's stump error stands in for the error of two classes."""
        rules = self.rules
        two = classes <= 2 or self.form(classes) != "one"
        if not (rules.variant == "discrete" and rules.criterion == "error" and two):
            if isinstance(rules.search, PaperRun):
                raise ValueError(
                    "search=PaperRun(...) repeats AAA18's runs, which are of variant='discrete' "
                    f"with criterion='error' on two classes or pairs; given was {rules.variant!r} "
                    f"with {rules.criterion!r}. Use another search, or multiclass='pairs'."
                )
            return rules
        if rules.max_leaf_nodes is not None:
            raise ValueError(
                f"max_leaf_nodes={rules.max_leaf_nodes} cannot be combined with variant='discrete' "
                "and criterion='error' on two classes: those trees are grown level by level. Use "
                "max_depth, or another criterion."
            )
        return replace(rules, criterion="stump")
