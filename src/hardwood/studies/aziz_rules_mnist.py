"""`aziz-rules-mnist`: MNIST by the rules of the paper's program (AAA18, Tables 2 to 4 and 6)."""

from __future__ import annotations

from dataclasses import replace

from hardwood.studies.aziz_printed import RULE
from hardwood.studies.aziz_rules import BOTH
from hardwood.studies.aziz_rules import STUDY as RULES
from hardwood.studies.aziz_table3 import ALL_WAYS

STUDY = replace(
    RULES,
    name="aziz-rules-mnist",
    title="MNIST by the rules of the paper's runs (AAA18, Tables 2 to 4 and 6)",
    protocol=(
        "As in [aziz-rules](../aziz-rules/README.md), with trees of depth 4 on 780 columns, as in "
        "Table 1 of the paper. What the published searches assess is counted pair by pair, as they "
        f"ask for it, but had from sums by example. {RULE}"
    ),
    full={"runs": [["mnist pairs", 300, list(ALL_WAYS), BOTH]]},
    quick={"runs": [["mnist pairs", 2, ["AdaBoost"], ["adaptive"]]]},
)
