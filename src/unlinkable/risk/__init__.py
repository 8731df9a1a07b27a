"""How much a table gives away, before anything is done to it and after."""

from __future__ import annotations

from unlinkable.risk.assessment import Assessment, assess
from unlinkable.risk.describe import ColumnProfile, Description, describe
from unlinkable.risk.exposure import Exposure, exposure
from unlinkable.risk.individual import individual_risk
from unlinkable.risk.quasi_identifier_search import ColumnSet, QuasiIdentifierSearch
from unlinkable.risk.re_identification import ReIdentification, ReIdentified
from unlinkable.risk.risk_report import RiskReport
from unlinkable.risk.safe_harbor import Flag, IdentifierKind, safe_harbor
from unlinkable.risk.special_uniques import SpecialUniques
from unlinkable.risk.specials import Specials
from unlinkable.risk.uniqueness import Uniqueness, Uniques

__all__ = [
    "Assessment",
    "ColumnProfile",
    "ColumnSet",
    "Description",
    "Exposure",
    "Flag",
    "IdentifierKind",
    "QuasiIdentifierSearch",
    "ReIdentification",
    "ReIdentified",
    "RiskReport",
    "SpecialUniques",
    "Specials",
    "Uniqueness",
    "Uniques",
    "assess",
    "describe",
    "exposure",
    "individual_risk",
    "safe_harbor",
]
