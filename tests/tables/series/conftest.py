"""Databases for histories: files, and a PostgreSQL server that the tests start themselves."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables.series.database_server import answering_server

# It publishes when it is imported, in a process that has no threads: not in this one.
collect_ignore = ["loaded_publisher.py"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server, and give the address of a database in it."""
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = answering_server(tmp_path_factory.mktemp("postgres"))
    address: str = started.get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        # The machine is not switched off in between, and writing all files out takes half a minute.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    yield address
    started.cleanup()


@pytest.fixture
def postgres(server: str) -> str:
    """Give the address of an empty database."""
    import psycopg

    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["file", "server"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of a history that is not there yet."""
    if request.param == "file":
        return str(tmp_path / "history.db")
    found: str = request.getfixturevalue("postgres")
    return found
