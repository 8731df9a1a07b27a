"""Flat: a value as it is, or nothing."""

from __future__ import annotations

from attrs import frozen

from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder, stack
from unlinkable.tables.taxonomies.taxonomy import Taxonomy

__all__ = ["Flat"]


@frozen
class Flat(TaxonomyBuilder):
    """Keep a value or replace it by ``*``: the taxonomy of height 1.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> Flat().build(observe("sex", ["f", "m"])).height
    1
    """

    def build(self, observed: Observed) -> Taxonomy:
        return stack(observed.name, observed.domain, [])
