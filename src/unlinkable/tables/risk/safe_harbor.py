"""Safe Harbor: columns that hold what HIPAA counts among the identifiers of a person.

The privacy rule of the United States lists 18 kinds of identifiers. Health data from which all of
them are removed counts as de-identified, if the holder does not know better [1]_. Here columns are
flagged that look as if they held some, by their names or by their values. A flag is a question to
the holder; a table without flags may still hold identifiers, in free text for example.

References
----------
.. [1] 45 CFR 164.514(b)(2). "Guidance regarding methods for de-identification of protected health
   information in accordance with the HIPAA privacy rule." US Department of Health and Human
   Services, 2012.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from attrs import frozen

from unlinkable.tables.data import Table
from unlinkable.tables.risk.shared.identifiers import (
    CALLED,
    LOOKS_LIKE,
    ORDERED,
    RESTRICTED_ZIPS,
    IdentifierKind,
    words_of,
)
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import Columns

__all__ = ["Flag", "IdentifierKind", "safe_harbor"]

_MOST = 0.8
"""The share of the values that must look like an identifier."""

_ENOUGH = 2_000
"""So many distinct values are examined, evenly spread over all."""

_NAMES_RECORDS = 0.95
"""The share of distinct values from which texts name their records."""

_MANY_CODES = 200
"""So many different codes are codes of people, however many records there are."""

_LONG = 7
"""Whole numbers of this many digits each are no measurements."""

_CHANCE_MEETINGS = 5
"""If so many pairs of records are expected to share a value by chance, and none does, the values
were handed out one by one: the chance that they were not is below 1 in 100."""

_FEW = 20
"""In so few records nothing can be said of how often values occur."""

_ANSWERS = frozenset({"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "unknown", "*"})
"""A column that says only this of an identifier says whether there is one."""

_OLDEST = 89
"""Ages beyond may not be told."""

_YEARS = 1800, 2200
"""Numbers between are years, where a column is about births."""

_ZIP_DIGITS = 3
"""So many digits of a ZIP code may be told."""

_AMOUNT = re.compile(r"[\[{]|-?\d+(\.\d+)?$")
_AGE = re.compile(r"\[?(\d+(?:\.\d+)?)(-\d+(\.\d+)?\))?")
_YEAR = re.compile(r"\*|\d{4}|\[\d{4}-\d{4}\)")
_DATED = re.compile(
    r"\b(dob|date of (birth|death)|birth ?date|birthday|"
    r"(admission|discharge|death|visit|service|surgery) date)\b"
)
_CODE = re.compile(r"([A-Za-z]*[-_ /.:]?)(\d+)")
_DIGITAL_DATE = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_DATES = re.compile(r"\d{4}-\d{2}-\d{2}")


@frozen
class Flag:
    """A column that may hold identifiers.

    Attributes
    ----------
    column
        The column.
    kind
        Which of the 18 kinds of identifiers.
    why
        What gives it away. No values are told.
    """

    column: str
    kind: IdentifierKind
    why: str

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return self.kind.remedy

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "column": self.column,
            "item": self.kind.letter,
            "kind": self.kind.title,
            "why": self.why,
            "remedy": self.remedy,
        }


def safe_harbor(table: Table, columns: Columns | None = None) -> tuple[Flag, ...]:
    """Flag the columns that look as if they held identifiers of HIPAA's list.

    Every column is flagged at most once: by its name, if that tells and the values do not
    contradict, or else by what most of its values look like. Dates, ages and ZIP codes are examined
    closely, because years, ages up to 89 and some first digits of ZIP codes are allowed.

    Parameters
    ----------
    table
        The records; the roles of their columns do not matter.
    columns
        The columns to look at; all if not given.

    Cost
    ----
    At most 2,000 distinct values of each column.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = {"mail": ["ann@x.org", "bob@y.org"], "age": [93, 97], "year": [1990, 1991]}
    >>> people = as_table(people, insensitive=list(people))
    >>> [(flag.column, flag.kind.title) for flag in safe_harbor(people)]
    [('mail', 'email addresses'), ('age', 'ages over 89')]
    """
    found = (_flag(table, name) for name in columns or table.frame.columns)
    return tuple(flag for flag in found if flag is not None)


@frozen
class _Look:
    """What a close look at values has found: they are of a kind, and why they may not be told."""

    kind: IdentifierKind
    why: str | None


def _flag(table: Table, name: str) -> Flag | None:
    observed = table.numbered(name).observed
    domain = observed.domain
    n_present = int(observed.counts[: domain.n_present].sum())
    words, values = words_of(name), _some(domain)
    if not values:
        return None
    looks = (look(words, domain, values) for look in (_at_dates, _at_ages, _at_zips))
    found = next((look for look in looks if look is not None), None)
    if found is not None:
        return None if found.why is None else Flag(name, found.kind, found.why)
    by_name = _by_name(words, domain, n_present)
    if by_name is not None:
        return Flag(name, by_name, "its name says so")
    return _by_values(name, domain, values, n_present)


def _some(domain: Domain) -> list[str]:
    """Give some of the values as texts."""
    n = domain.n_present
    places = np.unique(np.linspace(0, max(n - 1, 0), min(n, _ENOUGH)).astype(np.int64))
    return [domain.text(int(code)) for code in places]


def _at_dates(words: str, domain: Domain, values: Sequence[str]) -> _Look | None:
    """Dates may be told as years."""
    kind, why = IdentifierKind.DATE, None
    if domain.kind is Kind.DATE:
        are_years = len(values) > 1 and all(text[4:] == "-01-01" for text in values)
        return _Look(kind, None if are_years else "it holds dates")
    days = [_DATES.findall(text) for text in values if text.startswith("[")]
    if len(days) >= _MOST * len(values) and all(days):
        are_years = all(day.endswith("-01-01") for found in days for day in found)
        return _Look(kind, None if are_years else "it holds intervals of dates that are no years")
    if domain.kind is Kind.NUMBER and re.search(r"\b(birth|born|yob)\b", words):
        first, last = float(domain.values[0]), float(domain.values[-1])
        if last - first > _OLDEST:
            why = "years of birth lie so far apart that some people are over 89"
        if _YEARS[0] <= first and last <= _YEARS[1]:
            return _Look(kind, why)
    if _DATED.search(words):
        are_years = all(_YEAR.fullmatch(text) for text in values)
        return _Look(kind, None if are_years else "its name says so")
    return None


def _at_ages(words: str, domain: Domain, values: Sequence[str]) -> _Look | None:
    """Ages may be told up to 89, and one group for all beyond."""
    if not re.search(r"\bages?\b", words) or re.search(r"\b(months?|weeks?|days?)\b", words):
        return None
    if domain.kind is Kind.NUMBER:
        values = [domain.text_of(value) for value in domain.values[domain.values > _OLDEST]]
    elif not any(_AGE.fullmatch(text) for text in values):
        return None
    starts = {float(m[1]) for text in values if (m := _AGE.fullmatch(text))}
    is_fine = {start for start in starts if start > _OLDEST} <= {_OLDEST + 1.0}
    return _Look(IdentifierKind.AGE, None if is_fine else "some people are over 89")


def _at_zips(words: str, domain: Domain, values: Sequence[str]) -> _Look | None:
    """ZIP codes may be told up to their third digit, where enough people live."""
    if not re.search(r"\bzip\b|\bzip ?codes?\b", words):
        return None
    digits = [run for text in values for run in re.findall(r"\d+", text)]
    why = None
    if any(len(run) > _ZIP_DIGITS for run in digits):
        why = "it holds more than the first three digits of ZIP codes"
    elif any(run in RESTRICTED_ZIPS for run in digits):
        why = "it holds first digits of ZIP codes where at most 20,000 people live"
    return _Look(IdentifierKind.PLACE, why)


def _by_name(words: str, domain: Domain, n_present: int) -> IdentifierKind | None:
    for kind, called, but in CALLED:
        if kind is IdentifierKind.NAME and domain.kind is not Kind.CATEGORY:
            continue
        if re.search(called, words) and not (but and re.search(but, words)):
            # A number of a ward is no number of a person, and yes or no is no identifier.
            least: float = {
                IdentifierKind.PERSON: _FEW + 1,
                IdentifierKind.OTHER: min(n_present / 2, _MANY_CODES),
            }.get(kind, 1)
            is_answer = domain.n_present <= len(_ANSWERS) and all(
                domain.text(code).lower() in _ANSWERS for code in range(domain.n_present)
            )
            is_kept = is_answer or (n_present > _FEW and domain.n_present < least)
            return None if is_kept else kind
    return None


def _by_values(name: str, domain: Domain, values: Sequence[str], n_present: int) -> Flag | None:
    if domain.kind is Kind.DATE:
        return None
    for kind, pattern in LOOKS_LIKE.items() if domain.kind is Kind.CATEGORY else ():
        n = sum(pattern.fullmatch(text) is not None for text in values)
        if n >= _MOST * len(values):
            return Flag(name, kind, "its values look like that")
    if n_present <= _FEW or re.search(ORDERED, words_of(name)):
        return None
    if _are_handed_out(domain, values, n_present):
        return Flag(name, IdentifierKind.OTHER, "no two records share a value, as in a numbering")
    if domain.n_present >= min(n_present / 2, _MANY_CODES) and _are_codes(values):
        return Flag(name, IdentifierKind.OTHER, "its values look like numbers of people")
    is_telling = domain.kind is Kind.CATEGORY and domain.n_present >= _NAMES_RECORDS * n_present
    # Amounts of money and published intervals differ as well, and identify nobody.
    if is_telling and not any(_AMOUNT.match(text) for text in values):
        return Flag(name, IdentifierKind.OTHER, "hardly two records share a value")
    return None


def _are_handed_out(domain: Domain, values: Sequence[str], n_present: int) -> bool:
    """Tell whole numbers that are all different, though chance would have made some the same."""
    if domain.n_present < n_present or not all(map(str.isdecimal, values)):
        return False
    numbers = [int(text) for text in values]
    span = max(numbers) - min(numbers) + 1
    return n_present * n_present >= 2 * _CHANCE_MEETINGS * span


def _are_codes(values: Sequence[str]) -> bool:
    """Tell long numbers, and numbers after the same letters, that are written alike."""
    if all(_DIGITAL_DATE.fullmatch(text) for text in values):
        return False
    parts = [match for text in values if (match := _CODE.fullmatch(text))]
    heads, lengths = {part[1] for part in parts}, {len(part[2]) for part in parts}
    if len(parts) < _MOST * len(values) or len(heads) > 1:
        return False
    return min(lengths) >= (3 if heads.pop() else _LONG) and len(lengths) <= 2
