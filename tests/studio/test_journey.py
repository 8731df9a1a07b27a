"""The whole way in a real browser: from a file to a published bundle that the library verifies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import unlinkable as ul
from tests.studio.conftest import Served, Watched, log_in, new_project, serve
from tests.studio.page_settled import SETTLED
from tests.studio.pictures import screenshots

SLOW = 120_000
DESKTOP, PHONE = (1280, 900), (390, 844)
PLACES = ".studio-place { display: none }"
"""Pictures are shown to others: folders of this machine are not in them."""

NOT_KNOWN = ("insurance", "ward", "length_of_stay", "cost")
"""Columns that the hospital takes for unknown to others."""


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 240 invented patients."""
    file = tmp_path_factory.mktemp("data") / "patients.csv"
    ul.examples.hospital(240, seed=2).write_csv(file)
    return file


def pictures(page: Page, name: str) -> None:
    """Keep how a page looks on a desk and on a phone, where nothing may stick out."""
    folder = screenshots()
    page.mouse.move(0, 0)
    for (width, height), kind in ((PHONE, "phone"), (DESKTOP, "desktop")):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.fonts.ready")
        page.screenshot(path=folder / f"journey-{name}-{kind}.png", style=PLACES)
        if kind == "phone":
            page.screenshot(path=folder / f"journey-{name}-phone-whole.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width + 1, f"{name} is {wide} pixels wide on a phone"


def step(page: Page, name: str) -> None:
    page.get_by_test_id(f"step-{name}").click()
    page.wait_for_url(f"**/{name}")


def hand_in(page: Page, file: Path) -> None:
    page.locator("input[type=file]").first.set_input_files(file)


def test_from_a_file_to_a_verified_bundle(studio: Page, served: Served, patients: Path) -> None:
    page = studio
    pictures(page, "0-home")
    key = new_project(page, served, "Hospital stays")
    pictures(page, "1-hand-in")
    hand_in(page, patients)
    page.get_by_text("Continue to roles").wait_for(timeout=SLOW)
    expect(page.get_by_text("240 records")).to_be_visible()
    page.get_by_role("cell", name="P0000").first.wait_for(timeout=SLOW)
    pictures(page, "2-data")

    step(page, "roles")
    other = page.context.new_page()
    other.goto(page.url)
    for column in NOT_KNOWN:
        page.get_by_label(f"Role of {column}").select_option("insensitive")
        row = other.locator(f"tr[data-column={column}]")
        expect(row).to_have_attribute("data-role", "insensitive")
    page.get_by_label("Role of readmitted").select_option("target")
    expect(other.get_by_label("Role of readmitted")).to_have_value("target")
    other.close()
    page.reload()
    expect(page.get_by_label("Role of cost")).to_have_value("insensitive")
    page.locator(".role-examples").first.wait_for(timeout=SLOW)
    pictures(page, "3-roles")

    step(page, "privacy")
    page.get_by_test_id("promise-1").get_by_test_id("effect").wait_for(timeout=SLOW)
    expect(page.get_by_test_id("promise-1").get_by_test_id("effect")).to_contain_text(
        "suppressed", timeout=SLOW
    )
    pictures(page, "4-privacy")

    step(page, "explore")
    page.get_by_test_id("run-methods").click()
    expect(page.get_by_test_id("results").get_by_role("row")).to_have_count(3, timeout=SLOW)
    page.get_by_role("button", name="Go on with result 2").click()
    expect(page.get_by_test_id("choose-2")).to_have_attribute("aria-pressed", "true")
    pictures(page, "5-explore")

    step(page, "attack")
    page.get_by_role("button", name="Attack both, and compare").click()
    page.get_by_role("button", name="Cancel: attacks on result 2").wait_for(timeout=SLOW)
    page.reload()
    page.get_by_role("table", name="Attacks on the table as it").wait_for(timeout=SLOW)
    pictures(page, "6-attack")

    step(page, "publish")
    page.get_by_label("Name of the bundle").fill("for the university")
    page.get_by_role("button", name="Publish as a bundle").click()
    page.get_by_role("heading", name="for the university").wait_for(timeout=SLOW)
    page.get_by_role("region", name="the text: Plan file").wait_for(timeout=SLOW)
    page.get_by_text("Published and verified").wait_for(state="hidden")
    pictures(page, "7-publish")

    bundle = served.projects / key / "bundles" / "for the university"
    assert ul.verify(bundle).holds
    manifest = ul.open_bundle(bundle / "public").manifest
    assert [model.holds for model in manifest.models] == [True, True]
    assert manifest.records >= 228
    assert "Prendermoor" not in (bundle / "public" / "data.csv").read_text()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "is empty"),
        ("picture.png", b"\x89PNG", "is no table in a known format"),
        ("broken.parquet", b"PAR1 not really PAR1", "broken.parquet"),
        ("sheet.xlsx", b"PK\x03\x04 not a workbook", "is not what its name says"),
    ],
)
def test_wrong_files_are_refused_in_words(
    watched: Watched, served: Served, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    watched.expected += ["status of 4"]  # What the server refuses, the browser notes.
    page = log_in(watched.page, served)
    key = new_project(page, served, f"Wrong {name}")
    (tmp_path / name).write_bytes(content)
    hand_in(page, tmp_path / name)
    refusal = page.get_by_role("alert").filter(has_text=said)
    expect(refusal.first).to_be_visible(timeout=SLOW)
    assert "Traceback" not in page.content()
    assert not (served.projects / key / "plan.toml").exists()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Served]:
    """A studio that others can reach, behind a password."""
    secret = tmp_path / "password"
    secret.write_text("correct horse battery")
    options = ("--host", "0.0.0.0", "--password", str(secret))
    running = serve(tmp_path / "projects", *options)
    yield running
    running.stop()


