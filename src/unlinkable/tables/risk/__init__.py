"""How much a table gives away, before anything is done to it and after."""

from __future__ import annotations

from unlinkable.tables.risk.assessment import Assessment, assess
from unlinkable.tables.risk.describe import ColumnProfile, Description, describe
from unlinkable.tables.risk.shared.exposure import Exposure, exposure
from unlinkable.tables.risk.shared.individual import individual_risk
from unlinkable.tables.risk.quasi_identifier_search import ColumnSet, QuasiIdentifierSearch
from unlinkable.tables.risk.re_identification import ReIdentification, ReIdentified
from unlinkable.tables.risk.risk_report import RiskReport
from unlinkable.tables.risk.safe_harbor import Flag, IdentifierKind, safe_harbor
from unlinkable.tables.risk.special_uniques import SpecialUniques
from unlinkable.tables.risk.shared.specials import Specials
from unlinkable.tables.risk.uniqueness import Uniqueness, Uniques

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
