"""Ground distances: by which distance groups are compared with others."""

from __future__ import annotations

from unlinkable.errors import SchemaError
from unlinkable.params import Choice
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.distribution_distance import DistributionDistance
from unlinkable.tables.models.shared.divergences import Hellinger, RelativeEntropy
from unlinkable.tables.models.shared.earth_mover import (
    EqualGround,
    HierarchicalGround,
    OrderedGround,
)
from unlinkable.tables.models.shared.given_distances import GivenDistances
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CountArray

__all__ = ["GroundDistance"]


class GroundDistance(Choice, noun="distance"):
    """How far apart the values of two sets of records are.

    The first four are the work of turning the one into the other, by how far apart two values are:
    the ground distance. A missing value has no place in an order, and in a taxonomy it stands
    directly under the root: its distance from every other value is 1. The others know nothing of
    values but their shares.
    """

    EQUAL = "equal"
    """Any two values are 1 apart. This is the variational distance."""
    ORDERED = "ordered"
    """The distance of their places among the m values that occur in the table, out of m - 1."""
    HIERARCHICAL = "hierarchical"
    """The height of the least common node of the taxonomy, out of the height of the root."""
    GIVEN = "given"
    """What a side table says."""
    VARIATIONAL = "variational"
    """Half the sum of |p - q|. This is the work with equal ground distance, by another name."""
    KL = "kl"
    """The sum of p log(p / q), in nats: how much there is to learn. It may be more than 1."""
    HELLINGER = "hellinger"
    """The root of 1 - sum sqrt(p q)."""

    @property
    def is_share(self) -> bool:
        """Whether it is never more than 1."""
        return self not in (GroundDistance.GIVEN, GroundDistance.KL)

    @property
    def plain(self) -> GroundDistance:
        """The distance by its first name."""
        return GroundDistance.EQUAL if self is GroundDistance.VARIATIONAL else self

    def prepare(
        self, column: str, hidden: Histogram, whole: CountArray, given: GivenDistances | None
    ) -> DistributionDistance:
        """Make the distance ready for a column, of which the table has these values.

        Raises
        ------
        SchemaError
            If the column has neither an order nor a taxonomy, and one is needed.
        DataError
            If a distance between values that occur is not given.
        """
        match self.plain:
            case GroundDistance.KL:
                return RelativeEntropy()
            case GroundDistance.HELLINGER:
                return Hellinger()
            case GroundDistance.ORDERED:
                return OrderedGround(whole > 0, _taxonomy(hidden).domain.missing)
            case GroundDistance.HIERARCHICAL:
                return HierarchicalGround(_taxonomy(hidden))
            case GroundDistance.GIVEN if given is not None:
                return given.ground(column, _taxonomy(hidden).domain, whole)
            case GroundDistance.GIVEN:
                raise SchemaError(
                    f"the distances between the values of {column!r} were not read: bind the "
                    "promise to a table, with its side table"
                )
        return EqualGround()


def _taxonomy(hidden: Histogram) -> Taxonomy:
    if hidden.taxonomy is None:
        raise SchemaError(
            "several columns that are counted together have neither an order nor a taxonomy: "
            "use the equal ground distance"
        )
    return hidden.taxonomy
