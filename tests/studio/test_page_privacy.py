"""The page on privacy: promises are added, turned, found impossible and taken back."""

from __future__ import annotations

import re
import tomllib

import pytest
from playwright.sync_api import Page, expect

from tests.studio.conftest import Served
from tests.studio.sample_projects import sample_project, small_hospital


@pytest.fixture
def project(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project that promises 4-anonymity."""
    return sample_project(
        served, small_hospital(tmp_path_factory.mktemp("data")), "Promising", runs=0
    )


def opened(page: Page, served: Served, project: str) -> Page:
    page.goto(f"{served.home}/project/{project}/privacy")
    page.get_by_test_id("promise-0").wait_for()
    return page


def promises(served: Served, project: str) -> list[dict[str, object]]:
    text = (served.projects / project / "plan.toml").read_text(encoding="utf-8")
    found: list[dict[str, object]] = tomllib.loads(text)["privacy"]
    return found


def test_a_parameter_is_turned_and_its_cost_is_told_in_all_tabs(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    other = opened(page.context.new_page(), served, project)
    effect = page.get_by_test_id("promise-0").get_by_test_id("effect")
    expect(effect).to_have_text(re.compile(r"^At k=4 "))
    slider = page.locator("[data-testid=promise-0] .q-slider__track-container").first
    for _ in range(3):
        slider.press("ArrowRight")
    expect(effect).to_have_text(re.compile(r"^At k=7 "))
    expect(page.get_by_test_id("promise-0")).to_contain_text("at least 6 other people")
    expect(other.get_by_test_id("promise-0").get_by_test_id("effect")).to_have_text(
        re.compile(r"^At k=7 ")
    )
    assert promises(served, project)[0] == {"model": "k-anonymity", "k": 7}
    page.reload()
    expect(page.get_by_label("Minimum group size (k), k-anonymity")).to_have_value("7")
    effect.wait_for()
    page.get_by_text("The same as a table").first.click()
    expect(page.get_by_role("columnheader", name="with generalization").first).to_be_visible()


@pytest.mark.deep
def test_a_promise_that_cannot_be_kept_is_told_and_taken_back(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    first = page.get_by_test_id("promise-0").element_handle()
    page.get_by_role("button", name="Add distinct-l-diversity").click()
    added = page.get_by_test_id("promise-1")
    added.wait_for()
    expect(page.get_by_text("People who look alike have at least 3").first).to_be_visible()
    added.get_by_test_id("parameter-l").fill("500")
    expect(added.get_by_role("alert")).to_contain_text("ask for l of at most")
    expect(page.get_by_text("cannot be kept with this table")).to_be_visible()
    page.get_by_role("button", name="Remove distinct-l-diversity").click()
    added.wait_for(state="detached")
    assert len(promises(served, project)) == 1
    assert first.evaluate("each => each.isConnected")


@pytest.mark.deep
def test_models_are_found_by_threat_and_by_words_and_asked_for_what_they_need(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    threat = page.get_by_role("button", name="Table linkage")
    threat.press("Enter")
    expect(threat).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("add-k-anonymity")).to_have_count(0)
    expect(threat).to_be_focused()
    page.get_by_role("button", name="Everything").click()
    page.get_by_label("Search models").fill("whole population")
    page.get_by_role("button", name="Add k-map").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("Please fill in: Table of the population")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")


@pytest.mark.deep
def test_the_share_that_may_be_left_out_is_kept(studio: Page, served: Served, project: str) -> None:
    page = opened(studio, served, project)
    page.get_by_test_id("suppression").locator(".q-slider__track-container").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Up to 5.5 % of the records (6 of 120)")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Up to 5.5 % of the records (6 of 120)")).to_be_visible()
