"""What all measures of risk have in common."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import ClassVar

from unlinkable.errors import ParameterError
from unlinkable.registry import Registered

__all__ = ["Basis", "RiskMeasure", "fraction_of", "require_one"]


class Basis(Enum):
    """What a figure about the population rests on."""

    COUNTED = "counted"
    """The population was given."""
    WEIGHTS = "weights"
    """The table says how many people of the population each record stands for."""
    FRACTION = "fraction"
    """It was said which share of the population is in the table."""
    SETTLED = "settled"
    """The table alone settles it."""
    BOUND = "bound"
    """Nothing is known of the population: it is no worse than this."""

    @property
    def words(self) -> str:
        """The same for people."""
        return {
            Basis.COUNTED: "counted in the population",
            Basis.WEIGHTS: "estimated from the weights of the records",
            Basis.FRACTION: "estimated from the share of the population that is in the table",
            Basis.SETTLED: "settled by the table alone",
            Basis.BOUND: "bounded by the table, as nothing is known of the population",
        }[self]


class RiskMeasure(Registered):
    """A question about risk: a small frozen value whose fields say what is asked."""

    entry_kind: ClassVar[str] = "risk"


def require_one(
    name: str, fraction: Fraction | None, size: int | None, population: object | None
) -> None:
    """Refuse several things that say the same about the population.

    Raises
    ------
    ParameterError
        If more than one of them is given.
    """
    if sum(given is not None for given in (fraction, size, population)) > 1:
        raise ParameterError(
            f"{name} takes the fraction of the population, its size, or the population itself: "
            "give one of them"
        )


def fraction_of(fraction: Fraction | None, size: int | None, n_people: int) -> float | None:
    """Estimate which share of the population is in the table, if its size or share is known.

    Raises
    ------
    ParameterError
        If the population is smaller than the table.
    """
    if size is None:
        return None if fraction is None else float(fraction)
    if size < n_people:
        raise ParameterError(
            f"the population has {size:,} people, and the table has {n_people:,} of them: give the "
            "size of the whole population"
        )
    return n_people / size if n_people else 1.0
