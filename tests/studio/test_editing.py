"""Editing: what somebody changes is not set back by what comes back of earlier changes."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest
from attrs import define, field
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.studio.conftest import PATIENCE, Served
from tests.studio.page_settled import SETTLED
from tests.studio.sample_projects import sample_project, small_hospital
from unlinkable.studio.pages.live import Debounce, PlanBinding


@define
class Knob:
    """A control, the plan that it changes, and a way there that takes as long as one wants."""

    shown: int = 5
    plan: int = 5
    handed_in: list[int] = field(factory=list)
    gate: asyncio.Event = field(factory=asyncio.Event)

    async def submit(self) -> None:
        value = self.shown
        self.handed_in.append(value)
        await self.gate.wait()
        self.plan = value

    def refresh(self) -> None:
        self.shown = self.plan

    async def begun(self, times: int) -> None:
        while len(self.handed_in) < times:
            await asyncio.sleep(0)


def turned(knob: Knob, editing: PlanBinding, value: int) -> asyncio.Task[None]:
    knob.shown = value
    return asyncio.create_task(editing.changed())


def test_what_comes_back_does_not_set_back_what_is_turned_further() -> None:
    async def work() -> None:
        knob = Knob()
        editing = PlanBinding(knob.submit, knob.refresh, Debounce(0))
        first = turned(knob, editing, 6)
        await knob.begun(1)
        second = turned(knob, editing, 7)
        knob.gate.set()
        await first
        editing.plan_changed()
        assert knob.shown == 7
        await second
        editing.plan_changed()
        assert (knob.shown, knob.plan, knob.handed_in) == (7, 7, [6, 7])

    asyncio.run(work())


def test_what_is_turned_back_meanwhile_is_handed_in_too() -> None:
    async def work() -> None:
        knob = Knob()
        editing = PlanBinding(knob.submit, knob.refresh, Debounce(0))
        first = turned(knob, editing, 6)
        await knob.begun(1)
        second = turned(knob, editing, 5)
        knob.gate.set()
        await asyncio.gather(first, second)
        editing.plan_changed()
        assert (knob.shown, knob.plan, knob.handed_in) == (5, 5, [6, 5])

    asyncio.run(work())


def test_what_others_change_is_taken_over_as_soon_as_nobody_turns() -> None:
    async def work() -> None:
        knob = Knob()
        editing = PlanBinding(knob.submit, knob.refresh, Debounce(0))
        knob.plan = 9
        editing.plan_changed()
        assert knob.shown == 9
        turning = turned(knob, editing, 6)
        await knob.begun(1)
        knob.gate.set()
        await turning
        knob.plan = 30
        editing.plan_changed()
        assert knob.shown == 30

    asyncio.run(work())


def test_what_was_missed_while_somebody_turned_is_taken_over_afterwards() -> None:
    async def work() -> None:
        knob = Knob()
        editing = PlanBinding(knob.submit, knob.refresh, Debounce(0))
        turning = turned(knob, editing, 6)
        await knob.begun(1)
        editing.plan_changed()
        assert knob.shown == 6
        knob.gate.set()
        await turning
        assert (knob.shown, knob.plan) == (6, 6)

    asyncio.run(work())


@define(slots=False)
class SlowLine:
    """A line from the server on which a test lets through what it likes."""

    holds: bool = False
    held: list[str | bytes] = field(factory=list)
    line: WebSocketRoute | None = None

    def route(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        self.line = line
        line.on_message(server.send)
        server.on_message(self.came)

    def came(self, message: str | bytes) -> None:
        assert self.line is not None
        if self.holds and "update" in str(message):
            self.held.append(message)
        else:
            self.line.send(message)

    def wait(self, page: Page) -> None:
        """Wait until something is held back."""
        until = time.monotonic() + PATIENCE
        while not self.held:
            assert time.monotonic() < until
            page.wait_for_timeout(10)

    def let_through(self, messages: int | None = None) -> None:
        assert self.line is not None
        for message in self.held[:messages]:
            self.line.send(message)
        del self.held[:messages]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("slider", "said", "written"),
    [
        ("[data-testid=promise-0]", re.compile("^At k=7 "), "k = 7"),
        ("[data-testid=suppression]", re.compile(r"^Up to 6\.5 % of"), "suppression = 0.065"),
    ],
)
def test_a_slider_is_not_set_back_by_what_comes_late(
    studio: Page, served: Served, tmp_path: Path, slider: str, said: re.Pattern[str], written: str
) -> None:
    project = sample_project(served, small_hospital(tmp_path), "Slow", runs=0)
    line = SlowLine()
    studio.route_web_socket(re.compile("socket.io"), line.route)
    studio.goto(f"{served.home}/project/{project}/privacy")
    studio.get_by_text(re.compile("^At k=4 ")).wait_for()
    studio.locator(f"{slider} .q-slider__track-container").first.focus()
    line.holds = True
    studio.keyboard.press("ArrowRight")
    line.wait(studio)
    studio.keyboard.press("ArrowRight")
    line.let_through(1)
    studio.keyboard.press("ArrowRight")
    line.holds = False
    line.let_through()
    expect(studio.get_by_text(said)).to_be_visible()
    assert written in (served.projects / project / "plan.toml").read_text(encoding="utf-8")


def test_a_role_is_not_set_back_by_what_comes_late(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    project = sample_project(served, small_hospital(tmp_path), "Slow roles", runs=0)
    line = SlowLine()
    studio.route_web_socket(re.compile("socket.io"), line.route)
    studio.goto(f"{served.home}/project/{project}/roles")
    studio.locator(".role-examples").first.wait_for()
    age, sex = studio.get_by_label("Role of age"), studio.get_by_label("Role of sex")
    age.select_option("insensitive")
    expect(studio.locator("tr[data-column=age]")).to_have_attribute("data-role", "insensitive")
    line.holds = True
    age.select_option("quasi-identifier")
    line.wait(studio)
    sex.select_option("insensitive")
    row = studio.locator("tr[data-column=age]")
    while row.get_attribute("data-role") != "quasi-identifier":
        line.wait(studio)
        line.let_through(1)
        studio.wait_for_timeout(100)
    expect(sex).to_have_value("insensitive")
    line.holds = False
    line.let_through()
    expect(studio.locator("tr[data-column=sex]")).to_have_attribute("data-role", "insensitive")
    expect(sex).to_have_value("insensitive")


@pytest.mark.deep
def test_a_number_is_turned_further_before_the_first_turn_is_answered(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    project = sample_project(served, small_hospital(tmp_path), "Slow importance", runs=0)
    line = SlowLine()
    studio.route_web_socket(re.compile("socket.io"), line.route)
    studio.goto(f"{served.home}/project/{project}/roles")
    studio.locator(".role-examples").first.wait_for()
    weight = studio.get_by_label("Importance of age")
    weight.focus()
    line.holds = True
    for turned in ("1.5", "2", "2.5"):
        studio.keyboard.press("ArrowUp")
        line.wait(studio)
        expect(weight).to_have_value(turned)
    line.holds = False
    line.let_through()
    expect(weight).to_have_value("2.5")
    studio.evaluate(SETTLED)
    studio.reload()
    expect(weight).to_have_value("2.5")
