"""Requests and web sockets that come from elsewhere."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.studio.security.gate_clients import OWN, Clock
from unlinkable.studio.security.credentials import Sessions


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_what_changes_something_must_come_from_a_page_of_ours(
    inside: TestClient, method: str
) -> None:
    assert inside.request(method, "/api/v1/x", headers=OWN).status_code == 200
    assert inside.request(method, "/api/v1/x").status_code == 403
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1"):
        answer = inside.request(method, "/api/v1/x", headers={"origin": origin})
        assert answer.status_code == 403
        assert answer.json() == {"error": "this request comes from another page"}


def test_even_reading_is_refused_to_other_pages(inside: TestClient) -> None:
    assert inside.get("/api/v1/x", headers={"origin": "http://evil.example"}).status_code == 403


def test_a_web_socket_must_come_from_a_page_of_ours(inside: TestClient) -> None:
    path = "ws://127.0.0.1:8080/_nicegui_ws/socket.io/"
    with inside.websocket_connect(path, headers=OWN) as socket:
        assert socket.receive_text() == "hello"
    for headers in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        with pytest.raises(WebSocketDisconnect), inside.websocket_connect(path, headers=headers):
            pass


def test_a_web_socket_needs_a_session(client: TestClient, sessions: Sessions) -> None:
    headers = {**OWN, "authorization": f"Bearer {sessions.bearer}"}
    path = "ws://127.0.0.1:8080/_nicegui_ws/socket.io/"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
        pass


def test_a_web_socket_ends_with_its_session(inside: TestClient, sessions: Sessions) -> None:
    assert isinstance(sessions.clock, Clock)
    path = "ws://127.0.0.1:8080/_nicegui_ws/socket.io/"
    with inside.websocket_connect(path, headers=OWN) as socket:
        assert socket.receive_text() == "hello"
        for text in ("42 a click", "3"):  # Only what people do counts.
            sessions.clock.now += sessions.idle - 10
            socket.send_text(text)
            assert socket.receive_text() == text
        sessions.clock.now += 20
        socket.send_text("42 a click")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    assert inside.get("/").status_code == 303


def test_a_web_socket_ends_when_somebody_logs_out(inside: TestClient) -> None:
    path = "ws://127.0.0.1:8080/_nicegui_ws/socket.io/"
    with inside.websocket_connect(path, headers=OWN) as socket:
        assert socket.receive_text() == "hello"
        inside.post("/logout", headers=OWN)
        socket.send_text("3")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
