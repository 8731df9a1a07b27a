"""From a table to a verified release."""

from __future__ import annotations

from unlinkable.tables.publishing.anonymizing.anonymize import BrokenPromiseError, anonymize
from unlinkable.tables.publishing.judging.check import check
from unlinkable.tables.publishing.comparing.choosing import Balance, choose_k
from unlinkable.tables.publishing.comparing.compare import compare
from unlinkable.tables.publishing.comparing.comparison import Compared, Comparison
from unlinkable.tables.publishing.judging.evidence import Evidence, Finding
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.bundles.opened import Bundle, open_bundle
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.release.plan.statement import Statement
from unlinkable.tables.publishing.judging.verification import Verification, verify

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
