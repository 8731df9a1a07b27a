"""Who is let in: every rule of the gate, and the parts that it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.login import add_login
from unlinkable.studio.security.cells import guarded, guarded_lines
from unlinkable.studio.security.gate import Gate
from unlinkable.studio.security.headers import report_policy, script_hashes
from unlinkable.studio.security.hosts import Hosts, is_loopback
from unlinkable.studio.security.names import safe_name
from unlinkable.studio.security.password import Attempts, Password
from unlinkable.studio.security.sessions import Sessions

HOME = "http://127.0.0.1:8080"
OWN = {"origin": HOME}


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def behind(sessions: Sessions, password: Password | None = None, host: str = "127.0.0.1") -> Gate:
    """A small application behind a gate."""
    app = FastAPI()
    add_login(app, sessions, password, 8080, is_secure=False)

    @app.get("/")
    async def page() -> HTMLResponse:
        return HTMLResponse("<p>secret</p><script>let a = 1</script>")

    @app.get("/file")
    async def file() -> Response:
        return Response("x", media_type="text/csv", headers={"cache-control": "max-age=9"})

    @app.api_route("/api/v1/x", methods=["GET", "POST", "PUT", "DELETE"])
    async def interface(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @app.get("/api/v1/defect")
    async def defect() -> None:
        raise RuntimeError("a value of a record")

    @app.websocket("/_nicegui_ws/socket.io/")
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("hello")
        with suppress(WebSocketDisconnect):
            while True:
                await websocket.send_text(await websocket.receive_text())

    return Gate(app, Hosts.of(host, 8080, ["studio.example"]), sessions, 1000_000_000)


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


# Tokens and sessions


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


# Programs


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


# Names of the server


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


# Requests from elsewhere


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


# Passwords


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


# What goes out


def test_everything_carries_headers(inside: TestClient) -> None:
    for path in ("/", "/file", "/api/v1/x", "/login", "/nowhere"):
        headers = inside.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"]
    assert inside.get("/").headers["cache-control"] == "no-store"
    assert inside.get("/file").headers["cache-control"] == "max-age=9"


def test_only_the_scripts_of_a_page_are_run(inside: TestClient) -> None:
    policy = inside.get("/").headers["content-security-policy"]
    (expected,) = script_hashes(b"<script>let a = 1</script>")
    (scripts,) = [part for part in policy.split("; ") if part.startswith("script-src")]
    assert scripts == f"script-src 'self' 'unsafe-eval' {expected}"


def test_a_report_is_a_page_of_nobody() -> None:
    policy = report_policy(b"<style></style><script>1</script>").decode()
    assert "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert script_hashes(b"<script>1</script>")[0] in policy
    assert "script-src 'none'" in report_policy(b"<p>").decode()


def test_a_defect_says_nothing(inside: TestClient) -> None:
    quiet = TestClient(inside.app, base_url=HOME, raise_server_exceptions=False)
    quiet.cookies = inside.cookies
    answer = quiet.get("/api/v1/defect")
    assert answer.status_code == 500
    assert "record" not in answer.text


# What comes in


def test_a_request_may_not_be_large(inside: TestClient) -> None:
    small, large = b"x" * 1000, b"x" * (5 * 1024 * 1024)
    assert inside.post("/api/v1/x", content=small, headers=OWN).json() == {"bytes": 1000}
    assert inside.post("/api/v1/x", content=large, headers=OWN).status_code == 413

    def parts() -> Iterator[bytes]:  # Without a length: counted as it comes in.
        for _ in range(10):
            yield large[: 1024 * 1024]

    answer = inside.post("/api/v1/x", content=parts(), headers=OWN)
    assert answer.status_code == 413
    assert "at most" in answer.json()["error"]
    assert inside.put("/api/v1/x", content=parts(), headers=OWN).status_code == 200


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("patients.csv", "patients.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\win.ini", "win.ini"),
        ("/absolute.csv", "absolute.csv"),
        (".hidden.csv", "hidden.csv"),
        ("a\0b.csv", "a_b.csv"),
        ("a\nb;$(rm -rf).csv", "a_b_ (rm -rf).csv".replace(" (", "_(")),
        ("Ärzte März.csv", "Ärzte März.csv"),
        ("-rf.csv", "rf.csv"),
        ("x" * 300 + ".csv", "x" * 116 + ".csv"),
    ],
)
def test_names_lead_nowhere(name: str, expected: str) -> None:
    assert safe_name(name) == expected


@pytest.mark.parametrize("name", ["", ".", "..", "/", "../", "con", "NUL.csv", "...", "\0", "___"])
def test_names_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(StudioError, match="give it a name"):
        safe_name(name)


@pytest.mark.parametrize(
    "cell",
    [
        *('=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1"),
        *(" =1", "|x", "%0A=1", "\ufeff=1", "\u00a0=1"),
    ],
)
def test_no_value_is_a_formula_in_a_spreadsheet(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"


@pytest.mark.parametrize(
    "cell", ["", "a", "-5", "+1.5", "-1e9", "5%", "[30-35)", "<20", "a=b", "*"]
)
def test_other_values_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == cell


def test_a_table_for_spreadsheets_has_all_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a,b\n" + '"=1,2","x\ny"\n' * 1200, encoding="utf-8")
    text = b"".join(guarded_lines(file)).decode("utf-8-sig")
    lines: Any = text.split("\r\n")
    assert lines[0] == "a,b"
    assert lines[1] == '"\'=1,2","x\ny"'
    assert len(lines) == 1202
