"""What a grown tree proves about itself: history, certificate and the papers' claims."""

from hardwood.certify.boosted_diagnosis import diagnose_rounds
from hardwood.certify.certificate import Certificate, certify
from hardwood.certify.check import check
from hardwood.certify.checking.ledger import Report
from hardwood.certify.claims import Claim
from hardwood.certify.diagnosis import Diagnosis
from hardwood.certify.history import history
from hardwood.certify.tree_diagnosis import diagnose_tree

__all__ = [
    "Certificate",
    "Claim",
    "Diagnosis",
    "Report",
    "certify",
    "check",
    "diagnose_rounds",
    "diagnose_tree",
    "history",
]
