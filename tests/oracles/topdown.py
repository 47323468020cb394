"""TopDown as Kearns & Mansour (1996, Fig. 1) print it: slow, obvious, and the oracle of the core.

In: columns of plain Python values (None is missing), labels, weights and the stop rules. Out: the
nodes in order of creation, each with its split, and the tree's potential and error after every
split. Nothing of hardwood is imported.

Invariants, which are the rules the core is held to (docs/theory/rules.md#growth, #rounded-costs):
- weights are integers w_i = round(2^e w_i), half to even, e the largest integer with 2^e total <=
  2^52;
- cost of a split = phi(left) + phi(right), a drop is phi(node) - cost, each in float64 in this very
  order of operations, so that gini, km and error agree with the core to the bit;
- whether a drop is positive is decided in integers;
- THE order of candidates: smaller cost; smaller column; smaller cut; missing left before missing
  right.

What a cut is: between adjacent values (ascending) of a numeric column; between groups of equal
share of the later class (ascending) of a category column when the node holds at most two classes;
with more classes the bit mask, over the present categories in code order, of the side that holds
the first of them. Missing-against-the-rest is the cut after all others. Left is the branch that
holds the smaller values, or the first present category.

For boosting (docs/theory/rules.md#boosting) integer weights and the columns a tree may use can be
handed in, and there is one more criterion, "stump", of two classes: cost of a split = min(L0 + R1,
L1 + R0), the sides predict opposite labels, and every node that is not pure and has an admissible
split is split, whatever its drop, in order of its number. A category then goes to the side of its
heavier class (class 0 on a tie); if a side stays empty the first category of least |w0 - w1|
crosses.

Entropy needs a logarithm whose last bit is the core's own affair. Where two different entropies lie
within 1e-12 of each other the oracle does not decide: it stops there and says so in
`Growth.undecided`; what was grown before stands. The same holds for every criterion where `kinds`
are given: the weights then come from an exponential, are good to 1e-12 and a unit, and only rows of
one kind surely weigh the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any

from tests.oracles.topdown_candidates import candidates
from tests.oracles.topdown_problem import (
    CLOSE,
    Column,
    Growth,
    Node,
    Problem,
    Rules,
    Split,
    Vector,
    count_examples,
    integer_weights,
    phi,
    shifted,
    split_cost,
)


def grow(
    columns: Sequence[Column],
    labels: Sequence[int],
    weights: Sequence[float],
    rules: Rules,
    *,
    n_classes: int | None = None,
    sample_weights: Sequence[float] | None = None,
    search: Callable[[Problem, Node], tuple[Split | None, bool]] | None = None,
    integers: Sequence[int] | None = None,
    allowed: Collection[int] | None = None,
    kinds: Sequence[Hashable] | None = None,
    drawn: Callable[[Sequence[Any], Sequence[Vector]], bool] | None = None,
) -> Growth:
    """Grow a tree; `weights` are sample x class weights, `sample_weights` count the examples.

    `integers` replace the weights, `allowed` are the columns the tree may use (all of them), and
    `kinds` say which rows weigh the same where the weights are rounded. `drawn` says of a
    numeric column's values and the class weights of two branches whether a cut between them may be
    used.
    """
    whole, exponent = (tuple(integers), 0) if integers is not None else integer_weights(weights)
    counted = sample_weights if sample_weights is not None else weights
    problem = Problem(
        columns=tuple(columns),
        labels=tuple(labels),
        n_classes=n_classes if n_classes is not None else max(labels) + 1,
        weights=whole,
        exponent=exponent,
        examples=tuple(
            0 if not units else int(w) if float(w).is_integer() else 1
            for units, w in zip(whole, counted, strict=True)
        ),
        rows=tuple(row for row, units in enumerate(whole) if units > 0),
        rules=rules,
        allowed=tuple(sorted(range(len(columns)) if allowed is None else allowed)),
        kinds=None if kinds is None else tuple(kinds),
        n_examples=count_examples(whole, counted),
        drawn=drawn,
    )
    return _grow(problem, search if search is not None else best_split)


def _grow(problem: Problem, search: Callable[[Problem, Node], tuple[Split | None, bool]]) -> Growth:
    growth = Growth(problem, nodes=[])
    _open(growth, search, parent=-1, depth=0, rows=problem.rows)
    budget = problem.rules.max_leaf_nodes
    while budget is None or len(growth.split_nodes) + 1 < budget:
        willing = [node for node in growth.nodes if node.split is None and node.best is not None]
        if not willing:
            break
        node = _next_leaf(problem, willing)
        if node is None or node.undecided:
            growth.undecided = f"two {'leaves' if node is None else 'splits'} tie too closely"
            break
        _divide(growth, search, node)
    return growth


def _next_leaf(problem: Problem, willing: list[Node]) -> Node | None:
    """The leaf of largest drop or w(l)G(l), the smaller number on a tie; None if undecided."""
    rules = problem.rules
    if rules.criterion == "stump":
        return willing[0]
    by_drop = rules.leaf_choice == "drop"

    def merit(node: Node) -> float:
        return node.drop if by_drop else node.phi

    chosen = max(willing, key=lambda node: (merit(node), -node.number))
    if rules.criterion == "entropy" or problem.kinds is not None:
        for rival in willing:
            doubt = CLOSE * max(chosen.phi, rival.phi) + _doubt(problem, chosen, rival)
            near = merit(chosen) - merit(rival) <= doubt
            if near and _leaf_mark(problem, rival) != _leaf_mark(problem, chosen):
                return None
    return chosen


def _doubt(problem: Problem, *nodes: Node) -> float:
    """How much the merits of leaves may be off when their rows' weights are rounded."""
    doubt = 0.0
    if problem.kinds is not None:
        for node in nodes:
            assert node.best is not None
            for vectors in ((node.vector,), node.best.vectors):
                low, high = cost_range(problem, node, vectors)
                doubt += high - low
    return doubt


