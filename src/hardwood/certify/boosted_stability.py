"""How firmly the splits of a boosted model stand, with the rows that it was trained on.

In: a fitted model whose `random_state` is the seed of its fit, and its training rows. The rounds
are replayed as `certify.check` replays them, which gives every row's weight in every round; rivals
are then searched tree by tree as for a single tree. Invariant: a replay that differs from the model
in anything ends with a sentence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hardwood.certify.checking.boosted import form_of, trained_boosters
from hardwood.certify.checking.booster import Booster, replay_booster
from hardwood.certify.checking.clipped_scores import unconstrained
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.nodes import NodeFacts, Seen
from hardwood.certify.checking.training_rows import training_rows
from hardwood.certify.stability import Growth, SplitStability, stability_on_rows
from hardwood.tree import Tree


def boosted_stability(
    model: Any, X: Any, y: Any, sample_weight: Any, same_column: bool
) -> list[SplitStability]:
    """In the order of the rounds, and of the classes in a round."""
    data = training_rows(model, X, y, sample_weight)
    _refuse(model, len(data.classes))
    ledger = Ledger()
    same = np.array_equal(model.classes_, data.classes)
    boosters = trained_boosters(ledger, model, data) if same else []
    found: list[SplitStability] = []
    for place, booster in enumerate(boosters):

        def visit(
            r: int, tree: Tree, seen: Seen, facts: NodeFacts,
            booster: Booster = booster, place: int = place,
        ) -> None:  # fmt: skip
            admission = unconstrained(booster.asked, tree)
            unit = 1.0 / seen.total
            rules, columns = booster.growth(r), booster.columns(r)
            growth = Growth(
                tree, model._schemas, seen, facts, rules, unit, same_column, columns, admission
            )
            number = r * len(boosters) + place
            found.extend(replace(each, tree=number) for each in stability_on_rows(growth))

        with np.errstate(invalid="ignore", divide="ignore"):  # other rows may leave nodes empty
            replay_booster(ledger, booster, len(model.history_["error"]), False, visit)
    if not boosters or ledger.differences:
        raise ValueError(
            "These rows do not give the model's rounds: they are not those that it was fitted to. "
            "Give X, y and sample_weight as fit was given them."
        )
    return sorted(found, key=lambda each: (each.tree, each.node))


def _refuse(model: Any, classes: int) -> None:
    why = None
    if model.monotonic_cst is not None:
        why = "with monotonic_cst a rival may be out of bounds that depend on the whole tree"
    elif form_of(model, classes) == "pairs":
        why = "a tree over pairs has rows of all classes at once"
    if why is not None:
        raise ValueError(
            f"The rivals of a split are not searched again here: {why}. Call stability() without "
            "rows."
        )
