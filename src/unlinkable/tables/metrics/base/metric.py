"""Metric: a number for what a release is worth, or for what it has lost."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar, final

from unlinkable.errors import UnsupportedError
from unlinkable.registry import Registered, section_of
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.published import Generalized, Published
from unlinkable.typing import Progress

__all__ = ["Metric", "Purpose"]


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


class Metric(Registered, abc.ABC):
    """A number for what a release is worth, or for what it has lost.

    What the number means stands in the section *Range* of each metric's docstring.
    """

    entry_kind: ClassVar[str] = "metric"
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
    guides: ClassVar[bool] = False
    """Whether a search can be guided by it."""

    @property
    def monotone(self) -> bool:
        """Whether loss never falls when groups are merged, ranges widened or groups left out.

        Then the loss of a release bounds that of all coarser ones from below.
        """
        return False

    @property
    def prunes(self) -> bool:
        """Whether a search can leave out releases by it without measuring them."""
        return self.monotone

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

    @classmethod
    def facts(cls) -> Mapping[str, object]:
        """Say what the numbers of the metric mean, and what they can be used for.

        Examples
        --------
        >>> from unlinkable.tables.metrics import ILoss
        >>> facts = ILoss.facts()
        >>> facts["bounds"], facts["higher_is_better"], facts["guides"], facts["prunes"]
        ([0.0, 1.0], False, True, True)
        """
        made = cls()
        return {
            "purpose": cls.purpose.value,
            "range": section_of(cls, "Range"),
            "bounds": list(made.bounds),
            "higher_is_better": cls.higher_is_better,
            "guides": made.guides,
            "monotone": made.monotone,
            "prunes": made.prunes,
            "reads": [kind.kind for kind in made.reads],
        }
