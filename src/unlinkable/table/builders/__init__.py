"""Rules that make taxonomies."""

from __future__ import annotations

from unlinkable.table.builders.automatic import Auto
from unlinkable.table.builders.base import Observed, TaxonomyBuilder
from unlinkable.table.builders.flat import Flat

__all__ = ["Auto", "Flat", "Observed", "TaxonomyBuilder"]
