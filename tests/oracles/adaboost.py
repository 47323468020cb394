"""AdaBoost as DKM96 (Fig. 2), Schapire & Singer and Friedman et al. print it: slow and obvious.

In: columns of plain Python values, labels 0..C-1, sample x class weights and a `Setting`. Out: a
`Boosting`: the rounds that were kept, each with its tree (grown by `topdown`), its whole-number
weights, its error, tree weight and scores, and why training ended. One-versus-rest is one
`Boosting` per class.

Invariants (docs/theory/rules.md#boosting, #exact-arithmetic), for two classes with y = -1, +1,
class 1 being +1:
- a row's factor starts at 1.0 and is multiplied once a round by a number its leaf and class share;
- the round's weights come from weight x factor: e is the largest integer with 2^e total <= 2^52,
  total the exactly rounded sum of the float64 products; weight_i rint(2^e f_i) while all weights
  are whole numbers, rint(2^e (weight_i f_i)) otherwise; rows of 0 are absent, but go down the tree;
- discrete: err = mistakes / weight, rows that were right times (err / (1 - err)) / (C - 1), the
  whole to the power of the learning rate;
- logistic: the round's weights come from weight x f/(1 + f) instead; nothing is rescaled;
- leaf_prior e (not discrete): e examples are added to either class of a leaf; an example weighs 1
  while all weights are whole, else the mean of the positive ones;
- real, logistic: r = W+ / W- (without a prior within [2^-CAP, 2^CAP]), leaf value ln(r) / 2, +1
  rows times 1 / sqrt(r), -1 rows times sqrt(r) (exp(-+ rate ln(r) / 2) at another learning rate);
  gentle: (W+ - W-) / (W+ + W-);
- discrete: error 0 ends training after the tree (with the weight of err = 2^-53); chance ends it
  before the tree, unless it is the first: then the model is one leaf of weight 1;
- the others end after a tree that is one leaf of value 0, since no weight moves any more;
- `bound` is sum weight_i exp(-y_i F(x_i)) / sum weight_i, the product of the actual normalisers;
  logistic: the mean of ln(1 + exp(-y F)) over ln 2.

At learning rate 1 discrete boosting needs no exponential and is held to the bit. Otherwise rows are
compared by kind (their weight and their factors so far), and where rounding decides, a `Boosting`
ends with `undecided`: what came before stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.oracles import topdown
from tests.oracles.boosting_records import (
    CHANCE,
    NO_ERROR,
    NOTHING_LEFT,
    SMALLEST_ERROR,
    Boosting,
    Data,
    Round,
    Setting,
)
from tests.oracles.boosting_weights import example_weight, round_weights, trimmed
from tests.oracles.topdown_problem import CLOSE, Column, Growth


def boost(
    columns: Sequence[Column],
    labels: Sequence[int],
    weights: Sequence[float],
    setting: Setting,
    *,
    n_classes: int | None = None,
    sample_weights: Sequence[float] | None = None,
) -> Boosting:
    """Two classes, or SAMME; `sample_weights` count the examples where class weights differ."""
    data = Data(
        tuple(columns),
        tuple(labels),
        n_classes if n_classes is not None else max(labels) + 1,
        tuple(weights),
        tuple(weights if sample_weights is None else sample_weights),
    )
    state = Boosting(data, factors=[1.0] * data.n_rows, paths=[(w,) for w in data.weights])
    while len(state.rounds) < setting.n_estimators and not (state.stopped or state.undecided):
        _one_round(state, setting)
    return state


def one_versus_rest(
    columns: Sequence[Column],
    labels: Sequence[int],
    weights: Sequence[float],
    setting: Setting,
    *,
    n_classes: int,
    sample_weights: Sequence[float] | None = None,
) -> list[Boosting]:
    """A booster per class: that class is 1, the rest is 0."""
    return [
        boost(
            columns,
            [int(label == c) for label in labels],
            weights,
            setting,
            n_classes=2,
            sample_weights=sample_weights,
        )
        for c in range(n_classes)
    ]


def _one_round(state: Boosting, setting: Setting) -> None:
    data, number = state.data, len(state.rounds)
    integers, unit = round_weights(data.weights, state.factors, setting.variant == "logistic")
    prior = setting.leaf_prior * example_weight(data.weights) * unit
    exact = setting.exact or number == 0
    if setting.cut_fraction < 1.0 and not exact:  # a cut is drawn by the last bits of its weights
        state.undecided = "rounding decides which cuts are drawn"
        return
    kept, near = trimmed(integers, setting.weight_fraction, None if exact else state.paths)
    seen = set(kept)
    growth = topdown.grow(
        data.columns,
        data.labels,
        data.weights,
        setting.rules(data.n_classes),
        n_classes=data.n_classes,
        sample_weights=data.counted,
        integers=[w if row in seen else 0 for row, w in enumerate(integers)],
        allowed=None if setting.columns is None else setting.columns[number],
        kinds=None if exact else state.paths,
        drawn=setting.drawn(number),
    )
    state.undecided = near or growth.undecided or (None if exact else _open_question(growth))
    if state.undecided:
        return
    this = _judged(data, setting, integers, growth, prior)
    mistakes, weight = _mistakes(data, setting, this)
    verdict = _verdict(data, setting, this, (mistakes, weight), exact=exact)
    if verdict == "undecided":
        state.undecided = "the error is too close to chance, or to 0, to say"
    elif verdict == CHANCE and setting.chance_rounds == "skip":
        this.tree_weight = 0.0
        state.rounds.append(this)
        _add_scores(state, this, False)
    elif verdict == CHANCE:
        state.stopped = CHANCE
        if number == 0:
            state.rounds.append(_one_leaf(data, setting, growth.problem.weights))
    else:
        state.stopped = verdict
        state.rounds.append(this)
        _weigh(data, setting, this, no_error=verdict == NO_ERROR)
        _multiply(state, setting, this)
        _add_scores(state, this, setting.variant == "logistic")


def _open_question(growth: Growth) -> str | None:
    """What rounded weights leave open about a grown tree: a leaf's class, the heavier branch."""
    for node in growth.nodes:
        pair = sorted(node.vector)[-2:] if node.split is None else map(sum, node.split.vectors)
        lighter, heavier = sorted(pair)
        if lighter and heavier - lighter <= CLOSE * heavier + len(node.rows):
            return f"node {node.number} is too evenly divided"
    return None


