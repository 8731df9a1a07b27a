"""Where bundles go: a whole one takes its place, or nothing changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest

from tests.tables.publishing.saved_bundles import contents, release_of
from unlinkable.errors import BundleError
from unlinkable.release.bundle import MANIFEST, saving
from unlinkable.release.bundle.place import beside, settle
from unlinkable.release.verify import verify
from unlinkable.tables.publishing import GeneralizedRelease


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
    monkeypatch.setattr(saving, step, accident)
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

    monkeypatch.setattr(saving, "flush", write_another)
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


@pytest.mark.parametrize("name", ["notes.txt", "public/notes.txt", "private/notes.txt", "more/x"])
def test_a_bundle_with_anything_else_is_not_replaced(
    release: GeneralizedRelease, tmp_path: Path, name: str
) -> None:
    target = release.save(tmp_path / "release")
    (target / name).parent.mkdir(exist_ok=True)
    (target / name).write_text("mine", encoding="utf-8")
    before = contents(tmp_path)
    with pytest.raises(BundleError, match="only a bundle is ever replaced"):
        release.save(target, overwrite=True)
    assert contents(tmp_path) == before


@pytest.mark.skipif(os.name != "posix", reason="links are those of POSIX")
def test_a_bundle_with_a_half_elsewhere_is_not_replaced(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    target = release.save(tmp_path / "release")
    (target / "private").rename(tmp_path / "elsewhere")
    (target / "private").symlink_to(tmp_path / "elsewhere")
    before = contents(tmp_path)
    with pytest.raises(BundleError, match="holds private besides its bundle"):
        release.save(target, overwrite=True)
    assert contents(tmp_path) == before


def test_what_comes_into_a_bundle_while_it_is_replaced_is_kept(
    release: GeneralizedRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = release.save(tmp_path / "release")

    def settle_too_late(part: Path, place: Path) -> None:
        (target / "notes.txt").write_text("mine", encoding="utf-8")
        settle(part, place)

    monkeypatch.setattr(saving, "settle", settle_too_late)
    before = contents(tmp_path)
    with pytest.raises(BundleError, match=r"holds notes.txt besides its bundle"):
        release.save(target, overwrite=True)
    assert contents(tmp_path) == {**before, "release/notes.txt": b"mine"}


def test_a_bundle_whose_private_half_is_gone_is_replaced(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    target = release.save(tmp_path / "release")
    shutil.rmtree(target / "private")
    assert verify(release.save(target, overwrite=True)).holds
    assert (target / "private").is_dir()


def test_two_savers_never_both_succeed(release: GeneralizedRelease, tmp_path: Path) -> None:
    target = tmp_path / "release"
    with beside(target), pytest.raises(BundleError, match="another process is writing to"):
        release.save(target)
    release.save(target)
    with beside(target), pytest.raises(BundleError, match="another process is writing to"):
        release.save(target, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_of_many_savers_one_wins(release: GeneralizedRelease, tmp_path: Path) -> None:
    target, start = tmp_path / "release", Barrier(6)
    said: list[str] = []

    def save() -> None:
        start.wait()
        try:
            release.save(target)
            said.append("saved")
        except BundleError as error:
            said.append(str(error))

    savers = [Thread(target=save) for _ in range(6)]
    for saver in savers:
        saver.start()
    for saver in savers:
        saver.join()
    refused = [text for text in said if text != "saved"]
    assert len(refused) == 5
    assert all("another process is writing" in text or "exists" in text for text in refused)
    assert verify(target).holds
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_bundle_that_was_only_moved_away_is_found_again(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    target = release.save(tmp_path / "release")
    for asked in (target, target / "public"):
        target.rename(tmp_path / ".release.0123456789abcdef.old")
        assert verify(asked).holds
        assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_bundle_that_was_moved_away_is_not_thought_to_be_gone(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    target = release.save(tmp_path / "release")
    before = contents(tmp_path)
    target.rename(tmp_path / ".release.0123456789abcdef.old")
    with pytest.raises(BundleError, match="exists: choose another name"):
        release.save(target)
    assert contents(tmp_path) == before


def test_what_a_living_process_writes_is_not_swept(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    with beside(tmp_path / "other") as part:
        (part / "file").touch()
        release.save(tmp_path / "release")
        assert (part / "file").exists()


def test_only_what_savers_leave_behind_is_swept(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    mine = [".release.part", ".release.old", ".release.0123.part", "release.0123456789abcdef.part"]
    for name in mine:
        (tmp_path / name).mkdir()
    (tmp_path / ".release.0123456789abcdef.part").mkdir()
    (tmp_path / ".other.unlinkable-lock").touch()
    release.save(tmp_path / "release")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*mine, "release"])


def test_all_files_and_folders_reach_the_disk(
    release: GeneralizedRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, synced = os.fsync, set()

    def watched(handle: int) -> None:
        synced.add(os.fstat(handle).st_ino)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    target = release.save(tmp_path / "release")
    there = [tmp_path, target, *target.rglob("*")]
    assert {path.stat().st_ino for path in there} <= synced
