"""What an SQL database answers to a query.

The address is one of SQLAlchemy: ``sqlite:///patients.db``, ``postgresql://user:secret@host/db``.
No password and no value of a record appears in an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from unlinkable.errors import DataError
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.delimited import check_names

__all__ = ["is_address", "read_sql"]

_BATCH = 100_000


def is_address(source: object) -> bool:
    """Whether a source is an address rather than a path.

    Examples
    --------
    >>> is_address("sqlite:///patients.db"), is_address("patients.csv")
    (True, False)
    """
    return isinstance(source, str) and "://" in source


def read_sql(address: str, query: str | None) -> pl.DataFrame:
    """Ask a database; nothing in it is changed.

    Raises
    ------
    DataError
        If there is no query, no such database, or the database refuses the query.
    """
    sqlalchemy = load_extra("sqlalchemy", "sql", "SQL databases")
    try:
        url = sqlalchemy.make_url(address)
    except (sqlalchemy.exc.ArgumentError, ValueError):
        raise DataError(
            "the SQL address cannot be understood; it must look like 'sqlite:///file.db' or "
            "'postgresql://user@host/database'"
        ) from None
    shown = url.render_as_string(hide_password=True)
    if not query:
        raise DataError(f"{shown}: a database needs a query, such as 'SELECT * FROM patients'")
    if url.drivername.startswith("sqlite") and url.database and not _is_there(url.database):
        raise DataError(f"{shown}: there is no such database file")
    try:
        engine = sqlalchemy.create_engine(url)
    except sqlalchemy.exc.NoSuchModuleError:
        raise DataError(f"{shown}: there is no kind of database {url.drivername!r}") from None
    except ModuleNotFoundError as error:
        raise DataError(
            f"{shown}: the driver {error.name!r} is not installed: pip install {error.name}"
        ) from None
    try:
        # Leaving without a commit rolls back whatever the query did.
        with engine.connect() as connection:
            return _fetch(shown, connection.exec_driver_sql(query))
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise DataError(f"{shown}: {_reason(sqlalchemy, error, url.password)}") from None
    finally:
        engine.dispose()


def _fetch(shown: str, result: Any) -> pl.DataFrame:
    if not result.returns_rows:
        raise DataError(f"{shown}: the query gives no table; it must be a SELECT")
    names = tuple(str(name) for name in result.keys())  # noqa: SIM118 (it is no mapping)
    check_names(f"{shown}, the columns of the query", names)
    batches = iter(lambda: result.fetchmany(_BATCH), [])
    by_column: list[list[object]] = [[] for _ in names]
    for batch in batches:
        for values, more in zip(by_column, zip(*batch, strict=True), strict=True):
            values.extend(more)
    return pl.DataFrame(
        [_column(shown, name, values) for name, values in zip(names, by_column, strict=True)]
    )


def _column(shown: str, name: str, values: list[object]) -> pl.Series:
    try:
        series = pl.Series(name, values)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        series = pl.Series(name, [], pl.Object)
    if series.dtype == pl.Object:
        raise DataError(
            f"{shown}: the values of {name!r} are not of one plain type; cast them in the query "
            f"(CAST({name} AS TEXT))"
        )
    return series


def _reason(sqlalchemy: Any, error: Any, password: object) -> str:
    """Explain why a database refused, without what it may quote of records or the address."""
    if not isinstance(error, (sqlalchemy.exc.OperationalError, sqlalchemy.exc.ProgrammingError)):
        return f"the database refused the query ({type(error).__name__}); check it there"
    first = str(error.orig).strip().splitlines()[0]
    if password:
        first = first.replace(str(password), "***")
    return f"the database answered: {first}; check address and query"


def _is_there(database: str) -> bool:
    """Whether a SQLite database exists; asking one that does not would make an empty file."""
    return database == ":memory:" or database.startswith("file:") or Path(database).is_file()
