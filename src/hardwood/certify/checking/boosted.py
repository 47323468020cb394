"""A fitted BoostedTreesClassifier: its rounds replayed, its history compared.

In: the model, the rows it was given. One booster for two classes and SAMME, one per class for
one-versus-rest; a booster that has ended repeats its last tree with weight 0. What cannot be
derived: the error of a round whose tree was dropped, and how many assessments a search asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardwood.certify.checking.booster import Booster, replay_booster
from hardwood.certify.checking.constraints import asked_of
from hardwood.certify.checking.growth import GrowthRules
from hardwood.certify.checking.held_out import rows_trained_on, seed_of
from hardwood.certify.checking.ledger import Ledger
from hardwood.certify.checking.pairs import replay_pairs
from hardwood.certify.checking.rounds import CHANCE, BoostingRules, RoundFacts
from hardwood.certify.checking.training_rows import TrainingRows

CRITERION = {"logistic": "km", "real": "km", "discrete": "error", "gentle": "gini"}
DEPTH = {"logistic": 8, "real": 4, "discrete": 4, "gentle": 4}
MULTICLASS = {"logistic": "ovr", "real": "ovr", "discrete": "samme", "gentle": "ovr"}
HISTORY = ("error", "advantage", "assessments", "exhaustive_assessments", "bound", "stopped")
MARGIN = 1 + 2.0**-40


def check_boosted(ledger: Ledger, model: Any, data: TrainingRows, thorough: bool) -> None:
    lengths = {name: len(model.history_.get(name, ())) for name in HISTORY}
    rounds = lengths["error"]
    if not ledger.true(
        rounds >= 1 and set(lengths.values()) == {rounds},
        f"the arrays of history_ have lengths {lengths}; expected is one entry per round.",
    ):
        return
    if not ledger.true(
        getattr(model.search, "name", None) != "paper",
        "search=PaperRun(...) trains by the paper's rules, which this check does not know.",
    ):
        return
    _replay(ledger, model, trained_boosters(ledger, model, data), thorough)
    _compare_counts(ledger, model)


def _replay(ledger: Ledger, model: Any, boosters: list[Booster], thorough: bool) -> None:
    """The trees, and the history where they are right."""
    rounds = len(model.history_["error"])
    if boosters and form_of(model, len(model.classes_)) == "pairs":
        facts = [replay_pairs(ledger, boosters, rounds)]
    else:
        facts = [replay_booster(ledger, booster, rounds, thorough) for booster in boosters]
    ledger.about = ""
    if facts and all(each is not None for each in facts):
        _compare_history(ledger, model, [each for each in facts if each is not None])


def trained_boosters(ledger: Ledger, model: Any, data: TrainingRows) -> list[Booster]:
    """One, or one per class, over the rows that were not held out."""
    settings = settings_of(model, data)
    drawn = min(settings.feature_fraction, settings.cut_fraction) < 1
    seed = seed_of(ledger, model, drawn or model.early_stopping)
    choices = rows_trained_on(ledger, model, data, seed)
    rows = choices[0]
    if len(choices) > 1:
        tried = Ledger()
        _replay(tried, model, _boosters(tried, model, settings, rows, seed), False)
        rows = choices[1] if tried.differences else rows
    return _boosters(ledger, model, settings, rows, seed)


def form_of(model: Any, classes: int) -> str:
    """A tree per class and round: "ovr" and "pairs"; one per round: "one"."""
    form = model.multiclass or MULTICLASS[model.variant]
    return form if classes > 2 and form != "samme" else "one"


class Settings(NamedTuple):
    """What follows from the size of the table where the model leaves it open."""

    learning_rate: float
    leaf_prior: float
    feature_fraction: float
    cut_fraction: float


def settings_of(model: Any, data: TrainingRows) -> Settings:
    """As docs/theory/rules.md#defaults-by-size has it; the rows are all that `fit` was given."""
    own = Settings(0.2, 0.0, 1.0, 1.0)
    if model.variant == "logistic":
        examples = data.n_examples(data.sample_weight)
        few = examples <= 5000
        least = 0.2 if few else 0.5 if examples <= 50_000 else 1.0
        share = min(1.0, max(least, 5 / len(data.schemas)))
        cuts = 0.15 if few else 1.0
        own = Settings(0.15 if few else 0.25, 2.0 if few else 0.5, share, cuts)
    given = (model.learning_rate, model.leaf_prior, model.feature_fraction, model.cut_fraction)
    return Settings(
        *(mine if asked is None else float(asked) for mine, asked in zip(own, given, strict=True))
    )


def boosting_rules(model: Any, settings: Settings, classes: int) -> BoostingRules:
    criterion = model.criterion or CRITERION[model.variant]
    binary = classes <= 2 or form_of(model, classes) != "one"
    stump = model.variant == "discrete" and criterion == "error" and binary
    growth = GrowthRules(
        criterion="stump" if stump else criterion,
        max_leaf_nodes=model.max_leaf_nodes,
        max_depth=DEPTH[model.variant] if model.max_depth == "auto" else model.max_depth,
        min_samples_leaf=model.min_samples_leaf,
        min_weight_fraction_leaf=model.min_weight_fraction_leaf,
        min_category_size=model.min_category_size,
    )
    return BoostingRules(
        model.variant,
        settings.learning_rate,
        float(model.weight_fraction),
        settings.leaf_prior,
        growth,
        model.chance_rounds == "skip",
        settings.cut_fraction,
    )


