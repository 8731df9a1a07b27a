"""What is kept of the original records for the holder's report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tables.publishing.saved_bundles import Edit, change, release_of, rewrite_provenance
from unlinkable.errors import BundleError
from unlinkable.release.bundle.bundle_files import REPORT
from unlinkable.tables.data.published_file import read_published
from unlinkable.tables.data.release_columns import Frame
from unlinkable.tables.publishing import open_bundle, verify
from unlinkable.tables.publishing.bundles import reopened
from unlinkable.tables.publishing.bundles.before import BEFORE
from unlinkable.tables.publishing.judging import published_tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_of().save(tmp_path_factory.mktemp("saved") / "release")


def without_before(folder: Path, copy: Path) -> Path:
    """Make the bundle one of a version that kept nothing of the original."""
    shutil.copytree(folder, copy)

    def edit(told: dict[str, list[dict[str, str]]]) -> None:
        told["files"] = [file for file in told["files"] if file["name"] != BEFORE]

    rewrite_provenance(copy / "private", edit)
    (copy / "private" / BEFORE).unlink()
    assert verify(copy).holds
    return copy


def test_the_holder_gets_the_page_of_the_bundle_again_and_nothing_is_read_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[Path] = []

    def read(file: Path) -> Frame:
        files.append(file)
        return read_published(file)

    def refuse(*_: object) -> None:
        raise AssertionError("the original records were read")

    monkeypatch.setattr(published_tables, "read_published", read)
    monkeypatch.setattr(reopened, "_read", refuse)
    page = open_bundle(folder).report(holder=True).to_html()
    assert page == (folder / "private" / REPORT).read_text(encoding="utf-8")
    assert [file.name for file in files] == ["data.csv"]


def test_the_original_says_the_same_as_what_was_kept(tmp_path: Path) -> None:
    release = release_of()
    source = tmp_path / "patients.csv"
    release.table.frame.write_csv(source)
    folder = release.save(tmp_path / "release")
    kept = open_bundle(folder).report(holder=True)
    read = open_bundle(folder).report(holder=True, original=source)
    assert read.sections == kept.sections


def test_an_earlier_bundle_needs_the_original(folder: Path, tmp_path: Path) -> None:
    earlier = without_before(folder, tmp_path / "earlier")
    markdown = open_bundle(earlier).report(holder=True).to_markdown()
    assert "Before:" not in markdown
    assert "came from no file" in markdown


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change("format", to=2), "format"),
        (change("risk", "highest", to=2), r"risk\.highest"),
        (change("more", to=1), "more"),
    ],
)
def test_damage_is_refused(folder: Path, tmp_path: Path, edit: Edit, message: str) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    file = broken / "private" / BEFORE
    told = json.loads(file.read_text(encoding="utf-8"))
    edit(told)
    file.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(BundleError, match=r"before\.json was changed"):
        open_bundle(broken).report(holder=True)
    rewrite_provenance(broken / "private")
    with pytest.raises(BundleError, match=rf"before\.json is damaged.*{message}"):
        open_bundle(broken).report(holder=True)
    file.unlink()
    with pytest.raises(BundleError, match="the private half is damaged"):
        open_bundle(broken).report(holder=True)
