"""The page on attacks: what is attacked, what came of it, and who may see whom."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.studio.conftest import Served, wait
from tests.studio.sample_projects import sample_project, small_hospital
from unlinkable.studio.pages.attack.attack_findings import (
    attack_verdict,
    confidence_words,
    skip_reason,
    title_of,
)
from unlinkable.studio.pages.attack.attack_page import change, sides

SLOW = 90_000


@pytest.fixture
def project(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project with one result, which was attacked for a moment."""
    key = sample_project(served, small_hospital(tmp_path_factory.mktemp("data")), "Attacked")
    with served.client() as client:
        wait(client, client.post(f"/projects/{key}/attack", json={"run": 1, "seconds": 0.5}))
    return key


def opened(page: Page, served: Served, project: str) -> Page:
    page.goto(f"{served.home}/project/{project}/attack")
    page.get_by_role("heading", name="The table as it stands").wait_for()
    return page


def test_a_table_is_attacked_and_compared_with_the_result(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    expect(page.get_by_role("table", name="Attacks on the table")).to_have_count(0)
    page.get_by_role("button", name="Attack the table as it stands").click()
    table = page.get_by_role("table", name="Attacks on the table as it stands and on Result 1")
    table.wait_for(timeout=SLOW)
    row = table.get_by_role("row", name="Record linkage")
    expect(row).to_contain_text("of 120")
    first = page.locator(".q-expansion-item").first
    expect(first).to_contain_text("What would stop it")
    expect(first).to_contain_text("What the adversary needs")
    expect(page.get_by_role("heading", name="What this does not show")).to_be_visible()
    page.reload()
    table.wait_for()
    page.get_by_role("radio", name="On the table as it stands").click()
    expect(first).to_contain_text("Attribute linkage")
    first.get_by_role("link", name="Change the promises").click()
    page.wait_for_url("**/privacy")


def test_people_are_shown_on_request_alone(studio: Page, served: Served, project: str) -> None:
    page = opened(studio, served, project)
    page.get_by_text("Findings, the strongest first").wait_for()
    assert "Personal data" not in page.content()
    page.get_by_role("button", name="Show the people affected").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Personal data")
    expect(dialog.get_by_role("row").nth(1)).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("table", name="People whom the attack finds")).to_have_count(0)


@pytest.mark.deep
def test_attacks_are_seen_and_cancelled_in_every_tab(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    other = opened(page.context.new_page(), served, project)
    page.get_by_role("button", name="Attack result 1").click()
    other.get_by_role("button", name="Cancel: attacks on result 1").click()
    expect(page.get_by_role("button", name="Attack result 1")).to_be_visible()
    expect(other.get_by_role("button", name="Cancel: attacks on result 1")).to_have_count(0)


def test_findings_are_told_in_words() -> None:
    strong = {
        "attack": "corruption(n=1)",
        "succeeded": 3,
        "attacked": 9,
        "highest_confidence": 0.75,
        "limit": 0.5,
        "interval": None,
    }
    weak = {**strong, "attack": "skewness", "succeeded": 0, "highest_confidence": 0.125}
    skipped = [{"attack": "record-linkage", "why": "give the list of people with external=..."}]
    attacks = {"attacks": [strong, weak], "skipped": skipped, "doubt": None}
    suite = {"run": 1, "attacks": attacks, "summary": ""}
    assert title_of("corruption(n=1)") == "Corruption"
    assert attack_verdict(suite, "result 1") == (  # type: ignore[arg-type]
        True,
        "1 of 2 attacks succeed",
        "On result 1, the strongest is “Corruption”: 3 of 9 people are exposed, "
        "confidence up to 75 %.",
    )
    assert confidence_words(weak) == "a value up to 12 points more likely than for everybody"
    raw = {**suite, "run": None, "attacks": {**attacks, "attacks": [{**strong, "succeeded": 9}]}}
    lines = sides(raw, suite)  # type: ignore[arg-type]
    assert [name for name, _, _ in lines] == ["corruption", "skewness"]
    assert [change(was, now) for _, was, now in lines] == ["6 people fewer", "cannot be compared"]
    assert change({**strong}, weak) == "stopped"
    unsure = {**weak, "attack": "minimality", "interval": [0.4, 0.6]}
    assert change({**strong}, unsure) == "not stopped for certain"
    guessed = {**suite, "attacks": {**attacks, "attacks": [unsure, weak]}}
    assert attack_verdict(guessed, "result 1")[:2] == (True, "Resisted: 1 of 2 attacks")  # type: ignore[arg-type]
    said = skip_reason("record-linkage", skipped[0]["why"], is_table=False)
    assert said == "Give the list of people with --external on the command line."
    assert skip_reason("membership", "?", is_table=True).startswith("Not needed")
