r"""Candidates: the records that may be a victim's, after comparing releases of a growing table.

A person who is first in release :math:`R_i` is in a class :math:`q_l` of each later release
:math:`R_l`, and in no earlier one. Let :math:`g_l(s)` be the number of records of :math:`q_l` with
value :math:`s`. Of these records, so many at most can be of people like the victim, who have the
same quasi-identifier and came at the same time:

- :math:`g_m(s)` for every :math:`m \ge i`, since they all are in :math:`q_m` as well (F-attack if
  :math:`m > l`, C-attack if :math:`m < l`);
- the number of records with value s, in the block of classes of :math:`R_m` that are comparable to
  the same classes of an earlier :math:`R_h` (:math:`h < i \le m`), less the number of such records
  of :math:`R_h`: each of the latter has its own record among the former (B-attack).

The least of all these is how many are left of a value; the others are cracked. Of two releases this
is what theorems 10.2 to 10.4 say, and exact: there are possible originals in which just these
records are left. Of more releases it is what the best micro attacks and their composition reach,
and sound: no record is cracked that could be the victim's in any possible original. It is not
complete. Which records of three releases can belong together is a question of three-dimensional
matching, and an adversary who lists all possible originals may crack more.

Which correspondence attack cracks which release, and who counts as a target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.counting import count
from unlinkable.kernels.flows import intersection_of_pairs
from unlinkable.params import Choice
from unlinkable.tables.attacks.series.shared.record_classes import (
    Classes,
    Numbers,
    block_pairs,
    blocks,
    new_since,
)
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "Crack",
    "Kinds",
    "Targets",
    "as_targets",
    "candidates_along",
    "crack_of",
    "first_kinds",
    "follow_classes",
    "releases_since",
    "survey_kinds",
]


@define(eq=False, frozen=True)
class Kinds:
    """The kinds of people who came at the same time.

    Attributes
    ----------
    since
        The first release that has them, from 0.
    members
        For each kind its class in that release and in all later ones.
    common
        What is left of each value.
    left
        How many records are left.
    peak, which
        How many of them have the same value of a sensitive column; which column, and which value.
    people, kind
        Who these people are, and the kind of each; None if nobody can say.
    """

    since: int
    members: CodeArray
    common: Classes
    left: CountArray
    peak: CountArray
    which: CodeArray
    people: CountArray | None = None
    kind: CodeArray | None = None

    @property
    def n_people(self) -> CountArray:
        """How many people there are of each kind; 0 if nobody can say."""
        kind = np.empty(0, np.int32) if self.kind is None else self.kind
        return count(kind, len(self.members))


def survey_kinds(numbers: Numbers, people: CodeArray | None = None) -> Iterator[Kinds]:
    """Go through all kinds of people who could be in the releases, or through those who are.

    Parameters
    ----------
    numbers
        The releases.
    people
        The class of every person in each release, -1 before the first one; None if anybody who
        could be in the releases counts.

    Raises
    ------
    UnsupportedError
        If there are too many kinds, or records have gone.
    """
    for since, left in releases_since(numbers.classes, numbers.n_values):
        if people is None:
            yield _judged(numbers, since, *follow_classes(left))
        elif (mine := first_kinds(people, since)) is not None:
            members, who, kind = mine
            found = _judged(numbers, since, *candidates_along(left, members))
            yield evolve(found, people=who, kind=kind)


def releases_since(
    classes: Sequence[Classes], n_values: int
) -> Iterator[tuple[int, list[Classes]]]:
    """Take the releases that people are in who came at the same time, less what is older.

    Yields the first of these releases, if anybody came, and for it and every later one as many
    records of each value as can be of people who were in no earlier one.

    Raises
    ------
    UnsupportedError
        If records have gone.
    """
    left = list(classes)
    for since in range(len(classes)):
        for later in range(since if since else len(classes), len(classes)):
            new = new_since(classes[since - 1], classes[later], n_values)
            left[later] = evolve(left[later], counts=np.minimum(left[later].counts, new))
        n_before = classes[since - 1].labels.size if since else 0
        if classes[since].labels.size > n_before:
            yield since, left[since:]


def first_kinds(people: CodeArray, since: int) -> tuple[CodeArray, CountArray, CodeArray] | None:
    """List the kinds of people who are first in a release; who they are, and the kind of each."""
    came = people[:, since] >= 0
    if since:
        came &= people[:, since - 1] < 0
    if not came.any():
        return None
    rows = np.ascontiguousarray(people[came, since:])
    kind, first = number_rows(rows)
    return rows[first], np.flatnonzero(came), kind


def follow_classes(releases: list[Classes]) -> tuple[CodeArray, Classes]:
    """List all ways through releases from class to comparable class, and what is left on each.

    Raises
    ------
    UnsupportedError
        If there are too many.
    """
    common, *later = releases
    members = np.arange(len(common), dtype=np.int32).reshape(-1, 1)
    for release in later:
        first, second = block_pairs(*blocks(common, release))
        common = common.common(release, first, second)
        members = np.column_stack([members[first], second])
    return members, common


def candidates_along(releases: list[Classes], members: CodeArray) -> tuple[CodeArray, Classes]:
    """Find what is left on some ways."""
    all_of = np.arange(len(members), dtype=np.int32)
    first, *later = releases
    mine = np.ascontiguousarray(members[:, 0])
    common = first.common(first, mine, mine)
    for j, release in enumerate(later, 1):
        common = common.common(release, all_of, np.ascontiguousarray(members[:, j]))
    return members, common


def _judged(numbers: Numbers, since: int, members: CodeArray, common: Classes) -> Kinds:
    every = np.arange(len(common), dtype=np.int32)
    mine = (common.indptr, common.values, common.counts)
    found = intersection_of_pairs(*mine, *mine, every, every, numbers.told, numbers.seen)
    return Kinds(since, members, common, *found)


class Targets(Choice, noun="kind of targets"):
    """Who may be attacked."""

    POSSIBLE = "possible"
    """Everybody who could be in the releases, by what they show."""
    ACTUAL = "actual"
    """Everybody who is."""


def as_targets(value: Targets | str) -> Targets:
    """Read who counts.

    Examples
    --------
    >>> as_targets("actual")
    <Targets.ACTUAL: 'actual'>
    """
    return Targets(value)


class Crack(StrEnum):
    """How records are struck out."""

    F = "F-attack"
    """Their record is in a later release as well."""
    C = "C-attack"
    """Their record was in an earlier release already."""
    B = "B-attack"
    """Their record was not in an earlier release."""


def crack_of(since: int, cracked: int, background: int) -> Crack | None:
    """Name the attack on a release with another one; None if there is none.

    Parameters
    ----------
    since
        The first release that has the victim.
    cracked
        The release of whose records some are struck out.
    background
        The release that it is compared with.

    Examples
    --------
    >>> crack_of(1, cracked=1, background=2), crack_of(1, cracked=2, background=1)
    (<Crack.F: 'F-attack'>, <Crack.C: 'C-attack'>)
    >>> crack_of(2, cracked=2, background=1), crack_of(2, cracked=1, background=2)
    (<Crack.B: 'B-attack'>, None)
    """
    if cracked < since or cracked == background:
        return None
    if background < since:
        return Crack.B
    return Crack.F if background > cracked else Crack.C
