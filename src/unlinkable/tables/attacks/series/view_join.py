"""view-join: what several views of one table tell together.

One recipient gets names and jobs, another one jobs and diseases, a third one how many people there
are of each kind. Each view is harmless. Recipients who put them together join their rows, rule out
tables that do not have all the views, and are left with fewer values than any view leaves [1]_,
[2]_, [3]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Chapter 8, examples 8.1 to 8.4.
.. [2] C. Yao, X. S. Wang, S. Jajodia. "Checking for k-anonymity violation by views." VLDB 2005.
.. [3] D. Kifer, J. Gehrke. "Injecting utility into anonymized datasets." SIGMOD 2006.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import as_columns, at_least, exact, is_flag, is_share
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.attacks.series.shared.views.conditions import (
    Dependency,
    Selection,
    as_texts_of,
)
from unlinkable.tables.attacks.series.shared.views.natural_join import join_details
from unlinkable.tables.attacks.series.shared.views.view_exposure import (
    ViewExposure,
    basis_of,
    details_of,
    enough_views,
    found_by,
    view_exposure,
)
from unlinkable.tables.attacks.series.shared.views.view_set import View
from unlinkable.tables.data import Frame, number_together
from unlinkable.tables.groups import number_rows
from unlinkable.tables.models.base import Threat
from unlinkable.typing import Columns

__all__ = ["ViewJoin"]


def _as_flags(value: bool | Iterable[bool] | None) -> tuple[bool, ...] | None:
    if value is None or isinstance(value, bool):
        return None if value is None else (value,)
    flags = tuple(value)
    if not all(isinstance(flag, bool) for flag in flags):
        raise ParameterError(f"counted must be true or false, or a list of these, got {value!r}")
    return flags


@frozen(kw_only=True)
class ViewJoin(SeriesAttack):
    r"""Put views together, and rule out all tables that do not have them.

    A view is a projection of the table, on records that a selection chose, generalized or not. Let
    :math:`W` be the tables that have all views and meet all dependencies. Of a person who is known
    by :math:`q`, the adversary knows:

    * the values left to them, :math:`A(q) = \{s : n_w(q, s) \ge 1 \text{ for some } w \in W\}`. The
      confidence in one of them is above :math:`c` if there are fewer than :math:`1/c`;
    * if they are known by name, and may have several records, the values that one of them has in
      every table, :math:`\{s : n_w(q, s) \ge 1 \text{ for all } w \in W\}`;
    * if not, and views tell numbers, the people like them, at most :math:`\max_w n_w(q)`, and the
      share of a value among them, at least :math:`\min_w n_w(q, s) / n_w(q)`.

    Parameters
    ----------
    sensitive
        The column that they are after; each that any view has if not given. If none has one, it
        only counts how many people are left.
    identity
        The columns that name people. If not given, people are known by quasi-identifiers, and it
        counts how many are left.
    qid
        These columns; the quasi-identifiers of all views together if not given.
    selections
        For every view which of the records it is about, in words: ``["", "age < 55"]``. A view that
        has none, or an empty one, is about all records.
    dependencies
        What everybody knows: ``["name -> age"]`` if a name has one age.
    one_record
        Whether everybody has one record, who is told apart by ``identity``. A taxonomy of names
        lists everybody there is: so many of them as no view tells apart have at most as many
        records together. Without one there may be any number of people whom no view names.
    counted
        Whether there are as many records as equal rows: for all views, or for each. Otherwise a row
        says that there is such a record. If not given, views with equal rows are counted.
    k
        With an identity, the number of values that must be left; otherwise the number of people.
    limit
        Highest confidence allowed in a value: a person is exposed if fewer than 1/limit values are
        left, or a certain share is above it.

    Needs
    -----
    All views, what each is a view of, and what the victim is known by. No side table.

    Finds
    -----
    Who is left with too few values, or among too few people; with which values; and a smallest set
    of views that is enough to expose a person. ``details`` also compares the natural join of the
    views with each view alone. People whom no view names are called *anything else*: they are
    exposed if all that the views leave to them is too little.

    How confident that is
    ----------------
    Exact as far as the solver comes to an end within 20,000 nodes. Beyond that it is conservative,
    and the outcome says so: a value counts as left only if a table was found that has it, so that
    nobody who is exposed is missed, and some may be reported who are not. Also conservative: a
    dependency, or a number that names people, takes numbers between two that any view names for the
    lower one.

    Cost
    ----
    Cells are what one row of each view have in common, at most 2,000,000. Without numbers,
    dependencies and ``one_record`` all of them are possible, and that is all. Otherwise programs in
    whole numbers are solved by HiGHS for at most 100,000 cells, usually as many
    as a victim has values: 2,000 named people in 25,000 cells take about 15 seconds.

    Raises
    ------
    SchemaError
        If no view shows a column that is asked for.
    ParameterError
        If a selection or dependency cannot be read, or there are more of them than views.
    DataError
        If no table has all the views.
    UnsupportedError
        If there are too many cells.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> jobs = pl.DataFrame({"name": ["Alice", "Bob", "Calvin"], "job": ["cook", "cook", "lawyer"]})
    >>> ills = pl.DataFrame({"job": ["cook", "cook", "lawyer"], "ill": ["flu", "diabetes", "hiv"]})
    >>> series = Series((
    ...     Edition(Target(jobs, ("name", "job"), ()), name="one view"),
    ...     Edition(Target(ills, ("job",), ("ill",)), name="another"),
    ... ))
    >>> outcome = ViewJoin(identity="name", counted=False).run(series)
    >>> outcome.n_fallen, outcome.victims[0].who, outcome.victims[0].learned
    (1, {'name': 'Calvin'}, {'ill': 'hiv'})
    """

    name: ClassVar[str] = "view-join"
    reference: ClassVar[str] = "Yao, Wang and Jajodia 2005; Kifer and Gehrke 2006"
    threat: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    needs: ClassVar[str] = "all views of a table, and by what the victim is known"
    remedy: ClassVar[str] = (
        "do not publish the last view, or make it coarser: multiple-views and marginals refuse a "
        "view that would tell too much beside the earlier ones; for recipients of different trust, "
        "multi-level-perturbation makes versions that say nothing more together"
    )
    joins_columns: ClassVar[bool] = True
    may_take_long: ClassVar[bool] = True
    stopped_by: ClassVar[tuple[str, ...]] = ("multiple-views", "marginals")

    sensitive: str | None = None
    identity: Columns | None = field(default=None, converter=as_columns)
    qid: Columns | None = field(default=None, converter=as_columns)
    selections: tuple[str, ...] = field(default=(), converter=as_texts_of)
    dependencies: tuple[str, ...] = field(default=(), converter=as_texts_of)
    one_record: bool = field(default=False, validator=is_flag)
    counted: tuple[bool, ...] | None = field(default=None, converter=_as_flags)
    k: int = field(default=2, validator=at_least(1))
    limit: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)

    def __attrs_post_init__(self) -> None:
        for text in self.selections:
            Selection.read(text)
        for text in self.dependencies:
            Dependency.read(text)
        if self.identity is not None and self.qid is not None:
            raise ParameterError("people are known by their identity or by qid: give one of them")
        if self.one_record and self.identity is None:
            raise ParameterError("say who has one record: give the identity, like name")

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        for edition in series.editions:
            target = edition.target
            if target.bucket is not None:
                return f"{edition.name} has buckets, and is no view with a row for every record"
            if not (target.is_truthful or target.is_grouped):
                return f"values of {edition.name} were replaced by others, and rule nothing out"
        told = any(edition.target.sensitive for edition in series.editions)
        if self.identity is not None and self.sensitive is None and not told:
            return "no view has a sensitive column: there is nothing to find out"
        return None

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        views, known = self.views(series), self._known(series)
        columns = self._about(series)
        exposure = self.exposure(views, known, columns)
        needed = enough_views(views, lambda some: self._still(some, known, columns), exposure)
        return self._outcome(
            exposure, needed, join_details([v.frame for v in views], known, columns)
        )

    def views(self, series: Series) -> tuple[View, ...]:
        """Take the releases of a series for views."""
        n = len(series)
        if max(len(self.selections), len(self.counted or ())) > n:
            raise ParameterError(
                f"there are {n} views: say of each what it selects, in their order"
            )
        selections = [*self.selections, *[""] * (n - len(self.selections))]
        return tuple(
            View(
                edition.target.frame,
                Selection.read(text),
                self._is_counted(at, edition.target.frame),
                edition.target.taxonomies,
                edition.name,
            )
            for at, (edition, text) in enumerate(zip(series.editions, selections, strict=True))
        )

    def exposure(self, views: Sequence[View], known: Columns, columns: Columns) -> ViewExposure:
        """Find who is exposed by some views."""
        enough = math.ceil(1 / self.limit)
        if self.identity is not None:
            enough = max(enough, self.k)
        return view_exposure(
            views, known, columns,
            dependencies=[Dependency.read(text) for text in self.dependencies],
            one_record=self.one_record,
            enough=enough, k=self.k, limit=self.limit, is_named=self.identity is not None,
        )  # fmt: skip

    def _still(self, views: Sequence[View], known: Columns, columns: Columns) -> bool:
        shown = {name for view in views for name in (*view.frame.columns, *view.selection.columns)}
        if self.identity is not None and not {*known} <= shown:
            return False
        there = tuple(name for name in known if name in shown)
        left = tuple(name for name in columns if name in shown)
        return (
            bool(there and (left or not columns)) and self.exposure(views, there, left).n_fallen > 0
        )

    def _is_counted(self, at: int, frame: Frame) -> bool:
        if self.counted is None:
            return _has_equal_rows(frame)
        if len(self.counted) == 1:
            return self.counted[0]
        return self.counted[at] if at < len(self.counted) else _has_equal_rows(frame)

    def _known(self, series: Series) -> Columns:
        if known := self.identity or self.qid:
            return known
        about = self._about(series)
        told = [name for edition in series.editions for name in edition.target.quasi]
        if not told:
            raise SchemaError("no column is known to others: say with identity what names people")
        return tuple(name for name in dict.fromkeys(told) if name not in about)

    def _about(self, series: Series) -> Columns:
        told = dict.fromkeys(n for edition in series.editions for n in edition.target.sensitive)
        if self.sensitive is None:
            return tuple(name for name in told if name not in (self.identity or ()))
        return (self.sensitive,)

    def _outcome(
        self,
        exposure: ViewExposure,
        needed: tuple[str, ...],
        joined: dict[str, int | float | str | None],
    ) -> Outcome:
        return Outcome(
            attack=self,
            n_attacked=exposure.n_attacked,
            n_fallen=exposure.n_fallen,
            highest=exposure.highest,
            victims=exposure.victims,
            found=found_by(exposure, needed, is_named=self.identity is not None),
            basis=basis_of(exposure),
            details={**details_of(exposure, needed), **joined},
        )


def _has_equal_rows(frame: Frame) -> bool:
    rows = np.column_stack([number_together([frame], name)[0][0] for name in frame.columns])
    return bool(number_rows(np.ascontiguousarray(rows))[1].size < len(rows))
