"""From a table to a verified release."""

from __future__ import annotations

from unlinkable.release.anonymize import BrokenPromiseError, anonymize
from unlinkable.release.check import check
from unlinkable.release.choosing import Balance, choose_k
from unlinkable.release.compare import compare
from unlinkable.release.comparison import Compared, Comparison
from unlinkable.release.evidence import Evidence, Finding
from unlinkable.release.generalized import GeneralizedRelease
from unlinkable.release.masked import MaskedRelease
from unlinkable.release.opened import Bundle, open_bundle
from unlinkable.release.plan import Plan
from unlinkable.release.release import Release
from unlinkable.release.statement import Statement
from unlinkable.release.verification import Verification, verify

__all__ = [
    "Balance",
    "BrokenPromiseError",
    "Bundle",
    "Compared",
    "Comparison",
    "Evidence",
    "Finding",
    "GeneralizedRelease",
    "MaskedRelease",
    "Plan",
    "Release",
    "Statement",
    "Verification",
    "anonymize",
    "check",
    "choose_k",
    "compare",
    "open_bundle",
    "verify",
]
