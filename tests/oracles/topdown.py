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
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from tests.oracles.thresholds import all_whole, threshold_between

Vector = tuple[int, ...]
CLOSE = 1e-12


@dataclass(frozen=True)
class Column:
    """Kind numeric (floats), integer (integers beyond 2^53) or category (in sorted order)."""

    kind: Literal["numeric", "integer", "category"]
    values: tuple[Any, ...]

    def threshold(self, low: Any, high: Any) -> Any:
        return threshold_between(low, high, self._whole)

    @cached_property
    def _whole(self) -> bool:
        return self.kind == "integer" or all_whole(self.values)


@dataclass(frozen=True)
class Rules:
    criterion: str = "km"
    leaf_choice: str = "drop"
    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_drop: float = 0.0
    min_category_size: int = 1


@dataclass(frozen=True)
class Problem:
    """A table with its weights made integers; `rows` are those of positive integer weight."""

    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    n_classes: int
    weights: tuple[int, ...]
    exponent: int
    examples: tuple[int, ...]
    rows: tuple[int, ...]
    rules: Rules
    allowed: tuple[int, ...]
    kinds: tuple[Hashable, ...] | None = None
    n_examples: int = 0

    @property
    def total(self) -> int:
        return sum(self.weights)

    def vector(self, rows: Sequence[int]) -> Vector:
        sums = [0] * self.n_classes
        for row in rows:
            sums[self.labels[row]] += self.weights[row]
        return tuple(sums)

    def count(self, rows: Sequence[int]) -> int:
        return sum(self.examples[row] for row in rows)


@dataclass(frozen=True)
class Group:
    """Rows of a node with one value, or the missing ones; no cut separates them."""

    values: tuple[Any, ...]
    vector: Vector
    examples: int


@dataclass(frozen=True)
class Split:
    """A branching function; `threshold` is None for groups and missing-against-the-rest."""

    cost: float
    column: int
    cut: int
    missing: Literal["left", "right"] | None
    threshold: float | int | None
    left_values: tuple[Any, ...]
    right_values: tuple[Any, ...]
    vectors: tuple[Vector, Vector]
    sure: bool = True

    @property
    def order(self) -> tuple[float, int, int, bool]:
        return (self.cost, self.column, self.cut, self.missing == "right")


@dataclass
class Node:
    number: int
    parent: int
    depth: int
    rows: tuple[int, ...]
    vector: Vector
    phi: float
    best: Split | None = None
    undecided: bool = False
    split: Split | None = None
    children: tuple[int, int] | None = None
    default_branch: int = -1

    @property
    def drop(self) -> float:
        assert self.best is not None
        return self.phi - self.best.cost


@dataclass
class Growth:
    problem: Problem
    nodes: list[Node]
    split_nodes: list[int] = field(default_factory=list)
    potential: list[float] = field(default_factory=list)
    error: list[float] = field(default_factory=list)
    undecided: str | None = None

    def class_weights(self, node: Node) -> list[float]:
        """The node's class weights in the user's units."""
        return [math.ldexp(a, -self.problem.exponent) for a in node.vector]


def integer_weights(weights: Sequence[float]) -> tuple[tuple[int, ...], int]:
    """w_i = round(2^e w_i), half to even, and e: the largest integer with 2^e total <= 2^52."""
    total = Fraction(math.fsum(weights))
    exponent = 52 - math.frexp(float(total))[1]
    while Fraction(2) ** (exponent + 1) * total <= 2**52:
        exponent += 1
    while Fraction(2) ** exponent * total > 2**52:
        exponent -= 1
    unit = Fraction(2) ** exponent
    return tuple(round(Fraction(w) * unit) for w in weights), exponent


def count_examples(whole: Sequence[int], counted: Sequence[float]) -> int:
    """The sum of whole sample weights, else the number of rows, of those of positive weight."""
    here = [float(w) for units, w in zip(whole, counted, strict=True) if units > 0]
    return int(sum(here)) if all(float(w).is_integer() for w in counted) else len(here)


def is_rare(weight: int, node: int, total: int, n_examples: int, rules: Rules) -> bool:
    """Of a category of that weight: too few examples, and less than a twentieth of the node."""
    size = rules.min_category_size
    return size > 1 and weight * n_examples < size * total and 20 * weight < node


