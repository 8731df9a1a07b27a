"""The studio in a real browser: coming in, beginning a project, handing in a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.studio.conftest import Served, Watched, described, log_in, new_project


def test_the_printed_address_logs_in_once_and_leaves_no_secret(
    fresh: Callable[..., Served], browser: Browser, watched: Watched
) -> None:
    running = fresh()
    page = watched.page
    page.goto(f"{running.home}/")
    expect(page).to_have_url(f"{running.home}/login")
    page.goto(running.address)
    page.wait_for_url(f"{running.home}/")
    assert "token" not in page.url
    expect(page.get_by_text("Begin a new project")).to_be_visible()
    (cookie,) = page.context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    assert page.evaluate("document.cookie") == ""
    watched.expected.append("403")
    page.goto(running.address)
    expect(page.get_by_text("used before")).to_be_visible()
    page.goto(f"{running.home}/")
    expect(page.get_by_text("Begin a new project")).to_be_visible()
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(f"{running.home}/project/anything/data")
    expect(stranger).to_have_url(f"{running.home}/login")
    other.close()


def test_a_project_is_begun_and_a_table_handed_in(
    studio: Page, served: Served, hospital: Path
) -> None:
    key = new_project(studio, served, "Hospital 2026")
    assert key == "hospital-2026"
    expect(studio.get_by_test_id("project-name")).to_have_text("Hospital 2026")
    studio.set_input_files("input[type=file]", hospital)
    expect(studio.get_by_test_id("step-privacy")).to_be_enabled(timeout=60_000)
    assert (served.projects / key / "uploads" / "patients.csv").read_bytes() == (
        hospital.read_bytes()
    )
    plan = (served.projects / key / "plan.toml").read_text()
    assert "[columns.diagnosis]" in plan
    studio.reload()
    expect(studio.get_by_test_id("step-privacy")).to_be_enabled()


def test_the_first_page_lists_opens_and_deletes_projects(studio: Page, served: Served) -> None:
    key = new_project(studio, served, "To be deleted")
    studio.goto(f"{served.home}/")
    card = studio.get_by_test_id(f"project-{key}")
    card.get_by_test_id("open").click()
    studio.wait_for_url(f"**/project/{key}/data")
    studio.goto(f"{served.home}/")
    card.get_by_test_id("delete").click()
    studio.get_by_test_id("really-delete").click()
    expect(card).to_have_count(0)
    assert not (served.projects / key).exists()
    studio.goto(f"{served.home}/project/{key}/data")
    expect(studio.get_by_test_id("refused")).to_contain_text("There is no project")


@pytest.mark.deep
def test_two_tabs_see_the_same(studio: Page, served: Served) -> None:
    key = new_project(studio, served, "Two tabs")
    second = studio.context.new_page()
    second.goto(f"{served.home}/project/{key}/data")
    expect(second.get_by_test_id("project-name")).to_have_text("Two tabs")
    with served.client() as client:
        client.delete(f"/projects/{key}").raise_for_status()
    for page in (studio, second):
        page.wait_for_url(f"{served.home}/")
    second.close()


def test_a_job_is_seen_in_the_drawer_and_cancelled_there(
    studio: Page, served: Served, hospital: Path
) -> None:
    key = described(served, hospital, "Drawer")
    studio.goto(f"{served.home}/project/{key}/data")
    with served.client() as client:
        body = {"method": "genetic(idle=100000000)", "title": "for ever"}
        job = client.post(f"/projects/{key}/anonymize", json=body).raise_for_status().json()["id"]
        studio.get_by_test_id("jobs").click()
        card = studio.get_by_test_id(f"job-{job}")
        expect(card).to_contain_text("for ever")
        studio.reload()
        studio.get_by_test_id("jobs").click()
        card.get_by_test_id("cancel").click()
        expect(card).to_contain_text("cancelled")
        assert client.get(f"/jobs/{job}").json()["state"] == "cancelled"


@pytest.mark.deep
def test_everything_is_there_after_a_restart(
    fresh: Callable[..., Served], watched: Watched, hospital: Path
) -> None:
    first = fresh()
    key = described(first, hospital, "Restart")
    first.stop()
    second = fresh()
    page = log_in(watched.page, second)
    page.get_by_test_id(f"project-{key}").get_by_test_id("open").click()
    page.wait_for_url(re.compile(rf"/project/{key}/"))
    expect(page.get_by_test_id("step-publish")).to_be_enabled()
    old = httpx.get(
        f"{second.home}/api/v1/projects", headers={"authorization": f"Bearer {first.bearer}"}
    )
    assert old.status_code == 401


def test_logging_out_ends_the_session(fresh: Callable[..., Served], watched: Watched) -> None:
    running = fresh()
    page = log_in(watched.page, running)
    page.get_by_test_id("logout").click()
    page.get_by_test_id("really-logout").click()
    expect(page.get_by_text("Logged out")).to_be_visible()
    page.goto(f"{running.home}/")
    expect(page).to_have_url(f"{running.home}/login")


@pytest.mark.deep
def test_other_hosts_need_a_password(
    fresh: Callable[..., Served], watched: Watched, tmp_path: Path
) -> None:
    (tmp_path / "password").write_text("correct horse battery\n")
    running = fresh("--host", "0.0.0.0", "--password", str(tmp_path / "password"))
    page = watched.page
    page.goto(f"{running.home}/")
    watched.expected.append("403")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Wrong password")).to_be_visible()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Begin a new project")).to_be_visible()


@pytest.mark.deep
def test_light_or_dark_is_remembered(studio: Page, served: Served) -> None:
    body = studio.locator("body")
    for words, is_dark in (("Dark", True), ("Light", False), ("As the system", False)):
        studio.get_by_test_id("look").click()
        studio.get_by_text(words, exact=True).click()
        for _ in range(2):
            shown = expect(body)
            (shown.to_have_class if is_dark else shown.not_to_have_class)(re.compile("body--dark"))
            studio.goto(f"{served.home}/")
