"""What a grown tree proves about itself: history, certificate and the papers' claims; and what can
be proved about a finished model."""

from hardwood.certify.boosted_diagnosis import diagnose_rounds
from hardwood.certify.certificate import Certificate, certify
from hardwood.certify.check import check
from hardwood.certify.checking.ledger import Report
from hardwood.certify.claims import Claim
from hardwood.certify.diagnosis import Diagnosis
from hardwood.certify.history import history
from hardwood.certify.new_rows import TrueError
from hardwood.certify.prove import prove
from hardwood.certify.proving.results import Proofs, Result
from hardwood.certify.proving.statements import (
    Monotone,
    NeverTogether,
    NeverUses,
    SameAnswer,
    Within,
)
from hardwood.certify.tree_diagnosis import diagnose_tree

__all__ = [
    "Certificate",
    "Claim",
    "Diagnosis",
    "Monotone",
    "NeverTogether",
    "NeverUses",
    "Proofs",
    "Report",
    "Result",
    "SameAnswer",
    "TrueError",
    "Within",
    "certify",
    "check",
    "diagnose_rounds",
    "diagnose_tree",
    "history",
    "prove",
]
