"""Cutting for the sake of targets as it is described, with exact numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import evolve

from tests.tables.methods.regions.by_definition import Literal, Region
from tests.tables.methods.regions.setting import Promised, Setting
from tests.witness.workload import error_of_parts
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.taxonomies import Domain, Kind

__all__ = [
    "Guided",
    "as_numbers",
    "classes_of",
    "error_left",
    "literal",
    "power_of_entropy",
]

Cut = tuple[Region, Region]


@dataclass(frozen=True)
class Guided(Literal):
    """Always the cut that leaves the least; of equal ones, as Mondrian chooses.

    ``left`` measures both halves of a cut.
    """

    left: Callable[[Cut], Any] = len

    def _halve(self, region: Region) -> Cut | None:
        cuts = [
            (self.left(cut), place, self._unevenness(cut), cut)
            for place, j in enumerate(self.by_width(region))
            for cut in self._all(region, j)
            if self._is_good(cut)
        ]
        return min(cuts, key=lambda found: found[:3], default=(None,))[-1]


def literal(
    setting: Setting,
    promise: Promised,
    left: Callable[[Cut], Any],
    *,
    strict: bool = True,
    followed: bool = False,
) -> Guided:
    """Set up the literal search."""
    plain = setting.literal(Mondrian(strict=strict), promise, [followed] * len(setting.attributes))
    return Guided(
        plain.points, plain.sizes, plain.axes, plain.keeps, plain.least, plain.strict, left=left
    )


def classes_of(
    setting: Setting, columns: Sequence[str], region: Region
) -> list[tuple[Hashable, ...]]:
    """List the values of the records of a region, of several columns together."""
    pairs = zip(setting.random.rows, setting.labels, strict=True)
    return [tuple(row[name] for name in columns) for row, at in pairs if at in set(region)]


def power_of_entropy(parts: Sequence[Sequence[Hashable]]) -> Fraction:
    """Two to the power of the entropy that parts leave, times records: n^n over all c^c.

    It is exact, and it rises with the entropy of equation 6.4.

    >>> power_of_entropy(["ab", "cc"])
    Fraction(4, 1)
    """
    power = Fraction(1)
    for part in parts:
        power *= len(part) ** len(part)
        for n in Counter(part).values():
            power /= n**n
    return power


def as_numbers(finest: Groups, name: str, numbers: Sequence[float]) -> Groups:
    """Take the values of a hidden column for numbers, by their codes."""
    old = finest.histograms[name,]
    assert old.taxonomy is not None
    domain = old.taxonomy.domain
    values = np.array(numbers[: domain.n_present])
    renamed = evolve(old.taxonomy, domain=Domain(Kind.NUMBER, values, domain.has_missing))
    new: Histogram = evolve(old, taxonomy=renamed)
    return evolve(finest, histograms={**finest.histograms, (name,): new})


def error_left(setting: Setting, name: str, numbers: Sequence[int], cut: Cut) -> Fraction:
    """Equation 6.5 over the halves of a cut, without the records whose number is missing."""
    domain = setting.finest.histograms[name,].taxonomy.domain  # type: ignore[union-attr]
    halves = [
        [
            numbers[domain.code_of(str(value))]
            for (value,) in classes_of(setting, [name], half)
            if value is not None
        ]
        for half in cut
    ]
    return error_of_parts([half for half in halves if half])