def _divide(growth: Growth, search: Any, node: Node) -> None:
    problem, split = growth.problem, node.best
    assert split is not None
    node.split = split
    node.children = (len(growth.nodes), len(growth.nodes) + 1)
    node.default_branch = 0 if sum(split.vectors[0]) >= sum(split.vectors[1]) else 1
    for rows in rows_of_branches(problem, node, split):
        _open(growth, search, parent=node.number, depth=node.depth + 1, rows=rows)
    leaves = [leaf for leaf in growth.nodes if leaf.split is None]
    growth.split_nodes.append(node.number)
    growth.potential.append(math.fsum(leaf.phi for leaf in leaves) / problem.total)
    growth.error.append(sum(sum(leaf.vector) - max(leaf.vector) for leaf in leaves) / problem.total)


def rows_of_branches(
    problem: Problem, node: Node, split: Split
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The node's rows that go left and those that go right."""
    values, left = problem.columns[split.column].values, set(split.left_values)
    goes_left = {
        row: split.missing == "left" if values[row] is None else values[row] in left
        for row in node.rows
    }
    return (
        tuple(row for row in node.rows if goes_left[row]),
        tuple(row for row in node.rows if not goes_left[row]),
    )


def _open(growth: Growth, search: Any, *, parent: int, depth: int, rows: tuple[int, ...]) -> None:
    problem = growth.problem
    vector = problem.vector(rows)
    node = Node(
        len(growth.nodes), parent, depth, rows, vector, phi(problem.rules.criterion, vector)
    )
    if problem.rules.max_depth is None or depth < problem.rules.max_depth:
        node.best, node.undecided = search(problem, node)
    growth.nodes.append(node)


def best_split(problem: Problem, node: Node) -> tuple[Split | None, bool]:
    """The first admissible split in THE order, and whether another came too close to say."""
    splits = [s for j in problem.allowed for s in candidates(problem, node, j)]
    if not splits:
        return None, False
    best = min(splits, key=lambda split: split.order)
    if problem.kinds is not None:
        return best, not best.sure or _rounding_decides(problem, node, best, splits)
    own = signature(best.vectors)
    close = problem.rules.criterion == "entropy" and any(
        split.cost <= best.cost * (1 + CLOSE) and signature(split.vectors) != own
        for split in splits
    )
    return best, close


def _rounding_decides(problem: Problem, node: Node, best: Split, splits: list[Split]) -> bool:
    """Whether a rival, not surely of the same cost, might be the better one."""
    limit = cost_range(problem, node, best.vectors)[1]
    rivals = [s for s in splits if cost_range(problem, node, s.vectors)[0] <= limit]
    own = _mark(problem, node, best)
    return any(_mark(problem, node, rival) != own for rival in rivals)


def cost_range(problem: Problem, node: Node, vectors: Sequence[Vector]) -> tuple[float, float]:
    """Least and largest cost while rows are off by CLOSE and a unit; phi grows in each class."""
    ends = []
    for sign in (-1, 1):
        moved: list[Any] = [tuple(shifted(a, sign, len(node.rows)) for a in v) for v in vectors]
        criterion = problem.rules.criterion
        cost = split_cost(criterion, *moved) if len(moved) == 2 else phi(criterion, moved[0])
        ends.append(cost * (1 + sign * CLOSE))
    return ends[0], ends[1]


def _mark(problem: Problem, node: Node, split: Split) -> frozenset[Any]:
    """Splits of one mark have one cost, whatever the rows of each kind weigh."""
    assert problem.kinds is not None
    if problem.n_classes > 2:
        return frozenset([split])
    sides = [
        [[problem.kinds[i] for i in rows if problem.labels[i] == c] for c in (0, 1)]
        for rows in rows_of_branches(problem, node, split)
    ]
    if problem.rules.criterion == "stump":
        mistakes = (sides[0][0] + sides[1][1], sides[0][1] + sides[1][0])
        return frozenset(_bag(some) for some in mistakes)
    return frozenset(_bag(_bag(kinds) for kinds in side) for side in sides)


def _bag(things: Iterable[Hashable]) -> frozenset[Any]:
    return frozenset(Counter(things).items())


def signature(vectors: Sequence[Vector]) -> tuple[Vector, ...]:
    """Branches of one signature have one cost to the bit, since sums of two commute."""
    swap = len(vectors[0]) == 2
    return tuple(sorted(tuple(sorted(v)) if swap else v for v in vectors))


def _leaf_mark(problem: Problem, node: Node) -> Any:
    assert node.best is not None
    by_drop = problem.rules.leaf_choice == "drop"
    if problem.kinds is not None:
        whole = _bag((problem.labels[row], problem.kinds[row]) for row in node.rows)
        return whole, _mark(problem, node, node.best) if by_drop else None
    own = signature((node.vector,))
    return own + signature(node.best.vectors) if by_drop else own
