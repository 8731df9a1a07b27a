"""Given: a taxonomy that has been made before."""

from __future__ import annotations

from attrs import frozen

from unlinkable.errors import TaxonomyError
from unlinkable.table.builders.base import Observed, TaxonomyBuilder
from unlinkable.table.taxonomy import Taxonomy

__all__ = ["Given"]


@frozen(eq=False)
class Given(TaxonomyBuilder):
    """Use a taxonomy as it is, for values that it has.

    Examples
    --------
    >>> from unlinkable.table import Flat, observe
    >>> letters = Flat().build(observe("letter", ["a", "b", "c"]))
    >>> Given(letters).build(observe("letter", ["b"])) is letters
    True
    """

    taxonomy: Taxonomy

    def build(self, observed: Observed) -> Taxonomy:
        found = self.taxonomy.domain.locate(observed.domain.values)
        unlisted = int((found < 0).sum())
        if unlisted or (observed.domain.has_missing and not self.taxonomy.domain.has_missing):
            raise TaxonomyError(
                f"column {observed.name!r} holds {unlisted or 1} value(s) that the taxonomy it is "
                "to be read with does not have"
            )
        return self.taxonomy
