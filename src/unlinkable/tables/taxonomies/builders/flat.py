"""Flat: a value as it is, or nothing; and texts that mean nothing but themselves."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder, stack
from unlinkable.tables.taxonomies.taxonomy import ANY, Level, Taxonomy

__all__ = ["Flat", "Verbatim"]


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


@frozen
class Verbatim(TaxonomyBuilder):
    """Take every distinct text as a value, also one that looks like a published value.

    This is how a table is read that has been published already: ``*`` and ``[30-35)`` are texts
    that records share or do not share. Nothing is ever written with such a taxonomy.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> Verbatim().build(observe("age", ["*", "[30-35)"])).n
    2
    """

    def build(self, observed: Observed) -> Taxonomy:
        n = observed.domain.n
        values, root = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
        return Taxonomy(observed.domain, (Level(values), Level(root, (ANY,))))
