"""Tables: reading, roles, values and their taxonomies."""

from __future__ import annotations

from unlinkable.table.builders import Auto, Flat, Observed, TaxonomyBuilder
from unlinkable.table.domain import Domain, Kind
from unlinkable.table.encoding import Numbered, observe
from unlinkable.table.schema import ColumnPlan, IdentifierTreatment, Role, Schema
from unlinkable.table.table import Table, table
from unlinkable.table.taxonomy import ANY, Attribute, Level, Taxonomy

__all__ = [
    "ANY",
    "Attribute",
    "Auto",
    "ColumnPlan",
    "Domain",
    "Flat",
    "IdentifierTreatment",
    "Kind",
    "Level",
    "Numbered",
    "Observed",
    "Role",
    "Schema",
    "Table",
    "Taxonomy",
    "TaxonomyBuilder",
    "observe",
    "table",
]
