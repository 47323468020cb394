"""The smallest set of rows on which every stump of a column mistakes enough, between two numbers.

In: a `StumpColumn` and T, with no stump of the column mistaking less than T on all rows. Out: a
lower and an upper bound on the size of the smallest set M with L_M >= T, a few rows apart at most,
whatever the number of values (AAA18 sec. 4 has an integer program per column).

Few stumps bind. With stumps S = s_1 ... s_q only, rows that the same of them mistake are one type,
and of a type the heaviest are taken first. So what is sought is a number k_t of rows per type,

    minimise sum k_t   with, for each s,   sum over the types t that s mistakes of W_t(k_t) >= T

where W_t(k), the weight of the k heaviest rows of type t, is concave. The linear program over
straight pieces of W_t, refined where its prices say, gives k_t. Its prices p_s >= 0 give the lower
bound, as any prices do. With P_i the sum of p_s over the stumps that mistake row i:

    T sum_s p_s <= sum_{i in M} w_i P_i <= |M| + sum over all rows of max(0, w_i P_i - 1)

The k_t rounded up are a set; a stump outside S that mistakes too little on it joins S. When none is
left the set's size is the upper bound. Each k_t was rounded up by less than 1, so that the bounds
are nearer than the number of types.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from hardwood.search.stump_columns import Integers, StumpColumn

_MARGIN = 1e-7
"""By how much more than T a set shall weigh: HiGHS keeps its constraints to about 1e-9."""
_CLOSE = 0.01
_FIRST_PIECES = 9
_MOST_STEPS = 300
"""After which the bracket stays as wide as it is."""

Floats = NDArray[np.float64]
Stump = tuple[bool, ...]
"""Which groups it calls the second class."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """How many rows are needed: at least, and enough."""

    lower: int
    upper: int


def bracket(column: StumpColumn, least: int) -> Bracket:
    """Around the fewest rows on which every stump of the column mistakes at least `least`."""
    weights = column.examples.weights
    cells = 2 * column.all_groups() + column.examples.classes
    shares = np.minimum(weights / least, 1.0)
    # A stump and its reverse share no mistake, so that the set weighs at least 2 T.
    lower = int(np.searchsorted(weights.cumsum(), 2 * least)) + 1
    enough = column.rows_until(least)
    stumps = [stump for _, stump in best_stumps(column, _table(column, cells, weights))]
    prices = np.zeros(len(stumps))
    types = _Types(stumps, cells, shares, 2 * column.n_groups)
    ends = types.pieces(prices)
    for _ in range(_MOST_STEPS):
        found = types.solve(ends)
        if found is None:
            break
        prices = found.prices
        lower = max(lower, math.ceil(found.proved - _CLOSE))
        chosen = types.rank < np.ceil(found.counts - 1e-9)[types.type_of_row]
        told = best_stumps(column, _table(column, cells[chosen], weights[chosen]))
        short = [stump for mistakes, stump in told if mistakes < least]
        new = [stump for stump in short if stump not in stumps]
        if not short:
            enough = min(enough, int(chosen.sum()))
        if new:
            stumps += new
            prices = np.append(prices, np.zeros(len(new)))
            types = _Types(stumps, cells, shares, 2 * column.n_groups)
            ends = types.pieces(prices)
            continue
        finer = [np.union1d(a, b) for a, b in zip(ends, types.pieces(prices), strict=True)]
        if found.value - found.proved < _CLOSE or sum(map(len, finer)) == sum(map(len, ends)):
            break
        ends = finer
    return Bracket(min(lower, enough), enough)


def _table(column: StumpColumn, cells: NDArray[np.intp], weights: Integers) -> Integers:
    """Class weights of the groups, exact: all sums are below 2^53."""
    return np.bincount(cells, weights, 2 * column.n_groups).astype(np.int64).reshape(-1, 2)


def best_stumps(column: StumpColumn, table: Integers) -> list[tuple[int, Stump]]:
    """A stump that mistakes least where the groups have these class weights, and its mistakes; of
    an ordered column one for each class that the left side may be told."""
    said = _of_cuts(column, table) if column.ordered else [_of_categories(table)]
    other = table.sum(axis=1)
    found = []
    for stump in said:
        right = np.where(stump, table[:, 1], table[:, 0])
        found.append((int((other - right).sum()), tuple(bool(each) for each in stump)))
    return found


def _of_cuts(column: StumpColumn, table: Integers) -> list[NDArray[np.bool_]]:
    present = table[:-1] if column.missing else table
    lead = (present[:, 0] - present[:, 1])[:-1].cumsum()
    places = np.arange(len(present))
    found = []
    for second_left in (False, True):
        ahead = -lead if second_left else lead
        if len(ahead):
            left = places <= int(np.argmax(ahead))
            found.append(left if second_left else ~left)
    if not column.missing:
        return found
    heavier = bool(table[-1, 1] > table[-1, 0])
    alone = [np.full(len(present), told) for told in (False, True)]
    return [np.append(said, heavier) for said in found] + [
        np.append(said, not said[0]) for said in alone
    ]


def _of_categories(table: Integers) -> NDArray[np.bool_]:
    lead = table[:, 1] - table[:, 0]
    said = lead > 0
    if (lead > 0).all() or (lead <= 0).all():  # the one that costs least crosses
        least = int(np.argmin(abs(lead)))
        said[least] = not said[least]
    return said


class _Types:
    """Rows by the stumps that mistake them; a type's weights fall and are in units of T."""

    def __init__(
        self, stumps: list[Stump], cells: NDArray[np.intp], shares: Floats, n_cells: int
    ) -> None:
        said = np.array(stumps)
        every = np.arange(n_cells)
        mistaken = said[:, every // 2] != (every % 2 == 1)
        held = np.unique(cells)
        self.mistaken, of_held = np.unique(mistaken[:, held], axis=1, return_inverse=True)
        of_cell = np.zeros(n_cells, np.intp)
        of_cell[held] = of_held.reshape(-1)
        self.type_of_row = of_cell[cells]
        order = np.argsort(self.type_of_row, kind="stable")
        sizes = np.bincount(self.type_of_row, minlength=self.mistaken.shape[1])
        ends = sizes.cumsum()
        self.rank = np.empty(len(cells), np.intp)
        self.rank[order] = np.arange(len(cells)) - np.repeat(ends - sizes, sizes)
        self._weights = np.split(shares[order], ends[:-1])
        self._until = [np.append(0.0, weights.cumsum()) for weights in self._weights]

    def pieces(self, prices: Floats) -> list[NDArray[np.intp]]:
        """Per type, the counts between which W_t is taken as straight: evenly apart, and where a
        row's weight at these prices is what it costs."""
        ends = []
        for weights, price in zip(self._weights, prices @ self.mistaken, strict=True):
            even = np.linspace(0, len(weights), _FIRST_PIECES).astype(np.intp)
            ends.append(np.unique(np.append(even, _paying(weights, price))))
        return ends

    def solve(self, ends: list[NDArray[np.intp]]) -> _Solution | None:
        """The linear program over these pieces; without the margin where a stump mistakes just T on
        all rows. None if HiGHS finds no solution then either."""
        return self._program(ends, _MARGIN) or self._program(ends, 0.0)

    def _program(self, ends: list[NDArray[np.intp]], margin: float) -> _Solution | None:
        lengths, slopes, kinds = [], [], []
        for kind, (until, at) in enumerate(zip(self._until, ends, strict=True)):
            length = np.diff(at)
            lengths.append(length)
            slopes.append(np.diff(until[at]) / length)
            kinds.append(np.full(len(length), kind))
        length, slope, kind_of = (np.concatenate(part) for part in (lengths, slopes, kinds))
        found = linprog(
            np.ones(len(length)),
            A_ub=-(self.mistaken[:, kind_of] * slope),
            b_ub=np.full(len(self.mistaken), -1.0 - margin),
            bounds=[(0.0, float(most)) for most in length],
            method="highs",
        )
        if found.status != 0:
            return None
        prices = np.maximum(-found.ineqlin.marginals, 0.0)
        counts = np.bincount(kind_of, found.x, len(ends)).astype(np.float64)
        return _Solution(counts, prices, float(counts.sum()), self._proved(prices))

    def _proved(self, prices: Floats) -> float:
        """The lower bound that the prices give."""
        value = float(prices.sum())
        for weights, until, price in zip(
            self._weights, self._until, prices @ self.mistaken, strict=True
        ):
            more = _paying(weights, price)[0]
            value -= price * float(until[more]) - more
        return value


@dataclass(frozen=True, slots=True)
class _Solution:
    """counts: k_t; value: their sum; proved: what the prices prove."""

    counts: Floats
    prices: Floats
    value: float
    proved: float


def _paying(weights: Floats, price: float) -> tuple[int, int]:
    """How many rows of falling weight are worth more than 1 at this price, and at least 1."""
    worth = 1.0 / price if price > 0 else math.inf
    more = np.searchsorted(-weights, -worth, side="left")
    return int(more), int(np.searchsorted(-weights, -worth, side="right"))
