"""People: which column tells whose records they are, and which numbers them where nothing should.

Where several records belong to one person, a promise must count people. Five records of the same
patient hide nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from unlinkable.errors import SchemaError
from unlinkable.tables.data import Frame, Role, Schema, Table
from unlinkable.tables.risk.safe_harbor import Flag, safe_harbor
from unlinkable.tables.risk.shared.identifiers import (
    NOT_PEOPLE,
    OF_ONE_PERSON,
    IdentifierKind,
    words_of,
)
from unlinkable.tables.taxonomies.builders import Csv, Tree

__all__ = ["owner_column", "people_warnings", "require_no_numbers"]

_ENOUGH = 200_000
"""So many records are examined for a warning."""


def owner_column(table: Table, flags: Iterable[Flag]) -> str | None:
    """Name the column that most likely tells which records belong to the same person.

    It numbers people, and some records share a number. Counting people by it is never weaker than
    counting records. Of several columns it is the one whose kind is the most certain, and of these
    the one with the most values.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> visits = {"visit_id": [1, 2, 3], "patient_id": [7, 7, 8]}
    >>> visits = as_table(visits, insensitive=list(visits))
    >>> owner_column(visits, safe_harbor(visits))
    'patient_id'
    """
    found = [
        (
            OF_ONE_PERSON.index(flag.kind),
            -table.numbered(flag.column).observed.domain.n_present,
            flag,
        )
        for flag in flags
        if _tells_people_apart(table, flag)
    ]
    return min(found, key=lambda rank: rank[:2])[2].column if found else None


def require_no_numbers(table: Table, is_meant: Callable[[str], bool] = lambda _: False) -> None:
    """Refuse a quasi-identifier that numbers or names people by itself.

    Its values would be published: as they are, in sets, as ends of ranges. A taxonomy that was
    written by hand says that they are categories.

    Parameters
    ----------
    table
        The records.
    is_meant
        Whether a column is one that is told on purpose, as a view with names is.

    Raises
    ------
    SchemaError
        If there is such a column.
    """
    quasi = tuple(name for name in table.schema.quasi if not is_meant(name))
    for flag in safe_harbor(table, quasi) if quasi else ():
        by_hand = isinstance(table.schema[flag.column].taxonomy, Csv | Tree)
        if flag.kind.is_direct and not by_hand:
            raise SchemaError(
                f"column {flag.column!r} looks like {flag.kind.title} ({flag.why}) and cannot be a "
                "quasi-identifier: published sets and ranges would show them. Give it the role "
                "identifier, or owner if it tells whose record it is; if it identifies nobody, "
                "give it a taxonomy that lists its values (csv or tree)"
            )


def people_warnings(frame: Frame, schema: Schema) -> Iterator[str]:
    """State what is likely wrong with the roles of columns that number people.

    Parameters
    ----------
    frame
        The records, also with columns that have no role and are dropped.
    schema
        The roles.
    """
    table = Table(frame.head(_ENOUGH), Schema.of(insensitive=frame.columns))
    left = {*schema.with_role(Role.IDENTIFIER), *(set(frame.columns) - set(schema.names))}
    hidden = tuple(name for name in frame.columns if name in left)
    owner = owner_column(table, safe_harbor(table, hidden)) if hidden else None
    if schema.owner is None and owner is not None:
        domain = table.numbered(owner).observed.domain
        yield (
            f"several records seem to belong to one person: {len(table):,} records have "
            f"{domain.n_present:,} values of {owner!r}, and promises count records as if each were "
            f"a person. Give {owner!r} the role owner"
        )
    published = schema.with_role(Role.INSENSITIVE, Role.TARGET, Role.SENSITIVE)
    shown = tuple(name for name in published if name in frame.columns)
    for flag in safe_harbor(table, shown) if shown else ():
        if flag.kind.is_direct:
            yield (
                f"column {flag.column!r} looks like {flag.kind.title} ({flag.why}), and its values "
                "are published. Give it the role identifier, or owner"
            )


def _tells_people_apart(table: Table, flag: Flag) -> bool:
    if not flag.kind.numbers_people:
        return False
    observed = table.numbered(flag.column).observed
    is_shared = bool((observed.counts[: observed.domain.n_present] > 1).any())
    is_of_people = flag.kind is not IdentifierKind.OTHER or not re.search(
        NOT_PEOPLE, words_of(flag.column)
    )
    return is_shared and is_of_people
