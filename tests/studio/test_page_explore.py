"""The page on results: methods run side by side, are stopped, compared, and one is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.studio.conftest import Served, wait
from tests.studio.sample_projects import PLAN, sample_project, small_hospital

LONG = "genetic(idle=100000000)"
"""A search that does not come to an end while a test lasts."""


@pytest.fixture
def project(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project without any results."""
    return sample_project(served, small_hospital(tmp_path_factory.mktemp("data")), "Trying", runs=0)


@pytest.fixture
def tried(served: Served, tmp_path: Path) -> str:
    """A project with two results."""
    return sample_project(served, small_hospital(tmp_path), "Tried", runs=2)


def opened(page: Page, served: Served, project: str) -> Page:
    page.goto(f"{served.home}/project/{project}/explore")
    page.get_by_test_id("run-methods").wait_for()
    return page


def test_methods_run_side_by_side_and_one_result_is_chosen(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    expect(page.get_by_test_id("no-results")).to_be_visible()
    expect(page.get_by_role("checkbox", name="optimal")).to_be_checked()
    page.get_by_role("button", name="Run 2 methods").click()
    results = page.get_by_test_id("results")
    expect(results.get_by_role("row")).to_have_count(3)
    row = page.get_by_test_id("result-1")
    expect(row).to_contain_text("✓ kept")
    expect(row).to_contain_text("100 % →")
    page.get_by_role("button", name="Go on with result 1").click()
    expect(page.get_by_test_id("choose-1")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_test_id("choose-1")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("choose-2")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_test_id("scatter").locator("canvas")).to_be_visible()


@pytest.mark.deep
def test_what_ends_takes_no_button_of_others_away(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    project = sample_project(served, small_hospital(tmp_path), "Side by side")
    page = opened(studio, served, project)
    page.get_by_test_id("choose-1").click()
    page.get_by_test_id("jobs").click()
    with served.client() as client:
        anonymize = f"/projects/{project}/anonymize"
        client.post(anonymize, json={"method": LONG}).raise_for_status()
        buttons = [
            page.get_by_test_id("under-way").get_by_role("button", name="Cancel"),
            page.get_by_test_id("drawer").get_by_role("button", name="Cancel"),
            page.get_by_test_id("choose-1"),
            page.get_by_role("button", name="Attack it"),
            page.get_by_role("link", name="6 Publish"),
            page.get_by_role("checkbox", name="mondrian"),
        ]
        there = [button.element_handle() for button in buttons]
        changed = PLAN.replace("0.05", "0.04").format(file="patients.csv")
        client.put(f"/projects/{project}/plan", json={"toml": changed}).raise_for_status()
        wait(client, client.post(anonymize, json={"method": "mondrian"}))
    expect(page.get_by_test_id("results").get_by_role("row")).to_have_count(3)
    assert [each.evaluate("each => each.isConnected") for each in there] == [True] * len(there)
    buttons[1].click()
    expect(page.get_by_test_id("under-way")).to_be_hidden()


@pytest.mark.deep
def test_methods_are_searched_without_a_pause_and_cards_that_stay_are_not_drawn_anew(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    page.get_by_role("button", name="more methods").click()
    box = page.get_by_test_id("method-mondrian").element_handle()
    field = page.get_by_label("Search methods")
    field.click()
    field.press_sequentially("data", delay=500)  # Every letter is looked for by itself.
    expect(page.get_by_test_id("method-datafly")).to_be_visible()
    expect(page.get_by_test_id("method-genetic")).to_have_count(0)
    expect(field).to_be_focused()
    expect(field).to_have_value("data")
    assert box.evaluate("each => each.isConnected")
    page.get_by_role("button", name="Fewer methods").click()
    expect(page.get_by_test_id("method-datafly")).to_have_count(0)


@pytest.mark.deep
def test_two_results_are_compared_column_by_column(
    studio: Page, served: Served, tried: str
) -> None:
    page = opened(studio, served, tried)
    page.get_by_role("tab", name="Compare").click()
    table = page.get_by_test_id("comparison")
    expect(table.get_by_role("rowheader", name="age")).to_be_visible()
    expect(table).to_contain_text("distinct values instead of")
    page.get_by_label("Distribution of the column").click()
    page.get_by_role("option", name="sex").click()
    expect(page.get_by_role("img", name="Distribution of sex")).to_be_visible()


def test_a_run_survives_reloading_and_is_cancelled_and_leaves_nothing(
    studio: Page, served: Served, tried: str
) -> None:
    page = opened(studio, served, tried)
    with served.client() as client:
        job = client.post(f"/projects/{tried}/anonymize", json={"method": LONG}).json()["id"]
        page.get_by_test_id("under-way").wait_for()
        page.reload()
        under_way = page.get_by_test_id("under-way")
        expect(under_way).to_contain_text("genetic")
        under_way.get_by_role("button", name="Cancel").click()
        under_way.wait_for(state="hidden")
        assert client.get(f"/jobs/{job}").json()["state"] == "cancelled"
    expect(page.get_by_test_id("results").get_by_role("row")).to_have_count(3)


@pytest.mark.deep
def test_the_map_of_levels_is_walked_by_keys_and_a_node_is_used(
    studio: Page, served: Served, tried: str
) -> None:
    page = opened(studio, served, tried)
    page.get_by_role("tab", name="Map of levels").click()
    page.get_by_test_id("draw-lattice").click()
    best = page.locator(".lattice .node.best")
    best.wait_for()
    best.focus()
    words = page.locator("#lattice-words")
    expect(words).to_contain_text("It loses the least of all")
    page.keyboard.press("ArrowUp")
    expect(words).not_to_contain_text("It loses the least of all")
    expect(words).to_contain_text("keeps the promises")
    page.keyboard.press("Enter")
    panel = page.get_by_test_id("node-panel")
    expect(panel).to_contain_text("of people who look alike")
    panel.get_by_role("button", name="Use this one").click()
    page.get_by_role("tab", name="Results").click()
    expect(page.get_by_test_id("result-3")).to_contain_text("levels")


def test_results_from_before_a_change_are_marked(studio: Page, served: Served, tried: str) -> None:
    page = opened(studio, served, tried)
    row = page.get_by_test_id("result-1")
    expect(row).not_to_contain_text("from before the last changes")
    with served.client() as client:
        changed = PLAN.replace("k = 4", "k = 6").format(file="patients.csv")
        client.put(f"/projects/{tried}/plan", json={"toml": changed}).raise_for_status()
        expect(row).to_contain_text("from before the last changes")
        wait(client, client.post(f"/projects/{tried}/anonymize", json={}))
    expect(page.get_by_test_id("results").get_by_role("row")).to_have_count(4)
    expect(page.get_by_test_id("results").locator("tr").nth(1)).not_to_contain_text("from before")


@pytest.mark.deep
def test_a_promise_that_cannot_be_kept_fails_in_words(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    plan = PLAN.replace("k = 4", "k = 500")
    project = sample_project(served, small_hospital(tmp_path), "Failing", plan=plan, runs=0)
    page = opened(studio, served, project)
    with served.client() as client:
        client.post(f"/projects/{project}/anonymize", json={}).raise_for_status()
    page.get_by_test_id("under-way").wait_for()
    failure = page.get_by_role("alert").filter(has_text="failed")
    expect(failure).to_contain_text("k-anonymity(k=500)")
    failure.get_by_role("button", name="Dismiss").click()
    failure.wait_for(state="detached")
    opened(page, served, project)
    expect(page.get_by_text("failed")).to_have_count(0)
