"""Where bundles go: a whole one takes its place, or nothing changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.release.bundles import contents, release_of
from unlinkable.errors import BundleError
from unlinkable.release import GeneralizedRelease, bundle, verify
from unlinkable.release.manifest import MANIFEST


@pytest.fixture(scope="module")
def release() -> GeneralizedRelease:
    return release_of()


def test_folders_above_are_made(release: GeneralizedRelease, tmp_path: Path) -> None:
    assert verify(release.save(tmp_path / "a" / "b" / "release")).holds


def test_an_empty_folder_is_filled(release: GeneralizedRelease, tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    assert verify(release.save(tmp_path / "release")).holds


def test_a_bundle_is_replaced_only_if_asked(release: GeneralizedRelease, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "release")
    before = contents(folder)
    with pytest.raises(BundleError, match="exists: choose another name, or ask to overwrite it"):
        release.save(folder)
    assert contents(folder) == before
    release.save(folder, format="parquet", overwrite=True)
    assert (folder / "public" / "data.parquet").is_file()
    assert not (folder / "public" / "data.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_what_is_no_bundle_is_never_replaced(release: GeneralizedRelease, tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("years of work", encoding="utf-8")
    with pytest.raises(BundleError, match="something that is no bundle, which is never replaced"):
        release.save(tmp_path, overwrite=True)
    with pytest.raises(BundleError, match="is a file, and a bundle is a folder"):
        release.save(tmp_path / "thesis.docx", overwrite=True)
    assert contents(tmp_path) == {"thesis.docx": b"years of work"}


def test_a_place_that_cannot_be_written_is_refused(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BundleError, match=r"cannot write the bundle .*check the place"):
        release.save(tmp_path / "file" / "release")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read_is_refused(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BundleError, match="Permission denied"):
            release.save(tmp_path / "release")
    finally:
        tmp_path.chmod(0o700)


def interrupt(*arguments: object, **named: object) -> None:
    raise KeyboardInterrupt


def fill_disk(*arguments: object, **named: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["write_public", "write_private", "verify", "settle", "flush"])
@pytest.mark.parametrize(
    ("accident", "error"), [(interrupt, KeyboardInterrupt), (fill_disk, BundleError)]
)
@pytest.mark.parametrize("is_there", [False, True])
def test_an_accident_leaves_everything_as_it_was(
    release: GeneralizedRelease,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    accident: Callable[..., None],
    error: type[BaseException],
    is_there: bool,
) -> None:
    target = tmp_path / "deep" / "release"
    if is_there:
        release.save(target)
    before = contents(tmp_path)
    monkeypatch.setattr(bundle, step, accident)
    with pytest.raises(error):
        release.save(target, format="parquet", overwrite=True)
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == (["deep"] if is_there else [])
    if is_there:
        assert [path.name for path in target.parent.iterdir()] == ["release"]


def test_a_bundle_that_somebody_else_writes_meanwhile_is_not_replaced(
    release: GeneralizedRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_another(part: Path) -> None:
        (tmp_path / "release" / "public").mkdir(parents=True)
        (tmp_path / "release" / "public" / MANIFEST).write_text("another", encoding="utf-8")

    monkeypatch.setattr(bundle, "flush", write_another)
    with pytest.raises(BundleError, match="exists: choose another name"):
        release.save(tmp_path / "release")
    assert contents(tmp_path) == {f"release/public/{MANIFEST}": b"another"}


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    ("accident", "error"), [(interrupt, KeyboardInterrupt), (fill_disk, BundleError)]
)
def test_an_accident_while_moving_keeps_the_old_bundle(
    release: GeneralizedRelease,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    accident: Callable[..., None],
    error: type[BaseException],
) -> None:
    target = release.save(tmp_path / "release")
    before = contents(tmp_path)
    rename, calls = Path.rename, 0

    def rename_or_fail(self: Path, to: Path) -> Path:
        nonlocal calls
        calls += self.is_dir()
        if self.is_dir() and calls == number:
            accident()
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", rename_or_fail)
    with pytest.raises(error):
        release.save(target, overwrite=True)
    assert contents(tmp_path) == before
