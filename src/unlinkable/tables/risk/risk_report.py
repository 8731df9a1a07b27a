"""Risk report: how likely people are found in a table, and by what, in figures and words.

A report on risk as rows of tables, for people.

A report on risk at a glance, for notebooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape

from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.params import exact
from unlinkable.spelling import quantity
from unlinkable.tables.risk.re_identification import ReIdentified
from unlinkable.tables.risk.safe_harbor import Flag
from unlinkable.tables.risk.special_uniques import Specials
from unlinkable.tables.risk.uniqueness import Uniques
from unlinkable.typing import Columns

__all__ = [
    "RiskReport",
    "as_limit",
    "column_rows",
    "flag_rows",
    "report_html",
    "risk_rows",
    "size_rows",
]


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
            f"{prosecutor.n_above:,} of {quantity(self.n_records, 'record')} "
            f"({prosecutor.above:.1%}) {'has' if prosecutor.n_above == 1 else 'have'} a "
            f"risk above {float(found.threshold):g}; {_alone(uniques)}."
            if prosecutor.n_above
            else f"No record has a risk above {float(found.threshold):g}."
        )
        yield from _on_population(found, uniques)
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
        from unlinkable.tables.risk.risk_report import report_html

        return report_html(self)


def _alone(uniques: Uniques) -> str:
    if not uniques.n_sample:
        return "each of them looks like others in the table"
    return f"nobody else in the table looks like {uniques.n_sample:,} of them"


def _on_population(found: ReIdentified, uniques: Uniques) -> Iterator[str]:
    """State what is known of the population, and where figures do not fit each other."""
    if uniques.share is not None and uniques.n_sample:
        yield (
            f"About {uniques.share:.2%} of the records are about people who are unique in the "
            f"population ({uniques.basis.words})."
        )
        if uniques.share > found.marketer:
            yield (
                "The chances of journalist and marketer are estimated in another way, which gives "
                f"less: {found.marketer:.4g} on average. Go by the higher figure."
            )
    if strangers := found.seen.n_strangers:
        yield (
            f"{quantity(strangers, 'record')} {'looks' if strangers == 1 else 'look'} like nobody "
            "of the population, which must hold everybody who is in the table: it is another one, "
            "or its values are written in another way."
        )


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


def _listed(columns: Columns) -> str:
    *others, last = columns
    return f"{', '.join(others)} and {last}" if others else last


def risk_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give the figures of the three adversaries, before and after if both are there."""
    rows: list[tuple[str, ...]] = []
    for when, told in _times(report):
        found = told.re_identification
        for who, risk in (("prosecutor", found.prosecutor), ("journalist", found.journalist)):
            figures = f"{risk.highest:.4g}", f"{risk.average:.4g}", f"{risk.above:.1%}"
            rows.append((f"{who}{when}", *figures))
        rows.append((f"marketer{when}", "", f"{found.marketer:.4g}", ""))
    return rows


def size_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give how many groups there are of which size."""
    sizes = report.re_identification.group_sizes
    return [(size.text, f"{size.groups:,}", f"{size.records:,}") for size in sizes]


def column_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give what each column contributes, the most dangerous one first."""
    special = report.special_uniques.contributions
    return [
        (
            c.column,
            "" if c.part is None else f"{c.part:.4f}",
            f"{c.average_without:.4f}",
            f"{special[c.column]:.1%}",
        )
        for c in report.re_identification.contributions
    ]


def flag_rows(flags: Iterable[Flag]) -> list[tuple[str, ...]]:
    """Give the columns that may hold identifiers."""
    return [(f.column, f"{f.kind.letter}: {f.kind.title}", f.why, f.remedy) for f in flags]


def _times(report: RiskReport) -> Iterable[tuple[str, RiskReport]]:
    if report.before is None:
        return [("", report)]
    return [(", before", report.before), (", after", report)]


def report_html(report: RiskReport) -> str:
    """Write a report as HTML. It tells nothing of single records; all texts are escaped."""
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in report.sentences())
    return said + "".join(
        _table(header, rows)
        for header, rows in (
            (("adversary", "highest", "average", "above"), risk_rows(report)),
            (("people alike", "groups", "records"), size_rows(report)),
            (("column", "part", "average without", "in special uniques"), column_rows(report)),
            (("column", "Safe Harbor", "because", "what to do"), flag_rows(report.flags)),
        )
        if rows
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
