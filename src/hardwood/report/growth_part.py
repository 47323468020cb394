"""How a tree grew and how a boosted model's rounds went, as curves with their bounds.

In: a fitted model; for the rounds also the table and its labels. Out: plain data for JSON. The
certificate's bound G(root) L^-gamma holds after every split, since its gamma is the least over all
splits; the papers' claims are drawn for binary trees only, where they too hold at every size.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.certify import Certificate
from hardwood.certify.claims import sharp_km_bound
from hardwood.report.answers import Codes, staged, trees_of
from hardwood.report.plain import plain_float, plain_floats
from hardwood.table import Table
from hardwood.table.sampled import SampledTable, spaced_rows
from hardwood.theory import e_gamma, size_bound
from hardwood.tree import training_error

POINTS = 300
"""Of a curve; longer ones are thinned, evenly on a logarithmic scale."""
STAGED_ANSWERS = 4_000_000
"""Most answers of single trees for the error after each round."""

_CLAIMED = {"hatano": size_bound, "product": e_gamma, "sharp-km": sharp_km_bound}


def thinned(count: int) -> NDArray[np.intp]:
    """At most about POINTS of 0..count-1, both ends included, dense at the start."""
    if count <= POINTS:
        return np.arange(count)
    return np.unique(np.geomspace(1, count, POINTS).astype(np.intp) - 1)


def growth_part(model: Any) -> dict[str, Any] | None:
    """Of a TreeClassifier with at least one split."""
    history, certificate = model.history_, model.certificate_
    splits = len(history["node"])
    if not splits:
        return None
    root_error = 1.0 - float(model.grown_tree_.shares[0].max())
    leaves = np.concatenate(([1], 1 + np.cumsum(history["branches"].astype(np.int64) - 1)))
    potential = np.concatenate(([certificate.root_potential], history["potential"]))
    error = np.concatenate(([root_error], history["error"]))
    kept = thinned(splits + 1)
    asked = thinned(splits)
    sizes = leaves[kept]
    return {
        "leaves": sizes.tolist(),
        "potential": plain_floats(potential[kept], 6),
        "error": plain_floats(error[kept], 6),
        "bound": plain_floats(_bounds(certificate, sizes), 6),
        "claims": _claims(certificate, sizes, bool((history["branches"] == 2).all())),
        "split": (asked + 1).tolist(),
        "advantage": plain_floats(history["advantage"][asked], 6),
        "relative_gain": plain_floats(history["relative_gain"][asked], 6),
        "least_advantage": plain_float(_least(history["advantage"]), 6),
        "least_relative_gain": plain_float(_least(history["relative_gain"]), 6),
    }


def certificate_part(model: Any) -> dict[str, Any]:
    certificate: Certificate = model.certificate_
    return {
        "criterion": certificate.criterion,
        "leaves": certificate.leaves,
        "gamma": plain_float(certificate.gamma),
        "potential": plain_float(certificate.potential),
        "bound": plain_float(certificate.bound),
        "error": plain_float(certificate.error),
        "holds": certificate.holds,
        "weighted": certificate.weighted,
        "claims": [
            [claim.name, plain_float(claim.gamma), plain_float(claim.bound)]
            for claim in certificate.claims
        ],
        "pruned_leaves": certificate.pruned_leaves,
        "pruned_error": certificate.pruned_error,
        "text": str(certificate),
        "tree_error": plain_float(training_error(model.tree_), 6),
    }


def rounds_part(model: Any, table: Table, codes: Codes | None) -> dict[str, Any]:
    """Of a boosted model; `here` is the error on the table after each round."""
    history = model.history_
    kept = thinned(len(history["error"]))
    part: dict[str, Any] = {
        "round": (kept + 1).tolist(),
        "error": plain_floats(history["error"][kept], 6),
        "advantage": plain_floats(history["advantage"][kept], 6),
        "bound": plain_floats(np.minimum(history["bound"], 1.0)[kept], 6),
        "stopped": str(history["stopped"][-1]) if len(history["stopped"]) else "",
        "here": None,
    }
    if codes is not None:
        most = int(np.clip(STAGED_ANSWERS // max(len(trees_of(model)), 1), 500, 20_000))
        rows = spaced_rows(table.n_rows, most)
        truth = codes[rows]
        after = [float(np.mean(each != truth)) for each in staged(model, SampledTable(table, rows))]
        places = thinned(len(after))
        part["here"] = plain_floats(np.array(after)[places], 6)
        part["here_round"] = (places + 1).tolist()
        part["here_rows"] = len(rows)
    return part


def _bounds(certificate: Certificate, sizes: NDArray[np.int64]) -> list[float]:
    if math.isinf(certificate.gamma):
        return [certificate.root_potential if size == 1 else 0.0 for size in sizes.tolist()]
    return [certificate.root_potential * size**-certificate.gamma for size in sizes.tolist()]


def _claims(certificate: Certificate, sizes: NDArray[np.int64], binary: bool) -> list[Any]:
    if not binary:
        return []
    root = certificate.root_potential
    return [
        [claim.name, plain_floats((root * bound(size, claim.gamma) for size in sizes.tolist()), 6)]
        for claim in certificate.claims
        if (bound := _CLAIMED.get(claim.name)) is not None
    ]


def _least(values: NDArray[Any]) -> float:
    known = values[~np.isnan(values)]
    return float(known.min()) if len(known) else math.nan
