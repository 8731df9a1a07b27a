"""Gate: every request passes here before anything else sees it.

In this order: is it meant for this server (``Host``), does it come from a page of this server
(``Origin``, for whatever changes something and for web sockets), is it authenticated (cookie or
bearer token), is it small enough. Responses get their headers here, too.

A page elsewhere can have its own name point to this machine (DNS rebinding), and its scripts would
then talk to the studio as if it were their own server. Such requests carry that name. Starlette's
``TrustedHostMiddleware`` is not enough here: it ignores the port, cannot read IPv6 literals, and
must be given every address by which a server may be reached.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Self

from attrs import define, frozen

from unlinkable.studio.security.credentials import Sessions

__all__ = [
    "COOKIE",
    "FIXED",
    "Gate",
    "Hosts",
    "is_loopback",
    "page_policy",
    "report_policy",
    "script_hashes",
]


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@frozen
class Hosts:
    """The names that are allowed.

    Attributes
    ----------
    names
        Names, in small letters.
    port
        The port that must be named with them.
    given
        Names that the holder has given; a server in front may have any port.
    only_loopback
        Whether of bare addresses those of this machine alone are allowed. An address cannot be
        made to point elsewhere, so that all are harmless where the network is let in.
    """

    names: frozenset[str]
    port: int
    only_loopback: bool = True
    given: frozenset[str] = frozenset()

    @classmethod
    def of(cls, host: str, port: int, also: Iterable[str] = ()) -> Self:
        """Allow the names under which a server can be reached that is bound to a host."""
        names = {"localhost", host.lower()}
        if not is_loopback(host):
            names.add(socket.gethostname().lower())
        given = frozenset(name.lower() for name in also)
        return cls(frozenset(names), port, is_loopback(host), given)

    def allow(self, header: str) -> bool:
        """Whether a request may be meant for this server, by its ``Host`` header.

        Examples
        --------
        >>> hosts = Hosts.of("127.0.0.1", 8080)
        >>> hosts.allow("localhost:8080"), hosts.allow("evil.example:8080")
        (True, False)
        """
        name, port = _parted(header)
        if port != self.port:
            return port > 0 and name.lower() in self.given
        try:
            address = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name.lower() in self.names | self.given
        return address.is_loopback or not self.only_loopback or name in self.names


def _parted(header: str) -> tuple[str, int]:
    name, colon, port = header.rpartition(":")
    if not colon or name.endswith(":") or (":" in name and not name.startswith("[")):
        name, port = header, "80"
    return name, int(port) if port.isdecimal() and len(port) < 6 else -1


_INLINE = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)

FIXED = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Sent with everything."""


def script_hashes(page: bytes) -> list[str]:
    """Name the scripts that stand in a page, so that no others are run.

    Examples
    --------
    >>> script_hashes(b"<script>1</script><script src='x.js'></script>")
    ["'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"]
    """
    found = (hashlib.sha256(script).digest() for script in _INLINE.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found]


def page_policy(scripts: list[str], host: str) -> bytes:
    """Say where a page may take things from: this server, and nowhere else.

    Templates are compiled in the browser, which counts as evaluating text; scripts that stand in
    a page are allowed one by one.
    """
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "'unsafe-eval'", *scripts]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": f"'self' ws://{host} wss://{host}",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items()).encode()


def report_policy(page: bytes) -> bytes:
    """Say what the report of a bundle may do: show itself, and nothing with this server.

    A report is a file that may have come from elsewhere: in its sandbox it is a page of nobody.
    """
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(script_hashes(page)) or "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "font-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "sandbox": "allow-scripts",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items()).encode()


Scope = MutableMapping[str, Any]

Message = MutableMapping[str, Any]

Receive = Callable[[], Awaitable[Message]]

Send = Callable[[Message], Awaitable[None]]

App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "unlinkable-studio-{port}"
"""What the cookie is called: several studios on one machine must not take each other's."""

_SAFE = {"GET", "HEAD", "OPTIONS"}

_OPEN = ("/login", "/start")

_BEATS = ("2", "3")
"""What browsers send on their own, to say that they are still there."""

_LARGEST_BODY = 4 * 1024 * 1024