def phi(criterion: str, vector: Vector) -> float:
    """|a| G(a/|a|), class by class in order; a power-of-two scale changes no decision."""
    weight = sum(vector)
    if weight == 0:
        return 0.0
    if criterion in ("error", "stump"):
        return 2.0 * (weight - max(vector))
    total = 0.0
    for a in vector:
        total += _term(criterion, float(a), float(weight))
    return total


def _term(criterion: str, a: float, weight: float) -> float:
    if criterion == "gini":
        return 2.0 * a * (weight - a) / weight
    if criterion == "km":
        return math.sqrt(a * (weight - a))
    return a * math.log1p((weight - a) / a) / math.log(2.0) if a > 0.0 else 0.0


def split_cost(criterion: str, left: Vector, right: Vector) -> float:
    """phi of both sides; for a stump the weight of its mistakes."""
    if criterion == "stump":
        return float(min(left[0] + right[1], left[1] + right[0]))
    return phi(criterion, left) + phi(criterion, right)


def drop_is_positive(criterion: str, parent: Vector, left: Vector, right: Vector) -> bool:
    """In integers: error by its costs, the others unless the children look like the parent."""
    if criterion == "stump":
        return min(parent) > 0
    if criterion == "error":
        return max(left) + max(right) > max(parent)
    weight, left_weight = sum(parent), sum(left)
    return any(a * weight != b * left_weight for a, b in zip(left, parent, strict=True))


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
) -> Growth:
    """Grow a tree; `weights` are sample x class weights, `sample_weights` count the examples.

    `integers` replace the weights, `allowed` are the columns the tree may use (all of them), and
    `kinds` say which rows weigh the same where the weights are rounded.
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
        moved: list[Any] = [tuple(_moved(a, sign, len(node.rows)) for a in v) for v in vectors]
        criterion = problem.rules.criterion
        cost = split_cost(criterion, *moved) if len(moved) == 2 else phi(criterion, moved[0])
        ends.append(cost * (1 + sign * CLOSE))
    return ends[0], ends[1]


def _moved(weight: int, sign: int, rows: int) -> float:
    return max(weight + sign * (CLOSE * weight + rows), 0.0) if weight else 0.0


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


def candidates(problem: Problem, node: Node, column: int) -> Iterator[Split]:
    """Every admissible split of positive drop that the column offers at the node."""
    groups, missing = group_rows(problem, node.rows, column)
    if not groups:
        return
    for cut, chosen in _sides(problem, column, node.vector, groups):
        left = [group for i, group in enumerate(groups) if i in chosen]
        right = [group for i, group in enumerate(groups) if i not in chosen]
        for way in _ways(missing, right):
            split = _split(problem, node, (column, cut, way), (left, right, missing))
            if split is not None:
                yield split


def group_rows(
    problem: Problem, rows: Sequence[int], column: int
) -> tuple[list[Group], Group | None]:
    """The rows by value in code order, and the missing ones (None where there are none)."""
    by_value: dict[Any, list[int]] = {}
    absent: list[int] = []
    for row in rows:
        value = problem.columns[column].values[row]
        (absent if value is None else by_value.setdefault(value, [])).append(row)
    groups = [_group(problem, (value,), by_value[value]) for value in sorted(by_value)]
    if problem.columns[column].kind == "category":
        groups = _pooled(problem, rows, groups)
    return groups, _group(problem, (), absent) if absent else None


def _pooled(problem: Problem, rows: Sequence[int], groups: list[Group]) -> list[Group]:
    """Rare categories as one group, where the first of them stood."""
    node, count = sum(problem.weights[row] for row in rows), problem.n_examples
    rare = [g for g in groups if is_rare(sum(g.vector), node, problem.total, count, problem.rules)]
    if len(rare) < 2:
        return groups
    together = Group(
        tuple(value for group in rare for value in group.values),
        tuple(map(sum, zip(*(group.vector for group in rare), strict=True))),
        sum(group.examples for group in rare),
    )
    return [together if g is rare[0] else g for g in groups if g is rare[0] or g not in rare]


def _group(problem: Problem, values: tuple[Any, ...], rows: list[int]) -> Group:
    return Group(values, problem.vector(rows), problem.count(rows))


def _sides(
    problem: Problem, column: int, vector: Vector, groups: list[Group]
) -> Iterator[tuple[int, set[int]]]:
    """(cut, groups on the left) in order; the last leaves the right to the missing rows alone."""
    everything, kind = set(range(len(groups))), problem.columns[column].kind
    classes = [c for c, weight in enumerate(vector) if weight > 0]
    if kind != "category":
        for cut in everything:
            yield cut, set(range(cut + 1))
    elif problem.rules.criterion == "stump":
        if len(groups) > 1:
            yield 0, _heavier_sides(groups)
        yield 1, everything
    elif len(classes) <= 2:
        merged = shares_in_order(groups, classes[-1])
        for cut in range(len(merged)):
            low = {i for same in merged[: cut + 1] for i in same}
            yield cut, low if 0 in low else everything - low
    else:
        if len(groups) > 10:
            raise ValueError(f"{len(groups)} categories are too many to enumerate; at most 10")
        for mask in range(1, 1 << len(groups), 2):
            yield mask, {bit for bit in everything if mask >> bit & 1}


def _heavier_sides(groups: list[Group]) -> set[int]:
    """The side of the first category when each goes with its heavier class, class 0 on a tie."""
    says = [int(group.vector[1] > group.vector[0]) for group in groups]
    if len(set(says)) == 1:
        gaps = [abs(group.vector[0] - group.vector[1]) for group in groups]
        says[gaps.index(min(gaps))] ^= 1
    return {i for i, label in enumerate(says) if label == says[0]}


def shares_in_order(groups: list[Group], label: int) -> list[list[int]]:
    """Categories by share of a class, equal shares together: exact for two classes."""
    by_share: dict[Fraction, list[int]] = {}
    for i, group in enumerate(groups):
        by_share.setdefault(Fraction(group.vector[label], sum(group.vector)), []).append(i)
    return [by_share[share] for share in sorted(by_share)]


def _ways(missing: Group | None, right: list[Group]) -> list[Literal["left", "right"] | None]:
    if missing is None:
        return [None] if right else []
    return ["left", "right"] if right else ["right"]


def _split(problem: Problem, node: Node, key: Any, sides: Any) -> Split | None:
    (column, cut, way), (left, right, missing), rules = key, sides, problem.rules
    joining = {"left": ([missing], []), "right": ([], [missing]), None: ([], [])}[way]
    branches = [left + joining[0], right + joining[1]]
    vectors = [tuple(map(sum, zip(*(g.vector for g in b), strict=True))) for b in branches]
    if any(sum(group.examples for group in branch) < rules.min_samples_leaf for branch in branches):
        return None
    if any(float(sum(v)) < rules.min_weight_fraction_leaf * float(problem.total) for v in vectors):
        return None
    positive = _drop_is_positive(problem, node, vectors[0], vectors[1])
    if positive is False:
        return None
    cost = split_cost(rules.criterion, vectors[0], vectors[1])
    if (node.phi - cost) / problem.total < rules.min_drop and rules.min_drop > 0.0:
        return None
    interval = problem.columns[column].kind != "category" and bool(right)
    return Split(
        cost=cost,
        column=column,
        cut=cut,
        missing=way,
        threshold=(
            problem.columns[column].threshold(left[-1].values[0], right[0].values[0])
            if interval
            else None
        ),
        left_values=tuple(value for group in left for value in group.values),
        right_values=tuple(value for group in right for value in group.values),
        vectors=(vectors[0], vectors[1]),
        sure=positive is True,
    )


def _drop_is_positive(problem: Problem, node: Node, left: Vector, right: Vector) -> bool | None:
    """None where rounded weights leave it open."""
    criterion, rows = problem.rules.criterion, len(node.rows)
    if problem.kinds is None or criterion == "stump":
        return drop_is_positive(criterion, node.vector, left, right)
    if sum(a > 0 for a in node.vector) == 1:
        return False
    if criterion == "error":
        heaviest = [_surely_heaviest(side, rows) for side in (left, right)]
        if None in heaviest:
            return None
        return heaviest[0] != heaviest[1]
    weight, left_weight = sum(node.vector), sum(left)
    for a, b in zip(left, node.vector, strict=True):
        doubt = 4 * CLOSE * a * weight + 4 * rows * (a + weight)
        if abs(a * weight - b * left_weight) > doubt:
            return True
    return None


def _surely_heaviest(side: Vector, rows: int) -> int | None:
    first = side.index(max(side))
    others = [_moved(a, 1, rows) for c, a in enumerate(side) if c != first]
    return first if all(_moved(side[first], -1, rows) > other for other in others) else None


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
