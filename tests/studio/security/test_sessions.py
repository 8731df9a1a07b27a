"""Who is let in: tokens, the sessions that they open, and programs."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.studio.security.gate_clients import OWN, Clock
from unlinkable.studio.security.credentials import Sessions


def test_a_token_opens_one_session_once(client: TestClient, sessions: Sessions) -> None:
    assert client.get("/").headers["location"] == "/login"
    token = sessions.new_token()
    answer = client.get(f"/start?token={token}")
    assert answer.status_code == 200
    assert token not in answer.text
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("unlinkable-studio-8080=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"):
        assert part in cookie
    assert "secret" in client.get("/").text
    client.cookies.clear()
    assert client.get(f"/start?token={token}").status_code == 403
    assert client.get("/").status_code == 303


@pytest.mark.parametrize("token", ["", "x", "%00", "a" * 5000, "é"])
def test_other_tokens_open_nothing(client: TestClient, token: str) -> None:
    assert client.get(f"/start?token={token}").status_code == 403
    assert "set-cookie" not in client.get(f"/start?token={token}").headers
    assert client.get("/").status_code == 303


def test_a_token_is_not_good_for_ever(sessions: Sessions) -> None:
    token, clock = sessions.new_token(), sessions.clock
    assert isinstance(clock, Clock)
    clock.now += sessions.lifetime + 1
    assert sessions.redeem(token) is None


def test_a_session_ends_when_it_is_idle(inside: TestClient, sessions: Sessions) -> None:
    assert isinstance(sessions.clock, Clock)
    for _ in range(3):
        sessions.clock.now += sessions.idle - 1
        assert inside.get("/").status_code == 200
    sessions.clock.now += sessions.idle + 1
    assert inside.get("/").status_code == 303


def test_a_session_ends_in_any_case(inside: TestClient, sessions: Sessions) -> None:
    assert isinstance(sessions.clock, Clock)
    started = sessions.clock.now
    while sessions.clock.now - started < sessions.lifetime:
        assert inside.get("/").status_code == 200
        sessions.clock.now += 3600
    sessions.clock.now += 1
    assert inside.get("/").status_code == 303


def test_logging_out_ends_the_session_on_the_server(inside: TestClient) -> None:
    secret = inside.cookies["unlinkable-studio-8080"]
    assert inside.post("/logout", headers=OWN).status_code == 200
    inside.cookies.set("unlinkable-studio-8080", secret)
    assert inside.get("/").status_code == 303


@pytest.mark.parametrize("cookie", ["x", "", "x; y=\x01", "é", "a" * 9000])
def test_other_cookies_open_nothing(client: TestClient, cookie: str) -> None:
    header = f"unlinkable-studio-8080={cookie}".encode("latin-1")
    answer = client.get("/", headers=[(b"cookie", header)])
    assert answer.status_code == 303


def test_sessions_keep_no_secrets_in_memory(sessions: Sessions) -> None:
    token = sessions.new_token()
    secret = sessions.open()
    assert token not in repr(sessions.__getstate__()) if hasattr(sessions, "__getstate__") else True
    assert secret not in str(sessions._sessions)
    assert token not in str(sessions._tokens)
    assert sessions.bearer not in repr(sessions)


def test_programs_show_a_token_of_their_own(client: TestClient, sessions: Sessions) -> None:
    right = {"authorization": f"Bearer {sessions.bearer}"}
    assert client.get("/api/v1/x").status_code == 401
    assert client.get("/api/v1/x").json()["error"].startswith("log in")
    assert client.get("/api/v1/x").headers["www-authenticate"] == "Bearer"
    assert client.get("/api/v1/x", headers=right).status_code == 200
    assert client.post("/api/v1/x", headers=right).status_code == 200
    for wrong in ("Bearer x", f"Basic {sessions.bearer}", sessions.bearer, "Bearer", ""):
        assert client.get("/api/v1/x", headers={"authorization": wrong}).status_code == 401


def test_the_token_of_programs_opens_no_pages(client: TestClient, sessions: Sessions) -> None:
    right = {"authorization": f"Bearer {sessions.bearer}"}
    assert client.get("/", headers=right).status_code == 303
