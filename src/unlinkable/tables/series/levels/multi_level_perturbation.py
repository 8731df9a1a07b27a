r"""multi-level-perturbation: a version of the table for each recipient, as true as he is trusted.

Versions that were randomized one by one can be averaged: ten recipients together know nearly the
truth. Versions that are made of each other tell nothing more together than the truest of them tells
alone, and each of them looks like ordinary randomization, so that every recipient can mend his
statistics as usual [1]_, [2]_.

References
----------
.. [1] X. Xiao, Y. Tao, M. Chen. "Optimal random perturbation at multiple privacy levels." VLDB
   2009. Section 8.5 in the book of Fung, Wang, Fu and Yu (2010).
.. [2] Y. Li, M. Chen, Q. Li, W. Zhang. "Enabling multilevel trust in privacy preserving data
   mining." IEEE TKDE 24(9), 2012.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen
from attrs.converters import optional as converted
from attrs.validators import optional

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import Between, as_columns, exact, positive
from unlinkable.tables.attacks.series import SeriesAttack
from unlinkable.tables.data import Frame, Role, Schema, Table
from unlinkable.tables.methods.base import Method
from unlinkable.tables.operations import chosen_columns, kind_of, require_columns
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.levels.past_versions import VersionMemory
from unlinkable.tables.series.levels.versions import NextVersion
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns

__all__ = ["MultiLevelPerturbation"]


@frozen
class MultiLevelPerturbation(Policy):
    r"""Publish a version of the table that adds nothing to truer ones, nor to falser ones.

    A category is kept with probability p, the ``retention``, and otherwise becomes any of the n
    values of its column, its own among them: it shows itself with probability
    :math:`p + (1 - p) / n`. A number gets normal noise with the standard deviation ``deviation``.
    Larger p, or smaller deviation, is for recipients who are trusted more. They may ask in any
    order: a version that comes later is drawn from what lies between its neighbours
    (`unlinkable.tables.series.levels.bridges`).

    Guarantees
    ----------
    (1) Whatever a person's value :math:`x` and whoever shares versions :math:`v_1, v_2, \ldots` of
    it with :math:`p_1 \ge p_2 \ge \ldots`: :math:`P(x \mid v_1, v_2, \ldots) = P(x \mid v_1)`, for
    any prior belief. *Proof:* versions in the order of their levels are a Markov chain that begins
    at x. A new one is drawn from the law of the chain given its two neighbours, so that all of them
    are a Markov chain again, with the steps :math:`K_{p'/p}`.
    (2) Each version alone is uniform randomization with its own p, or noise with its own deviation.
    Whoever had a version of a level before gets the same values of the same people again.

    How sure a recipient can be of a category follows from p alone: whatever he believed before, the
    odds of a value against another grow by at most :math:`1 + np / (1 - p)`. Nothing else is
    promised: columns that are not named are published as they are, values of different columns are
    replaced independently, and the noise of numbers is drawn in floating point.

    Parameters
    ----------
    retention
        The level of this release for categories, between 0 and 1.
    deviation
        The level of this release for numbers, in their own unit.
    columns
        Which ones are replaced. If not given, the sensitive columns of categories and numbers.

    Raises
    ------
    ParameterError
        If the level of a kind of columns is not given.
    SchemaError, UnsupportedError
        If a column is not there or holds dates; if a promise is made; if a person has several
        records; if a value of somebody, or the list of values of a column, changed since the first
        version; or if earlier releases are no versions.

    Examples
    --------
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk"] * 2, "ill": ["yes", "no", "no", "no"]},
    ...     quasi="job", sensitive="ill")
    >>> request = Request(people, np.arange(4), recipient="university")
    >>> first = next_release(MultiLevelPerturbation(0.5), request, Past())
    >>> first.release.masked.told["retention of ill"]
    0.75
    """

    name: ClassVar[str] = "multi-level-perturbation"
    reference: ClassVar[str] = "Xiao, Tao and Chen 2009; Li, Chen, Li and Zhang 2012"
    scenario: ClassVar[str] = (
        "each release is a version of a table that does not change, for a recipient of some trust"
    )
    guards: ClassVar[tuple[str, ...]] = ()
    needs_promise: ClassVar[bool] = False

    retention: Fraction | None = field(
        default=None, converter=converted(exact), validator=optional(Between(0, 1))
    )
    deviation: Fraction | None = field(
        default=None, converter=converted(exact), validator=optional(positive), kw_only=True
    )
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.retention is None and self.deviation is None:
            raise ParameterError(
                "say how trusted the recipient is: retention for categories, deviation for numbers"
            )

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        return self

    def chosen(self, table: Table) -> Columns:
        """Name the columns that are replaced.

        Raises
        ------
        ParameterError
            If the level of one is not given.
        SchemaError, UnsupportedError
            If there is none, or one holds dates.
        """
        kinds = (Kind.CATEGORY, Kind.NUMBER)
        found = chosen_columns(table, self.columns, [Role.SENSITIVE], kinds, self.name)
        for name in found:
            is_number = kind_of(table, name) is Kind.NUMBER
            if (self.deviation if is_number else self.retention) is None:
                what, level = ("numbers", "deviation") if is_number else ("categories", "retention")
                raise ParameterError(f"column {name!r} holds {what}: give their {level}")
        return found

    def method_for(self, request: Request, past: Past) -> Method:
        if request.method is not None:
            raise UnsupportedError(
                f"{self.name} replaces values itself, and not by {request.method}: leave the "
                "method out"
            )
        people = request.people
        if np.unique(people).size < people.size:
            raise UnsupportedError(
                f"{self.name} makes versions of a person's value, and somebody has several records "
                "here: keep one record of each person"
            )
        columns = self.chosen(request.table)
        known = VersionMemory.of(past)
        known.require_unchanged(request, columns)
        return NextVersion(self, known.versions(request, past, columns))

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        """Name none: that versions tell no more together is a law of chance, seen in no release.

        That the versions are drawn by that law is held by tests: exactly, by adding up all chains
        of small columns, and on samples.
        """
        return ()

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        columns = self.chosen(request.table)
        return VersionMemory.of(past).after(
            request, columns, str(self.retention or ""), str(self.deviation or ""), len(past)
        )
