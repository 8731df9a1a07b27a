"""The table of roles, in a browser."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.studio.conftest import Served, described, wait
from tests.studio.page_settled import SETTLED
from tests.studio.sample_projects import sample_project, small_hospital


@pytest.fixture
def key(served: Served, hospital: Path) -> str:
    return described(served, hospital, "Roles")


@pytest.fixture
def roles(studio: Page, served: Served, key: str) -> Page:
    studio.goto(f"{served.home}/project/{key}/roles")
    studio.locator(".role-examples").first.wait_for()
    return studio


@pytest.mark.deep
def test_roles_are_suggested_with_reasons_and_examples(roles: Page) -> None:
    row = roles.locator("tr[data-column=name]")
    expect(row).to_contain_text("text · 1,325 values")
    expect(row).to_contain_text("such as ")
    expect(row).to_contain_text("Suggested: names (its name says so).")
    expect(roles.get_by_label("Role of name")).to_have_value("identifier")


def test_a_role_is_changed_with_the_keyboard_in_all_tabs_and_stays(roles: Page) -> None:
    other = roles.context.new_page()
    other.goto(roles.url)
    role = roles.get_by_label("Role of cost")
    role.focus()
    roles.keyboard.press("i")
    roles.keyboard.press("n")
    expect(roles.locator("tr[data-column=cost]")).to_have_attribute("data-role", "insensitive")
    expect(role).to_be_focused()
    expect(roles.locator("tr[data-column=cost]")).to_contain_text("Your choice. Suggested was")
    expect(other.locator("tr[data-column=cost]")).to_have_attribute("data-role", "insensitive")
    roles.reload()
    expect(roles.get_by_label("Role of cost")).to_have_value("insensitive")
    roles.get_by_role("button", name="Take the suggestion for cost").click()
    expect(roles.get_by_label("Role of cost")).to_have_value("quasi-identifier")


@pytest.mark.deep
def test_importance_is_kept_and_nonsense_is_refused(roles: Page, served: Served) -> None:
    weight = roles.get_by_label("Importance of age")
    weight.fill("2.5")
    weight.press("Enter")
    roles.evaluate(SETTLED)
    roles.reload()
    expect(roles.get_by_label("Importance of age")).to_have_value("2.5")
    weight.fill("-1")
    weight.press("Enter")
    expect(roles.locator(".q-notification")).to_contain_text("weight")
    expect(roles.get_by_label("Importance of age")).to_have_value("2.5")


@pytest.mark.deep
def test_identifiers_become_pseudonyms_and_masks_in_what_is_published(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    project = sample_project(served, small_hospital(tmp_path), "Identifiers", runs=0)
    studio.goto(f"{served.home}/project/{project}/roles")
    row = studio.locator("tr[data-column=patient_id]")
    expect(row).to_contain_text("Left out of the release.")
    studio.get_by_label("What becomes of patient_id").select_option("Replaced by pseudonyms")
    expect(row).to_contain_text("it is the file pseudonyms.key in the folder of this project")
    studio.get_by_label("Role of diagnosis").select_option("Identifier")
    studio.get_by_label("What becomes of diagnosis").select_option("Masked")
    kept = studio.get_by_label("JsonCache at the start of diagnosis")
    kept.fill("-1")
    kept.press("Enter")
    expect(studio.locator(".q-notification")).to_contain_text("keep_left")
    kept.fill("2")
    kept.press("Enter")
    studio.evaluate(SETTLED)
    studio.reload()
    expect(kept).to_have_value("2")
    with served.client() as client:
        wait(client, client.post(f"/projects/{project}/anonymize", json={}))
        wait(client, client.post(f"/projects/{project}/bundles", json={"run": 1, "name": "one"}))
    public = served.projects / project / "bundles" / "one" / "public"
    manifest = json.loads((public / "release.json").read_text())
    treated = {c["name"]: c.get("treatment") for c in manifest["columns"]}
    assert (treated["patient_id"], treated["diagnosis"]) == ("pseudonym", "mask")
    with next(public.glob("*.csv")).open() as file:
        records = list(csv.DictReader(file))
    assert records
    assert all(re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{16}", r["patient_id"]) for r in records)
    assert all(re.fullmatch(r"\w\w\*+", r["diagnosis"]) for r in records)
    assert not any("key" in file.name for file in public.iterdir())


def test_without_a_quasi_identifier_people_are_warned(
    roles: Page, served: Served, key: str
) -> None:
    expect(roles.get_by_test_id("role-warning")).to_be_hidden()
    toml = (
        '[data]\nsource = "uploads/patients.csv"\nothers = "drop"\n[columns.age]\nrole = "target"\n'
    )
    with served.client() as client:
        client.put(f"/projects/{key}/plan", json={"toml": toml}).raise_for_status()
    expect(roles.get_by_test_id("role-counts")).to_have_text("1 target")
    expect(roles.get_by_test_id("role-warning")).to_contain_text("nothing to protect")
