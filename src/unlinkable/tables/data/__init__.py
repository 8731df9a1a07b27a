"""Tables: reading, roles, values and their taxonomies."""

from __future__ import annotations

from unlinkable.tables.taxonomies.builders import (
    Auto,
    Csv,
    DatePart,
    Dates,
    Flat,
    Intervals,
    Mask,
    Observed,
    TaxonomyBuilder,
    Tree,
    builder_from_plan,
    to_plan,
)
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.encoding import Numbered, observe
from unlinkable.tables.data.roles import AttributeRoles, ColumnRoles, table_of
from unlinkable.tables.data.schema import ColumnPlan, IdentifierTreatment, Role, Schema
from unlinkable.tables.data.table import Table, as_table, read
from unlinkable.tables.taxonomies.taxonomy import ANY, Attribute, Edges, Level, Taxonomy

__all__ = [
    "ANY",
    "Attribute",
    "AttributeRoles",
    "Auto",
    "ColumnPlan",
    "ColumnRoles",
    "Csv",
    "DatePart",
    "Dates",
    "Domain",
    "Edges",
    "Flat",
    "IdentifierTreatment",
    "Intervals",
    "Kind",
    "Level",
    "Mask",
    "Numbered",
    "Observed",
    "Role",
    "Schema",
    "Table",
    "Taxonomy",
    "TaxonomyBuilder",
    "Tree",
    "as_table",
    "builder_from_plan",
    "observe",
    "read",
    "table_of",
    "to_plan",
]
