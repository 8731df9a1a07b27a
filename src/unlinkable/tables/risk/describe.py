"""Describe: what a table holds, and what each column probably is to a release.

Suggestions are careful: a column that nothing is known about is taken for a quasi-identifier,
because leaving out a column that others know endangers people, and including one that they do not
know only costs precision.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from attrs import evolve, frozen

from unlinkable.errors import ParameterError, SchemaError, in_short, unknown
from unlinkable.params import as_columns
from unlinkable.tables.data import Role, Schema, Table
from unlinkable.tables.data.reading import read_frame, to_frame
from unlinkable.tables.risk.quasi_identifier_search import ColumnSet, QuasiIdentifierSearch
from unlinkable.tables.risk.safe_harbor import Flag, safe_harbor
from unlinkable.tables.risk.shared.identifiers import IdentifierKind
from unlinkable.tables.risk.shared.people import owner_column
from unlinkable.tables.taxonomies import Domain, Kind

__all__ = ["ColumnProfile", "Description", "describe", "suggest_taxonomy"]

_SENSITIVE = re.compile(
    r"disease|diagnos|illness|condition|symptom|hiv|salary|income|wage|loan|debt|credit|religion|"
    r"politic|party|orient|crime|convict|medic|drug|treatment|test_?result|occupation_?sensitive",
    re.IGNORECASE,
)
_HARDLY_SHARED = 0.5
"""Share of distinct values from which hardly two records share one."""

_FEW = 20
"""In so few records nothing can be said of how often values occur."""

_SORTS = 8
"""So few values are sorts of something."""

_SURELY_PERSONAL = (
    IdentifierKind.NAME,
    IdentifierKind.ADDRESS,
    IdentifierKind.SOCIAL_SECURITY,
    IdentifierKind.MEDICAL_RECORD,
    IdentifierKind.HEALTH_PLAN,
)
"""Kinds of identifiers that are some however few there are."""

_WEIGHT = re.compile(r"^(fnl_?wgt|final_?weight|weight|sample_?weight|wt)$", re.IGNORECASE)


@frozen
class ColumnProfile:
    """One column: what it holds, and what it probably is.

    Attributes
    ----------
    name, type
        The column, and whether it holds categories, numbers or dates.
    distinct, missing
        Number of distinct values, and of records without one.
    entropy
        How much the column tells about a record, in bits.
    unique
        Share of the records whose value nobody else has.
    role, reason
        The suggested role, and why.
    taxonomy
        The suggested taxonomy of a quasi-identifier, in the form of a plan file.
    """

    name: str
    type: str
    distinct: int
    missing: int
    entropy: float
    unique: float
    role: Role
    reason: str
    taxonomy: dict[str, object] | None


@frozen
class Description:
    """A table as it stands.

    Attributes
    ----------
    n_records
        Number of records.
    columns
        Its columns, one by one.
    sets
        How well sets of columns tell the records apart, the most telling first.
    largest
        How many columns the largest of these sets have.
    smallest
        The smallest sets that single out almost everybody.
    flags
        Columns that may hold identifiers of HIPAA's Safe Harbor.
    """

    n_records: int
    columns: tuple[ColumnProfile, ...]
    sets: tuple[ColumnSet, ...]
    smallest: tuple[ColumnSet, ...]
    flags: tuple[Flag, ...] = ()
    largest: int = 0

    def to_json(self) -> dict[str, object]:
        """Give the description as plain values."""
        return {
            "records": self.n_records,
            "columns": [
                {
                    "name": c.name,
                    "type": c.type,
                    "distinct": c.distinct,
                    "missing": c.missing,
                    "entropy": c.entropy,
                    "unique": c.unique,
                    "role": c.role.value,
                    "reason": c.reason,
                    "taxonomy": c.taxonomy,
                }
                for c in self.columns
            ],
            "sets": [_set_to_json(s) for s in self.sets],
            "largest_set": self.largest,
            "smallest": [_set_to_json(s) for s in self.smallest],
            "safe_harbor": [flag.to_json() for flag in self.flags],
        }


def describe(
    table: object,
    *,
    sets: Sequence[str] | None = None,
    search: QuasiIdentifierSearch | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Description:
    """Examine every column, and at sets of columns.

    Parameters
    ----------
    table
        The records: a table, or a frame of any kind or a file. Roles do not matter.
    sets
        The columns to combine; those that are suggested as quasi-identifiers if not given.
    search
        How large the sets may be, and what counts as singling out.
    progress
        Progress callback.

    Raises
    ------
    SchemaError
        If there is no such column to combine.
    ParameterError
        If there are too many sets as large as was asked for.

    Examples
    --------
    >>> import unlinkable as ul
    >>> patients = ul.examples.hospital(100)
    >>> about = describe(ul.as_table(patients, insensitive=patients.columns))
    >>> [(c.name, c.role.value) for c in about.columns[:4]]
    [('patient_id', 'identifier'), ('name', 'identifier'), ('age', 'quasi-identifier'),
     ('sex', 'quasi-identifier')]
    """
    if search is not None and not isinstance(search, QuasiIdentifierSearch):
        raise ParameterError(f"search must be a QuasiIdentifierSearch, got {in_short(search)}")
    chosen = search or QuasiIdentifierSearch()
    return _described(_as_it_is(table), as_columns(sets), chosen, progress)


def _as_it_is(data: object) -> Table:
    """Take records without asking for roles."""
    if isinstance(data, Table):
        return data
    frame = read_frame(data) if isinstance(data, str | Path) else to_frame(data)[0]
    return Table(frame, Schema.of(insensitive=frame.columns))


def _described(
    table: Table,
    sets: Sequence[str] | None,
    search: QuasiIdentifierSearch,
    progress: Callable[[float, str], None] | None,
) -> Description:
    for name in sets or ():
        if name not in table.frame.columns:
            raise SchemaError(unknown("column", name, table.frame.columns))
    flags = safe_harbor(table)
    by_column = {flag.column: flag for flag in flags}
    looked = [profile(table, name, by_column.get(name)) for name in table.frame.columns]
    profiles = _with_owner(looked, owner_column(table, flags))
    combined = sets or [p.name for p in profiles if p.role is Role.QUASI]
    measured = search.measure(table, combined, progress)
    telling = sorted(measured, key=lambda s: (-s.unique, len(s.columns)))
    smallest = search.smallest(table, combined, measured)
    largest = search.size(len(combined), len(table))
    return Description(len(table), profiles, tuple(telling), tuple(smallest), flags, largest)


def profile(table: Table, name: str, flag: Flag | None) -> ColumnProfile:
    """Examine one column, given what it was flagged for."""
    observed = table.numbered(name).observed
    domain, counts = observed.domain, observed.counts
    n = len(table)
    missing = int(counts[-1]) if domain.has_missing else 0
    present = counts[: domain.n_present]
    shares = counts[counts > 0] / n if n else counts.astype(float)
    role, reason = _suggest_role(name, domain, n - missing, missing, flag)
    return ColumnProfile(
        name=name,
        type=domain.kind.value,
        distinct=domain.n_present,
        missing=missing,
        entropy=float(-(shares * np.log2(shares)).sum()) + 0.0 if n else 0.0,
        unique=float((present == 1).sum()) / n if n else 0.0,
        role=role,
        reason=reason,
        taxonomy=suggest_taxonomy(domain) if role is Role.QUASI else None,
    )


def _suggest_role(
    name: str, domain: Domain, n_present: int, n_missing: int, flag: Flag | None
) -> tuple[Role, str]:
    ratio = domain.n_present / n_present if n_present else 0.0
    if _WEIGHT.match(name) and domain.kind is Kind.NUMBER:
        return Role.WEIGHT, "its name says that it weighs records"
    if flag is not None and flag.kind.is_direct and not _are_sorts(flag, domain, n_present):
        return Role.IDENTIFIER, f"{flag.kind.title} ({flag.why})"
    if _SENSITIVE.search(name):
        return Role.SENSITIVE, "its name says that people would not want it known"
    if domain.n_present == 0:
        return Role.INSENSITIVE, "it has no value anywhere"
    if domain.n_present == 1 and not n_missing:
        return Role.INSENSITIVE, "it has the same value everywhere"
    if ratio > _HARDLY_SHARED and n_present > _FEW:
        return Role.QUASI, "hardly two records share a value: whoever knows it finds the record"
    return Role.QUASI, "others may know it: take it out only if you are sure that nobody does"


def _are_sorts(flag: Flag, domain: Domain, n_present: int) -> bool:
    """Tell a few sorts of telephones or accounts from numbers of some."""
    is_surely_personal = flag.kind in _SURELY_PERSONAL or n_present <= _FEW
    return domain.n_present <= _SORTS and not is_surely_personal


def _with_owner(profiles: Sequence[ColumnProfile], owner: str | None) -> tuple[ColumnProfile, ...]:
    """Give the column that tells people apart the role of the owner."""
    return tuple(
        evolve(
            p,
            role=Role.OWNER,
            reason=f"{p.reason}; several records share one, and promises are to count people",
        )
        if p.name == owner
        else p
        for p in profiles
    )


def suggest_taxonomy(domain: Domain) -> dict[str, object]:
    """Suggest how the values of a column may be generalized, in the form of a plan file."""
    if domain.kind is Kind.DATE:
        return {"dates": ["month", "quarter", "year"]}
    if domain.kind is Kind.NUMBER:
        return _suggest_intervals(domain)
    lengths = {len(v) for v in domain.values[:1000].tolist()}
    are_digits = all(v.isdigit() for v in domain.values[:1000].tolist())
    if are_digits and len(lengths) == 1 and (length := lengths.pop()) >= 3:
        return {"mask": length}
    return {"flat": True} if domain.n_present <= 8 else {"auto": True}


def _suggest_intervals(domain: Domain) -> dict[str, object]:
    if domain.n_present < 3 or not np.issubdtype(domain.values.dtype, np.integer):
        return {"auto": True}
    span = int(domain.values[-1]) - int(domain.values[0]) + 1
    # The first width that people count in and that leaves about fifteen intervals.
    round_numbers = (step * 10**power for power in range(19) for step in (1, 2, 5))
    first = next(width for width in round_numbers if 15 * width >= span)
    widths = [w for w in (first, 2 * first, 4 * first, 8 * first) if 1 < w < span]
    return {"intervals": widths} if widths else {"flat": True}


def _set_to_json(s: ColumnSet) -> dict[str, object]:
    return {
        "columns": list(s.columns),
        "unique": s.unique,
        "distinct_ratio": s.distinct,
        "separation_ratio": s.separation,
    }
