"""Random rows answered twice: by the reading of a model, and by the model.

Proofs rest on how the trees are read: cells, branches, leaves, sums. Before anything is proved,
rows drawn from the cells go down the trees here and through `predict_proba` there. Invariant: both
agree to the bit, or nothing is proved.
"""

from __future__ import annotations

import numpy as np

from hardwood.certify.proving.cells import cells_of
from hardwood.certify.proving.reading import Floats, Reading
from hardwood.certify.proving.walking import Ends, Walk, boxes
from hardwood.tree.arrays import Tree

ROWS = 16


def check_reading(reading: Reading) -> None:
    """A RuntimeError where the model does not answer as its trees were understood."""
    if reading.link == "one":
        return
    cells = cells_of(reading.trees, reading.schemas, {})
    draw = np.random.default_rng(0)
    picked = [[int(draw.integers(own.every.bit_length())) for own in cells] for _ in range(ROWS)]
    rows = [reading.row(cells, each) for each in picked]
    asked = reading.ask(rows) if reading.link == "shares" else reading.scores(rows)
    walks = {id(tree): Walk(tree, cells) for tree in reading.trees}
    mine = np.array([_read(reading, walks, each) for each in picked])
    if not np.array_equal(mine, asked):
        raise RuntimeError(
            "The model does not answer as its trees were read, so nothing can be proved about it. "
            "This is a fault of hardwood, or the model's arrays were changed by hand so that they "
            "contradict each other."
        )


def _read(reading: Reading, walks: dict[int, Walk], picked: list[int]) -> Floats:
    """Shares of a tree, scores of a sum."""

    def ends_of(tree: Tree) -> Ends:
        box = {column: 1 << picked[column] for column in tree.used_features}
        ((_, ends),) = boxes(walks[id(tree)], box)
        return ends

    if reading.link == "shares":
        ends = ends_of(reading.tree)
        total = np.zeros(len(reading.classes))
        for node, part in ends:
            total += part * reading.tree.shares[node]
        return total
    scores = np.zeros(reading.outputs)
    for each in reading.added:
        scores[each.output] += each.values[ends_of(each.tree)[0][0]]
    return scores
