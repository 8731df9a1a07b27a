"""marginals: counts by some columns, next to an anonymized table.

A table that is anonymous in many columns is coarse in each of them. Counts by few columns can be
fine, and say what the table does not; beside it they may say too much [1]_, [2]_.

References
----------
.. [1] D. Kifer, J. Gehrke. "Injecting utility into anonymized datasets." SIGMOD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 8.3.
.. [3] B. Barak, K. Chaudhuri, C. Dwork, S. Kale, F. McSherry, K. Talwar. "Privacy, accuracy, and
   consistency too: a holistic solution to contingency table release." PODS 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import as_columns
from unlinkable.tables.attacks.series import Edition, Series, SeriesAttack, ViewJoin
from unlinkable.tables.data import Frame, Schema, frame_of, texts_of
from unlinkable.tables.methods.base import Method, Search
from unlinkable.tables.methods.noisy import DPHistogram
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.bounds import series_bounds
from unlinkable.tables.series.marginals.cells import with_people
from unlinkable.tables.series.marginals.counted_marginal import CountedMarginal
from unlinkable.tables.series.membership_attacks import (
    MEMBERSHIP_ATTACKS,
    membership_attacks,
    releases_with,
)
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.typing import Columns

__all__ = ["Marginals"]

_BOUNDS = "bounds"


def _as_lists(value: Any) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(one) for one in value)


@frozen(kw_only=True)
class Marginals(Policy):
    """Publish an anonymized table, then marginals of it that keep what it promised.

    Without ``columns`` the release is the table itself, generalized by the method that is asked
    for. With ``columns`` it is a marginal: for all combinations of bins how many people there are,
    those without anybody too. A marginal keeps its promise by itself; and it is attacked by
    `ViewJoin` together with the table and all earlier marginals: in the tables that agree with all
    of them, everybody who is known by quasi-identifiers must be one of k people, be left with 1/c
    values of a sensitive column, and none of these may have a certain share above c. Whoever knows
    who is in which group of the table, and in which group everybody was counted, is held to k and c
    as well. The strictest k and c that any release of the history promised count.

    With the method ``dp-histogram`` and a promise of differential privacy, a release is counts with
    noise. They may be several marginals, and are those of one table (`DPHistogram.consistent`).
    Then there is no channel beside the ledger: what all releases cost together is the sum of what
    each costs.

    Parameters
    ----------
    columns
        What is counted by.
    bins
        Public bins of numbers and dates: ``[["age", 20, 40, 60]]``. What lies outside has bins of
        its own. Every marginal may have its own.
    levels
        On which level of its taxonomy a column is counted: ``[["job", 1]]``.
    missing
        Columns whose values may be missing: they get a bin for that.

    Raises
    ------
    SchemaError, ParameterError
        If a column is not there, names people, or has no such bins or levels.
    UnsupportedError
        If the promise cannot be carried over to several releases, records may be left out, people
        came or left since an earlier release, or the method neither generalizes nor is
        ``dp-histogram``.
    InfeasibleError
        If a marginal does not keep the promise by itself.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.models import KAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "clerk", "clerk"], "ill": ["flu", "hiv"] * 2},
    ...     quasi="job", sensitive="ill")
    >>> request = Request(people, np.arange(4), (KAnonymity(2),))
    >>> told = next_release(Marginals(columns="job"), request, Past()).release.frame
    >>> sorted(zip(told["job"], told["count"]))
    [('clerk', 2), ('cook', 2)]
    """

    name: ClassVar[str] = "marginals"
    reference: ClassVar[str] = "Kifer and Gehrke 2006"
    scenario: ClassVar[str] = "a table that does not change is published once, then counts of it"
    guards: ClassVar[tuple[str, ...]] = ("view-join", *MEMBERSHIP_ATTACKS)
    where_they_fit: ClassVar[tuple[str, ...]] = MEMBERSHIP_ATTACKS

    columns: Columns | None = field(default=None, converter=as_columns)
    bins: tuple[tuple[str | float, ...], ...] = field(default=(), converter=_as_lists)
    levels: tuple[tuple[str, int], ...] = field(default=(), converter=_as_lists)
    missing: Columns = field(default=(), converter=as_columns)

    def __attrs_post_init__(self) -> None:
        if self.columns is None and (self.bins or self.levels or self.missing):
            raise ParameterError("bins, levels and missing are of columns: name what to count by")
        if self.columns is not None:
            self._counts()

    def bind(self, schema: Schema) -> Self:
        if self.columns is not None:
            self._counts().bind(schema)
        return self

    def method_for(self, request: Request, past: Past) -> Method:
        if isinstance(request.method, DPHistogram):
            if self.columns is not None:
                raise ParameterError(
                    "dp-histogram says itself which marginals it counts: give it the columns, and "
                    "not to marginals"
                )
            return request.method
        if request.suppression:
            raise UnsupportedError(
                "marginals count everybody, and are compared with a table that shows everybody: "
                "leave no records out"
            )
        series_bounds(request.models, self)
        if len(past) and not np.array_equal(np.unique(request.people), np.arange(past.n_people)):
            raise UnsupportedError(
                "people came or left since the table was published, and marginals are compared "
                "with it as counts of the same people: begin a new history for the new table"
            )
        if self.columns is not None:
            if request.method is not None:
                raise UnsupportedError(
                    f"a marginal is counted as it is, and not made by {request.method}: leave the "
                    "method out, or the columns to publish the table itself"
                )
            return CountedMarginal(self, self._counts().bind(request.table.schema))
        if not isinstance(request.method, Search):
            raise UnsupportedError(
                "say which method generalizes the table, such as mondrian; or which columns to "
                f"count by. {request.method or 'No method'} makes no table that marginals can be "
                "compared with"
            )
        return request.method

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        if isinstance(request.method, DPHistogram):
            return ()
        k, c = self._bounds(request, past)
        return (ViewJoin(counted=True, k=k, limit=c),)

    def trials(
        self, request: Request, past: Past, edition: Edition
    ) -> Iterator[tuple[SeriesAttack, Series]]:
        """Try whoever joins the releases, and whoever knows in which group everybody was counted.

        What has noise is nobody's group.
        """
        yield from super().trials(request, past, edition)
        if not edition.target.is_grouped:
            return
        series, bounds = past.followed_by(edition), self._bounds(request, past)
        known = [with_people(e, request) for e in series.editions if e.target.is_grouped]
        for column in request.table.schema.sensitive:
            for attack in membership_attacks({column: bounds}):
                yield attack, releases_with(Series(tuple(known), series.names), column)

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        if isinstance(request.method, DPHistogram):
            return past.memory
        k, c = self._bounds(request, past)
        return {_BOUNDS: frame_of({"k": [k], "c": [str(c)]})}

    def _bounds(self, request: Request, past: Past) -> tuple[int, Fraction]:
        """Give the strictest numbers that any release promised."""
        k, c = series_bounds(request.models, self)
        if (told := past.memory.get(_BOUNDS)) is not None:
            k = max(k, int(texts_of(told, "k").to_list()[0]))
            c = min(c, Fraction(texts_of(told, "c").to_list()[0]))
        return k, c

    def _counts(self) -> DPHistogram:
        return DPHistogram(
            columns=self.columns, marginals=None, ways=len(self.columns or ()) or None,
            bins=self.bins, levels=self.levels, missing=self.missing,
        )  # fmt: skip
