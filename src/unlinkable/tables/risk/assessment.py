"""Assessing a table: all that stewards and auditors ask about the risk, in one report."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Unpack

from attrs import field, frozen

from unlinkable.params import as_columns, exact, exact_or_none
from unlinkable.tables.data import ColumnRoles, Role, Table, table_of
from unlinkable.tables.models import Estimator
from unlinkable.tables.risk.re_identification import ReIdentification
from unlinkable.tables.risk.risk_report import RiskReport
from unlinkable.tables.risk.safe_harbor import safe_harbor
from unlinkable.tables.risk.shared.adversary_view import AdversaryView, adversary_view
from unlinkable.tables.risk.special_uniques import SpecialUniques
from unlinkable.tables.risk.uniqueness import Uniqueness, Uniques, read_estimator
from unlinkable.typing import Columns, Progress

__all__ = ["Assessment", "assess"]

_POPULATION = "population"
"""What a population is called that was given as a frame."""

_DEFAULT_FRACTION = Fraction(1, 100)
"""What special uniques are rated for if no share of the population is known, as in sdcMicro."""


@frozen(kw_only=True)
class Assessment:
    """What is asked about the risk of a table.

    Attributes
    ----------
    threshold
        What counts as a high risk.
    fraction, size
        The share of the population that is in the table, or the number of its people.
    estimator
        How uniqueness in the population is estimated.
    largest
        The largest set of columns that is examined for special uniques.
    """

    threshold: Fraction = field(default=Fraction(1, 5), converter=exact)
    fraction: Fraction | None = field(default=None, converter=exact_or_none)
    size: int | None = None
    estimator: Estimator = field(default=Estimator.DANKAR, converter=read_estimator)
    largest: int | None = None

    def of(
        self,
        table: Table,
        *,
        columns: Sequence[str] | None = None,
        population: object | None = None,
        progress: Progress | None = None,
    ) -> RiskReport:
        """Assess a table; the parameters are those of `assess`."""
        name, side = None, None
        if isinstance(population, (str, Path)):
            name = str(population)
        elif population is not None:
            name, side = _POPULATION, {_POPULATION: population}
        finding = ReIdentification(
            threshold=self.threshold, population=name, fraction=self.fraction, size=self.size
        )
        counting = Uniqueness(
            fraction=self.fraction, size=self.size, population=name, estimator=self.estimator
        )
        seen = adversary_view(table, columns, population=name, side=side)
        uniques = counting.of(seen)
        special = SpecialUniques(self.largest, self._share(seen, uniques))
        return RiskReport(
            n_records=seen.n_records,
            n_people=seen.n_people,
            columns=seen.columns,
            re_identification=finding.of(seen),
            uniqueness=uniques,
            special_uniques=special.of(seen, progress),
            flags=safe_harbor(table, _publishable(table)),
        )

    def _share(self, seen: AdversaryView, uniques: Uniques) -> Fraction:
        """State which share of the population special uniques are rated for."""
        if seen.n_population is not None and seen.n_people:
            return Fraction(seen.n_people, max(seen.n_population, seen.n_people))
        return exact(uniques.fraction) if uniques.fraction else _DEFAULT_FRACTION


def assess(
    table: object,
    *,
    columns: Sequence[str] | None = None,
    threshold: float | str | Fraction = Fraction(1, 5),
    population: object | None = None,
    fraction: float | str | Fraction | None = None,
    size: int | None = None,
    estimator: Estimator | str = Estimator.DANKAR,
    largest: int | None = None,
    progress: Progress | None = None,
    **roles: Unpack[ColumnRoles],
) -> RiskReport:
    """Estimate the re-identification risk of a table, and its causes.

    The table is taken as it stands, original or published: every distinct text is a value.

    Parameters
    ----------
    table
        The records: a table with roles, or a frame of any kind or a file with roles as arguments.
        Records of the same owner are one person; a weight column says how many people
        of the population each stands for.
    columns
        What the adversary knows; the quasi-identifier of the table if not given.
    threshold
        What counts as a high risk.
    population
        The people of the population, as a frame or a file, if they are known.
    fraction, size
        The share of the population that is in the table, or the number of its people, if the table
        is a random sample. Give at most one of population, fraction and size.
    estimator
        How uniqueness in the population is estimated: see `Uniqueness`.
    largest
        The largest set of columns that is examined for special uniques: see `SpecialUniques`.
    progress
        Progress callback.
    roles
        The roles of the columns of a frame, as for `as_table`.

    Raises
    ------
    SchemaError
        If no column is known to the adversary, or the population lacks one.
    ParameterError
        If a parameter means nothing, or several say the same.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 30, 31, 40], "sex": ["f", "f", "f", "m"]},
    ...     quasi=["age", "sex"])
    >>> report = assess(people, fraction=0.1)
    >>> report.highest, report.re_identification.prosecutor.average
    (1.0, 0.75)
    >>> report.uniqueness.n_sample, report.special_uniques.by_size()
    (2, {1: 2, 2: 0})
    """
    asked = Assessment(
        threshold=threshold, fraction=fraction, size=size, estimator=estimator, largest=largest
    )
    records = table_of(table, roles)
    return asked.of(records, columns=as_columns(columns), population=population, progress=progress)


def _publishable(table: Table) -> Columns:
    """Name the columns that may be published: owners and guards never are."""
    never = table.schema.with_role(Role.OWNER, Role.GUARD)
    return tuple(name for name in table.frame.columns if name not in never)
