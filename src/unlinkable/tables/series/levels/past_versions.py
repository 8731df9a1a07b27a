"""What must be known of earlier versions: their levels, and that the table did not change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.data import Frame, Table, codes_of, frame_of, numbers_of, texts_of
from unlinkable.tables.operations import kind_of
from unlinkable.tables.series.levels.versions import Version
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, CountArray

__all__ = ["VersionMemory"]

_LEVELS = "levels"
_VALUES = "values of "
_TRUTH = "truth of "
_AND = "\n"


@define(eq=False, frozen=True)
class VersionMemory:
    """What the policy knew when it last published.

    Attributes
    ----------
    levels
        For every version the number of its release, its retention, its deviation and its columns.
    frames
        All that was remembered, by name.
    """

    levels: tuple[tuple[int, str, str, Columns], ...]
    frames: Mapping[str, Frame]

    @classmethod
    def of(cls, past: Past) -> Self:
        """Read what was remembered.

        Raises
        ------
        UnsupportedError
            If earlier releases are no versions.
        """
        told = past.memory.get(_LEVELS)
        if told is None:
            if len(past):
                raise UnsupportedError(
                    "earlier releases of this history are no versions of a level: begin a history "
                    "of its own for versions"
                )
            return cls((), {})
        names = ("release", "retention", "deviation", "columns")
        rows = zip(*(texts_of(told, name).to_list() for name in names), strict=True)
        levels = tuple(
            (int(i), p or "", d or "", tuple((c or "").split(_AND))) for i, p, d, c in rows
        )
        return cls(levels, past.memory)

    def require_unchanged(self, request: Request, columns: Columns) -> None:
        """Refuse values, and lists of values, that are others than they were.

        Raises
        ------
        UnsupportedError
            If there are any.
        """
        table = request.table
        for name in columns:
            before, now = self.frames.get(_VALUES + name), _values(table, name)
            if before is not None and texts_of(before, "value").to_list() != now:
                raise UnsupportedError(
                    f"the values that column {name!r} may have are others than they were: versions "
                    "of different lists cannot stand in one chain. List all values by a tree or a "
                    "hierarchy file, from the first version on"
                )
            truth = self.frames.get(_TRUTH + name)
            if truth is None:
                continue
            known = _places(_people(truth), request.people)
            old = np.array(texts_of(truth, "value").to_list(), object)
            new = np.array(texts_of(table.frame, name).to_list(), object)
            changed = int((old[known[known >= 0]] != new[known >= 0]).sum())
            if changed:
                raise UnsupportedError(
                    f"column {name!r} has another value than before for "
                    f"{quantity(changed, 'person', 'people')}: a version of the new value "
                    "beside one of the old would tell more. Leave these people out, or begin a new "
                    "history"
                )

    def versions(self, request: Request, past: Past, columns: Columns) -> tuple[Version, ...]:
        """Take the earlier releases for versions of the records that are published now."""
        found = []
        for at, retention, deviation, replaced in self.levels:
            edition = past.editions[at]
            frame, people = edition.target.frame, edition.people
            assert people is not None
            names = [n for n in columns if n in replaced and n in frame.columns]
            numeric = [n for n in names if kind_of(request.table, n) is Kind.NUMBER]
            found.append(
                Version(
                    Fraction(retention) if retention else None,
                    float(Fraction(deviation)) ** 2 if deviation else None,
                    _places(people, request.people),
                    {
                        n: codes_of(frame, n, request.table.taxonomy(n).domain)
                        for n in names
                        if n not in numeric
                    },
                    {n: numbers_of(frame, n) for n in numeric},
                )
            )
        return tuple(found)

    def after(
        self, request: Request, columns: Columns, retention: str, deviation: str, at: int
    ) -> dict[str, Frame]:
        """Say what is to be known after one more version."""
        levels = [*self.levels, (at, retention, deviation, columns)]
        told = {
            "release": [str(i) for i, *_ in levels],
            "retention": [p for _, p, _, _ in levels],
            "deviation": [d for _, _, d, _ in levels],
            "columns": [_AND.join(names) for *_, names in levels],
        }
        frames = {**self.frames, _LEVELS: frame_of(told)}
        for name in columns:
            frames[_TRUTH + name] = self._truth(request, name)
            if (values := _values(request.table, name)) is not None:
                frames[_VALUES + name] = frame_of({"value": values})
        return frames

    def _truth(self, request: Request, name: str) -> Frame:
        """Add the values of people who were in no version before."""
        people = request.people
        values = texts_of(request.table.frame, name).to_list()
        truth = self.frames.get(_TRUTH + name)
        if truth is not None:
            new = np.flatnonzero(_places(_people(truth), people) < 0)
            values = [*texts_of(truth, "value").to_list(), *np.array(values, object)[new].tolist()]
            people = np.concatenate([_people(truth), people[new]])
        return frame_of({"person": people.astype(np.int64), "value": values})


def _values(table: Table, name: str) -> list[str | None] | None:
    """List the values that a column may have; None for numbers."""
    if kind_of(table, name) is Kind.NUMBER:
        return None
    domain = table.taxonomy(name).domain
    return [None if code == domain.missing else domain.text(code) for code in range(domain.n)]


def _people(truth: Frame) -> CountArray:
    return numbers_of(truth, "person").astype(np.int64)


def _places(people: CountArray, wanted: CountArray) -> CountArray:
    """Find where each of some people is among others; -1 if nowhere."""
    n = int(max(people.max(initial=-1), wanted.max(initial=-1))) + 1
    place = np.full(n, -1, np.int64)
    place[people[people >= 0]] = np.flatnonzero(people >= 0)
    return place[wanted]
