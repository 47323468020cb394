"""Top-down growth (Kearns & Mansour 1996, Fig. 1) over parts: the coordinator's loop.

In: a team whose parts stand at the root, and the rules of the core's grower. Out: the arrays that
the core's grower would return, to the bit. Leaves are expanded ahead of their turn, many in one
round trip; splits are committed strictly in order, so the tree does not depend on how many.

A round trip to expand leaves carries their splits and brings back histograms of all children but
the heaviest, which is what they leave of the parent; further ones open buckets (`leaf_search`).
Splits whose children need no search travel with whatever is asked next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood._core import BranchPrices, GrowthOptions
from hardwood.distributed import conditions
from hardwood.distributed.codebooks import BUCKETED, CodePlan
from hardwood.distributed.frontier import Frontier
from hardwood.distributed.leaf import Cells, Leaf
from hardwood.distributed.leaf_search import LeafSearch, Question
from hardwood.distributed.messages import Answer, KeySums, Message
from hardwood.distributed.team import Team
from hardwood.distributed.tree_record import TreeRecord

MOST_CELLS = 1 << 23  # of the histograms that one round trip asks for, about
WORK_AHEAD = 1 << 27  # rows x columns that may be looked at in vain in one round trip


def open_listed(nodes: list[int], plan: CodePlan) -> Message:
    """The request for all sums of listed columns."""
    return "open", [(node, c, []) for node in nodes for c in plan.listed]


@dataclass(frozen=True)
class Root:
    """All rows that the tree sees: sums per class, examples where they are counted, histogram, and
    the sums of listed columns."""

    weights: list[float]
    examples: float | None
    rows: int
    cells: Cells
    listed: dict[int, KeySums]


class Grower:
    def __init__(
        self,
        team: Team,
        plan: CodePlan,
        options: GrowthOptions,
        allowed: NDArray[np.uint8] | None = None,
    ) -> None:
        self._team = team
        self._plan = plan
        self._options = options
        self._search = LeafSearch(plan, options, allowed, self._opened)
        self._listed = [c for c in plan.listed if allowed is None or allowed[c]]
        self._numbers = 1  # names of nodes given so far
        self._frontier = Frontier()
        self._leaves = 0
        self._done = False
        self._nodes: list[Leaf] = []  # of the tree, in order
        self.searched_rows = 0  # of nodes where a split was sought
        self.each_split: Callable[[int], None] | None = None  # told the number of leaves
        self._unsent: list[Leaf] = []  # split leaves that the parts do not know of yet
        self._prices = None
        if options.multiway:
            self._prices = BranchPrices(options.gamma, options.max_branches, options.max_leaves)

    def run(self, root: Root) -> dict[str, NDArray[Any]]:
        """Grow; splits that `flush` has still to send leave their thresholds open."""
        self._classes = len(root.weights)
        self.record = TreeRecord(self._plan, self._classes)
        first = self._search.root(root.weights, root.examples, root.rows)
        if self._options.max_leaves != 1 and self._search.may_split(first):
            first.cells = root.cells
            first.listed = {c: root.listed[c] for c in self._listed}
            self._search.run([first], keep=self._wide())
        self._join(first, -1)
        self.record.note_path()
        self._grow()
        self._done = True
        return self.record.arrays()

    def _grow(self) -> None:
        wide_before = self._wide()
        while self._frontier and self._room() > 0:
            if wide_before and not self._wide():
                wide_before = False
                self._frontier.keep_splits()
                continue
            leaf = self._frontier.first
            if wide_before and leaf.children is None and not self._choose(leaf):
                self._frontier.pop()
                continue
            if leaf.children is None:
                self._expand(self._next_leaves())
            self._commit()

    def _choose(self, leaf: Leaf) -> bool:
        """Whether a leaf whose turn it is can be split, now also in more than two."""
        assert self._prices is not None
        widest = self._prices.widest(self._leaves)
        prices = [0.0, 0.0, *(self._prices.price(k) for k in range(2, widest + 1))]
        return self._search.choose_branching(leaf, prices)

    # The frontier

    def _wide(self) -> bool:
        return self._prices is not None and self._prices.widest(max(self._leaves, 1)) > 2

    def _room(self) -> int:
        most = self._options.max_leaves
        return most - self._leaves if most else self._leaves + 1

    def _next_leaves(self) -> list[tuple[Leaf, bool]]:
        """Leaves to expand now, each with whether its children may be split in turn: the one whose
        turn it is, and those that follow as far as can be foreseen."""
        first, room = self._frontier.first, self._room()
        if self._wide():
            arity = first.wide["arity"] if first.wide else 2
            return [(first, room != arity - 1)]
        most = max(1, MOST_CELLS // max(self._plan.core.total * self._classes, 1))
        chosen = [(first, room != 1)]
        work = 0
        for leaf in self._frontier.foreseen(room if self._options.max_leaves else None):
            own = leaf.rows * len(self._plan.codes)
            if leaf is first or (self._options.max_leaves and work + own > WORK_AHEAD):
                continue
            work += own
            chosen.append((leaf, True))
            if len(chosen) >= most:
                break
        return chosen

    def _join(self, leaf: Leaf, parent: int) -> None:
        leaf.node = self.record.add_leaf(parent, leaf.depth, leaf.weights, leaf.cost)
        self._nodes.append(leaf)
        if leaf.searched:
            self.searched_rows += leaf.rows
        self.record.set_rows(leaf.node, leaf.rows)
        self._leaves += 1
        if leaf.split is not None or (leaf.searched and self._wide()):
            self._frontier.push(leaf)

    def _commit(self) -> None:
        leaf = self._frontier.pop()
        assert leaf.condition is not None
        assert leaf.children is not None
        seen = (
            leaf.wide["missing_branch"] >= 0
            if leaf.wide
            else bool(leaf.split and leaf.split["missing_seen"])
        )
        self.record.split(leaf.node, leaf.condition, seen, leaf.exact)
        self._leaves -= 1
        for child in leaf.children:
            self._join(child, leaf.node)
        self.record.note_path()
        self._set_cuts(leaf)
        if self.each_split is not None:
            self.each_split(self._leaves)

    # Round trips

    def flush(
        self, requests: list[Message] | None = None, more: list[Message] | None = None
    ) -> Answer:
        """Send the splits that the parts do not know of yet, then more events and requests."""
        unsent, self._unsent = self._unsent, []
        if self._done:  # splits whose turn never came are of no use any more
            unsent = [leaf for leaf in unsent if leaf.children and leaf.children[0].node >= 0]
        splits = [
            (leaf.number, leaf.condition, [child.number for child in leaf.children or []])
            for leaf in unsent
        ]
        events: list[Message] = [("split", splits)] if splits else []
        answer = self._team.ask([*events, *(more or [])], requests or [])
        if splits:
            self._note_splits(unsent, *(told.tolist() for told in answer.events[0]))
        return Answer(answer.events[len(events) :], answer.requests)

    def _opened(self, questions: list[Question]) -> Any:
        return self.flush([("open", questions)]).requests[0]

    def _note_splits(
        self,
        leaves: list[Leaf],
        rows: list[int],
        examples: list[int],
        low: list[int],
        high: list[int],
    ) -> None:
        """What the parts tell of splits: rows and examples of all children, keys beside cuts."""
        at = 0
        for i, leaf in enumerate(leaves):
            leaf.beside, leaf.sent = (low[i], high[i]), True
            assert leaf.children is not None
            for child in leaf.children:
                child.rows, child.examples = rows[at], float(examples[at])
                at += 1
                if child.node >= 0:
                    self.record.set_rows(child.node, child.rows)
            if leaf.node >= 0 and leaf.children[0].node >= 0:
                self._set_cuts(leaf)

    def parts_names(self, node: int) -> list[int]:
        """Where the parts have the rows of a leaf: below it if it was expanded in vain."""
        names, below = [], [self._nodes[node]]
        while below:
            leaf = below.pop()
            if leaf.children is None or not leaf.sent:
                names.append(leaf.number)
            else:
                below.extend(leaf.children)
        return names

    def _set_cuts(self, leaf: Leaf) -> None:
        """The values on the two sides of each cut, as far as they are known."""
        assert leaf.condition is not None
        column, cuts = leaf.condition[0], leaf.condition[2]
        if not cuts:
            return
        code = self._plan.codes[column]
        bucketed = code.coding == BUCKETED
        if leaf.wide is not None:
            pairs = list(zip(leaf.wide["lower"], leaf.wide["upper"], strict=True))
        elif bucketed:
            if leaf.beside is None:
                return
            pairs = [leaf.beside]
        else:
            assert leaf.split is not None
            pairs = [(leaf.split["group"], leaf.split["next_group"])]
        for place, (low, high) in enumerate(pairs):
            if not bucketed:
                low, high = int(code.keys[low]), int(code.keys[high])
            self.record.set_cut(leaf.node, place, low, high)

    def _expand(self, batch: list[tuple[Leaf, bool]]) -> None:
        needed: list[Leaf] = []
        asked: dict[Leaf, Leaf] = {}  # children whose histogram is asked for, with their parent
        for leaf, more_to_come in batch:
            self._divide(leaf)
            assert leaf.children is not None
            needs = [more_to_come and self._search.may_split(child) for child in leaf.children]
            needed.extend(c for c, need in zip(leaf.children, needs, strict=True) if need)
            asked.update((child, leaf) for child in self._to_ask(leaf, needs))
            self._unsent.append(leaf)
        if needed:
            self._search_all(needed, asked)

    def _divide(self, leaf: Leaf) -> None:
        weights = leaf.branch_weights()
        sums = [sum(own) for own in weights]
        default = sums.index(max(sums))
        make = conditions.of_branching if leaf.wide is not None else conditions.of_candidate
        leaf.condition = make(self._plan, leaf.wide or leaf.split or {}, default)
        leaf.children = []
        for own in weights:
            leaf.children.append(self._search.leaf(self._numbers, own, leaf.depth + 1))
            self._numbers += 1

    def _to_ask(self, leaf: Leaf, needs: list[bool]) -> list[Leaf]:
        children = leaf.children or []
        heaviest = max(range(len(children)), key=lambda i: (children[i].weight, i))
        by_rest = needs[heaviest] and leaf.cells is not None
        return [
            child
            for i, child in enumerate(children)
            if (needs[i] or by_rest if i != heaviest else needs[i] and not by_rest)
        ]

    def _search_all(self, needed: list[Leaf], asked: dict[Leaf, Leaf]) -> None:
        """Find the best splits of leaves: histograms first, then the buckets that could win."""
        children = list(asked)
        names = [child.number for child in children]
        listed: list[Message] = [(leaf.number, c, []) for leaf in needed for c in self._listed]
        answer = self.flush([("histograms", names), ("open", listed)])
        histograms, sums = answer.requests
        cells = [histograms.cells(i) for i in range(len(children))]
        self._take_histograms(children, asked, needed, cells)
        for i, leaf in enumerate(needed):
            own = enumerate(self._listed, i * len(self._listed))
            leaf.listed = {c: (sums, at) for at, c in own}
        split = [leaf for leaf in needed if self._search.may_split(leaf)]
        self._search.run(split, keep=self._wide())

    def _take_histograms(
        self,
        children: list[Leaf],
        asked: dict[Leaf, Leaf],
        needed: list[Leaf],
        cells: list[Cells],
    ) -> None:
        for child, own in zip(children, cells, strict=False):
            child.cells = own
        for parent in dict.fromkeys(asked.values()):
            kin = parent.children or []
            rest = [child for child in kin if child not in asked]
            if len(rest) == 1 and rest[0] in needed and parent.cells is not None:
                rest[0].cells = parent.cells.copy()
                for child in kin:
                    if child is not rest[0]:
                        assert child.cells is not None
                        rest[0].cells -= child.cells
            parent.cells = None
        for child in children:
            if child not in needed:
                child.cells = None
