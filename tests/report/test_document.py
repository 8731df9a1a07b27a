"""A report on disk: whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.report.samples import sample
from unlinkable.errors import DataError, ParameterError


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r.html", "html"),
        ("r.HTM", "html"),
        ("r.md", "markdown"),
        ("r.markdown", "markdown"),
        ("r.json", "json"),
    ],
)
def test_the_ending_says_how_it_is_written(tmp_path: Path, name: str, form: str) -> None:
    file = sample().save(tmp_path / name)
    assert file.read_text(encoding="utf-8") == sample().written(form)


def test_a_format_can_be_named(tmp_path: Path) -> None:
    file = sample().save(tmp_path / "report", form="markdown")
    assert file.read_text(encoding="utf-8") == sample().to_markdown()


def test_a_file_that_is_there_is_replaced_only_if_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "r.html"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match=r"r\.html exists: choose another name"):
        sample().save(file)
    assert file.read_text(encoding="utf-8") == "mine"
    sample().save(file, overwrite=True)
    assert file.read_text(encoding="utf-8") == sample().to_html()
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_nothing_is_left_behind_if_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"cannot write .*r\.html \(No space left on device\)"):
        sample().save(tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_whoever_is_faster_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, sync = tmp_path / "r.html", os.fsync

    def slow(stream: int) -> None:
        file.write_text("theirs", encoding="utf-8")
        sync(stream)

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(DataError, match="exists"):
        sample().save(file)
    assert file.read_text(encoding="utf-8") == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.skipif(os.name != "posix", reason="rights work differently elsewhere")
def test_a_private_report_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = sample().save(tmp_path / "r.html", private=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"r\.pdf does not tell how to write the report"):
        sample().save(tmp_path / "r.pdf")
    with pytest.raises(ParameterError, match="no format 'pdf'"):
        sample().written("pdf")
    with pytest.raises(DataError, match="is a folder: name a file"):
        sample().save(tmp_path, form="html")
    with pytest.raises(DataError, match="cannot write"):
        sample().save(tmp_path / "nowhere" / "r.html")
