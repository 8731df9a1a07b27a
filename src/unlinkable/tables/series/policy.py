"""Policy: a way to publish again without undoing the releases that are out already.

A policy sees what was published before and what is to be published now, and names the method that
makes the next release. Whether the releases together are safe is not for the policy to say: the
attacks that it guards against are run on all of them, from the published values, before anything
is published.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Self

from attrs import define, field

from unlinkable.errors import ParameterError
from unlinkable.registry import Registered
from unlinkable.tables.attacks.series import Edition, Series, SeriesAttack
from unlinkable.tables.data import Frame, Schema, Table
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.releases import Release
from unlinkable.typing import CountArray

__all__ = ["Past", "Policy", "Request"]


@define(eq=False, frozen=True)
class Request:
    """What is to be published now.

    Attributes
    ----------
    table
        The records.
    people
        Whose each record is: a number that is a person's in all releases. People who were in no
        release before have numbers from ``past.n_people`` on.
    models
        What is promised of the release itself, each promise bound to its columns.
    method
        The method that was asked for; None if none was.
    suppression
        Share of the records that may be left out.
    recipient
        Who gets it; None if everybody does.
    """

    table: Table
    people: CountArray
    models: tuple[GroupModel, ...] = ()
    method: Method | None = None
    suppression: Fraction = Fraction(0)
    recipient: str | None = field(default=None)

    @recipient.validator
    def _check_recipient(self, attribute: object, recipient: str | None) -> None:
        if recipient is not None and not recipient.strip():
            raise ParameterError(
                "the recipient has no name: give one, or none at all if everybody gets the release"
            )


@define(eq=False, frozen=True)
class Past:
    """What was published before.

    Attributes
    ----------
    editions
        The earlier releases, the first one first. ``people`` of each says whose records they are.
    memory
        What the policy chose to remember when it last published, by name.
    n_people
        How many people were in any release. Their numbers are below.
    recipients
        Who got each release; None for everybody.
    names
        What people are called, by their numbers.
    """

    editions: tuple[Edition, ...] = ()
    memory: Mapping[str, Frame] = field(factory=dict)
    n_people: int = 0
    recipients: tuple[str | None, ...] = ()
    names: Sequence[str] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.editions)

    def followed_by(self, edition: Edition) -> Series:
        """Give all releases, with one more at the end."""
        return Series((*self.editions, edition), self.names)


class Policy(Registered, abc.ABC):
    """A way to publish again: a small frozen value with the parameters of the literature."""

    entry_kind: ClassVar[str] = "policy"
    scenario: ClassVar[str]
    """What may change from one release to the next, in words."""
    guards: ClassVar[tuple[str, ...]]
    """The attacks on several releases that find nothing afterwards, by name."""
    where_they_fit: ClassVar[tuple[str, ...]] = ()
    """Those of `guards` that fit some of the series that it makes, and are tried on these.

    None fits what only one release tells.
    """
    needs_promise: ClassVar[bool] = True
    """Whether releases are made to keep a promise of their own."""
    groups_people: ClassVar[bool] = False
    """Whether releases that are not generalized put people together who then show the same."""
    is_undone_by_names: ClassVar[bool] = False
    """Whether it protects nobody any more if records of several releases can be linked by a column
    that tells everybody from all others."""

    def bind(self, schema: Schema) -> Self:
        """Fill in what was left to the roles of the columns to say.

        Raises
        ------
        SchemaError
            If the table does not have what the policy is about.
        """
        return self

    def may_name_people(self, column: str) -> bool:
        """Say whether a quasi-identifier may name people: it is told on purpose, or not at all."""
        return False

    @abc.abstractmethod
    def method_for(self, request: Request, past: Past) -> Method:
        """Name the method that makes the next release.

        It may be made for these very records: what it has to know of the past is in its fields.

        Raises
        ------
        UnsupportedError
            If the promise, the method that was asked for or the table is not of a kind that the
            policy can treat, or something changed that must not change.
        InfeasibleError
            If nothing of these records can be published any more.
        """

    def instead_of(self, fallen: Release, request: Request, past: Past) -> Method | None:
        """Name the method to be tried next, if somebody falls to the release that was tried last.

        A policy begins with the release that tells most, and ends with one that is safe by proof,
        if it knows any. None if there is nothing else to be tried.
        """
        return None

    @abc.abstractmethod
    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        """Name the attacks that nobody may fall to, with the limits that were promised."""

    def trials(
        self, request: Request, past: Past, edition: Edition
    ) -> Iterator[tuple[SeriesAttack, Series]]:
        """Say which of the adversaries sees what of all releases, with the next one at the end."""
        series = past.followed_by(edition)
        for attack in self.adversaries(request, past):
            yield attack, series

    def named_values(self, schema: Schema) -> tuple[tuple[str, str], ...]:
        """Name the single values that are to stay hidden, each with its column.

        None where every value of a column is.
        """
        return ()

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        """Say what is to be known the next time, besides what was published of whom."""
        return {}
