"""What coordinator and parts say to each other, and how answers of parts add up.

An event changes a part's state, a request does not. Both are tuples whose first entry is their
name. A step carries the events since the last one and some requests; a part that lacks earlier
events says so (`Behind`) and is sent all of them.

    event      rest                                        result
    weights    exponent, class factors, units of an
               example (0: not counted apart)
    factors    class factors, whole, examples, logistic,
               boosters
    start      target class or -1, least weight, pieces    totals per channel
    split      SplitBatch: nodes, splits, children         rows, examples, class weights (of
                                                           pieces), keys beside the cuts
    round      booster, exponent                           total of the whole-number weights
    scale      booster, power of two
    route      SplitBatch: a finished tree                 class weights of the absent rows by node
    multiply   booster, nodes, same, other, label, routed
    prune      tree, leaves, nodes, surviving nodes that
               have the rows of these nodes
    change     new leaves and raised branches, in order
    pieces     PieceOrder: trials to begin, nodes to       Arrivals: at the nodes that trials have
               divide                                      reached
    hold       hash ranges, exponent, class factors        weight that is left, weight held out
    watch      trees of a round, the row loss              exact addends of weight x loss of the
                                                           held-out rows

    request    rest                                        answer
    histograms nodes                                       HistogramBatch
    open       QuestionBatch: nodes, columns, intervals    KeySumsBatch
    totals     booster                                     weight, loss, rows: FactorTotals
    exact      booster                                     the same as exact addends
    digits     shift, bits, prefix                         weight by digit
    rows       node                                        number of rows
    examples                                               number of examples
    send       nodes, heaviest branches, rows of a part    by leaf: class weights, rows; what was
                                                           new to splits; nodes with more rows
    hashes     seed, first rows, prefixes, shift           by class: rows by their hash's next digit
    held       tree                                        class weights of held-out rows by leaf
    counted    tree                                        rows with weight, not held out, by class
                                                           and leaf
    products   class factors                               exact addends of weight x factor, the
                                                           largest, whether all are whole
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Message = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """`events[i]` is number first + i of the fit."""

    first: int
    events: list[Message]
    requests: list[Message]


@dataclass(frozen=True, slots=True)
class Answer:
    events: list[Any]
    requests: list[Any]


ABSENT, UNREACHED = -1, -2


@dataclass(frozen=True, slots=True)
class Behind:
    """A part that has seen only `applied` events so far. ABSENT: it is not there. UNREACHED: it
    was not asked."""

    part: int
    applied: int


def merge(message: Message, one: Any, other: Any) -> Any:
    """The answer of two sets of parts together; the first may be changed."""
    name = message[0]
    if one is None:
        return other
    if name == "split":
        *sums, low, high = zip(one, other, strict=True)
        return *map(sum, sums), np.maximum(*low), np.minimum(*high)
    if name in ("histograms", "open", "send", "pieces"):
        one.merge(other)
        return one
    if name == "products":
        addends = np.concatenate([one[0], other[0]])
        return addends, max(one[1], other[1]), one[2] and other[2]
    if name in ("exact", "watch"):
        return np.concatenate([one, other])
    return one + other


def merge_answers(step: Step, answers: list[Answer]) -> Answer:
    events, requests = answers[0].events, answers[0].requests
    for answer in answers[1:]:
        events = _merge_all(step.events, events, answer.events)
        requests = _merge_all(step.requests, requests, answer.requests)
    return Answer(events, requests)


def _merge_all(messages: list[Message], one: list[Any], other: list[Any]) -> list[Any]:
    return [merge(message, a, b) for message, a, b in zip(messages, one, other, strict=True)]
