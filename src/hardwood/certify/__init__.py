"""What a grown tree proves about itself: history, certificate and the papers' claims."""

from hardwood.certify.certificate import Certificate, certify
from hardwood.certify.check import check
from hardwood.certify.checking.ledger import Report
from hardwood.certify.claims import Claim
from hardwood.certify.history import history

__all__ = ["Certificate", "Claim", "Report", "certify", "check", "history"]
