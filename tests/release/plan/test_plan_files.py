"""Files of plans: whole or not at all, never replaced by accident, and never lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import PlanError
from unlinkable.release.plan.plan_files import read_plan_file, relocate, write_plan_file
from unlinkable.tables.publishing.plans.plan import Plan


def test_a_byte_order_mark_is_no_part_of_a_plan(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes(b"\xef\xbb\xbf[data]\r\n")
    assert read_plan_file(tmp_path / "plan.toml") == "[data]\r\n"


def test_a_plan_file_is_whole_and_alone(tmp_path: Path) -> None:
    write_plan_file(tmp_path / "plan.toml", "ü = 1\n", overwrite=False)
    assert (tmp_path / "plan.toml").read_bytes() == "ü = 1\n".encode()
    assert [file.name for file in tmp_path.iterdir()] == ["plan.toml"]


def test_a_plan_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    write_plan_file(file, "a = 1\n", overwrite=False)
    with pytest.raises(PlanError, match="exists and is not replaced: choose another name"):
        write_plan_file(file, "a = 2\n", overwrite=False)
    assert file.read_text(encoding="utf-8") == "a = 1\n"
    write_plan_file(file, "a = 2\n", overwrite=True)
    assert file.read_text(encoding="utf-8") == "a = 2\n"


def test_nothing_is_left_of_a_plan_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PlanError, match=r"cannot write plan file .*: No space left on device"):
        write_plan_file(tmp_path / "plan.toml", "a = 1\n", overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"cannot write plan file .*: No such file"):
        write_plan_file(tmp_path / "none" / "plan.toml", "", overwrite=False)


def test_text_that_is_not_unicode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="it has text that is not Unicode"):
        write_plan_file(tmp_path / "plan.toml", "\ud800", overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there_is_refused_with_the_way_to_one(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"no plan file .*none\.toml: `unlinkable describe DATA"):
        Plan.load(tmp_path / "none.toml")
    with pytest.raises(PlanError, match="no plan file"):
        Plan.load(tmp_path)


def test_text_in_another_encoding_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes('[data]\nsource = "ü"\n'.encode("cp1252"))
    with pytest.raises(PlanError, match=r"plan\.toml, line 2: a plan must be text in UTF-8"):
        Plan.load(tmp_path / "plan.toml")


def test_a_file_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.toml").touch()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PlanError, match=r"cannot read plan file .*: Permission denied"):
        read_plan_file(tmp_path / "plan.toml")


def test_a_vast_file_is_no_plan(tmp_path: Path) -> None:
    with (tmp_path / "plan.toml").open("wb") as stream:
        stream.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(PlanError, match="is too large to be a plan"):
        read_plan_file(tmp_path / "plan.toml")


parts = st.lists(st.sampled_from(["a", "b", "..", "c d"]), min_size=1, max_size=4)


@given(old=parts, new=parts, path=parts)
def test_a_path_that_moves_leads_to_the_same_file(
    old: list[str], new: list[str], path: list[str]
) -> None:
    root = Path("/one/two/three/four")
    before, after = root.joinpath(*old), root.joinpath(*new)
    source = Path(*path).as_posix()
    moved = relocate({"data": {"source": source}}, before, after)["data"]
    assert isinstance(moved, dict)
    assert (after / moved["source"]).resolve() == (before / source).resolve()


def test_in_its_own_folder_a_plan_stays_as_it_is(tmp_path: Path) -> None:
    document = {"data": {"source": "./a/../b.csv"}}
    assert relocate(document, tmp_path, tmp_path / "x" / "..") == document
