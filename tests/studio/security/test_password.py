"""Passwords, and how often they may be tried."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.studio.security.gate_clients import HOME, OWN, Clock, behind
from unlinkable.studio.errors import StudioError
from unlinkable.studio.security.credentials import Attempts, Password, Sessions


def test_a_password_lets_in_and_wrong_ones_soon_do_not_even_ask() -> None:
    sessions = Sessions()
    gate = behind(sessions, Password.of("correct horse battery"))
    with TestClient(gate, base_url=HOME, follow_redirects=False) as client:
        assert 'type="password"' in client.get("/login").text
        for _ in range(5):
            wrong = client.post("/login", data={"password": "wrong"}, headers=OWN)
            assert wrong.status_code == 403
            assert "set-cookie" not in wrong.headers
        right = {"password": "correct horse battery"}
        assert client.post("/login", data=right, headers=OWN).status_code == 429
    with TestClient(gate, base_url=HOME, follow_redirects=False, client=("9.9.9.9", 1)) as client:
        assert client.post("/login", data=right).status_code == 403  # from no page
        assert client.post("/login", data=right, headers=OWN).status_code == 200
        assert "secret" in client.get("/").text


def test_without_a_password_none_lets_in(client: TestClient) -> None:
    for given in ("", "x"):
        answer = client.post("/login", data={"password": given}, headers=OWN)
        assert answer.status_code == 429
        assert "set-cookie" not in answer.headers


def test_a_password_is_kept_as_a_digest() -> None:
    first, second = Password.of("correct horse battery"), Password.of("correct horse battery")
    assert first.digest != second.digest
    assert first.fits("correct horse battery")
    assert not first.fits("correct horse batter")
    assert not first.fits("")
    assert "correct" not in repr(first)
    assert first.digest.hex() not in repr(first)


def test_a_short_password_is_refused() -> None:
    with pytest.raises(StudioError, match="at least 12 characters"):
        Password.of("elevenchars")


def test_attempts_are_counted_by_address_and_in_all() -> None:
    clock = Clock()
    attempts = Attempts(most=2, most_from_all=3, window=60, clock=clock)
    attempts.failed("a")
    assert attempts.may_try("a")
    attempts.failed("a")
    assert not attempts.may_try("a")
    assert attempts.may_try("b")
    attempts.failed("b")
    assert not attempts.may_try("c")
    clock.now += 61
    assert attempts.may_try("a")
