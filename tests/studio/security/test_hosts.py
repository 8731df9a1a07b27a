"""Names of the server: its own, and those that were made to point here."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from unlinkable.studio.security.gate import Hosts, is_loopback


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "127.1.2.3:8080"]
)
def test_this_machine_is_called_by_its_own_names(inside: TestClient, host: str) -> None:
    assert inside.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8080",
        "127.0.0.1.evil.example:8080",
        "localhost.evil.example:8080",
        "127.0.0.1:9999",
        "127.0.0.1",
        "192.168.1.5:8080",
        "0.0.0.0:8080",
        "127.0.0.1:8080@evil.example",
        "evil.example:8080:8080",
        "",
        ":8080",
        "[::1",
    ],
)
def test_a_name_that_was_made_to_point_here_is_refused(inside: TestClient, host: str) -> None:
    answer = inside.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "secret" not in answer.text
    assert inside.get("/login", headers={"host": host}).status_code == 421


def test_where_the_network_is_let_in_addresses_are_names_too() -> None:
    hosts = Hosts.of("0.0.0.0", 8080, ["studio.example"])
    for header in ("192.168.1.5:8080", "studio.example:8080", "STUDIO.example:8080"):
        assert hosts.allow(header)
    assert hosts.allow("studio.example")  # a server in front, at a port of its own
    assert not hosts.allow("evil.example:8080")
    assert not hosts.allow("192.168.1.5:80")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *((host, True) for host in ("127.0.0.1", "::1", "[::1]", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "192.168.0.2", "example.org", "")),
    ],
)
def test_only_this_machine_is_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
