"""The page on publishing: bundles, texts to take along, and releases over time."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import unlinkable as ul
from tests.studio.conftest import Served, wait
from tests.studio.sample_projects import sample_project, small_hospital
from unlinkable.studio.pages.publish.series_view import policy_names

SLOW = 90_000


@pytest.fixture
def project(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project with one result."""
    return sample_project(served, small_hospital(tmp_path_factory.mktemp("data")), "Published")


def opened(page: Page, served: Served, project: str) -> Page:
    page.goto(f"{served.home}/project/{project}/publish")
    page.get_by_role("button", name="Publish as a bundle").wait_for()
    return page


def publish(page: Page, name: str) -> None:
    page.get_by_label("Name of the bundle").fill(name)
    page.get_by_role("button", name="Publish as a bundle").click()
    page.get_by_role("heading", name=name, exact=True).wait_for(timeout=SLOW)


def test_a_bundle_is_published_verified_and_fetched(
    studio: Page, served: Served, project: str, tmp_path: Path
) -> None:
    page = opened(studio, served, project)
    other = opened(page.context.new_page(), served, project)
    expect(page.get_by_text("k-anonymity(k=4): holds")).to_be_visible()
    publish(page, "for partners")
    folder = served.projects / project / "bundles" / "for partners"
    assert ul.verify(folder).holds
    expect(other.get_by_role("heading", name="for partners")).to_be_visible()
    expect(other.get_by_text("Verified 20")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download for recipients").click()
    archive = tmp_path / "bundle.zip"
    download.value.save_as(archive)
    names = zipfile.ZipFile(archive).namelist()
    assert any(name.endswith("release.json") for name in names)
    assert not any("private" in name for name in names)
    with page.context.expect_page() as tab:
        page.get_by_role("link", name="Open the report").click()
    expect(tab.value.get_by_text("k-anonymity").first).to_be_visible()


def test_a_name_that_is_being_filled_in_stays_when_other_things_end(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    page.get_by_label("Name of the bundle").fill("not yet")
    with served.client() as client:
        wait(client, client.post(f"/projects/{project}/anonymize", json={}))
    expect(page.get_by_text("Result 2: ")).to_be_visible()
    expect(page.get_by_label("Name of the bundle")).to_have_value("not yet")


def test_what_was_changed_is_not_trusted(studio: Page, served: Served, project: str) -> None:
    page = opened(studio, served, project)
    publish(page, "tampered")
    data = served.projects / project / "bundles" / "tampered" / "public" / "data.csv"
    data.write_text(data.read_text().replace("female", "male"))
    page.get_by_role("button", name="Verify tampered again").click()
    expect(page.get_by_text("Not trustworthy", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Problem: data.csv was changed")).to_be_visible()


@pytest.mark.deep
def test_a_name_that_is_taken_is_refused_in_words(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    publish(page, "once")
    opened(page, served, project)
    page.get_by_label("Name of the bundle").fill("once")
    page.get_by_role("button", name="Publish as a bundle").click()
    expect(page.get_by_role("alert").filter(has_text="once")).to_be_visible(timeout=SLOW)


def test_the_same_can_be_done_without_the_studio(
    studio: Page, served: Served, project: str
) -> None:
    studio.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(studio, served, project)
    page.get_by_role("tab", name="Python").click()
    page.get_by_role("button", name="Copy the text: Python").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.wait_for_function("async () => Boolean(await navigator.clipboard.readText())")
    copied = page.evaluate("navigator.clipboard.readText()")
    compile(copied, "copied.py", "exec")
    assert "import unlinkable as ul" in copied
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the plan").click()
    assert download.value.suggested_filename == "plan.toml"
    assert ul.Plan.load(download.value.path()).models() == (ul.KAnonymity(4),)


@pytest.mark.deep
def test_a_series_is_tried_published_and_refused(
    studio: Page, served: Served, project: str
) -> None:
    page = opened(studio, served, project)
    page.get_by_role("button", name="Try without publishing").click()
    expect(page.get_by_text("Release 1 would be published to everybody")).to_be_visible(
        timeout=SLOW
    )
    expect(page.get_by_text("Nothing was published into the history yet.")).to_be_visible()
    page.get_by_label("Recipient").fill("the university")
    page.get_by_role("button", name="Publish into the history").click()
    table = page.get_by_role("table", name="What was published into the history")
    table.wait_for(timeout=SLOW)
    expect(table.get_by_role("row", name="Release 1")).to_contain_text("the university")
    assert ul.verify(served.projects / project / "bundles" / "history" / "001").holds

    records = served.projects / project / "uploads" / "patients.csv"
    records.write_text("\n".join(records.read_text().splitlines()[:90]) + "\n")
    page.get_by_role("button", name="Try without publishing").click()
    expect(page.get_by_text("Refused: nothing was published")).to_be_visible(timeout=SLOW)
    refused = page.get_by_role("status").filter(has_text="Refused")
    expect(refused).to_contain_text("Incremental is for tables that only grow")


VIEWS = """
[data]
source = "uploads/{file}"

[columns.pid]
role = "identifier"

[columns.name]
role = "quasi-identifier"

[columns.job]
role = "quasi-identifier"

[columns.disease]
role = "sensitive"

[series]
policy = "multiple-views"
columns = ["name"]
identity = ["name"]
"""


@pytest.mark.deep
def test_a_channel_is_told_with_the_people_whom_it_would_harm(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    rows = ("pid,name,job,disease", "1,Ann,cook,HIV", "2,Bob,cook,flu", "3,Cid,clerk,HIV")
    file.write_text("\n".join([*rows, "4,Dan,clerk,flu", ""]))
    key = sample_project(served, file, "Views", plan=VIEWS, runs=0)
    studio.goto(f"{served.home}/project/{key}/publish")
    studio.get_by_role("button", name="Publish into the history").click()
    table = studio.get_by_role("table", name="What was published into the history")
    table.wait_for(timeout=SLOW)
    studio.get_by_text("More settings of multiple-views").click()
    studio.get_by_label("Only records for which this holds").fill("disease = HIV")
    known = studio.get_by_role("checkbox", name="Everybody has one record")
    known.click()
    expect(known).to_be_checked()
    studio.get_by_role("combobox", name="Columns of the view").click()
    studio.get_by_role("option", name="job").click()
    studio.keyboard.press("Escape")
    studio.get_by_role("button", name="Publish into the history").click()
    refused = studio.get_by_role("status").filter(has_text="Refused: nothing was published")
    expect(refused).to_contain_text("Join views and counts", timeout=SLOW)
    with served.client() as client:
        series = client.get(f"/projects/{key}/plan").json()["plan"]["series"]
    assert series == {
        "policy": "multiple-views",
        "columns": ["name", "job"],
        "identity": ["name"],
        "selection": "disease = HIV",
        "one_record": True,
        "person": "pid",
    }
    assert "Personal data" not in studio.content()
    refused.get_by_role("button", name="Show the people affected").click()
    expect(studio.get_by_role("dialog")).to_contain_text("Ann")


def test_policies_are_named_by_what_changes() -> None:
    names = policy_names([{"name": "new-one"}, {"name": "incremental"}])
    assert list(names.items()) == [
        ("incremental", "New people come in, nobody leaves (incremental)"),
        ("new-one", "new-one"),
    ]
