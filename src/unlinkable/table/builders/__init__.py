"""Rules that make taxonomies."""

from __future__ import annotations

from unlinkable.table.builders.automatic import Auto
from unlinkable.table.builders.base import Observed, TaxonomyBuilder
from unlinkable.table.builders.csv_file import Csv
from unlinkable.table.builders.dates import DatePart, Dates
from unlinkable.table.builders.flat import Flat
from unlinkable.table.builders.intervals import Intervals
from unlinkable.table.builders.mask import Mask
from unlinkable.table.builders.plan_form import builder_from_plan, to_plan
from unlinkable.table.builders.tree import Tree

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