def _boosters(
    ledger: Ledger, model: Any, settings: Settings, data: TrainingRows, seed: int | None
) -> list[Booster]:
    """Empty, with a difference, where the lists of trees and weights do not fit together."""
    classes = len(data.classes)
    each_class = form_of(model, classes) != "one"
    columns = classes if each_class else 1
    weights = np.asarray(model.tree_weights_, dtype=np.float64)
    trees = [list(each) if each_class else [each] for each in model.trees_]
    shape = (len(trees), classes) if each_class else (len(trees),)
    fits = weights.shape == shape and all(len(each) == columns for each in trees)
    if not ledger.true(
        fits and len(trees) >= 1, f"trees_ and tree_weights_ do not have shape {shape}."
    ):
        return []
    given = data.weights(model.class_weight)
    rules = boosting_rules(model, settings, classes)
    asked = asked_of(model, data)
    weights = weights.reshape(len(trees), columns)
    return [
        Booster(
            name=f"class {data.classes.tolist()[c]!r}, " if each_class else "",
            data=data,
            labels=(data.labels == c).astype(np.int64) if each_class else data.labels,
            classes=2 if each_class else max(classes, 2),
            weights=given,
            trees=[each[c] for each in trees],
            tree_weights=weights[:, c],
            rules=rules,
            feature_fraction=settings.feature_fraction,
            asked=asked.for_class(c if each_class else min(1, classes - 1)),
            seed=seed,
        )
        for c in range(columns)
    ]


def _compare_history(ledger: Ledger, model: Any, boosters: list[list[RoundFacts]]) -> None:
    history = model.history_
    rounds = len(history["error"])
    two, classes = len(model.classes_) <= 2, len(model.classes_)
    factor = 1.0 if two else classes / 2 if form_of(model, classes) == "pairs" else np.nan
    for r in range(rounds):
        row = [facts[r] for facts in boosters if r < len(facts)]
        if not ledger.true(row, f"history_ has a round {r}, after training ended."):
            return
        _compare_error(ledger, model, r, row)
        bound = row[0].bound * factor * MARGIN
        scale = 1e3 * bound + (model.variant == "logistic")  # a loss, which is rounded as 1 is
        ledger.close(f"history_['bound'] of round {r}", history["bound"][r], bound, scale)
        for name in ("loss", "proved_drop"):
            mean = float(np.mean([getattr(each, name) for each in row]))
            claimed = float(history[name][r])
            ledger.close(f"history_[{name!r}] of round {r}", claimed, mean, 1.0)
        stopped = "; ".join(each.stopped for each in row if each.stopped)
        early = model.early_stopping and r == rounds - 1 and history["stopped"][r] != stopped
        if not early:
            ledger.equal(f"history_['stopped'] of round {r}", history["stopped"][r], stopped)
        ranges = [each.exhaustive for each in row]
        claimed = int(history["exhaustive_assessments"][r])
        known = [each for each in ranges if each is not None]
        low, high = (sum(each[i] for each in known) for i in (0, 1))
        ledger.true(
            low <= claimed and (claimed <= high or len(known) < len(ranges)),
            f"history_['exhaustive_assessments'] of round {r} is {claimed}; the data say {high}.",
        )
    advantage = 0.5 - history["error"] if two else np.full(rounds, np.nan)
    ledger.close("history_['advantage']", history["advantage"], advantage, 1.0, "round")
    ends = all(facts[-1].stopped for facts in boosters)
    early = str(history["stopped"][-1]) == "early stopping"
    ledger.true(
        rounds == model.n_estimators or ends or (early and model.early_stopping),
        f"training ended after {rounds} of {model.n_estimators} rounds for no reason.",
    )


def _compare_error(ledger: Ledger, model: Any, r: int, row: list[RoundFacts]) -> None:
    """The mean over the boosters; a dropped tree's own error must be no better than chance."""
    claimed = float(model.history_["error"][r])
    unknown = [each for each in row if each.error is None]
    known = sum(each.error for each in row if each.error is not None)
    if not unknown:
        ledger.close(f"history_['error'] of round {r}", claimed, known / len(row), 1.0)
        return
    ledger.skip(
        f"A tree that was {CHANCE} is not kept: of its round's error only that was checked, and "
        "its exhaustive_assessments not at all."
    )
    classes = 2 if isinstance(model.trees_[0], list) else max(len(model.classes_), 2)
    chance = 1 - 1 / classes
    rest = claimed * len(row) - known
    ledger.true(
        chance * len(unknown) <= rest * (1 + 1e-9) and rest <= len(unknown) * (1 + 1e-9),
        f"history_['error'] of round {r} is {claimed}, but a tree was dropped as {CHANCE}.",
    )


def _compare_counts(ledger: Ledger, model: Any) -> None:
    history = model.history_
    asked, most = history["assessments"], history["exhaustive_assessments"]
    ledger.equal("assessments_", model.assessments_, int(np.sum(asked)))
    ledger.equal("n_estimators_", model.n_estimators_, len(model.trees_))
    ledger.true(
        ((asked >= 0) & (asked <= most)).all(),
        "history_['assessments'] is above what an exhaustive search asks for.",
    )
    if model.search == "exhaustive":
        ledger.equal("history_['assessments']", asked, most, "round")
    else:
        ledger.skip("How many assessments a search asks for was not counted again.")
