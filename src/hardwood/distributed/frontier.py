"""Leaves that can be split, in the order of growth: largest priority first, then by number.

In: leaves as they join the tree. Out: the next one, and those that will follow as far as can be
foreseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from hardwood.distributed.leaf import Leaf

UNNUMBERED = 1 << 62  # leaves that are not in the tree yet come after those that are


class Frontier:
    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Leaf]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, leaf: Leaf) -> None:
        heappush(self._heap, (-leaf.priority, leaf.node, leaf))

    @property
    def first(self) -> Leaf:
        return self._heap[0][2]

    def pop(self) -> Leaf:
        return heappop(self._heap)[2]

    def keep_splits(self) -> None:
        """Forget leaves without a split in two."""
        self._heap = [each for each in self._heap if each[2].split is not None]
        heapify(self._heap)

    def foreseen(self, most: int | None) -> Iterator[Leaf]:
        """Leaves without children in the order of their splits, were there no others; where leaves
        have been expanded ahead, their children count as well. most: the splits to come; None
        where all leaves are split, whatever the order."""
        ahead = self._heap.copy()
        left = -1 if most is None else most
        while ahead and left:
            leaf = (ahead.pop() if most is None else heappop(ahead))[2]
            left -= 1
            if leaf.children is None:
                yield leaf
                continue
            for child in leaf.children:
                if child.split is None:
                    continue
                entry = -child.priority, UNNUMBERED + child.number, child
                if most is None:
                    ahead.append(entry)
                else:
                    heappush(ahead, entry)
