"""Speed: the first page at once, and a server that answers whatever workers are doing."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median

import httpx
import pytest
from attrs import define, field

import unlinkable as ul
from tests.studio.conftest import serve
from tests.studio.cpu_time import Beat, cpu_span
from unlinkable.studio.pages.layout import STEPS
from unlinkable.studio.project import Projects
from unlinkable.studio.studio import Studio
from unlinkable.studio.workbench import Workbench

TRIES = 3
AT_ONCE = 0.2
"""Seconds within which people take an answer for immediate."""


def spent() -> float:
    """Seconds of processor time that ended child processes took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_first_page_comes_within_two_seconds(tmp_path: Path) -> None:
    waited, worked = [], []
    for _ in range(TRIES):
        before, started = spent(), time.perf_counter()
        running = serve(tmp_path)
        with httpx.Client(follow_redirects=True) as client:
            assert client.get(running.address).status_code == 200
            page = client.get(f"{running.home}/")
        waited.append(time.perf_counter() - started)
        assert "Begin a new project" in page.text
        running.stop()
        worked.append(spent() - before)
        if waited[-1] < 2:
            return
    # On a machine that is busy with other things, what it takes is what counts.
    assert min(worked) < 2, f"waited {waited}, worked {worked}"


def test_starting_loads_nothing_that_computes() -> None:
    code = (
        "import sys, importlib, unlinkable.studio.server\n"
        "from unlinkable.studio.pages.layout import STEPS\n"
        "for step in STEPS: importlib.import_module(step.module)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(ran.stdout.split())
    assert "nicegui" in loaded
    assert loaded & {"numba", "numpy", "polars", "scipy", "sqlalchemy", "pandas"} == set()


async def measured(doing: Callable[[], object]) -> float:
    """Tell how long a loop stands still while something is done in it."""
    beat = Beat()
    beating = asyncio.create_task(beat.run())
    await asyncio.sleep(0.05)
    doing()
    await asyncio.sleep(0.05)
    beating.cancel()
    return beat.worst()


def test_standing_still_counts_even_if_no_processor_is_used() -> None:
    assert asyncio.run(measured(lambda: time.sleep(0.3))) > 0.25


@pytest.fixture
def crowded() -> Iterator[None]:
    """One processor for this test and for three processes that want it, too."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(3)]
    yield
    for other in others:
        other.kill()
        other.wait()
    os.sched_setaffinity(0, allowed)


def work_for(seconds: float) -> float:
    """Compute for a while; gives how long that took by the clock."""
    started, until = time.perf_counter(), time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return time.perf_counter() - started


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux pins processes")
def test_what_others_take_does_not_count(crowded: None) -> None:
    by_the_clock: list[float] = []
    gap = asyncio.run(measured(lambda: by_the_clock.append(work_for(0.15))))
    assert by_the_clock[0] > 0.3
    assert 0.14 < gap < 0.25


@define
class Million:
    """What came of working on a million records: how long the loop stood still, and answers."""

    projects: Path
    blocked: dict[str, float] = field(factory=dict)
    answered: dict[str, float] = field(factory=dict)


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Million:
    """A project with a million patients, in which everything that people do was done."""
    home = tmp_path_factory.mktemp("million")
    found = Million(home)
    studio = Studio(Projects(home))
    project = studio.projects.create("Million")
    ul.examples.hospital(1_000_000).write_parquet(project.uploads / "patients.parquet")
    gc.collect()
    gc.freeze()  # What other tests have left in this process is no part of a studio.
    asyncio.run(_work(studio, studio.workbench(project.key), found))
    return found


async def _work(studio: Studio, work: Workbench, found: Million) -> None:
    beat = Beat()
    beating = asyncio.create_task(beat.run())
    try:
        await work.look_at("patients.parquet").wait()
        found.blocked["look"] = beat.worst()
        for column in ("admission_date", "cost", "length_of_stay", "readmitted"):
            await work.set_role(column, "insensitive")
        found.blocked["edit"] = beat.worst()
        for _ in range(TRIES):
            await work.preview(100)
            await work.taxonomy("age")
            await work.effect(0, "k", [2, 5, 10, 20])
        found.blocked["ask"] = beat.worst()
        for _ in range(TRIES):
            job = work.anonymize("optimal")
            while job.share < 0.05 and not job.is_over:
                await asyncio.sleep(0.05)
            work.cancel(job)
        found.blocked["cancel"] = beat.worst()
    finally:
        beating.cancel()
    try:
        running = work.anonymize("optimal")
        found.answered.update(await _changes(studio, work))
        assert not running.is_over
    finally:
        await studio.jobs.close_all()


async def _changes(studio: Studio, work: Workbench) -> dict[str, float]:
    """Change the plan in the ways of the pages, while a method runs."""
    ways: dict[str, Callable[[int], Awaitable[None]]] = {
        "role": lambda n: work.set_role("ward", ("insensitive", "identifier")[n % 2]),
        "taxonomy": lambda n: work.set_taxonomy("age", {"intervals": [5 + n, 10 * (5 + n)]}),
        "promise": lambda n: work.set_promises([{"model": "k-anonymity", "k": 3 + n}]),
        "suppression": lambda n: work.edit({"set": ["method", "suppression"], "to": 0.01 * n}),
    }
    plan_workers = studio.jobs.pids("")
    spent = {}
    for name, change in ways.items():
        seconds = []
        for n in range(TRIES):
            with cpu_span(*plan_workers) as span:
                await change(n)
            seconds.append(span.seconds)
        spent[name] = median(seconds)
    return spent


@pytest.mark.deep
@pytest.mark.slow
def test_the_loop_never_stands_still_while_a_million_records_are_worked_on(
    million: Million,
) -> None:
    assert max(million.blocked.values()) < AT_ONCE, million.blocked


@pytest.mark.deep
@pytest.mark.slow
def test_changes_of_a_million_records_are_there_at_once(million: Million) -> None:
    assert max(million.answered.values()) < AT_ONCE, million.answered


@pytest.mark.deep
@pytest.mark.slow
def test_pages_and_interface_answer_while_a_million_records_are_worked_on(
    million: Million,
) -> None:
    running = serve(million.projects)
    try:
        with running.client() as client, httpx.Client(timeout=60) as browser:
            assert browser.get(running.address).status_code == 200
            job = client.post("/projects/million/anonymize", json={}).json()
            pages = [f"{running.home}/project/million/{step.key}" for step in STEPS]
            spent = {
                address: median(_seconds(asking, address, running.process.pid))
                for asking, addresses in ((browser, pages), (client, [f"/jobs/{job['id']}"]))
                for address in addresses
            }
            assert client.get(f"/jobs/{job['id']}").json()["state"] == "running"
        assert max(spent.values()) < AT_ONCE, spent
    finally:
        running.stop()


def _seconds(asking: httpx.Client, address: str, server: int) -> list[float]:
    """Ask a few times, with a moment in between in which others can ask."""
    seconds = []
    for _ in range(TRIES):
        with cpu_span(server) as span:
            assert asking.get(address).status_code == 200
        seconds.append(span.seconds)
        time.sleep(0.1)
    return seconds
