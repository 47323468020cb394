"""What a search must at least look at for a whole tree, from what each of its nodes needs.

In: for each node that was split, the rows needed of each column (`rows_needed` of the node's rows)
and the nodes below it. Out: assessments.

The tree is the same for every search that finds the best split of each node, so its nodes are
given. A search of the paper's kind looks at each node anew, and must look up at least

    sum over nodes v and columns k of need(v, k)

A search that remembers pays for a row and a column once, at whatever node: if R_k are the rows that
it looked up in column k, then at every node v the rows of R_k in v must suffice there, so at least
need(v, k). Nodes of which none lies below another share no row; so |R_k| is at least the sum of
need(v, k) over any such nodes. The largest sum comes from below:

    need*(v, k) = max(need(v, k), sum over the nodes u right below v of need*(u, k))

and the search needs sum over k of need*(root, k). It is between what the root needs and the sum
over all nodes, and never more than rows times columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardwood.search.stump_columns import Integers


def remembered_bound(needed: Integers, children: Sequence[Sequence[int]]) -> int:
    """Assessments of any search that remembers what it looked up at other nodes.

    needed: nodes by columns, node 0 the root. children: of each node, the nodes right below it,
    whose numbers are larger.
    """
    if len(needed) != len(children):
        raise ValueError(
            f"needed has {len(needed)} nodes and children {len(children)}; give one list of "
            "children for each node, empty where a node has none."
        )
    best = np.array(needed, np.int64)
    for node in reversed(range(len(best))):
        if any(not node < below < len(best) for below in children[node]):
            raise ValueError(
                f"Node {node} has the children {list(children[node])}; a child's number must be "
                f"larger than its parent's and below {len(best)}, the number of nodes."
            )
        below = best[list(children[node])].sum(axis=0)
        best[node] = np.maximum(best[node], below)
    return int(best[0].sum()) if len(best) else 0
