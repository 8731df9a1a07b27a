"""Ready-made: a taxonomy that has been built before."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen

from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import BoolArray

__all__ = ["ReadyMade"]


@frozen(eq=False)
class ReadyMade(TaxonomyBuilder):
    """Use a taxonomy as it is, for values that it has.

    Parameters
    ----------
    taxonomy
        The taxonomy.
    is_listed
        Which of its values are there whatever the records have; all of them if not given.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> letters = Flat().build(observe("letter", ["a", "b", "c"]))
    >>> ReadyMade(letters).build(observe("letter", ["b"])) is letters
    True
    """

    taxonomy: Taxonomy
    is_listed: BoolArray | None = field(default=None, repr=False)

    def listed(self, taxonomy: Taxonomy) -> BoolArray:
        return np.ones(taxonomy.n, bool) if self.is_listed is None else self.is_listed.copy()

    def build(self, observed: Observed) -> Taxonomy:
        unlisted = int((self.taxonomy.domain.find(observed.domain) < 0).sum())
        if unlisted:
            raise TaxonomyError(
                f"column {observed.name!r} holds {unlisted} value(s) that the taxonomy it is "
                "to be read with does not have"
            )
        return self.taxonomy
