"""Rules that make taxonomies."""

from __future__ import annotations

from unlinkable.tables.taxonomies.builders.automatic import Auto
from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.csv_file import Csv
from unlinkable.tables.taxonomies.builders.dates import DatePart, Dates
from unlinkable.tables.taxonomies.builders.flat import Flat
from unlinkable.tables.taxonomies.builders.intervals import Intervals
from unlinkable.tables.taxonomies.builders.mask import Mask
from unlinkable.tables.taxonomies.builders.plan_form import builder_from_plan, to_plan
from unlinkable.tables.taxonomies.builders.tree import Tree

__all__ = [
    "Auto",
    "Csv",
    "DatePart",
    "Dates",
    "Flat",
    "Intervals",
    "Mask",
    "Observed",
    "TaxonomyBuilder",
    "Tree",
    "builder_from_plan",
    "to_plan",
]