def _judged(
    data: Data, setting: Setting, integers: tuple[int, ...], growth: Growth, prior: float
) -> Round:
    """The tree with the class and the score of its leaves."""
    leaves = [route(growth, data.columns, row) for row in range(data.n_rows)]
    ends = [node for node in growth.nodes if node.split is None]
    says = {node.number: node.vector.index(max(node.vector)) for node in ends}
    values: dict[int, float] = {}
    if data.n_classes == 2:
        values = {node.number: leaf_value(setting, node.vector, prior) for node in ends}
    return Round(integers, growth.problem.rows, growth, leaves, says, values, math.nan, math.nan)


def leaf_value(setting: Setting, vector: tuple[int, ...], prior: float) -> float:
    if setting.variant == "discrete":
        return 1.0 if vector[1] > vector[0] else -1.0
    if setting.variant == "gentle":
        return (vector[1] - vector[0]) / (vector[1] + vector[0] + 2 * prior)
    if prior > 0:
        return math.log((vector[1] + prior) / (vector[0] + prior)) / 2
    return math.log(leaf_ratio(setting, vector)) / 2


def leaf_ratio(setting: Setting, vector: tuple[int, ...]) -> float:
    """W+ / W-, capped."""
    cap = 2.0**setting.cap_bits
    if vector[0] == 0 or vector[1] == 0:
        return cap if vector[0] == 0 else 1 / cap
    return min(max(vector[1] / vector[0], 1 / cap), cap)


def route(growth: Growth, columns: Sequence[Column], row: int) -> int:
    """The leaf of any row, also one that the tree did not see."""
    node = growth.nodes[0]
    while node.split is not None:
        split, value = node.split, columns[node.split.column].values[row]
        assert node.children is not None
        branch = node.default_branch
        if value is None:
            branch = {"left": 0, "right": 1, None: branch}[split.missing]
        elif columns[split.column].kind == "category":
            branch = 0 if value in split.left_values else branch
            branch = 1 if value in split.right_values else branch
        else:
            branch = 0 if split.threshold is None else int(value > split.threshold)
        node = growth.nodes[node.children[branch]]
    return node.number


