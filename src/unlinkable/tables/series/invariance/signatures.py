"""Signatures: the values that the group of a person hides, for as long as he is published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series import Memberships, Series, Sheet
from unlinkable.tables.data import canonical_values, number_together
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Signatures", "invariance_of", "signatures_of"]


@define(eq=False, frozen=True)
class Signatures:
    """What people must be published with, from what they were published with before.

    Attributes
    ----------
    texts
        All values of the sensitive column, in all releases and now.
    values
        The value of each record, as a number.
    owed
        The signature that each record must get: a row of ``sets``; -1 for people who were never
        published.
    sets
        For each signature which values it has.
    """

    texts: tuple[str | None, ...]
    values: CodeArray
    owed: CountArray
    sets: BoolArray

    @property
    def is_new(self) -> BoolArray:
        """Who was never published."""
        return self.owed < 0


def invariance_of(sheets: Sequence[Sheet]) -> int:
    r"""Give the largest m for which releases are m-invariant; 0 if they are for none.

    Releases are m-invariant if every group has m values or more, each of them equally often, and
    the groups of a person have the same set of values, his signature, in all releases that he is
    in. Equal groups are groups of distinct values that show the same, put together. Unlike in the
    paper, a person who was away and comes back still has his signature.

    Whoever holds all releases then believes of nobody that he has a value with more than 1/m: if
    the values of a signature are exchanged for each other in all groups that hang together, a
    possible world becomes another one, so that all values are equally likely.

    Examples
    --------
    >>> first, then = Sheet.of([0, 1], [0, 0], [7, 8]), Sheet.of([0, -1], [0, 0], [7, 8])
    >>> invariance_of([first, then]), invariance_of([first, Sheet.of([0, 2], [0, 0], [7, 9])])
    (2, 0)
    """
    labels = np.arange(max((sheet.n_values for sheet in sheets), default=0), dtype=np.int32)
    memberships = Memberships.of(sheets, labels)
    if not memberships.is_even().all():
        return 0
    return int(np.diff(memberships.starts).min(initial=memberships.n_labels))


def signatures_of(request: Request, past: Past, column: str, m: int, policy: str) -> Signatures:
    """Read from the earlier releases which values people's groups must have.

    Raises
    ------
    UnsupportedError
        If the earlier releases are not m-invariant themselves, or somebody's value changed.
    """
    now = canonical_values(request.table.frame.select(column), [column])
    codes, texts = number_together([*(e.target.frame for e in past.editions), now], column)
    sheets = _sheets(past, codes, len(texts))
    if sheets and invariance_of(sheets) < m:
        raise UnsupportedError(
            f"{policy} goes on from releases that are {m}-invariant, and those published before "
            f"are not: start a new series with {policy}, or ask for less than m = {m}"
        )
    n_people = int(max(past.n_people, request.people.max(initial=-1) + 1))
    last, had = np.full((2, n_people), -1, np.int64)
    first = np.cumsum([0, *(sheet.n_groups for sheet in sheets)])
    for sheet, at in zip(sheets, first.tolist(), strict=False):
        real = sheet.people >= 0
        last[sheet.people[real]] = sheet.groups[real] + at
        had[sheet.people[real]] = sheet.values[real]
    was = had[request.people]
    if n := int(((was >= 0) & (was != codes[-1])).sum()):
        raise UnsupportedError(
            f"the sensitive value of {quantity(n, 'person', 'people')} is not what it was when "
            f"published: {policy} takes values for unchanging. Where they change, use "
            "hd-composition from the first release on, and name the values that nobody loses again"
        )
    groups = [sheet.groups + at for sheet, at in zip(sheets, first, strict=False)]
    every = np.concatenate([*groups, np.zeros(0, np.int64)])
    shown = np.concatenate([*codes[:-1], np.zeros(0, np.int32)])
    owed, sets = _sets(last[request.people], every, shown, len(texts))
    return Signatures(tuple(texts), codes[-1], owed, sets)


def _sheets(past: Past, codes: Sequence[CodeArray], n_values: int) -> list[Sheet]:
    """Give the earlier releases in numbers.

    Raises
    ------
    UnsupportedError
        If it is not known whose their records are.
    """
    sheets = []
    for edition, own, code in zip(past.editions, Series(past.editions).groups, codes, strict=False):
        if edition.people is None:
            raise UnsupportedError(f"nobody can say whose the records of {edition.name} are")
        sheets.append(Sheet(edition.people, own, code, int(own.max(initial=-1)) + 1, n_values))
    return sheets


def _sets(
    wanted: CountArray, groups: CountArray, values: CodeArray, n_values: int
) -> tuple[CountArray, BoolArray]:
    """List the different sets of values that the groups of some people have."""
    owed = np.full(wanted.size, -1, np.int64)
    is_old = wanted >= 0
    asked, at = np.unique(wanted[is_old], return_inverse=True)
    place = np.full(int(groups.max(initial=-1)) + 1, -1, np.int64)
    place[asked] = np.arange(asked.size)
    sets = np.zeros((asked.size, n_values), bool)
    mine = place[groups] >= 0
    sets[place[groups[mine]], values[mine]] = True
    sets, number = np.unique(sets, axis=0, return_inverse=True)
    owed[is_old] = number.ravel()[at]
    return owed, sets.reshape(-1, n_values)
