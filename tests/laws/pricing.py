"""Multi-way trees under the rules and prices of the oracles."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hypothesis import strategies as st

from hardwood import TreeClassifier
from tests.oracles.topdown_m import Price
from tests.oracles.topdown_problem import Rules
from tests.tables.small import SmallTable


def prices(budget: int) -> st.SearchStrategy[Price]:
    return st.builds(
        Price,
        st.just(budget),
        st.sampled_from([None, None, 0.05, 0.5, 0.9]),
        st.sampled_from([None, None, 2, 3, 4, 6]),
    )


def fit(table: SmallTable, rules: Rules, price: Price, **more: Any) -> TreeClassifier:
    parameters = asdict(rules) | {"max_leaf_nodes": price.budget, "leaf_choice": "weight"}
    model = TreeClassifier(
        branching="multiway",
        price="log2" if price.gamma is None else "gamma",
        gamma=price.gamma,
        max_branches=price.max_branches,
        pruning=None,
        **parameters,
        **more,
    )
    return model.fit(table.X, table.y, sample_weight=table.sample_weight)
