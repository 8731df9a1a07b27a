"""Assessing a table: all that stewards and auditors ask about the risk, in one report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from attrs import define, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import exact
from unlinkable.privacy.uniqueness import Estimator
from unlinkable.privacy.words import number_of
from unlinkable.risk.base import exact_or_none
from unlinkable.risk.estimated import read_estimator
from unlinkable.risk.re_identification import ReIdentification, ReIdentified
from unlinkable.risk.safe_harbor import Flag, safe_harbor
from unlinkable.risk.seen import Seen, see
from unlinkable.risk.special_uniques import SpecialUniques
from unlinkable.risk.specials import Specials
from unlinkable.risk.uniqueness import Uniqueness, Uniques
from unlinkable.table import Role, Table
from unlinkable.typing import Columns, Progress

__all__ = ["Assessment", "RiskReport", "as_limit", "assess"]

_POPULATION = "population"
"""What a population is called that was given as a frame."""

_DEFAULT_FRACTION = Fraction(1, 100)
"""What special uniques are rated for if no share of the population is known, as in sdcMicro."""


@define(eq=False, frozen=True)
class RiskReport:
    """How likely people are found in a table, and by what.

    Attributes
    ----------
    n_records, n_people
        How many records the table has, and how many people they are about.
    columns
        What the adversary knows.
    re_identification
        What prosecutor, journalist and marketer reach.
    uniqueness
        How many people nobody looks like, in the table and in the population.
    special_uniques
        Who is unique by few columns.
    flags
        Columns that may hold identifiers of HIPAA's Safe Harbor.
    before
        The same for the original records, if this is about what was published of them.
    note
        What must be known to read the figures, if anything.
    """

    n_records: int
    n_people: int
    columns: Columns
    re_identification: ReIdentified
    uniqueness: Uniques
    special_uniques: Specials
    flags: tuple[Flag, ...]
    before: RiskReport | None = None
    note: str = ""

    @property
    def highest(self) -> float:
        """The risk of the record that a prosecutor finds most easily."""
        return self.re_identification.prosecutor.highest

    def is_within(self, limit: float | str | Fraction) -> bool:
        """Whether no record has a higher risk to be found by a prosecutor.

        Raises
        ------
        ParameterError
            If the limit is not in (0, 1]: it would be kept always, or never.
        """
        return self.highest <= float(as_limit(limit))

    def sentences(self) -> Iterator[str]:
        """Say the most important things in words."""
        found, uniques = self.re_identification, self.uniqueness
        prosecutor = found.prosecutor
        yield (
            f"Whoever knows {_listed(self.columns)} of somebody in the table finds the record with "
            f"a probability of up to {prosecutor.highest:.4g}, and {prosecutor.average:.4g} on "
            "average."
        )
        yield (
            f"{prosecutor.n_above:,} of {number_of(self.n_records, 'record')} "
            f"({prosecutor.above:.1%}) {'has' if prosecutor.n_above == 1 else 'have'} a "
            f"risk above {float(found.threshold):g}; nobody else in the table looks like "
            f"{uniques.n_sample:,} of them."
            if prosecutor.n_above
            else f"No record has a risk above {float(found.threshold):g}."
        )
        if uniques.share is not None and uniques.n_sample:
            yield (
                f"About {uniques.share:.2%} of the records are about people who are unique in the "
                f"population ({uniques.basis.words})."
            )
        columns = [c for c in found.contributions if c.average_without < prosecutor.average]
        if columns:
            least = min(columns, key=lambda c: (c.average_without, c.column))
            yield (
                f"If {least.column!r} were not known, the average risk would fall to "
                f"{least.average_without:.4g}."
            )
        special = self.special_uniques
        if special.largest < len(special.columns) and uniques.n_sample:
            yield (
                f"Special uniques were looked for in sets of up to {special.largest} of "
                f"{len(special.columns)} columns: whoever only more columns single out is not "
                "among them."
            )

    def to_json(self) -> dict[str, object]:
        """Give the report as it is printed with ``--json``; it tells nothing of single records."""
        return {
            "records": self.n_records,
            "people": self.n_people,
            "quasi": list(self.columns),
            "re_identification": self.re_identification.to_json(),
            "uniqueness": self.uniqueness.to_json(),
            "special_uniques": self.special_uniques.to_json(),
            "safe_harbor": [flag.to_json() for flag in self.flags],
            **({"note": self.note} if self.note else {}),
            **({"before": self.before.to_json()} if self.before is not None else {}),
        }

    def _repr_html_(self) -> str:
        from unlinkable.risk.report_html import report_html

        return report_html(self)


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
        The largest set of columns that is looked at for special uniques.
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
        seen = see(table, columns, population=name, side=side)
        uniques = counting.of(seen)
        special = SpecialUniques(self.largest, self._share(seen, uniques))
        return RiskReport(
            n_records=seen.n_records,
            n_people=seen.n_people,
            columns=seen.columns,
            re_identification=finding.of(seen),
            uniqueness=uniques,
            special_uniques=special.of(seen, progress),
            flags=safe_harbor(table, _told(table)),
        )

    def _share(self, seen: Seen, uniques: Uniques) -> Fraction:
        """Say which share of the population special uniques are rated for."""
        if seen.n_population is not None and seen.n_people:
            return Fraction(seen.n_people, max(seen.n_population, seen.n_people))
        return exact(uniques.fraction) if uniques.fraction else _DEFAULT_FRACTION


def assess(
    table: Table,
    *,
    columns: Sequence[str] | None = None,
    threshold: float | str | Fraction = Fraction(1, 5),
    population: object | None = None,
    fraction: float | str | Fraction | None = None,
    size: int | None = None,
    estimator: Estimator | str = Estimator.DANKAR,
    largest: int | None = None,
    progress: Progress | None = None,
) -> RiskReport:
    """Say how likely people are found in a table, and by what.

    The table is taken as it stands, original or published: every distinct text is a value.

    Parameters
    ----------
    table
        The records. Records of the same owner are one person; a weight column says how many people
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
        The largest set of columns that is looked at for special uniques: see `SpecialUniques`.
    progress
        Whom to tell how far it is.

    Raises
    ------
    SchemaError
        If no column is known to the adversary, or the population lacks one.
    ParameterError
        If a parameter means nothing, or several say the same.

    Examples
    --------
    >>> from unlinkable.table import as_table
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
    return asked.of(table, columns=columns, population=population, progress=progress)


def as_limit(limit: float | str | Fraction) -> Fraction:
    """Read the highest risk that is allowed.

    Raises
    ------
    ParameterError
        If it is not in (0, 1].

    Examples
    --------
    >>> as_limit("1/5")
    Fraction(1, 5)
    """
    allowed = exact(limit)
    if not 0 < allowed <= 1:
        raise ParameterError(f"the limit of a risk must lie in (0, 1], got {limit}")
    return allowed


def _told(table: Table) -> Columns:
    """Name the columns that may be published: owners and guards never are."""
    never = table.schema.with_role(Role.OWNER, Role.GUARD)
    return tuple(name for name in table.frame.columns if name not in never)


def _listed(columns: Columns) -> str:
    *others, last = columns
    return f"{', '.join(others)} and {last}" if others else last
