"""A small application behind a gate, and a clock that is set by hand."""

from __future__ import annotations

from contextlib import suppress

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from unlinkable.studio.pages.login import add_login
from unlinkable.studio.security.credentials import Password, Sessions
from unlinkable.studio.security.gate import Gate, Hosts

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
