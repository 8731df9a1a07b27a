"""Server: pages, JSON interface and gate put together, and kept running."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from attrs import define, field
from fastapi import FastAPI
from nicegui import app as toolkit
from nicegui import ui

from unlinkable.studio.api.interface import build_api
from unlinkable.studio.errors import StudioError
from unlinkable.studio.jobs import Jobs, Pool, usual_workers
from unlinkable.studio.pages import home
from unlinkable.studio.pages.layout import draw_step, frame, top
from unlinkable.studio.pages.login import add_login
from unlinkable.studio.project import Projects
from unlinkable.studio.security.credentials import Password, Sessions
from unlinkable.studio.security.gate import Gate, Hosts, is_loopback
from unlinkable.studio.studio import Studio

__all__ = ["Settings", "build_app", "serve"]

_RARELY = 60.0
"""Seconds between two looks for workers that have nothing to do."""


@define
class Settings:
    """How a studio is started.

    Attributes
    ----------
    projects
        The folder with all projects.
    host, port
        Where to listen; with port 0, at any that is free.
    password
        What opens a session besides the token; needed if others can reach the server.
    names
        Further names by which the server is called.
    largest_upload
        How many bytes a file may have.
    plan
        A plan elsewhere on this machine that is to be opened first.
    workers
        How many processes work for projects at the same time.
    """

    projects: Path
    host: str = "127.0.0.1"
    port: int = 0
    password: Password | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()
    largest_upload: int = 2 * 1024**3
    plan: Path | None = None
    workers: int = field(factory=usual_workers)


def build_app(
    studio: Studio, sessions: Sessions, settings: Settings, port: int
) -> Callable[..., Any]:
    """Put pages, JSON interface and gate together."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan(studio))
    add_login(app, sessions, settings.password, port, is_secure=False)
    app.mount("/api/v1", build_api(studio))
    _add_pages(studio)
    # Its bar for requests has no name for screen readers, and pages show progress themselves.
    toolkit.config.quasar_config["loadingBar"]["skipHijack"] = True
    ui.run_with(
        app,
        title="unlinkable studio",
        dark=None,
        language="en-US",
        gzip_middleware_factory=None,
        show_welcome_message=False,
        reconnect_timeout=10.0,
    )
    hosts = Hosts.of(settings.host, port, settings.names)
    return Gate(app, hosts, sessions, settings.largest_upload)


def _add_pages(studio: Studio) -> None:
    @ui.page("/", response_timeout=20)
    def first() -> None:
        home.page(studio)

    @ui.page("/project/{key}", response_timeout=20)
    def project(key: str) -> None:
        ui.navigate.to(f"/project/{key}/data")

    @ui.page("/project/{key}/{step}", response_timeout=20)
    async def step(key: str, step: str) -> None:
        try:
            work = studio.workbench(key)
            if work.plan is not None:
                studio.jobs.warm(work.project.folder, Pool.INTERACTIVE)
        except StudioError as error:
            _nothing_here(studio, str(error))
            return
        with frame(work, step):
            try:
                await draw_step(step, work)
            except StudioError as error:
                ui.label(str(error)).props("data-testid=refused")

    @ui.page("/leave")
    def leave() -> None:
        with top(studio, "Log out"):
            pass
        form = ui.element("form").props("method=post action=/logout").classes("q-pa-lg")
        with form:
            ui.label("Log this browser out? Work that is under way goes on.")
            ui.button("Log out", icon="logout").props("type=submit data-testid=really-logout")


def _nothing_here(studio: Studio, why: str) -> None:
    with top(studio, "Nothing here"):
        pass
    with ui.column().classes("q-pa-lg"):
        ui.label(f"{why[:1].upper()}{why[1:]}.").props("data-testid=refused")
        ui.link("All projects", "/")


def _lifespan(studio: Studio) -> Callable[[FastAPI], contextlib.AbstractAsyncContextManager[None]]:
    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async def tidy() -> None:
            while True:
                await asyncio.sleep(_RARELY)
                studio.jobs.stop_idle_workers()

        loop = asyncio.get_running_loop()
        # The first page comes first; meanwhile the plan worker loads the library.
        loop.call_later(0.5, lambda: studio.jobs.warm(studio.projects.home, Pool.PLANS))
        tidying = loop.create_task(tidy())
        yield
        tidying.cancel()
        await studio.jobs.close_all()

    return lifespan


def serve(
    settings: Settings, announce: Callable[[str, str], None], sessions: Sessions | None = None
) -> None:
    """Run the studio until it is stopped.

    Parameters
    ----------
    settings
        How.
    announce
        Called with the address that logs a browser in, once, and the token for programs, as soon
        as the server listens.

    Raises
    ------
    StudioError
        If the port is taken, another studio is at work with the same projects, or others could come
        in without a password.
    """
    if not is_loopback(settings.host) and settings.password is None:
        raise StudioError(f"{settings.host} can be reached by others: that needs a password")
    projects = Projects(settings.projects)
    projects.hold()
    listening = _listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    sessions = sessions or Sessions()
    jobs = Jobs(most_workers=settings.workers)
    studio = Studio(projects, jobs, settings.largest_upload)
    app = build_app(studio, sessions, settings, port)
    address = f"http://{_shown(settings.host)}:{port}/start?token={sessions.new_token()}"
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        ws_max_size=8 * 1024**2,
        timeout_graceful_shutdown=2,
        forwarded_allow_ips="",
        proxy_headers=False,
    )
    server = _Server(config, lambda: announce(address, sessions.bearer))
    if settings.plan is not None:
        server.first = _opening(studio, settings.plan)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if server.failure is not None:
        raise server.failure


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = started
        self.first: Any = None
        self.failure: StudioError | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.first is not None:
            try:
                await self.first
            except StudioError as error:
                self.failure, self.should_exit = error, True
                return
        if self.started:
            self._on_started()


async def _opening(studio: Studio, plan: Path) -> None:
    await studio.import_plan(plan)


def _listen(host: str, port: int) -> socket.socket:
    """Take a port.

    Raises
    ------
    StudioError
        If it cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise StudioError(
            f"cannot listen at {host}:{port} ({why}): choose another --port, or none for any "
            "that is free"
        ) from None
    return listening


def _shown(host: str) -> str:
    """Say by which name a browser on this machine finds the server."""
    if host in ("0.0.0.0", "::", "[::]"):
        return "localhost"
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
