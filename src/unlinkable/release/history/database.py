"""The database behind a history: SQLite in a file, or PostgreSQL.

Whoever writes holds the database for himself from the first look to the commit, so that two
publishers can never build on the same past. What is not committed was never there.

A new file is empty until the first commit, and goes if there is none. Whoever waited for it
meanwhile sees that it is gone, and begins anew: otherwise they would write to a file that nobody
finds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from unlinkable.errors import HistoryError
from unlinkable.extras import load_extra

__all__ = ["Database"]

_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
"""The kinds of database, and how each is spoken to."""

_LOCKED = ("database is locked", "lock timeout", "LockNotAvailable")
"""What databases say if somebody else holds them."""

_REMEDIES = {
    "not a database": ": it is no history; name another file",
    "malformed": ": the file is damaged; put a copy back, and do not begin a new one for the same "
    "people: it would not know what is out already",
    "disk is full": ": nothing was published; make room, and try again",
    "readonly": ": nothing was published; see to the rights of the file and its folder",
}
"""What to do about what databases say."""

_PRIVATE = 0o600
"""Rights of a new file: nobody but its owner reads it."""


class Database:
    """A database that a history is kept in.

    Parameters
    ----------
    address
        A file for SQLite, or an address like ``postgresql://user@host/database``.
    wait
        For how many seconds to wait if somebody else is publishing.

    Raises
    ------
    HistoryError
        If the address cannot be understood, or names another kind of database.
    MissingExtraError
        If the extra ``history``, or the driver for PostgreSQL, is not installed.

    Attributes
    ----------
    shown
        What it is called in messages, without a password.
    mark
        What its folders are known by.
    """

    def __init__(self, address: str | Path, wait: float) -> None:
        self._sql = load_extra("sqlalchemy", "history", "histories")
        self._url = self._understood(address)
        self._kind: str = self._url.get_backend_name()
        self._file = Path(self._url.database) if self._kind == "sqlite" else None
        self._wait = wait
        self.mark: str = blake2b(str(self._url).encode(), digest_size=6).hexdigest()
        self.shown: str = (
            str(self._url.database)
            if self._kind == "sqlite"
            else self._url.render_as_string(hide_password=True)
        )

    @property
    def exists(self) -> bool:
        """Whether there is a database at all; that of a server is taken to be there."""
        # Path.is_file raises if the name is too long.
        return self._file is None or os.path.isfile(self._file)  # noqa: PTH113

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Give a connection that sees one state of the database, and changes nothing."""
        with self._connected(self._url, for_writing=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Any]:
        """Give a connection of one's own. What it writes is there once it commits, or never.

        Raises
        ------
        HistoryError
            If somebody else holds the database for too long.
        """
        if self._file is None:
            with self._connected(self._url, for_writing=True) as connection:
                connection.begin()
                self._lock(connection)
                yield connection
            return
        is_ours = False
        while not is_ours:
            is_new = _make_private(self._file)
            before = _identity(self._file)
            with self._connected(self._url, for_writing=True) as connection:
                try:
                    connection.begin()
                except self._sql.exc.SQLAlchemyError:
                    if before == _identity(self._file):
                        raise
                    continue  # SQLite itself may notice that the file is gone.
                is_ours = before is not None and before == _identity(self._file)
                if is_ours:
                    try:
                        yield connection
                    finally:
                        # Only whoever holds the database may remove it.
                        if is_new:
                            _remove_empty(self._file)

    @contextmanager
    def trying(self) -> Iterator[Any]:
        """Give a connection of one's own, as `writing` does, to try something out.

        If there is no file yet, none is made.
        """
        if self._file is None or self.exists:
            with self.writing() as connection:
                yield connection
            return
        _require_folder(self._file)
        with self._connected(self._sql.URL.create("sqlite"), for_writing=True) as connection:
            yield connection

    @contextmanager
    def _connected(self, url: Any, *, for_writing: bool) -> Iterator[Any]:
        engine = self._engine(url, for_writing=for_writing)
        try:
            with engine.connect() as connection:
                yield connection
        except self._sql.exc.SQLAlchemyError as error:
            raise HistoryError(f"{self.shown}: {self._reason(error)}") from None
        finally:
            engine.dispose()

    def _engine(self, url: Any, *, for_writing: bool) -> Any:
        is_file = self._file is not None
        options: dict[str, Any] = {"connect_args": {"timeout": self._wait}}
        if not is_file:
            # Who reads sees one state; who waited for another publisher sees what that one did.
            options = {"isolation_level": "READ COMMITTED" if for_writing else "REPEATABLE READ"}
        try:
            engine = self._sql.create_engine(url, poolclass=self._sql.pool.NullPool, **options)
        except ModuleNotFoundError as error:
            raise HistoryError(
                f"{self.shown}: the driver {error.name!r} is not installed: pip install "
                '"unlinkable[postgres]"'
            ) from None
        if is_file:
            begin = "BEGIN IMMEDIATE" if for_writing else "BEGIN"
            self._sql.event.listen(engine, "connect", _leave_transactions_to_us)
            self._sql.event.listen(engine, "begin", lambda c: c.exec_driver_sql(begin))
        return engine

    def _lock(self, connection: Any) -> None:
        """Keep all others from writing to a server until the end of the transaction."""
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{max(int(self._wait * 1000), 1)}ms'")
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7236417263)")

    def _understood(self, address: str | Path) -> Any:
        text = str(address)
        if "://" not in text:
            if os.path.isdir(text):  # noqa: PTH112
                raise HistoryError(
                    f"{Path(text).absolute()} is a folder, and a history is a file: name one in it"
                )
            return self._sql.URL.create("sqlite", database=str(Path(text).absolute()))
        try:
            url = self._sql.make_url(text)
        except (self._sql.exc.ArgumentError, ValueError):
            raise HistoryError(
                "the address of the history cannot be understood; it must be a file, or look like "
                "'postgresql://user@host/database'"
            ) from None
        kind = url.get_backend_name()
        if kind not in _DRIVERS:
            raise HistoryError(
                f"a history is kept in SQLite or PostgreSQL, and {kind!r} is neither: give a file, "
                "or an address like 'postgresql://user@host/database'"
            )
        if kind == "sqlite" and url.database in (None, "", ":memory:"):
            raise HistoryError("a history that is forgotten at the end is none: give a file")
        return url.set(drivername=_DRIVERS[kind])

    def _reason(self, error: Any) -> str:
        """Say why a database refused, without what it may quote from records or the address."""
        said = str(getattr(error, "orig", error)).strip().splitlines()
        first = said[0] if said else type(error).__name__
        if any(text in first for text in _LOCKED):
            return (
                f"somebody else has been publishing for {self._wait:g} s: nothing was published; "
                "try again later"
            )
        if self._url.password:
            first = first.replace(str(self._url.password), "***")
        remedy = next((what for text, what in _REMEDIES.items() if text in first), "")
        return f"the database answered: {first}{remedy}"


def _leave_transactions_to_us(connection: Any, record: Any) -> None:
    """Keep the driver from opening transactions by itself: it opens them too late."""
    connection.isolation_level = None


def _require_folder(file: Path) -> None:
    if not file.parent.is_dir():
        raise HistoryError(f"{file}: there is no folder {file.parent}; create it first")


def _make_private(file: Path) -> bool:
    """Make the file, if it is not there, so that nobody else can read it; tell whether it was."""
    _require_folder(file)
    # A file that is there must not even be opened: closing it would let go of locks on it.
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))
    except FileExistsError:
        return False
    except OSError as error:
        raise HistoryError(f"{file} cannot be made: {error.strerror}") from None
    return True


def _identity(file: Path) -> tuple[int, int] | None:
    """Tell a file from others that had the same name; None if it is not there."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _remove_empty(file: Path) -> None:
    """Remove a file that nothing was written to."""
    with suppress(FileNotFoundError, PermissionError):  # Windows removes no file that is open.
        if file.stat().st_size == 0:
            file.unlink()
