"""The artificial problem of Dietterich, Kearns & Mansour 1996, section 4: a random decision list.

In: a seed and a number of rows. Out: 0/1 columns and labels. The paper names neither its list nor
its columns, and gives two sizes that exclude each other (500 examples; 2 % are 100). Ours was
chosen to have errors and splits of the order of theirs, after 19 other settings had been looked at:
40 columns, 2,500 rows, 20 rules of two to four literals, each answering 1 with probability .25, and
0 when no rule applies. That its errors are near the paper's is therefore no evidence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

COLUMNS, RULES, LITERALS, ONES = 40, 20, (2, 4), 0.25


def draw_list(seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64], int]]:
    """Rules in order: columns, the values they must have, and the answer."""
    rng = np.random.default_rng([1996, seed])
    rules = []
    for _ in range(RULES):
        length = int(rng.integers(LITERALS[0], LITERALS[1] + 1))
        columns = rng.choice(COLUMNS, length, replace=False)
        rules.append((columns, rng.integers(0, 2, length), int(rng.random() < ONES)))
    return rules


def answer(
    rules: list[tuple[NDArray[np.int64], NDArray[np.int64], int]], X: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The answer of the first rule whose literals all hold."""
    y = np.zeros(len(X), dtype=np.int64)
    open_rows = np.ones(len(X), dtype=bool)
    for columns, values, label in rules:
        here = open_rows & (X[:, columns] == values).all(axis=1)
        y[here] = label
        open_rows &= ~here
    return y


def examples(seed: int, part: int, rows: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Uniform 0/1 rows with the answers of list `seed`; `part` 0 for training, 1 for testing."""
    rng = np.random.default_rng([2004, seed, part])
    X = rng.integers(0, 2, (rows, COLUMNS)).astype(np.float64)
    return X, answer(draw_list(seed), X)
