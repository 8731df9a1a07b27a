"""multiple-views: a view of the table for each recipient, judged as if they shared everything.

Different recipients need different columns. A view for each of them tells less than one view with
all the columns that anybody needs, and may tell as much as that once they are put together [1]_,
[2]_. Whether recipients meet is not for the holder to know, so they do.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 8.1, 8.2 and 8.6.
.. [2] C. Yao, X. S. Wang, S. Jajodia. "Checking for k-anonymity violation by views." VLDB 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import compress
from typing import ClassVar, Self, cast

from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.params import as_columns, at_least, is_flag
from unlinkable.registry import make
from unlinkable.tables.attacks.series import (
    Dependency,
    Edition,
    Selection,
    Series,
    SeriesAttack,
    ViewJoin,
    as_texts_of,
)
from unlinkable.tables.data import Frame, Schema, Table, frame_of, publishable_columns, texts_of
from unlinkable.tables.methods.base import Method, Search
from unlinkable.tables.operations import require_columns
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.membership_attacks import (
    MEMBERSHIP_ATTACKS,
    membership_attacks,
    releases_with,
)
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.views.projection import Projection, selected
from unlinkable.typing import Columns

__all__ = ["MultipleViews"]

_VIEWS, _KNOWN = "views", "known"
"""What earlier views are remembered as, and what was said of the table when they were published."""


@frozen(kw_only=True)
class MultipleViews(Policy):
    """Publish a projection of selected records, unless all views together tell too much.

    Without a method the view is the different rows that the records show on its columns, as they
    are and in random order. With a method that generalizes, the table has to consist of the columns
    and records of the view already; the release then also tells how many records there are of each
    kind.

    All views of the history and the new one are attacked by `ViewJoin`: nobody may be left with
    fewer than ``k`` values of the sensitive column, in all tables that have the views. If views
    tell numbers and people are not named, at least k people must be left as well, and no value may
    have a certain share above 1/k; to whoever knows everybody's groups in them, no share at all. A
    view that does not withstand that is refused, and the outcome says who would be found, with
    which value, by which views. What was said when earlier views were published is not forgotten:
    columns that were guarded still are, with the strictest ``k``, and what everybody knew everybody
    knows.

    Parameters
    ----------
    columns
        What the view shows; all columns that may be published if not given.
    selection
        Which records it shows: comparisons, all of which hold, like ``"age < 55"``. It is told.
    identity
        The columns that name people; if not given, they are known by quasi-identifiers.
    sensitive
        What nobody should find out; the sensitive column if there is only one.
    dependencies
        What everybody knows: ``["name -> age"]``.
    one_record
        Whether everybody knows that a person, by ``identity``, has one record.
    k
        How many values must be left to everybody.

    Raises
    ------
    SchemaError
        If a column is not there, or is never published; or there is no single sensitive column.
    ParameterError
        If a selection or dependency cannot be read.
    UnsupportedError
        If a method is to generalize a table of other columns or records than those of the view, or
        does not generalize.
    InfeasibleError
        If the first view tells too much by itself, or selects nobody.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.series.policy import Past, Request
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"name": ["Alice", "Bob", "Calvin"], "job": ["cook", "cook", "lawyer"],
    ...     "ill": ["flu", "diabetes", "hiv"]}, quasi=["name", "job"], sensitive="ill")
    >>> request = Request(people, np.arange(3))
    >>> first = next_release(
    ...     MultipleViews(columns=["name", "job"], identity="name"), request, Past())
    >>> past = Past((first.edition,), first.memory, 3)
    >>> next_release(MultipleViews(columns=["job", "ill"], identity="name"), request, past)
    Traceback (most recent call last):
    ...
    unlinkable.errors.ChannelError: release 2 would open a channel together with earlier ones.
    view-join finds 1 of 3: ...
    """

    name: ClassVar[str] = "multiple-views"
    reference: ClassVar[str] = "Yao, Wang and Jajodia 2005"
    scenario: ClassVar[str] = (
        "each release shows other columns, or other records, of a table that does not change"
    )
    guards: ClassVar[tuple[str, ...]] = ("view-join", *MEMBERSHIP_ATTACKS)
    where_they_fit: ClassVar[tuple[str, ...]] = MEMBERSHIP_ATTACKS
    needs_promise: ClassVar[bool] = False

    columns: Columns | None = field(default=None, converter=as_columns)
    selection: str = ""
    identity: Columns | None = field(default=None, converter=as_columns)
    sensitive: str | None = None
    dependencies: tuple[str, ...] = field(default=(), converter=as_texts_of)
    one_record: bool = field(default=False, validator=is_flag)
    k: int = field(default=2, validator=at_least(2))

    def __attrs_post_init__(self) -> None:
        Selection.read(self.selection)
        for text in self.dependencies:
            Dependency.read(text)
        if self.one_record and self.identity is None:
            raise ParameterError("say who has one record: give the identity, like name")

    def may_name_people(self, column: str) -> bool:
        return column in (self.identity or ()) or column not in (self.columns or (column,))

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        require_columns(schema, self.identity, f"the identity of {self.name}")
        if self.sensitive is not None:
            if self.sensitive not in schema.names:
                raise SchemaError(f"{unknown('column', self.sensitive, schema.names)} to guard")
            return self
        if len(schema.sensitive) != 1:
            raise SchemaError(
                f"{self.name} guards one column, and {len(schema.sensitive)} are sensitive: say "
                "which with sensitive"
            )
        return evolve(self, sensitive=schema.sensitive[0])

    def method_for(self, request: Request, past: Past) -> Method:
        table, chosen = request.table, Selection.read(self.selection)
        columns = self._columns(table)
        if request.method is None:
            alone = None if len(past) else self._attack((self.selection,), (False,))
            return Projection(self, columns, chosen, alone)
        if not isinstance(request.method, Search):
            raise UnsupportedError(
                f"{self.name} publishes rows as they are, or generalized: {request.method} does "
                "something else to them, and nothing could be ruled out by it"
            )
        if {*columns} != {*publishable_columns(table)}:
            raise UnsupportedError(
                f"{request.method} generalizes the whole table: give it one of the columns of the "
                f"view alone ({', '.join(columns)})"
            )
        if not selected(table, chosen).all():
            raise UnsupportedError(
                f"{request.method} generalizes the whole table: give it the records that meet "
                f"{self.selection!r} alone"
            )
        return request.method

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        shown = {name for edition in past.editions for name in edition.target.frame.columns}
        views = self._views(request, past)
        shown |= {*self._columns(request.table)}
        shown |= {name for text, _ in views for name in Selection.read(text).columns}
        return tuple(
            policy._attack(*zip(*views, strict=True))
            for policy in self._held_to(past)
            # What no view speaks of cannot be told by any of them.
            if policy.sensitive in shown and {*(policy.identity or ())} <= shown
        )

    def trials(
        self, request: Request, past: Past, edition: Edition
    ) -> Iterator[tuple[SeriesAttack, Series]]:
        """Try whoever joins the views, and whoever knows everybody's groups in generalized ones."""
        yield from super().trials(request, past, edition)
        series, numbers = past.followed_by(edition), [n for _, n in self._views(request, past)]
        told = Series(tuple(compress(series.editions, numbers)), series.names)
        for policy in self._held_to(past) if numbers[-1] else ():
            column = cast("str", policy.sensitive)
            for attack in membership_attacks({column: (policy.k, Fraction(1, policy.k))}):
                yield attack, releases_with(told, column)

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        selections, counted = zip(*self._views(request, past), strict=True)
        told = {"selection": list(selections), "counted": [str(flag) for flag in counted]}
        said = [str(evolve(policy, columns=None, selection="")) for policy in self._held_to(past)]
        return {_VIEWS: frame_of(told), _KNOWN: frame_of({"policy": said})}

    def _held_to(self, past: Past) -> list[Self]:
        """Give what the view must withstand, for every column that any view was to guard."""
        said = [self]
        if (told := past.memory.get(_KNOWN)) is not None:
            texts = texts_of(told, "policy").to_list()
            said += [cast("Self", make("policy", str(text))) for text in texts]
        known = {
            "identity": next((one.identity for one in said if one.identity), None),
            "dependencies": tuple(dict.fromkeys(d for one in said for d in one.dependencies)),
            "one_record": any(one.one_record for one in said),
            "k": max(one.k for one in said),
        }
        columns = dict.fromkeys(one.sensitive for one in said)
        renew: Callable[..., Self] = evolve
        return [renew(self, sensitive=column, **known) for column in columns]

    def _columns(self, table: Table) -> Columns:
        return publishable_columns(table) if self.columns is None else self.columns

    def _views(self, request: Request, past: Past) -> list[tuple[str, bool]]:
        """Give for every view its selection, and whether it tells numbers; the new one last."""
        known: list[tuple[str, bool]] = []
        if (told := past.memory.get(_VIEWS)) is not None:
            texts, flags = (texts_of(told, name).to_list() for name in ("selection", "counted"))
            known = [(text or "", flag == "True") for text, flag in zip(texts, flags, strict=True)]
        # Releases of which nothing was remembered are taken to show everybody, and numbers.
        others = [("", True)] * (len(past) - len(known))
        return [*others, *known, (self.selection, request.method is not None)]

    def _attack(self, selections: tuple[str, ...], counted: tuple[bool, ...]) -> ViewJoin:
        return ViewJoin(
            sensitive=self.sensitive,
            identity=self.identity,
            selections=selections,
            dependencies=self.dependencies,
            one_record=self.one_record,
            counted=counted,
            k=self.k,
            limit=Fraction(1, self.k),
        )