@define(eq=False)
class Gate:
    """The outermost layer of the application.

    Attributes
    ----------
    app
        What is behind it.
    hosts, sessions
        Who may call, and who has shown who they are.
    largest_upload
        Maximum size of an upload; other requests are limited to much less.
    """

    app: App
    hosts: Hosts
    sessions: Sessions
    largest_upload: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
        elif scope["type"] == "websocket":
            await self.app(scope, self._while_open(headers, receive, send), send)
        else:
            await self._pass(scope, headers, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Say why a request is not let in; None if it is."""
        if not self.hosts.allow(headers.get("host", "")):
            return 421, "this server is not called by that name"
        is_program = self._is_program(scope, headers)
        origin = headers.get("origin")
        own = {f"{scheme}://{headers['host']}" for scheme in ("http", "https")}
        if origin is not None and origin not in own:
            return 403, "this request comes from another page"
        is_unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if is_unsafe and origin is None and not is_program:
            return 403, "this request does not say which page it comes from"
        is_open = scope["type"] == "http" and scope["path"] in _OPEN
        is_beat = scope["path"].startswith("/_nicegui_ws")
        if not (is_open or is_program or self._has_session(headers, is_seen=not is_beat)):
            return 401, "log in with the address that `unlinkable studio` has printed"
        return None

    def _is_program(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether a program asks the JSON interface, and has shown its token."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        is_api = scope["type"] == "http" and scope["path"].startswith("/api/")
        return is_api and kind.lower() == "bearer" and self.sessions.is_bearer(token.strip())

    def _has_session(self, headers: dict[str, str], *, is_seen: bool = True) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        cookie = cookies.get(COOKIE.format(port=self.hosts.port))
        return cookie is not None and self.sessions.is_open(cookie.value, is_seen=is_seen)

    def _while_open(self, headers: dict[str, str], receive: Receive, send: Send) -> Receive:
        """Cut a web socket off when its session ends; that it is still there keeps none alive."""

        async def received() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            is_beat = message.get("text") in _BEATS
            if self._has_session(headers, is_seen=not is_beat):
                return message
            await send({"type": "websocket.close", "code": 1008, "reason": "the session is over"})
            return {"type": "websocket.disconnect", "code": 1008}

        return received

    async def _pass(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        is_upload = scope["method"] == "PUT" and scope["path"].startswith("/api/")
        most = self.largest_upload if is_upload else _LARGEST_BODY
        size = headers.get("content-length", "")
        if size.isdecimal() and int(size) > most:
            await _refuse(scope, send, 413, f"a request may have {most:,} bytes at most")
            return
        flow = _Flow(scope, receive, send, most)
        try:
            await self.app(scope, flow.receive, _Headers(headers["host"], flow.send))
        except Exception:  # A defect of ours. What it says is not for the other side.
            if flow.is_cut:
                return
            if not flow.has_begun:
                await _refuse(scope, send, 500, "something went wrong inside the studio")
            raise


class _Flow:
    """A request as it comes in and its answer as it goes out; too long a request is cut off."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._left = self._most = most
        self.has_begun = self.is_cut = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0 and not self.is_cut:
            self.is_cut = True
            if not self.has_begun:
                why = f"a request may have {self._most:,} bytes at most"
                await _refuse(self._scope, self._send, 413, why)
        return {"type": "http.disconnect"} if self.is_cut else message

    async def send(self, message: Message) -> None:
        if not self.is_cut:
            self.has_begun = True
            await self._send(message)


class _Headers:
    """Adds headers to what goes out; a page is held back until its scripts are known."""

    def __init__(self, host: str, send: Send) -> None:
        self._host, self._send = host, send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = {key.lower(): value for key, value in message["headers"]}
            kept = [(k, v) for k, v in message["headers"] if k.lower() not in FIXED]
            message["headers"] = [*kept, *FIXED.items()]
            if b"cache-control" not in headers:
                message["headers"].append((b"cache-control", b"no-store"))
            is_page = headers.get(b"content-type", b"").startswith(b"text/html")
            if b"content-security-policy" not in headers:
                if is_page and b"content-encoding" not in headers:
                    self._start = message
                    return
                policy = page_policy([], self._host)
                message["headers"].append((b"content-security-policy", policy))
        elif self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if message.get("more_body"):
                return
            policy = page_policy(script_hashes(self._body), self._host)
            self._start["headers"].append((b"content-security-policy", policy))
            start, self._start = self._start, None
            await self._send(start)
            await self._send({"type": "http.response.body", "body": self._body})
            return
        await self._send(message)


def _headers(scope: Scope) -> dict[str, str]:
    pairs: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in pairs}


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    """End a request: programs get the reason in JSON, people are sent to log in."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why[:120]})
        return
    headers = [*FIXED.items(), (b"cache-control", b"no-store"), (b"connection", b"close")]
    is_page = not scope["path"].startswith(("/api/", "/_nicegui"))
    if status == 401 and is_page and scope["method"] in _SAFE:
        headers.append((b"location", b"/login"))
        status, body, kind = 303, b"", b"text/plain"
    elif scope["path"].startswith("/api/"):
        body, kind = json.dumps({"error": why}).encode(), b"application/json"
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
    else:
        body, kind = why.encode(), b"text/plain; charset=utf-8"
    headers.append((b"content-type", kind))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
