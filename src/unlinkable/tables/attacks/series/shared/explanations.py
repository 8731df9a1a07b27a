"""Explanation: which records of a victim's classes are excluded, release by release."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import define, frozen

from unlinkable.errors import ParameterError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.crack_candidates import Crack, crack_of
from unlinkable.tables.attacks.series.shared.record_classes import Classes, Numbers, new_since
from unlinkable.tables.data import ranges_together
from unlinkable.tables.data.reading import to_frame
from unlinkable.typing import CountArray

__all__ = ["CrackedGroup", "Explanation", "explain"]


@frozen
class CrackedGroup:
    """The records of a class with the same value.

    Attributes
    ----------
    value
        What they hide.
    n_records
        How many there are.
    cracks
        How many of them each attack strikes out, by its kind and the release that it compares with,
        from 1; those that strike out none are left out.
    left
        How many are left if all attacks are put together.
    """

    value: str
    n_records: int
    cracks: Mapping[tuple[Crack, int], int]
    left: int

    @property
    def crack_size(self) -> int:
        """How many are struck out."""
        return self.n_records - self.left

    def __str__(self) -> str:
        best: dict[Crack, int] = {}
        for (kind, _), size in self.cracks.items():
            best[kind] = max(best.get(kind, 0), size)
        how = ", ".join(f"{kind} strikes out {size}" for kind, size in best.items())
        return f"{self.value} {self.left} of {self.n_records}" + (f" ({how})" if how else "")


@define(frozen=True)
class Explanation:
    """The candidates of one victim after comparing releases.

    Attributes
    ----------
    who, since
        Who it is about, and the first release that has them, from 1.
    releases
        By the number of each release that has the victim, what their class there has of each value.
        None if no class of the release fits them: then they cannot be in it.
    names
        What releases are called, all of them.
    """

    who: Mapping[str, object]
    since: int
    releases: Mapping[int, tuple[CrackedGroup, ...] | None]
    names: tuple[str, ...]

    @property
    def is_possible(self) -> bool:
        """Whether such a person can be in the releases."""
        return all(groups is not None for groups in self.releases.values())

    @property
    def left(self) -> int:
        """How many records may be theirs; 0 if they cannot be in the releases."""
        groups = self.releases[len(self.names)]
        return sum(group.left for group in groups or ()) if self.is_possible else 0

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.who.items())
        lines = [
            f"somebody with {told} who is first in {self.names[self.since - 1]}: "
            + (f"{quantity(self.left, 'record')} left" if self.is_possible else "nobody")
        ]
        for number, groups in self.releases.items():
            name = self.names[number - 1]
            if groups is None:
                lines.append(f"{name}: no record fits")
                continue
            size = quantity(sum(group.n_records for group in groups), "record")
            lines.append(f"{name} ({size}): " + ", ".join(map(str, groups)))
        return "\n".join(lines)


def explain(series: Series, numbers: Numbers, who: Mapping[str, object], since: int) -> Explanation:
    """Follow one person through the releases.

    Raises
    ------
    ParameterError
        If there is no such release, or a column is not said.
    UnsupportedError
        If records have gone.
    """
    if not 1 <= since <= len(series):
        raise ParameterError(f"since must be one of the releases 1 to {len(series)}, got {since}")
    if missing := [name for name in series.quasi if name not in who]:
        raise ParameterError(f"say what the person has on {', '.join(map(repr, missing))}")
    known = {name: who[name] for name in series.quasi}
    mine = _classes_of(series, numbers, known)
    kept = range(since - 1, len(series))
    names = tuple(edition.name for edition in series.editions)
    if any(mine[release] < 0 for release in kept):
        found = {release + 1: None if mine[release] < 0 else () for release in kept}
        return Explanation(known, since, found, names)
    table = _counts(numbers, mine, since - 1)
    groups = {release + 1: _groups(series, numbers, table, since - 1, release) for release in kept}
    return Explanation(known, since, groups, names)


def _classes_of(series: Series, numbers: Numbers, who: Mapping[str, object]) -> list[int]:
    """Find the class of each release that holds the victim; -1 where none does."""
    fits = [np.ones(len(classes), bool) for classes in numbers.classes]
    person = to_frame({name: [value] for name, value in who.items()})[0]
    frames = [*(edition.target.frame for edition in series.editions), person]
    for name in series.quasi:
        taxonomies = [e.target.taxonomies.get(name) for e in series.editions]
        *shown, (lo, hi) = ranges_together(frames, name, taxonomies)
        for release, classes in enumerate(numbers.classes):
            first = np.zeros(len(classes), np.int64)
            first[classes.labels] = np.arange(classes.labels.size)
            covers = (shown[release][0] <= lo[0]) & (hi[0] <= shown[release][1])
            fits[release] &= covers[first] if first.size else False
    return [int(np.argmax(fit)) if fit.any() else -1 for fit in fits]


def _counts(numbers: Numbers, mine: list[int], since: int) -> dict[tuple[int, int], CountArray]:
    """Count by value the victim's records in each release, as far as each other one allows."""
    found = {}
    for release in range(since, len(mine)):
        whole = numbers.classes[release]
        own = _row(whole, whole.counts, mine[release], numbers.n_values)
        found[release, release] = own
        for other in range(len(mine)):
            if other < since:
                new = new_since(numbers.classes[other], whole, numbers.n_values)
                found[release, other] = np.minimum(
                    own, _row(whole, new, mine[release], numbers.n_values)
                )
            elif other != release:
                theirs = numbers.classes[other]
                seen = _row(theirs, theirs.counts, mine[other], numbers.n_values)
                found[release, other] = np.minimum(own, seen)
    return found


def _row(classes: Classes, amounts: CountArray, at: int, n_values: int) -> CountArray:
    found = np.zeros(n_values, np.int64)
    first, last = classes.indptr[at : at + 2]
    found[classes.values[first:last]] = amounts[first:last]
    return found


def _groups(
    series: Series,
    numbers: Numbers,
    table: Mapping[tuple[int, int], CountArray],
    since: int,
    release: int,
) -> tuple[CrackedGroup, ...]:
    least = np.min(list(table.values()), axis=0)
    own = table[release, release]
    found = []
    for value in np.flatnonzero(own).tolist():
        cracks = {
            (kind, other + 1): int(own[value] - counts[value])
            for (cracked, other), counts in table.items()
            if cracked == release and counts[value] < own[value]
            if (kind := crack_of(since, release, other)) is not None
        }
        text = _text(series, numbers, value)
        found.append(CrackedGroup(text, int(own[value]), cracks, int(least[value])))
    return tuple(sorted(found, key=lambda group: group.value))


def _text(series: Series, numbers: Numbers, value: int) -> str:
    """Say what a value is, of all columns that records are recognized by."""
    texts = []
    for name, codes in zip(numbers.columns, numbers.values[:, value], strict=True):
        texts.append(series.texts(name)[codes] or "missing")
    return ", ".join(texts) or "anything"
