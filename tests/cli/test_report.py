"""``unlinkable report``: a page for recipients, another one for the holder."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run


def test_writes_the_page_that_is_in_the_bundle(run: Run, released: Ran, tmp_path: Path) -> None:
    ran = run("report", "release", "--out", "page.html")
    assert ran.code == 0, ran.err
    assert "Report: page.html" in ran.err
    assert ran.out == ""
    page = (tmp_path / "page.html").read_bytes()
    assert page == (tmp_path / "release" / "public" / "report.html").read_bytes()
    assert run("report", "release/public", "-o", "again.html").code == 0
    assert (tmp_path / "again.html").read_bytes() == page


def test_the_holders_page_has_more_and_is_private(run: Run, released: Ran, tmp_path: Path) -> None:
    ran = run("report", "release", "--holder", "--attacks", "--explain", "--out", "ours.md")
    assert ran.code == 0, ran.err
    assert "It is for you alone" in ran.err
    text = (tmp_path / "ours.md").read_text(encoding="utf-8")
    assert "Before: 100 %" in text
    assert "All attacks were tried" in text
    assert "patients.csv" in text
    assert stat.S_IMODE((tmp_path / "ours.md").stat().st_mode) == 0o600


def test_the_original_may_have_moved(
    run: Run, released: Ran, patients: Path, tmp_path: Path
) -> None:
    patients.rename(tmp_path / "moved.csv")
    assert run("report", "release", "--holder", "-o", "a.md").code == 0
    assert "Before:" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert run("report", "release", "--holder", "--original", "moved.csv", "-o", "b.md").code == 0
    assert (tmp_path / "b.md").read_bytes() == (tmp_path / "a.md").read_bytes()
    (tmp_path / "moved.csv").write_text("age,sex,zip,disease\n1,f,01300,flu\n", encoding="utf-8")
    ran = run("report", "release", "--holder", "--original", "moved.csv", "-o", "c.md")
    assert ran.code != 0
    assert not (tmp_path / "c.md").exists()


def test_prints_the_document(run: Run, released: Ran) -> None:
    ran = run("report", "release", "--json", "--recipient", "Registry", "--purpose", "Study")
    assert ran.code == 0
    assert ran.json["title"] == "Release report"
    assert ["For", "Registry"] in ran.json["lead"][2]["rows"]
    assert ["Purpose", "Study"] in ran.json["lead"][2]["rows"]


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
def test_a_format_can_be_named(run: Run, released: Ran, form: str) -> None:
    assert run("report", "release", "-o", "page", "--format", form).code == 0


def test_nothing_is_overwritten_unless_asked_for(run: Run, released: Ran, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("mine", encoding="utf-8")
    ran = run("report", "release", "-o", "page.html")
    assert ran.code == 2
    assert "page.html exists: choose another name" in ran.err
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "mine"
    assert run("report", "release", "-o", "page.html", "--overwrite").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["release"], "say where the report goes"),
        (["release", "-o", "page.pdf"], "does not tell how to write the report"),
        (["release", "-o", "page.html", "--attacks"], "ask for the report for the holder"),
        (["release/public", "-o", "page.html", "--holder"], "has no private half"),
        (["nowhere", "-o", "page.html"], "no folder nowhere"),
        (["release", "-o", "page", "--format", "pdf"], "no format 'pdf'"),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Run, released: Ran, tmp_path: Path, arguments: list[str], message: str
) -> None:
    ran = run("report", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert not list(tmp_path.glob("page*"))
