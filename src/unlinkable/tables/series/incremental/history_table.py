"""History table: what can be inferred of everybody from all releases so far, kept with the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from attrs import define

from unlinkable.tables.attacks.series import Edition, Series
from unlinkable.tables.data import Frame, texts_of
from unlinkable.tables.series.incremental.group_history import GroupHistory
from unlinkable.tables.series.incremental.inferences import Inferences
from unlinkable.tables.series.policy import Past

__all__ = ["HistoryTable", "read_table", "stored_table", "updated_memory"]


@define(eq=False, frozen=True)
class HistoryTable:
    """The history table of one sensitive column.

    Attributes
    ----------
    inferences
        When everybody came, what they may have, and where they are (TS, IS and IQ).
    groups
        Who was together with whom, and what they can have by following records.
    """

    inferences: Inferences
    groups: GroupHistory

    @classmethod
    def empty(cls) -> Self:
        """Give what is known before anything is published: nothing."""
        return cls(Inferences.empty(), GroupHistory.empty())

    def updated(self, edition: Edition, column: str) -> Self:
        """Take in one more release. No other one is looked at."""
        alone, target = Series((edition,)), edition.target
        (sheet,), texts = alone.sheets(column), alone.texts(column)
        # As texts: what is a number here may be a range in the next release.
        shown = target.frame.select(texts_of(target.frame, name) for name in target.quasi)
        return type(self)(
            self.inferences.updated(sheet, texts, shown, target.taxonomies),
            self.groups.updated(sheet, texts),
        )

    def with_texts(self, texts: Sequence[str | None]) -> Self:
        """Return the same with other numbers of values: those of ``texts``, which must have all."""
        return type(self)(self.inferences.with_texts(texts), self.groups.with_texts(texts))


def stored_table(past: Past, column: str) -> HistoryTable | None:
    """Read the table as it was written down with the last release.

    None if it was not, or if it lacks a release: an earlier version wrote down less.
    """
    mine = f"{column}: "
    kept = {n.removeprefix(mine): f for n, f in past.memory.items() if n.startswith(mine)}
    groups = GroupHistory.from_frames(kept)
    if groups is None:
        return None
    inferences = Inferences.from_frames(kept)
    is_whole = inferences.n_releases == groups.n_releases == len(past)
    return HistoryTable(inferences, groups) if is_whole else None


def read_table(past: Past, column: str) -> HistoryTable:
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
    found = stored_table(past, column)
    if found is None:
        found = HistoryTable.empty()
        for edition in past.editions:
            found = found.updated(edition, column)
    return found


def updated_memory(past: Past, series: Series) -> Mapping[str, Frame]:
    """Write down what can be inferred once one more release is out, which is the last one."""
    found: dict[str, Frame] = {}
    for column in series.sensitive:
        table = read_table(past, column).updated(series.editions[-1], column)
        frames = table.inferences.to_frames() | table.groups.to_frames()
        found |= {f"{column}: {name}": frame for name, frame in frames.items()}
    return found
