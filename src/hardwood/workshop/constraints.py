"""What `monotonic_cst` and `interaction_cst` mean at the workshop: in words, and at a node.

In: an estimator's constraints and rows. Out: sentences for the page, and the splits that they keep
off a node, each with the reason. Growth, alternatives and steps keep the constraints already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardwood.certify import Monotone
from hardwood.estimators import TreeClassifier
from hardwood.estimators.constraints import constraints_for_tree
from hardwood.estimators.drafting import alternatives_on
from hardwood.estimators.tree_plan import checked_tree_plan
from hardwood.growing.constraints import Constraints
from hardwood.growing.ranking import splits_above
from hardwood.table import ColumnSchema
from hardwood.training import MemoryTraining
from hardwood.workshop.figures import monotone_claims
from hardwood.workshop.limits import Known, Limits

NAMED = 12
"""Columns of a set that are named in words."""


@dataclass(frozen=True)
class Rules:
    """The constraints in force: an estimator that has them, what they are, claims and words."""

    estimator: TreeClassifier
    constraints: Constraints | None
    claims: list[Monotone]
    words: list[str]
    ordered: list[bool]
    """By column: whether its values have an order."""

    def shown(self, limits: Limits, known: Known) -> dict[str, Any]:
        """For the page: in words, and each as it can be lifted."""
        return limits.data() | {
            "words": self.words,
            "columns": list(known.columns),
            "ordered": self.ordered,
            "labels": list(known.labels),
        }


def rules_of(estimator: TreeClassifier, training: MemoryTraining) -> Rules:
    plan = checked_tree_plan(estimator)
    constraints = constraints_for_tree(estimator, training, plan.leaf_prior)
    claims = monotone_claims(estimator.monotonic_cst, training)
    words = constraint_words(constraints, claims, training.schemas)
    ordered = [schema.kind != "category" for schema in training.schemas]
    return Rules(estimator, constraints, claims, words, ordered)


def constraint_words(
    constraints: Constraints | None, claims: list[Monotone], schemas: Sequence[ColumnSchema]
) -> list[str]:
    """A sentence for each; [] where nothing is constrained."""
    if constraints is None:
        return []
    words = [str(claim) for claim in claims]
    if constraints.most:
        what = "one column" if constraints.most == 1 else f"{constraints.most} columns"
        words.append(f"a path asks about at most {what}")
    if constraints.groups:
        sets = "; ".join(_listed(group, schemas) for group in constraints.groups)
        words.append(f"the columns of a path all lie in one of these sets: {sets}")
    for column, needs in enumerate(constraints.needs):
        if needs:
            words.append(f"{schemas[column].name} stands only below {_listed(needs, schemas)}")
    return words


def _listed(columns: Sequence[int], schemas: Sequence[ColumnSchema]) -> str:
    names = ", ".join(schemas[column].name for column in columns[:NAMED])
    return names + (f" and {len(columns) - NAMED} more" if len(columns) > NAMED else "")


def refused_at(
    model: TreeClassifier,
    training: MemoryTraining,
    X: Any,
    node: int,
    rules: Rules,
) -> list[dict[str, Any]]:
    """The best split of each column that would be offered without constraints and is not."""
    constraints = rules.constraints
    if constraints is None:
        return []
    columns = len(training.schemas)
    free, kept = (
        alternatives_on(model, training, X, node, columns, distinct=True, constrained=each)
        for each in (False, True)
    )
    offered = {each.column: each.line for each in kept}
    place = {schema.name: number for number, schema in enumerate(training.schemas)}
    path = frozenset(above.column for above in splits_above(model.tree_, node))
    found = []
    for each in free:
        if offered.get(each.column) == each.line:
            continue
        why = "interaction_cst keeps the column off this node"
        if constraints.lets_follow(path, place[each.column]):
            why = "monotonic_cst does not admit it here"
            if each.column in offered:
                why += "; the column is offered with another split"
        found.append({"words": each.line.words, "drop": each.drop, "why": why})
    return found
