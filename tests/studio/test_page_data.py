"""The page of data, in a browser: handing in, reading differently, and what is wrong with files."""

from __future__ import annotations

from pathlib import Path

import pytest
import xlsxwriter
from playwright.sync_api import Page, expect

from tests.studio.conftest import Served, Watched, described, new_project


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table as Windows in Western Europe writes it."""
    file = tmp_path / "people.csv"
    file.write_bytes("name;town;wage\nMüller;Köln;1\nJäger;NA;2\nWeiß;Bonn;3\n".encode("cp1252"))
    return file


@pytest.mark.deep
def test_an_invented_hospital_is_one_click_away(studio: Page, served: Served) -> None:
    key = new_project(studio, served, "Invented")
    studio.get_by_test_id("invent").click()
    expect(studio.get_by_test_id("size")).to_have_text("10,000 records · 13 columns")
    expect(studio.get_by_text("patient_id and name probably name people")).to_be_visible()
    studio.get_by_text("Show 5 cases").click()
    expect(studio.get_by_text("ages over 89", exact=False).first).to_be_visible()
    expect(studio.locator(".columns-table").get_by_text("admission_date")).to_be_visible()
    expect(studio.locator(".preview-table").get_by_text("Yorick Brandow").first).to_be_visible()
    studio.reload()
    expect(studio.get_by_test_id("source")).to_have_text("invented-hospital.csv")
    studio.goto(f"{served.home}/project/{key}/roles")
    expect(studio.locator("tr[data-column=profession]")).to_contain_text("by hand, 4 groups")


@pytest.mark.deep
@pytest.mark.parametrize("step", ["roles", "privacy", "explore", "attack", "publish"])
def test_pages_without_data_say_where_to_begin(studio: Page, served: Served, step: str) -> None:
    key = new_project(studio, served, "Nothing yet")
    studio.goto(f"{served.home}/project/{key}/{step}")
    expect(studio.get_by_role("heading", name="There is no data yet")).to_be_visible()
    studio.get_by_role("link", name="Go to Data").click()
    expect(studio.get_by_test_id("invent")).to_be_visible()


def test_files_that_are_no_tables_are_refused_in_words(
    studio: Page, served: Served, watched: Watched, tmp_path: Path
) -> None:
    watched.expected.append("400 (Bad Request)")
    new_project(studio, served, "Refused")
    picture, book, nothing = (tmp_path / name for name in ("x.png", "x.xlsx", "x.csv"))
    picture.write_bytes(b"\x89PNG")
    book.write_bytes(b"this is no workbook")
    nothing.write_bytes(b"")
    alert = studio.locator(".file-drop [role=alert]")
    for file, words in (
        (picture, "x.png is no table in a known format"),
        (nothing, "x.csv is empty"),
        (book, "is not what its name says"),
    ):
        studio.locator("input[type=file]").set_input_files(file)
        expect(alert).to_contain_text(words)


@pytest.mark.deep
def test_a_file_in_another_encoding_is_tried_until_it_is_right(
    studio: Page, served: Served, table: Path
) -> None:
    new_project(studio, served, "Encoding")
    studio.locator("input[type=file]").set_input_files(table)
    expect(studio.locator(".data-refused")).to_contain_text("not written in UTF-8")
    studio.get_by_label("Encoding").click()
    studio.get_by_role("option", name="Windows, Western Europe").click()
    expect(studio.locator(".preview-table")).to_contain_text("Müller")
    studio.reload()
    studio.get_by_role("button", name="Try Windows, Western Europe").hover()
    studio.mouse.down()
    studio.wait_for_timeout(2000)  # It is tried and refused again, and the button stays.
    studio.mouse.up()
    expect(studio.locator(".preview-table")).to_contain_text("Müller")
    studio.get_by_label("Texts that mean missing").fill("NA, ?")
    expect(studio.locator(".preview-table .cell-missing")).to_have_text("missing")
    studio.get_by_test_id("read-table").click()
    expect(studio.get_by_test_id("size")).to_have_text("3 records · 3 columns")
    studio.get_by_test_id("read-again").click()
    expect(studio.get_by_label("Texts that mean missing")).to_have_value("NA, ?")
    studio.get_by_role("button", name="Cancel").click()
    expect(studio.get_by_test_id("size")).to_be_visible()


def test_sheets_and_types_are_chosen_before_a_workbook_is_read(
    studio: Page, served: Served, tmp_path: Path
) -> None:
    book = xlsxwriter.Workbook(tmp_path / "people.xlsx")
    book.add_worksheet("About")
    sheet = book.add_worksheet("People 2024")
    for i, record in enumerate([("name", "born", "zip"), ("Ada", "31.12.1999", "01234")]):
        sheet.write_row(i, 0, record)
    book.close()
    new_project(studio, served, "Workbook")
    studio.locator("input[type=file]").set_input_files(tmp_path / "people.xlsx")
    expect(studio.locator(".data-refused")).to_contain_text("sheet 'About': the sheet is empty")

    def choose(label: str, option: str) -> None:
        studio.get_by_label(label, exact=True).click()
        studio.get_by_role("option", name=option).click()

    choose("Sheet", "People 2024")
    expect(studio.locator(".preview-table")).to_contain_text("born · text")
    choose("Column", "name")
    choose("is read as", "whole number")
    expect(studio.locator(".data-refused")).to_contain_text("'name' is not a whole number")
    studio.locator(".q-chip").get_by_text("cancel").hover()
    studio.mouse.down()
    studio.get_by_label("Texts that mean missing").fill("Ada")
    expect(studio.locator(".preview-table .cell-missing")).to_be_visible()
    studio.mouse.up()  # It was tried meanwhile, and what takes the type back has stayed.
    expect(studio.locator(".q-chip")).to_have_count(0)
    studio.get_by_label("Texts that mean missing").fill("")
    choose("Column", "born")
    choose("is read as", "31.12.2024")
    expect(studio.locator(".preview-table")).to_contain_text("born · date")
    expect(studio.locator(".preview-table")).to_contain_text("1999-12-31")
    studio.set_viewport_size({"width": 390, "height": 844})
    assert studio.evaluate("document.documentElement.scrollWidth") <= 390
    studio.get_by_test_id("read-table").click()
    expect(studio.get_by_test_id("size")).to_have_text("1 record · 3 columns")


@pytest.mark.deep
def test_another_tab_sees_what_is_handed_in(studio: Page, served: Served, hospital: Path) -> None:
    key = new_project(studio, served, "Two tabs")
    other = studio.context.new_page()
    other.goto(f"{served.home}/project/{key}/data")
    expect(other.get_by_test_id("invent")).to_be_visible()
    studio.locator("input[type=file]").set_input_files(hospital)
    expect(other.get_by_test_id("size")).to_have_text("2,000 records · 13 columns")


@pytest.mark.deep
def test_everything_fits_on_a_telephone(studio: Page, served: Served, hospital: Path) -> None:
    key = described(served, hospital, "Narrow")
    studio.set_viewport_size({"width": 390, "height": 844})
    for step in ("data", "roles", "roles?column=age"):
        studio.goto(f"{served.home}/project/{key}/{step}")
        studio.locator(".preview-table td, .role-examples, .tax-row").first.wait_for()
        assert studio.evaluate("document.documentElement.scrollWidth") <= 390
