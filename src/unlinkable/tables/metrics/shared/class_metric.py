"""Class metrics: what numbers about the class of records have in common.

A class is what recipients want to predict from the quasi-identifier: who earns much, who falls ill.
Records are counted, whatever they weigh, and a missing class is a class like any other.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve, field, frozen

from unlinkable.errors import SchemaError, unknown
from unlinkable.kernels.queries import bits_told
from unlinkable.params import Choice
from unlinkable.release import Measurement
from unlinkable.tables.data import Role, Schema
from unlinkable.tables.groups import POPULATION_PREFIX, Histogram
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.base.metric import Purpose
from unlinkable.tables.metrics.base.published import Generalized, Published
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = ["ClassCounts", "ClassMetric", "Gain", "TradeOff", "anonymity", "bits_beyond", "entropy"]

_TELLS_NOTHING = (Role.IDENTIFIER, Role.OWNER, Role.GUARD, Role.WEIGHT)


@define(eq=False, frozen=True)
class ClassCounts:
    """How many records of each class there are: in the groups, left out, and in all.

    Attributes
    ----------
    groups
        The classes in each published group.
    left_out
        Number of suppressed records, by class.
    """

    groups: Histogram
    left_out: CountArray

    @property
    def whole(self) -> Histogram:
        """The classes in the original table, as a single row."""
        counts = self.groups.total + self.left_out
        values = np.flatnonzero(counts).astype(np.int32)
        indptr = np.array([0, values.size], np.int64)
        return evolve(self.groups, indptr=indptr, values=values, counts=counts[values])

    @property
    def n_records(self) -> int:
        """Number of records of the original table."""
        return int(self.groups.counts.sum() + self.left_out.sum())


class ClassMetric(GroupMetric):
    """A number that depends on which classes the records of each group have."""

    purpose: ClassVar[Purpose] = Purpose.SPECIAL
    makes_no_sense: ClassVar[str] = "it counts the classes of records that look alike"

    @property
    @abc.abstractmethod
    def target(self) -> str | None:
        """The column with the class; None until the metric is bound to a table."""

    @abc.abstractmethod
    def found(self, shown: Shown) -> Measurement:
        """Measure what a release shows, and give the numbers that the result is made of."""

    def value(self, shown: Shown) -> float:
        return self.found(shown).value

    def details(self, shown: Shown) -> dict[str, float]:
        return dict(self.found(shown).details)

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        assert isinstance(published, Generalized)
        return self.bind(published.original.schema).found(published.shown)

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return frozenset({(self._column_of(schema),)})

    def bind(self, schema: Schema) -> Self:
        renew: Callable[..., Self] = evolve
        return renew(self, target=self._column_of(schema))

    def counts(self, shown: Shown) -> ClassCounts:
        """Count the classes of the records of each group.

        Raises
        ------
        SchemaError
            If several columns were counted and none was named.
        UnsupportedError
            If the class was not counted.
        """
        return ClassCounts(*shown.hidden((self.column(shown),)))

    def column(self, shown: Shown) -> str:
        """Give the column with the class: the one that was named, or else counted.

        Raises
        ------
        SchemaError
            If none was named, and more or less than one counted.
        """
        if self.target is not None:
            return self.target
        owner = shown.finest.owner
        counted = sorted(names[0] for names in shown.finest.histograms if len(names) == 1)
        known = [c for c in counted if c != owner and not c.startswith(POPULATION_PREFIX)]
        return self._only(known, "were counted")

    def _column_of(self, schema: Schema) -> str:
        if self.target is None:
            known = schema.with_role(Role.TARGET) or schema.sensitive
            return self._only(known, "could be it")
        telling = [c.name for c in schema.columns if c.role not in _TELLS_NOTHING]
        if self.target not in telling:
            raise SchemaError(f"{unknown('class column', self.target, telling)} for {self}")
        return self.target

    def _only(self, known: Columns | list[str], what: str) -> str:
        if len(known) != 1:
            there = f"{', '.join(known)} {what}" if known else "no column has the role target"
            raise SchemaError(
                f"{self} is about a class that recipients want to tell, and {there}: name the "
                "column with target=..., or give one column the role target"
            )
        return known[0]


def bits_beyond(parts: Histogram, whole_of: CodeArray, wholes: Histogram) -> FloatArray:
    """Measure how many bits each part adds to what its whole says of the values of records.

    It is the sum of log2(p / q) over the records: p is the share of the record's value in the part,
    q that in row ``whole_of`` of the wholes. Parts with -1 tell nothing.
    """
    return bits_told(
        parts.indptr,
        parts.values,
        parts.counts,
        whole_of,
        wholes.indptr,
        wholes.values,
        wholes.counts,
    )


def entropy(counts: CountArray) -> float:
    """Measure in bits how uncertain a value is that occurs with these counts.

    Exactly 0 if all records have the same one.

    Examples
    --------
    >>> entropy(np.array([10, 10])), entropy(np.array([0, 7]))
    (1.0, 0.0)
    """
    met = counts[counts > 0]
    n = int(met.sum())
    return float((met * np.log2(n / met)).sum() / n) if n else 0.0


class Gain(Choice):
    """What counts as information."""

    INFORMATION = "information"
    """What groups say of the class, in bits."""
    DISTORTION = "distortion"
    """Steps that values are below the top of their taxonomies: for tables without a class."""


@frozen
class TradeOff(ClassMetric):
    """A number that weighs information against anonymity, the size of the smallest group."""

    purpose: ClassVar[Purpose] = Purpose.TRADE_OFF
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    makes_no_sense: ClassVar[str] = "it looks at the sizes of groups of records that look alike"

    gain: Gain = field(default=Gain.INFORMATION, converter=Gain)
    target: str | None = field(default=None, kw_only=True)

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return super().needs(schema) if self.gain is Gain.INFORMATION else frozenset()

    def bind(self, schema: Schema) -> Self:
        return super().bind(schema) if self.gain is Gain.INFORMATION else self


def anonymity(sizes: CountArray, n_records: int) -> int:
    """Give the size of the smallest group.

    If there is no group, nobody can be told from any of all records.
    """
    inhabited = sizes[sizes > 0]
    return int(inhabited.min()) if inhabited.size else n_records
