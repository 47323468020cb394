"""What is claimed about the model, and whether it was proved.

In: the model and claims, or what `certify.prove` gave for them. Out: plain data for JSON; values of
rows are texts.
"""

from __future__ import annotations

from typing import Any

from hardwood.certify import Proofs, Result, prove
from hardwood.certify.proving.results import value_text


def claims_part(model: Any, claims: Any) -> dict[str, Any]:
    proofs = claims if isinstance(claims, Proofs) else prove(model, claims)
    return {"summary": proofs.summary(), "results": [_plain(result) for result in proofs]}


def _plain(result: Result) -> dict[str, Any]:
    return {
        "claim": str(result.claim),
        "status": result.status,
        "explanation": result.explanation,
        "rows": [[[name, value_text(value)] for name, value in row.items()] for row in result.rows],
    }