def tab_to(page: Page, target: Locator, most: int = 120) -> None:
    """Press the tabulator until a control has the focus: if it never does, keys do not reach it."""
    target.first.wait_for(timeout=SLOW)
    page.evaluate(SETTLED)
    for _ in range(most):
        if target.first.evaluate(
            "e => e === document.activeElement || e.contains(document.activeElement)"
        ):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{target} cannot be reached with the keyboard")


def press(page: Page, target: Locator, key: str = "Enter") -> None:
    tab_to(page, target)
    page.keyboard.press(key)


@pytest.mark.deep
def test_the_whole_way_with_the_keyboard_alone(
    guarded: Served, watched: Watched, patients: Path
) -> None:
    page, keys = watched.page, watched.page.keyboard
    page.goto(f"{guarded.home}/login")
    expect(page.locator("input[type=password]")).to_be_focused()
    keys.type("correct horse battery")
    keys.press("Enter")
    tab_to(page, page.get_by_label("Name"))
    keys.type("By keys")
    keys.press("Enter")
    page.wait_for_url("**/data")
    with page.expect_file_chooser() as chooser:
        press(page, page.get_by_test_id("choose-file"))
    chooser.value.set_files(patients)
    press(page, page.get_by_role("link", name="Continue to roles"))

    page.wait_for_url("**/roles")
    for column in (*NOT_KNOWN, "admission_date", "profession"):
        role = page.get_by_label(f"Role of {column}")
        tab_to(page, role)
        keys.type("Insens")
        expect(page.locator(f"tr[data-column={column}]")).to_have_attribute(
            "data-role", "insensitive", timeout=SLOW
        )
    page.reload()
    press(page, page.get_by_test_id("step-privacy"))

    page.wait_for_url("**/privacy")
    tab_to(page, page.locator("[data-testid=promise-0] .q-slider__track-container"))
    keys.press("ArrowLeft")
    expect(page.get_by_test_id("promise-0")).to_contain_text("at least 3 other", timeout=SLOW)
    press(page, page.get_by_test_id("step-explore"))

    page.wait_for_url("**/explore")
    press(page, page.get_by_role("checkbox", name="optimal"), "Space")
    press(page, page.get_by_test_id("run-methods"))
    press(page, page.get_by_role("button", name="Go on with result 1"))
    page.reload()
    press(page, page.get_by_test_id("step-publish"))

    page.wait_for_url("**/publish")
    tab_to(page, page.get_by_label("Name of the bundle"))
    keys.press("ControlOrMeta+a")
    keys.type("by-keys")
    press(page, page.get_by_role("button", name="Publish as a bundle"))
    page.get_by_role("heading", name="by-keys").wait_for(timeout=SLOW)
    assert ul.verify(guarded.projects / "by-keys" / "bundles" / "by-keys").holds
