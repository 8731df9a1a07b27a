"""The editor of taxonomies, in a browser: arranged by hand, by rules, and with many values."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.studio.conftest import Served, described

Row = Callable[[Page, str], Locator]
PLACES = ["city", "county", "court", "film", "garden", "army", "bank", "night", "rail", "road"]
CRAFTS = [f"{place} {who} {i}" for place in PLACES for who in ("nurse", "cook") for i in range(10)]


def row(page: Page, label: str) -> Locator:
    return page.locator(f'.tax-row[data-label="{label}"]')


@pytest.fixture
def key(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("data") / "workers.csv"
    jobs = ["Dancer", "Writer", "Lawyer", "Engineer", "Cook"]
    lines = [
        f"{jobs[i % 5]},{20 + i % 40},{1000 + i % 3000},{1950 + i % 50}-{1 + i % 12:02d}-07,"
        f"{CRAFTS[i % 200]},ill"
        for i in range(6000)
    ]
    file.write_text("\n".join(["job,age,code,born,craft,illness", *lines]) + "\n")
    key = described(served, file, "Taxonomies")
    roles = dict.fromkeys(("job", "age", "code", "born", "craft"), "quasi-identifier")
    toml = "\n".join(
        ['[data]\nsource = "uploads/workers.csv"', '[columns.illness]\nrole = "sensitive"']
        + [f'[columns.{name}]\nrole = "{role}"' for name, role in roles.items()]
    )
    with served.client() as client:
        client.put(f"/projects/{key}/plan", json={"toml": toml}).raise_for_status()
    return key


def rule(served: Served, key: str, column: str) -> Any:
    plan = tomllib.loads((served.projects / key / "plan.toml").read_text())
    return plan["columns"][column].get("taxonomy")


@pytest.fixture
def jobs(studio: Page, served: Served, key: str) -> Page:
    studio.goto(f"{served.home}/project/{key}/roles?column=job")
    row(studio, "Dancer").wait_for()
    return studio


def test_a_tree_is_arranged_with_keyboard_and_mouse_and_all_is_undone(
    jobs: Page, served: Served, key: str
) -> None:
    expect(row(jobs, "Dancer")).to_contain_text("1,200")
    row(jobs, "Dancer").focus()
    jobs.keyboard.press("Space")
    row(jobs, "Writer").get_by_role("checkbox").click()
    row(jobs, "Writer").focus()
    jobs.keyboard.press("g")
    jobs.get_by_role("dialog").get_by_label("Name").fill("Artist")
    jobs.keyboard.press("Enter")
    expect(row(jobs, "Artist")).to_be_focused()
    expect(row(jobs, "Artist")).to_contain_text("2,400")

    row(jobs, "Cook").drag_to(row(jobs, "Artist"))
    expect(row(jobs, "Artist")).to_contain_text("3,600")
    assert rule(served, key, "job")["tree"]["Artist"] == ["Dancer", "Writer", "Cook"]
    expect(jobs.locator(".level-table")).to_contain_text("Level 1")

    row(jobs, "Artist").focus()
    jobs.keyboard.press("F2")
    jobs.get_by_role("dialog").get_by_label("Name").fill("Lawyer")
    jobs.keyboard.press("Enter")
    expect(jobs.locator(".q-notification")).to_contain_text("a value called 'Lawyer' already")

    other = jobs.context.new_page()
    other.goto(jobs.url)
    expect(row(other, "Artist")).to_contain_text("3,600")
    other.get_by_role("button", name="Undo").click()
    expect(row(jobs, "Artist")).to_contain_text("2,400")
    jobs.get_by_role("button", name="Undo").click()
    expect(row(other, "Artist")).to_have_count(0)
    assert rule(served, key, "job") is None
    jobs.get_by_role("button", name="Redo").click()
    expect(row(jobs, "Artist")).to_be_visible()
    row(jobs, "Artist").focus()
    jobs.keyboard.press("Delete")
    expect(row(jobs, "Artist")).to_have_count(0)


@pytest.mark.deep
def test_nodes_are_moved_and_merged_by_menu(jobs: Page) -> None:
    for label, name in (("Lawyer", "Law"), ("Engineer", "Technology")):
        row(jobs, label).focus()
        jobs.keyboard.press("g")
        jobs.get_by_role("dialog").get_by_label("Name").fill(name)
        jobs.keyboard.press("Enter")
        expect(row(jobs, name)).to_be_focused()
    row(jobs, "Cook").get_by_role("button").click()
    jobs.get_by_role("menu").get_by_text("Move to…").click()
    jobs.get_by_role("dialog").get_by_label("Group").fill("Law")
    jobs.get_by_role("option", name="* / Law").click()
    jobs.get_by_role("button", name="Move", exact=True).click()
    expect(row(jobs, "Law")).to_contain_text("2,400")
    for label in ("Law", "Technology"):
        row(jobs, label).get_by_role("checkbox").click()
    jobs.get_by_role("button", name="Merge…").click()
    jobs.get_by_role("dialog").get_by_label("Name").fill("Office")
    jobs.keyboard.press("Enter")
    expect(row(jobs, "Office")).to_contain_text("3,600")


@pytest.mark.deep
def test_rules_are_tried_before_they_are_used(studio: Page, served: Served, key: str) -> None:
    studio.goto(f"{served.home}/project/{key}/roles?column=age")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-intervals").click()
    expect(row(studio, "[20-40)")).to_be_visible()
    studio.get_by_label("Widths, from fine to coarse").fill("5, 12")
    expect(studio.locator(".tax-try [role=alert]")).to_contain_text("12 is none of 5")
    studio.get_by_label("Widths, from fine to coarse").fill("10, 20")
    expect(studio.locator(".level-table")).to_contain_text("Level 1 · 4 labels")
    assert rule(served, key, "age") is None
    studio.get_by_test_id("use-rule").click()
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: intervals of 10 and 20.")
    assert rule(served, key, "age") == {"intervals": [10, 20]}
    studio.get_by_test_id("kind-csv").click()
    studio.get_by_label("Paste the rows here").fill("20;young\n21;young\n")
    studio.get_by_test_id("try-rows").click()
    expect(studio.locator(".tax-try [role=alert]")).to_contain_text("No value '22'")
    studio.get_by_role("button", name="Discard").click()
    expect(studio.get_by_test_id("kind-intervals")).to_have_attribute("aria-pressed", "true")


@pytest.mark.deep
def test_what_is_filled_in_and_used_at_once_is_used_and_the_form_stays(
    studio: Page, served: Served, key: str
) -> None:
    studio.goto(f"{served.home}/project/{key}/roles?column=age")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-intervals").click()
    widths = studio.get_by_label("Widths, from fine to coarse")
    widths.fill("5, 20")
    expect(studio.locator(".level-table")).to_contain_text("Level 1 · 8 labels")
    studio.get_by_test_id("use-rule").hover()
    field = widths.element_handle()
    widths.fill("4, 20")
    studio.mouse.down()
    expect(studio.locator(".level-table")).to_contain_text("Level 1 · 10 labels")
    studio.mouse.up()
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: intervals of 4 and 20.")
    row(studio, "[20-24)").get_by_role("checkbox").wait_for()
    widths.fill("4, 20, 40")
    expect(studio.get_by_test_id("use-rule")).to_be_visible()
    widths.fill("4, 20")
    expect(studio.get_by_test_id("use-rule")).to_have_count(0)
    assert field.evaluate("each => each.isConnected")


@pytest.mark.deep
def test_thousands_of_values_are_searched_and_kept_in_a_file(
    studio: Page, served: Served, key: str
) -> None:
    studio.goto(f"{served.home}/project/{key}/roles?column=code")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-flat").click()
    studio.get_by_test_id("use-rule").click()
    # Until then the tree that was only tried may be there, with a box to search it of its own.
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: all or nothing.")
    row(studio, "1001").get_by_role("checkbox").wait_for()
    assert studio.locator(".tax-row").count() < 100
    studio.get_by_test_id("tree-search").fill("399")
    for label in ("3990", "3991"):
        row(studio, label).get_by_role("checkbox").click()
    studio.get_by_role("button", name="Group…").click()
    studio.get_by_role("dialog").get_by_label("Name").fill("Last")
    studio.keyboard.press("Enter")
    expect(row(studio, "Last")).to_contain_text("2 values")
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: by hand.")
    files = list((served.projects / key / "taxonomies").iterdir())
    assert [f"taxonomies/{file.name}" for file in files] == [rule(served, key, "code")["csv"]]
    assert "3990;Last;*" in files[0].read_text().splitlines()
    studio.reload()
    studio.get_by_test_id("tree-search").fill("Last")
    expect(row(studio, "Last")).to_contain_text("4")


@pytest.mark.deep
def test_dates_and_masks_are_filled_in_and_used(studio: Page, served: Served, key: str) -> None:
    studio.goto(f"{served.home}/project/{key}/roles?column=born")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-dates").click()
    expect(studio.locator(".level-table")).to_contain_text("1950-01")
    studio.get_by_role("checkbox", name="week").click()
    expect(studio.locator(".tax-try [role=alert]")).to_contain_text("Weeks do not nest in months")
    studio.get_by_role("checkbox", name="week").click()
    studio.get_by_role("checkbox", name="decade").click()
    expect(row(studio, "1950s")).to_contain_text("1,200")
    studio.get_by_test_id("use-rule").click()
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: by month, year and decade.")
    assert rule(served, key, "born") == {"dates": ["month", "year", "decade"]}
    studio.goto(f"{served.home}/project/{key}/roles?column=code")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-mask").click()
    expect(studio.locator(".level-table")).to_contain_text("1***")
    studio.get_by_label("Characters to keep, by level").fill("1, 2")
    expect(studio.locator(".tax-try [role=alert]")).to_contain_text("Keep fewer characters")
    studio.get_by_label("Characters to keep, by level").fill("2, 1")
    expect(studio.locator(".level-table")).to_contain_text("Level 2 · 3 labels")
    studio.get_by_test_id("use-rule").click()
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: masked, up to 4 characters.")
    assert rule(served, key, "code") == {"mask": 4, "keep": [2, 1]}


def test_hierarchy_files_are_handed_in_and_wrong_ones_refused_in_words(
    studio: Page, served: Served, key: str, tmp_path: Path
) -> None:
    good = "".join(f"{craft};{craft.split()[1]}s;*\n" for craft in CRAFTS)
    files = {
        "missing": good.partition("\n")[2].encode(),
        "ragged": good.replace("nurse 3;nurses;*", "nurse 3;*", 1).encode(),
        "encoded": good.replace("cooks", "Köche").encode("cp1252"),
        "good": good.encode(),
    }
    studio.goto(f"{served.home}/project/{key}/roles?column=craft")
    row(studio, "*").wait_for()
    studio.get_by_test_id("kind-csv").click()

    def hand_in(name: str) -> Locator:
        (tmp_path / f"{name}.csv").write_bytes(files[name])
        studio.locator("input[type=file]").set_input_files(tmp_path / f"{name}.csv")
        return studio.locator(".tax-try [role=alert]")

    expect(hand_in("missing")).to_contain_text("No value 'city nurse 0' among 199")
    expect(hand_in("encoded")).to_contain_text("encoded.csv is not written in UTF-8 (line 11)")
    expect(hand_in("ragged")).to_contain_text(
        "'city nurse 3' of 'craft' has 0 labels in ragged.csv, line 4"
    )
    studio.get_by_role("checkbox", name="Rows may be of different length").click()
    expect(row(studio, "nurses")).to_contain_text("99 values")
    studio.get_by_role("checkbox", name="Rows may be of different length").click()
    expect(studio.locator(".tax-try [role=alert]")).to_be_visible()
    hand_in("good")
    expect(row(studio, "nurses")).to_contain_text("100 values")
    studio.get_by_test_id("use-rule").click()
    expect(studio.get_by_test_id("rule-words")).to_have_text("Now: from good.csv.")


@pytest.mark.deep
def test_two_hundred_values_are_grouped_split_and_merged(
    studio: Page, served: Served, key: str
) -> None:
    studio.goto(f"{served.home}/project/{key}/roles?column=craft")
    row(studio, "*").wait_for()
    name = studio.get_by_role("dialog").get_by_label("Name")

    def press(button: str, answer: str) -> None:
        studio.get_by_role("button", name=button).click()
        name.fill(answer)
        studio.keyboard.press("Enter")
        expect(row(studio, answer)).to_be_focused()

    studio.get_by_test_id("kind-tree").click()
    studio.get_by_role("button", name="Begin without groups").click()
    expect(row(studio, "nurses")).to_have_count(0)
    studio.get_by_test_id("tree-search").fill("army")
    studio.get_by_role("button", name="Choose all").click()
    press("Group…", "Army")
    expect(row(studio, "Army")).to_contain_text("20 values")
    expect(studio.get_by_test_id("rule-words")).to_contain_text("1 group and 180 single values")
    row(studio, "army nurse 0").click()
    row(studio, "army nurse 4").click(modifiers=["Shift"])
    press("Split off…", "Guards")
    expect(row(studio, "Guards")).to_contain_text("5 values")
    row(studio, "army nurse 5").drag_to(row(studio, "army nurse 6"))
    name.fill("Staff")
    studio.keyboard.press("Enter")
    expect(row(studio, "Staff")).to_be_focused()
    for label in ("Staff", "Guards"):
        row(studio, label).get_by_role("checkbox").click()
    press("Merge…", "Guards")
    expect(row(studio, "Guards")).to_contain_text("7 values")
    found = rule(served, key, "craft")["tree"]
    assert found["Guards"] == [f"army nurse {i}" for i in range(7)]
    assert len(found["Army"]) == 13
    studio.reload()
    studio.get_by_role("button", name="Undo").click()
    expect(row(studio, "Guards")).to_contain_text("5 values")
