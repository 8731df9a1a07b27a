"""A real server in a process of its own, and a real browser.

``UNLINKABLE_CHROMIUM`` names the browser if it is not on the path.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue

import httpx
import pytest
from attrs import define, field
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

import unlinkable as ul
from tests.studio.page_settled import act_when_settled
from tests.studio.pictures import screenshots

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60.0
expect.set_options(timeout=PATIENCE * 1000)


@define
class Served:
    """A studio that runs."""

    address: str
    """What logs a browser in, once."""
    bearer: str
    projects: Path
    process: subprocess.Popen[str] = field(repr=False)

    @property
    def home(self) -> str:
        """Where it is, without anything secret."""
        return self.address.partition("/start")[0]

    def client(self) -> httpx.Client:
        """Ask the JSON interface, as a program does."""
        headers = {"authorization": f"Bearer {self.bearer}"}
        return httpx.Client(base_url=f"{self.home}/api/v1", headers=headers, timeout=PATIENCE)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def serve(projects: Path, *options: str) -> Served:
    """Start ``unlinkable studio``, and wait until it says where it is."""
    command = [sys.executable, "-m", "unlinkable.cli", "studio", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--projects", str(projects), *options],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "COLUMNS": "400"},
    )
    lines: Queue[str] = Queue()

    def listen() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            lines.put(line)

    threading.Thread(target=listen, daemon=True).start()
    said, until = "", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            said += lines.get(timeout=0.1)
        except Empty:
            if process.poll() is not None:
                break
        found = re.search(r"(http://\S+/start\?token=\S+)[\s\S]*Bearer (\S+)", said)
        if found:
            return Served(found[1], found[2], projects, process)
    process.kill()
    pytest.fail(f"the studio did not start:\n{said}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio with a folder of its own, for all tests of a file."""
    running = serve(tmp_path_factory.mktemp("projects"))
    yield running
    running.stop()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start studios for one test alone, all with the same folder.

    Ask for it before a page: the page is then gone before its server is.
    """
    running: list[Served] = []

    def start(*options: str) -> Served:
        running.append(serve(tmp_path / "projects", *options))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture(scope="session")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 2,000 invented patients, as CSV."""
    file = tmp_path_factory.mktemp("data") / "patients.csv"
    ul.examples.hospital(2000).write_csv(file)
    return file


def chromium() -> str:
    """Find the browser; without one, fail where everything must be tested, and skip elsewhere."""
    named = os.environ.get("UNLINKABLE_CHROMIUM")
    for name in filter(None, (named, "chromium", "chromium-browser")):
        if (found := shutil.which(name)) is not None:
            return found
    said = "no Chromium: run `make chromium`, or name it in UNLINKABLE_CHROMIUM"
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        pytest.fail(said)
    pytest.skip(said)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window, for all tests of a file: others have event loops of their own."""
    path = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[BrowserContext]:
    """A browser that nobody has logged in with."""
    act_when_settled(monkeypatch)
    made = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    made.set_default_timeout(PATIENCE * 1000)
    yield made
    made.close()


@define(slots=False)
class Watched:
    """A page, and all that was wrong with it."""

    page: Page
    problems: list[str] = field(factory=list)
    expected: list[str] = field(factory=list)
    """Texts of problems that a test provokes."""

    def heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.told(f"{message.text} ({message.location.get('url', '')})")

    def told(self, problem: str) -> None:
        if not any(text in problem for text in self.expected):
            self.problems.append(problem)


@pytest.fixture
def watched(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """An empty tab. A test fails with whatever goes wrong in it, even if it sees nothing of it."""
    page = context.new_page()
    found = Watched(page)
    page.on("console", found.heard)
    page.on("pageerror", lambda error: found.told(str(error)))
    yield found
    name = re.sub(r"[^\w-]+", "-", f"{request.path.stem}-{request.node.name}")
    page.screenshot(path=screenshots() / f"{name}.png", full_page=True)
    assert not found.problems, "\n".join(found.problems)


@pytest.fixture
def studio(watched: Watched, served: Served) -> Page:
    """A tab that is logged in, on the first page."""
    return log_in(watched.page, served)


def log_in(page: Page, served: Served) -> Page:
    """Log a tab in. An address works once: a later tab takes the cookie of an earlier one."""
    if served.process.poll() is not None:
        pytest.fail("the studio has ended")
    cookies = getattr(served.process, "_cookies", None)
    if cookies is None:
        page.goto(served.address)
        page.wait_for_url(f"{served.home}/")
        served.process._cookies = page.context.cookies()  # type: ignore[attr-defined]
    else:
        page.context.add_cookies(cookies)
        page.goto(f"{served.home}/")
    page.get_by_text("Begin a new project").wait_for()
    return page


def new_project(page: Page, served: Served, name: str) -> str:
    """Begin a project by clicks, and give its key."""
    page.goto(f"{served.home}/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/data")
    found = re.search(r"/project/([^/]+)/", page.url)
    assert found is not None
    return found[1]


def described(served: Served, file: Path, name: str) -> str:
    """Begin a project with data by the JSON interface, and give its key."""
    with served.client() as client:
        key = client.post("/projects", json={"name": name}).raise_for_status().json()["key"]
        put = client.put(f"/projects/{key}/files/{file.name}", content=file.read_bytes())
        put.raise_for_status()
        wait(client, client.post(f"/projects/{key}/describe", json={"file": file.name}))
    return str(key)


def wait(client: httpx.Client, answer: httpx.Response) -> dict[str, object]:
    """Wait for a job, and give what came of it."""
    job = answer.raise_for_status().json()
    until = time.monotonic() + 3 * PATIENCE
    while job["state"] in ("queued", "running") and time.monotonic() < until:
        time.sleep(0.1)
        job = client.get(f"/jobs/{job['id']}").raise_for_status().json()
    assert job["state"] == "done", job["error"]
    result: dict[str, object] = job["result"]
    return result
