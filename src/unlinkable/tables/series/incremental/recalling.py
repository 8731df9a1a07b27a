"""Recalling: the history table of every sensitive column, kept from release to release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from attrs import define

from unlinkable.tables.attacks.series import Edition, Series
from unlinkable.tables.data import Frame, texts_of
from unlinkable.tables.series.incremental.inferable import Inferable
from unlinkable.tables.series.incremental.whereabouts import Whereabouts
from unlinkable.tables.series.policy import Past

__all__ = ["Recalled", "memorized", "recalled", "stored"]


@define(eq=False, frozen=True)
class Recalled:
    """The history table of one sensitive column.

    Attributes
    ----------
    known
        When everybody came, what he may have, and where he lies (TS, IS and IQ).
    followed
        Who was together with whom, and what he can have by following records.
    """

    known: Inferable
    followed: Whereabouts

    @classmethod
    def empty(cls) -> Self:
        """Give what is known before anything is published: nothing."""
        return cls(Inferable.empty(), Whereabouts.empty())

    def updated(self, edition: Edition, column: str) -> Self:
        """Take in one more release. No other one is looked at."""
        alone, target = Series((edition,)), edition.target
        (sheet,), texts = alone.sheets(column), alone.texts(column)
        # As texts: what is a number here may be a range in the next release.
        shown = target.frame.select(texts_of(target.frame, name) for name in target.quasi)
        return type(self)(
            self.known.updated(sheet, texts, shown, target.taxonomies),
            self.followed.updated(sheet, texts),
        )


def stored(past: Past, column: str) -> Recalled | None:
    """Read the table as it was written down with the last release.

    None if it was not, or if it lacks a release: an earlier version wrote down less.
    """
    mine = f"{column}: "
    kept = {n.removeprefix(mine): f for n, f in past.memory.items() if n.startswith(mine)}
    followed = Whereabouts.from_frames(kept)
    if followed is None:
        return None
    known = Inferable.from_frames(kept)
    is_whole = known.n_releases == followed.n_releases == len(past)
    return Recalled(known, followed) if is_whole else None


def recalled(past: Past, column: str) -> Recalled:
    """Give what can be inferred from all earlier releases about a column.

    It was written down when the last release was published. If it was not, all releases are read
    again, one after the other.

    Parameters
    ----------
    past
        What was published before.
    column
        A sensitive column.
    """
    found = stored(past, column)
    if found is None:
        found = Recalled.empty()
        for edition in past.editions:
            found = found.updated(edition, column)
    return found


def memorized(past: Past, series: Series) -> Mapping[str, Frame]:
    """Write down what can be inferred once one more release is out, which is the last one."""
    found: dict[str, Frame] = {}
    for column in series.sensitive:
        table = recalled(past, column).updated(series.editions[-1], column)
        frames = table.known.to_frames() | table.followed.to_frames()
        found |= {f"{column}: {name}": frame for name, frame in frames.items()}
    return found
