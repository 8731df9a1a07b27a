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
        unlisted = int((self.taxonomy.domain.find(observed.domain) < 0).sum())
        if unlisted:
            raise TaxonomyError(
                f"column {observed.name!r} holds {unlisted} value(s) that the taxonomy it is "
                "to be read with does not have"
            )
        return self.taxonomy
