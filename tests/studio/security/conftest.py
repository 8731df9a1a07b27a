"""Browsers in front of the gate, and behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.studio.security.gate_clients import HOME, Clock, behind
from unlinkable.studio.security.credentials import Sessions


@pytest.fixture
def sessions() -> Sessions:
    return Sessions(clock=Clock())


@pytest.fixture
def client(sessions: Sessions) -> Iterator[TestClient]:
    """A browser that is not logged in."""
    with TestClient(behind(sessions), base_url=HOME, follow_redirects=False) as made:
        yield made


@pytest.fixture
def inside(client: TestClient, sessions: Sessions) -> TestClient:
    """A browser that is logged in."""
    assert client.get(f"/start?token={sessions.new_token()}").status_code == 200
    return client
