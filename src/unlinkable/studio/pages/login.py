"""Login: where browsers show a token or a password. Plain pages, without any script."""

from __future__ import annotations

import asyncio
from html import escape

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, Response

from unlinkable.studio.security.credentials import Attempts, Password, Sessions
from unlinkable.studio.security.gate import COOKIE

__all__ = ["add_login"]

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} · unlinkable studio</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{refresh}
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; }}
body {{ padding: 0 1rem; }}
h1 {{ font-size: 1.4rem; }}
input, button {{ font: inherit; padding: .5rem .8rem; }}
input, button {{ border-radius: .4rem; border: 1px solid gray; }}
input {{ width: 100%; box-sizing: border-box; margin: .3rem 0 1rem; }}
.error {{ color: #c10015; }}
</style></head><body><main><h1>{title}</h1>{body}</main></body></html>"""

_HOW = (
    "<p>Open the address that <code>unlinkable studio</code> has printed when it was started. "
    "Each such address works once; <code>unlinkable studio</code>, started again, prints a new "
    "one.</p>"
)
_ASK = (
    '<form method="post" action="/login"><label for="password">Password</label>'
    '<input id="password" name="password" type="password" autocomplete="current-password" '
    "required autofocus><button>Log in</button></form>"
)


def add_login(
    app: FastAPI, sessions: Sessions, password: Password | None, port: int, *, is_secure: bool
) -> None:
    """Add the addresses by which people come in and go."""
    attempts = Attempts()

    @app.get("/login", include_in_schema=False)
    async def ask() -> HTMLResponse:
        return _page("Log in", _HOW if password is None else _ASK)

    @app.get("/start", include_in_schema=False)
    async def start(token: str = "") -> HTMLResponse:
        secret = sessions.redeem(token)
        if secret is None:
            again = f'<p class="error">This address was used before, or is too old.</p>{_HOW}'
            return _page("Log in", again, status=403)
        # A page and no redirection: a cookie for this site alone would not be sent with that.
        page = _page("Welcome", '<p><a href="/">Go on</a></p>', refresh=True)
        return _let_in(page, secret)

    @app.post("/login", include_in_schema=False)
    async def log_in(request: Request, given: str = Form("", alias="password")) -> Response:
        who = request.client.host if request.client else "?"
        if password is None or not attempts.may_try(who):
            said = "Too many wrong passwords: wait for some minutes."
            return _page("Log in", f'<p class="error">{escape(said)}</p>', status=429)
        if not await asyncio.to_thread(password.fits, given[:1000]):
            attempts.failed(who)
            return _page("Log in", f'<p class="error">Wrong password.</p>{_ASK}', status=403)
        page = _page("Welcome", '<p><a href="/">Go on</a></p>', refresh=True)
        return _let_in(page, sessions.open())

    @app.post("/logout", include_in_schema=False)
    async def log_out(request: Request) -> HTMLResponse:
        sessions.close(request.cookies.get(COOKIE.format(port=port), ""))
        page = _page("Logged out", _HOW if password is None else _ASK)
        page.delete_cookie(COOKIE.format(port=port))
        return page

    def _let_in(page: HTMLResponse, secret: str) -> HTMLResponse:
        page.set_cookie(
            COOKIE.format(port=port),
            secret,
            max_age=int(sessions.lifetime),
            httponly=True,
            samesite="strict",
            secure=is_secure,
            path="/",
        )
        return page


def _page(title: str, body: str, *, status: int = 200, refresh: bool = False) -> HTMLResponse:
    tag = '<meta http-equiv="refresh" content="0; url=/">' if refresh else ""
    return HTMLResponse(_PAGE.format(title=title, body=body, refresh=tag), status)
