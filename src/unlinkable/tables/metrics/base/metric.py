"""Metric: a number for what a release is worth, or for what it has lost."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar, final

from attrs import field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import write_call
from unlinkable.tables.metrics.base.published import Generalized, Published
from unlinkable.typing import Progress

__all__ = ["Measurement", "Metric", "Purpose"]


class Purpose(Enum):
    """What a number is good for."""

    GENERAL = "general"
    """Where it is not known what the release will be used for."""
    SPECIAL = "special"
    """For a use that is known: a class that recipients want to predict."""
    TRADE_OFF = "trade-off"
    """For weighing what is gained against what it costs in privacy."""
    TASK = "task"
    """For real work: a task is done on the release and on the original, and compared."""


@frozen
class Measurement:
    """What a metric gives for a release.

    Attributes
    ----------
    value
        The number.
    details
        The numbers that it is made of, by name: attributes, classifiers, bounds.
    """

    value: float
    details: Mapping[str, float] = field(factory=dict)


class Metric(abc.ABC):
    """A number for what a release is worth, or for what it has lost.

    What the number means stands in the section *Range* of each metric's docstring.
    """

    name: ClassVar[str]
    """What the metric is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""
    purpose: ClassVar[Purpose] = Purpose.GENERAL
    """What the number is good for."""
    higher_is_better: ClassVar[bool] = False
    """Whether more of it is better."""
    bounds: ClassVar[tuple[float, float | None]] = (0.0, 1.0)
    """The least and the greatest value; None if that depends on the table."""
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized,)
    """The kinds of releases that it makes sense for."""
    makes_no_sense: ClassVar[str] = "it measures how far values were generalized"
    """Why it makes no sense for the other kinds."""

    @final
    def measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        """Measure a release.

        Raises
        ------
        UnsupportedError
            If the metric makes no sense for this kind of release, or what it needs is not there.
        """
        if not isinstance(published, self.reads):
            kinds = " and ".join(kind.kind for kind in self.reads)
            raise UnsupportedError(
                f"{self} cannot measure a {published.kind} release: {self.makes_no_sense}; it "
                f"reads {kinds} releases"
            )
        return self._measure(published, progress)

    @abc.abstractmethod
    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        """Measure a release of a kind that this metric reads."""

    def __str__(self) -> str:
        return write_call(self)
