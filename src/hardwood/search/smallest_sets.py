"""The smallest set of rows on which every stump of a column mistakes a given weight.

In: a `StumpColumn` and T, with no stump of the column mistaking less than T on all rows. Out: the
size of the smallest such set M, L_M >= T, as a `Bracket`, closed where it was found.

Two groups: the two stumps' mistakes are disjoint, so the heaviest mistakes of each that reach T are
the smallest set. More groups: a bracket (set_brackets.py), and where that is open and the rows are
of few kinds, an integer program (AAA18 sec. 4). Rows of the same group, class and
weight are alike, so a whole number z counts how many of them are in M. Minimise sum z, with a_gc
the weight of class c in group g, linear in z, and for each stump "mistakes >= T":

    numeric    d_g = d_(g-1) + a_g1 - a_g0, the excess of class 1 left of a cut;
               d_g + A_0 + b >= T and A_1 - d_g + b >= T at every cut, A the present groups' sums
               and b = a_0, then a_1, of the missing group (each of its classes is one more stump)
    category   t_g <= a_g0, t_g <= a_g1, S = sum t; the least over all two-sided labelings is the
               least over pairs g != h with g saying 0 and h saying 1:
               S + (a_g1 - t_g) + (a_h0 - t_h) >= T

Numerics: everything is divided by T. A single weight counts at most T, which changes no answer, and
at least 1e-8 T, which only makes sets smaller: HiGHS drops coefficients below 1e-9. Its tolerances
also only admit more sets, so its bound stays a lower bound. A solution that holds in integers is
the answer; where none does, because sets differ by less than 1e-6 T, the bound is. Presolve stays
off: with whole and continuous variables together it lost the optimum in 9 of 959 tiny programs
(HiGHS issues 3043 and 3073), and a lost optimum would be no lower bound.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import coo_matrix

from hardwood.search.set_brackets import Bracket, bracket
from hardwood.search.stump_columns import Integers, StumpColumn

_LEAST_COEFFICIENT = 1e-8
_TOLERANCE = 1e-6
_MOST_KINDS = 500
"""Of rows (group, class and weight). With 15,000 kinds and 50 groups the program proved 12,138 rows
in 20 seconds; the bracket is 13,139 to 13,142."""


def smallest_set(column: StumpColumn, least: int, time_limit: float | None) -> Bracket:
    """The fewest rows on which every stump of the column mistakes at least `least`; without a time
    limit, by no program."""
    if least == 0:
        return Bracket(0, 0)
    cells = 2 * column.all_groups() + column.examples.classes
    if column.n_groups == 2:
        weights = column.examples.weights
        one_way = (cells == 0) | (cells == 3)
        exact = _heaviest(weights[one_way], least) + _heaviest(weights[~one_way], least)
        return Bracket(exact, exact)
    found = bracket(column, least)
    if time_limit is None or found.lower == found.upper:
        return found
    kinds, counts = np.unique(
        np.stack([cells.astype(np.int64), column.examples.weights]), axis=1, return_counts=True
    )
    if len(counts) > _MOST_KINDS:
        return found
    return _by_program(column, kinds, counts, least, found, time_limit)


def _heaviest(weights: Integers, least: int) -> int:
    """How many of the weights, the heaviest first, reach `least`."""
    return int(np.searchsorted(weights.cumsum(), least)) + 1


def _by_program(
    column: StumpColumn,
    kinds: Integers,
    counts: Integers,
    least: int,
    known: Bracket,
    time_limit: float,
) -> Bracket:
    # All sums are multiples of the weights' common divisor: then so is what they must reach.
    unit = int(np.gcd.reduce(kinds[1]))
    least = -(-least // unit) * unit
    program = _Program(len(counts))
    sums = _sums_of_cells(program, kinds, least, column.n_groups)
    if column.ordered:
        _require_cuts(program, sums, column.missing)
    else:
        _require_labelings(program, sums)
    found = program.solve(counts, time_limit)
    if found.status == 0 and found.x is not None:
        chosen = np.rint(found.x[: len(counts)]).astype(np.int64)
        table = np.zeros(2 * column.n_groups, np.int64)
        np.add.at(table, kinds[0], chosen * kinds[1])
        if column.mistakes_of(table.reshape(-1, 2)) >= least:
            return Bracket(int(chosen.sum()), int(chosen.sum()))
    proved = known.lower
    if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
        proved = max(proved, math.ceil(found.mip_dual_bound - _TOLERANCE))
    return Bracket(min(proved, known.upper), known.upper)


def _sums_of_cells(program: _Program, kinds: Integers, least: int, groups: int) -> list[list[int]]:
    """Variables a_gc, in units of T."""
    sums = [[program.variable(), program.variable()] for _ in range(groups)]
    share = np.clip(kinds[1] / least, _LEAST_COEFFICIENT, 1.0)
    for cell in range(2 * groups):
        members = np.flatnonzero(kinds[0] == cell)
        terms = {int(z): float(share[z]) for z in members}
        program.require({**terms, sums[cell // 2][cell % 2]: -1.0}, 0.0, 0.0)
    return sums


def _require_cuts(program: _Program, sums: list[list[int]], missing: bool) -> None:
    present = sums[:-1] if missing else sums
    total = [program.variable(), program.variable()]
    for c in (0, 1):
        program.require({**{a[c]: 1.0 for a in present}, total[c]: -1.0}, 0.0, 0.0)
    absent = [{sums[-1][c]: 1.0} for c in (0, 1)] if missing else [{}]
    excess: dict[int, float] = {}
    for a in present[:-1]:
        d = program.variable(-math.inf)
        program.require({**excess, a[1]: 1.0, a[0]: -1.0, d: -1.0}, 0.0, 0.0)
        excess = {d: 1.0}
        for b in absent:
            program.require({d: 1.0, total[0]: 1.0, **b}, 1.0, math.inf)
            program.require({d: -1.0, total[1]: 1.0, **b}, 1.0, math.inf)
    if missing:
        program.require({total[0]: 1.0, **absent[1]}, 1.0, math.inf)
        program.require({total[1]: 1.0, **absent[0]}, 1.0, math.inf)


def _require_labelings(program: _Program, sums: list[list[int]]) -> None:
    least = [program.variable() for _ in sums]
    for t, a in zip(least, sums, strict=True):
        for c in (0, 1):
            program.require({t: -1.0, a[c]: 1.0}, 0.0, math.inf)
    total = program.variable()
    program.require({**dict.fromkeys(least, 1.0), total: -1.0}, 0.0, 0.0)
    for g, h in itertools.permutations(range(len(sums)), 2):
        program.require(
            {total: 1.0, sums[g][1]: 1.0, least[g]: -1.0, sums[h][0]: 1.0, least[h]: -1.0},
            1.0,
            math.inf,
        )


class _Program:
    """Minimise the sum of the first `counted` variables, which are whole, under linear rows."""

    def __init__(self, counted: int) -> None:
        self._counted = counted
        self._lowest = [0.0] * counted
        self._entries: list[tuple[int, int, float]] = []
        self._limits: list[tuple[float, float]] = []

    def variable(self, lowest: float = 0.0) -> int:
        self._lowest.append(lowest)
        return len(self._lowest) - 1

    def require(self, terms: dict[int, float], low: float, high: float) -> None:
        row = len(self._limits)
        self._entries += [(row, variable, factor) for variable, factor in terms.items()]
        self._limits.append((low, high))

    def solve(self, most: Integers, time_limit: float) -> OptimizeResult:
        size = len(self._lowest)
        row, variable, factor = (np.array(part) for part in zip(*self._entries, strict=True))
        matrix = coo_matrix((factor, (row, variable)), shape=(len(self._limits), size))
        highest = np.append(most, np.full(size - self._counted, math.inf))
        counted = np.arange(size) < self._counted
        low, high = np.array(self._limits).T
        return milp(
            counted.astype(np.float64),
            integrality=counted.astype(np.int64),
            bounds=Bounds(np.array(self._lowest), highest),
            constraints=LinearConstraint(matrix.tocsc(), low, high),
            options={"presolve": False, "mip_rel_gap": 0.0, "time_limit": time_limit},
        )