def _mistakes(data: Data, setting: Setting, this: Round) -> tuple[int, int]:
    """Weight of the rows whose leaf says another class, and the weight of all that count."""
    rows = this.kept if setting.error_over == "kept" else range(data.n_rows)
    wrong = [row for row in rows if this.says[this.leaves[row]] != data.labels[row]]
    return sum(this.integers[row] for row in wrong), sum(this.integers[row] for row in rows)


def _verdict(
    data: Data, setting: Setting, this: Round, counts: tuple[int, int], *, exact: bool
) -> str:
    """Whether training ends here, in integers; `this.error` is set."""
    mistakes, weight = counts
    this.error = mistakes / weight
    classes = data.n_classes
    if setting.variant != "discrete":
        still = not setting.draws_cuts(data.columns) and list(this.values.values()) == [0.0]
        return NOTHING_LEFT if still else ""
    if mistakes == 0:
        return NO_ERROR
    margin = classes * mistakes - (classes - 1) * weight
    if not exact and abs(margin) <= CLOSE * weight + classes * data.n_rows:
        return "undecided"
    return CHANCE if margin >= 0 else ""


def _weigh(data: Data, setting: Setting, this: Round, *, no_error: bool) -> None:
    this.tree_weight = setting.learning_rate
    if setting.variant == "discrete":
        err = SMALLEST_ERROR if no_error else this.error
        log_odds = math.log((1 - err) / err)
        many = data.n_classes > 2
        this.tree_weight *= log_odds + math.log(data.n_classes - 1) if many else log_odds / 2


def _multiply(state: Boosting, setting: Setting, this: Round) -> None:
    vectors = {node.number: node.vector for node in this.growth.nodes}
    for row, leaf in enumerate(this.leaves):
        label = state.data.labels[row]
        by = _factor(state.data, setting, this, (leaf, vectors[leaf], label))
        state.factors[row] *= by
        state.paths[row] = (*state.paths[row], by)


def _factor(data: Data, setting: Setting, this: Round, at: tuple[int, Any, int]) -> float:
    (leaf, vector, label), rate = at, setting.learning_rate
    if setting.variant == "discrete":
        if this.says[leaf] != label:
            return 1.0
        err = this.error if this.error > 0 else SMALLEST_ERROR
        odds = err / (1 - err) / (data.n_classes - 1)
        return odds if rate == 1.0 else odds**rate
    if setting.variant == "real" and rate == 1.0 and setting.leaf_prior == 0:
        root = math.sqrt(leaf_ratio(setting, vector))
        return 1 / root if label == 1 else root
    return math.exp((-1 if label == 1 else 1) * rate * this.values[leaf])


def _add_scores(state: Boosting, this: Round, logistic: bool) -> None:
    """F of each row: one number per class, two classes as (-F, F)."""
    data = state.data
    start = [[0.0] * data.n_classes for _ in data.labels]
    before = state.rounds[-2].scores if len(state.rounds) > 1 else start
    for old, leaf in zip(before, this.leaves, strict=True):
        if data.n_classes == 2:
            step = this.tree_weight * this.values[leaf]
            this.scores.append([old[0] - step, old[1] + step])
        else:
            votes = [this.tree_weight * (c == this.says[leaf]) for c in range(data.n_classes)]
            this.scores.append([a + b for a, b in zip(old, votes, strict=True)])
    if data.n_classes == 2:
        losses = [math.exp(-s[label]) for s, label in zip(this.scores, data.labels, strict=True)]
        if logistic:
            losses = [math.log1p(loss) / math.log(2) for loss in losses]
        normalisers = math.fsum(w * loss for w, loss in zip(data.weights, losses, strict=True))
        this.bound = normalisers / math.fsum(data.weights)


def _one_leaf(data: Data, setting: Setting, integers: tuple[int, ...]) -> Round:
    growth = topdown.grow(
        data.columns,
        data.labels,
        data.weights,
        replace(setting.rules(data.n_classes), max_depth=0),
        n_classes=data.n_classes,
        integers=integers,
    )
    this = _judged(data, replace(setting, variant="discrete"), integers, growth, 0.0)
    mistakes, weight = _mistakes(data, setting, this)
    this.error, this.tree_weight = mistakes / weight, 1.0
    says = this.says[0]
    this.scores = [[float(c == says) for c in range(data.n_classes)] for _ in data.labels]
    if data.n_classes == 2:
        this.scores = [[-1.0, 1.0] if says else [1.0, -1.0] for _ in data.labels]
    return this
