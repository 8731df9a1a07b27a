"""What the estimators of uniqueness say, and whether they were made for a sample."""

from __future__ import annotations

from typing import Self

from attrs import frozen

from unlinkable.errors import ParameterError, UnsupportedError, unknown
from unlinkable.tables.models import Estimator, estimate_uniqueness
from unlinkable.typing import CountArray

__all__ = ["Estimated", "read_estimator"]

_SMALL = 0.1
"""Up to this fraction of the population a sample is small."""


@frozen
class Estimated:
    """What one estimator says.

    Attributes
    ----------
    estimator
        Which one.
    share
        The share of the people of the population who are unique; None without an estimate.
    is_fit
        Whether the sample is of the kind that it was made for.
    note
        Its condition, and what is the matter if it is not met.
    """

    estimator: Estimator
    share: float | None
    is_fit: bool
    note: str

    @classmethod
    def of(cls, people: CountArray, fraction: float, estimator: Estimator) -> Self:
        """Ask an estimator, and say whether it was made for this."""
        is_small = fraction <= _SMALL
        made_for, is_fit = {
            Estimator.PITMAN: ("made for fractions up to 0.1", is_small),
            Estimator.ZAYATZ: ("too high for fractions up to 0.1", not is_small),
            Estimator.SNB: ("made for fractions above 0.1", not is_small),
            Estimator.DANKAR: ("chooses among the others by the fraction", True),
        }[estimator]
        try:
            found = estimate_uniqueness(people, fraction, estimator)
        except UnsupportedError as error:
            return cls(estimator, None, False, str(error))
        if found.estimator is None:
            return cls(estimator, found.share, True, "settled by the table alone")
        return cls(estimator, found.share, is_fit, made_for)

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "estimator": self.estimator.value,
            "share": self.share,
            "fit": self.is_fit,
            "note": self.note,
        }


def read_estimator(value: Estimator | str) -> Estimator:
    """Read the name of an estimator.

    Raises
    ------
    ParameterError
        If there is no such estimator.

    Examples
    --------
    >>> read_estimator("snb")
    <Estimator.SNB: 'snb'>
    """
    known = {estimator.value: estimator for estimator in Estimator}
    if isinstance(value, Estimator):
        return value
    if not isinstance(value, str) or value not in known:
        raise ParameterError(unknown("estimator", value, known))
    return known[value]
