"""A certificate's own numbers as plain values, and a certificate from them.

In: a certificate, or its record with the tree as grown and the history of growth. Out: the other.
The evidence behind the papers' claims is not in the record: it follows from tree and history.
Invariant: a restored certificate has the same numbers, claims and text.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from hardwood.certify.certificate import Certificate
from hardwood.certify.claims import Evidence
from hardwood.certify.history import History
from hardwood.tree.arrays import Tree

RECORDED = tuple(field.name for field in fields(Certificate) if field.name != "evidence")
REQUIRED = tuple(
    field.name
    for field in fields(Certificate)
    if field.name in RECORDED and field.default is MISSING and field.default_factory is MISSING
)


def certificate_record(certificate: Certificate) -> dict[str, Any]:
    return {name: getattr(certificate, name) for name in RECORDED}


def restored_certificate(record: dict[str, Any], tree: Tree, history: History) -> Certificate:
    """`tree` is the tree as grown."""
    branches = history["branches"].astype(np.int64)
    evidence = Evidence(
        criterion=record["criterion"],
        tree=tree,
        root_potential=record["root_potential"],
        leaves=record["leaves"],
        nodes=history["node"],
        branches=branches,
        leaves_before=np.cumsum(branches - 1) - (branches - 2),
        relative_gain=history["relative_gain"],
        advantage=history["advantage"],
    )
    return Certificate(**record, evidence=evidence)
