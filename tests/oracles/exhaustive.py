"""Every threshold of every column by cumulative sums: the oracle for tables beyond `topdown`.

In: the problem and node of `topdown`. Out: the same `Split` that `topdown.best_split` returns.
Invariant: costs use the same float64 operations in the same order, and candidates stand in THE
order, so that the first minimum is the winner. Only numeric columns are searched here; category
columns go to `topdown`. Entropy, whose logarithm differs in the last bit, is flagged as undecided
where a rival of another cost comes within 1e-12.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.oracles import topdown, topdown_candidates, topdown_problem

Floats = NDArray[np.float64]
Near = tuple[float, tuple[topdown_problem.Vector, ...]]


def costs(criterion: str, vectors: NDArray[np.int64]) -> Floats:
    """phi of each row of class weights, one class after the other."""
    parts = vectors.astype(np.float64)
    weight = vectors.sum(axis=1).astype(np.float64)
    if criterion == "error":
        result: Floats = 2.0 * (weight - parts.max(axis=1))
        return result
    total = np.zeros(len(parts))
    for c in range(parts.shape[1]):
        total = total + _term(criterion, parts[:, c], weight)
    return total


def _term(criterion: str, a: Floats, weight: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        if criterion == "gini":
            term = np.where(weight > 0.0, 2.0 * a * (weight - a) / weight, 0.0)
        elif criterion == "km":
            term = np.sqrt(a * (weight - a))
        else:
            term = np.where(a > 0.0, a * np.log1p((weight - a) / a) / np.log(2.0), 0.0)
    return term


@functools.lru_cache(maxsize=4)
def _arrays(
    problem: topdown_problem.Problem,
) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64]]:
    columns = [
        np.array([np.nan if v is None or column.kind == "category" else v for v in column.values])
        for column in problem.columns
    ]
    weights = np.zeros((len(problem.labels), problem.n_classes), np.int64)
    weights[np.arange(len(problem.labels)), list(problem.labels)] = problem.weights
    return columns, weights, np.array(problem.examples, np.int64)


def best_split(
    problem: topdown_problem.Problem, node: topdown_problem.Node
) -> tuple[topdown_problem.Split | None, bool]:
    """The winner over all columns: numeric ones by cumulative sums, the others by `topdown`."""
    best: topdown_problem.Split | None = None
    near: list[Near] = []
    for j, column in enumerate(problem.columns):
        search = _best_grouping if column.kind == "category" else _best_threshold
        found, rivals = search(problem, node, j)
        near += rivals
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    if best is None or problem.rules.criterion != "entropy":
        return best, False
    own, limit = topdown.signature(best.vectors), best.cost * (1 + topdown_problem.CLOSE)
    return best, any(cost <= limit and signature != own for cost, signature in near)


def _best_grouping(
    problem: topdown_problem.Problem, node: topdown_problem.Node, j: int
) -> tuple[topdown_problem.Split | None, list[Near]]:
    splits = list(topdown_candidates.candidates(problem, node, j))
    near = [(split.cost, topdown.signature(split.vectors)) for split in splits]
    return min(splits, key=lambda split: split.order, default=None), near


def _best_threshold(
    problem: topdown_problem.Problem, node: topdown_problem.Node, j: int
) -> tuple[topdown_problem.Split | None, list[Near]]:
    """The column's winner and the candidates that come near it."""
    columns, weights, examples = _arrays(problem)
    rows = np.array(node.rows)
    values = columns[j][rows]
    gone = np.isnan(values)
    present = rows[~gone][np.argsort(values[~gone], kind="stable")]
    if not present.size:
        return None, []
    ends = np.flatnonzero(np.append(np.diff(columns[j][present]) > 0, True))
    left = np.cumsum(weights[present], axis=0)[ends]
    counts = np.cumsum(examples[present])[ends]
    absent, absent_count = weights[rows[gone]].sum(axis=0), examples[rows[gone]].sum()
    ways = [1, 0] if gone.any() else [0]
    vectors = np.stack([left + way * absent for way in ways], axis=1)
    sizes = np.stack([counts + way * absent_count for way in ways], axis=1)
    admissible = np.ones(sizes.shape, bool)
    admissible[-1, :] = [False, True] if gone.any() else [False]
    cost = _costs_of_candidates(problem, node, vectors, sizes, admissible)
    if not np.isfinite(cost).any():
        return None, []
    cut, way = np.unravel_index(np.argmin(cost), cost.shape)
    key = (j, int(cut), ways[way] if gone.any() else None)
    split = _split(problem, node, key, (float(cost[cut, way]), vectors[cut, way]))
    near = [
        (float(cost[at]), topdown.signature(_both_sides(node, vectors[at])))
        for at in zip(*np.nonzero(cost <= split.cost * (1 + topdown_problem.CLOSE)), strict=True)
    ]
    return split, near


def _both_sides(
    node: topdown_problem.Node, left: NDArray[np.int64]
) -> tuple[topdown_problem.Vector, topdown_problem.Vector]:
    one = tuple(int(a) for a in left)
    return one, tuple(a - b for a, b in zip(node.vector, one, strict=True))


def _costs_of_candidates(
    problem: topdown_problem.Problem,
    node: topdown_problem.Node,
    left: NDArray[np.int64],
    sizes: NDArray[np.int64],
    admissible: NDArray[np.bool_],
) -> Floats:
    """Cost per (cut, way of missing), infinite where it is not admissible or drops nothing."""
    rules, shape = problem.rules, sizes.shape
    left = left.reshape(-1, problem.n_classes)
    right = np.array(node.vector, np.int64) - left
    ok = admissible.ravel() & (sizes.ravel() >= rules.min_samples_leaf)
    ok &= problem.count(node.rows) - sizes.ravel() >= rules.min_samples_leaf
    least = rules.min_weight_fraction_leaf * float(problem.total)
    ok &= (left.sum(axis=1) >= least) & (right.sum(axis=1) >= least)
    cost = costs(rules.criterion, left) + costs(rules.criterion, right)
    drop = node.phi - cost
    for i in np.flatnonzero(ok & (drop <= 1e-9 * node.phi)):
        sides = (tuple(map(int, left[i])), tuple(map(int, right[i])))
        ok[i] = topdown_problem.drop_is_positive(rules.criterion, node.vector, *sides)
    if rules.min_drop > 0.0:
        ok &= drop / problem.total >= rules.min_drop
    cost[~ok] = np.inf
    return cost.reshape(shape)


def _split(
    problem: topdown_problem.Problem,
    node: topdown_problem.Node,
    key: tuple[int, int, int | None],
    winner: tuple[float, NDArray[np.int64]],
) -> topdown_problem.Split:
    (j, cut, way), (cost, left) = key, winner
    values = problem.columns[j].values
    present = sorted({values[row] for row in node.rows if values[row] is not None})
    last = cut + 1 == len(present)
    return topdown_problem.Split(
        cost=cost,
        column=j,
        cut=cut,
        missing=None if way is None else "left" if way else "right",
        threshold=None if last else problem.columns[j].threshold(present[cut], present[cut + 1]),
        left_values=tuple(present[: cut + 1]),
        right_values=tuple(present[cut + 1 :]),
        vectors=_both_sides(node, left),
    )
