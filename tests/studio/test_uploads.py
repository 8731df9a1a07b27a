"""Files that are handed in: limited, looked at, and confined to the project."""

from __future__ import annotations

import asyncio
import gzip
import io
import struct
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from unlinkable.studio.errors import StudioError, TooLargeError
from unlinkable.studio.security.uploads import TAXONOMIES, receive

CSV = b"age,zip\n30,10115\n"
MB = 1024 * 1024


def hand_in(folder: Path, name: str, content: bytes, most: int = MB, size: int = 4096) -> str:
    """Hand a file in, part by part."""

    async def parts() -> AsyncIterator[bytes]:
        for at in range(0, len(content), size):
            yield content[at : at + size]

    return asyncio.run(receive(parts(), folder, name, most))


def zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def nothing_is_there(folder: Path) -> bool:
    return not list(folder.parent.rglob("*.*"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "uploads"
    made.mkdir()
    return made


def test_a_file_arrives_as_it_is(folder: Path) -> None:
    assert hand_in(folder, "patients.csv", CSV, size=3) == "patients.csv"
    assert (folder / "patients.csv").read_bytes() == CSV
    assert [file.name for file in folder.iterdir()] == ["patients.csv"]
    assert (folder / "patients.csv").stat().st_mode & 0o077 == 0


def test_a_file_of_the_same_name_is_replaced(folder: Path) -> None:
    hand_in(folder, "a.csv", CSV)
    hand_in(folder, "a.csv", CSV * 2)
    assert (folder / "a.csv").read_bytes() == CSV * 2


@pytest.mark.parametrize(
    "name", ["../a.csv", "/etc/a.csv", "..\\a.csv", "x/../../a.csv", "./a.csv"]
)
def test_no_name_leads_out_of_the_folder(folder: Path, name: str) -> None:
    assert hand_in(folder, name, CSV) == "a.csv"
    assert list(folder.parent.rglob("*.csv")) == [folder / "a.csv"]


def test_a_link_is_replaced_and_not_followed(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("precious")
    (folder / "a.csv").symlink_to(outside)
    hand_in(folder, "a.csv", CSV)
    assert outside.read_text() == "precious"
    assert not (folder / "a.csv").is_symlink()


@pytest.mark.parametrize("name", ["a.exe", "a", "a.html", "a.csv.exe", "a.gz", "a.py", "a.toml"])
def test_other_kinds_of_files_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(StudioError, match="no table in a known format"):
        hand_in(folder, name, CSV)
    assert nothing_is_there(folder)


def test_hierarchies_are_text(folder: Path) -> None:
    async def parts() -> AsyncIterator[bytes]:
        yield CSV

    with pytest.raises(StudioError, match="known format"):
        asyncio.run(receive(parts(), folder, "a.xlsx", MB, TAXONOMIES))


def test_a_file_that_is_too_large_is_cut_off_while_it_comes_in(folder: Path) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b"1,2\n" * 1024

    with pytest.raises(TooLargeError, match="1 MB at most"):
        asyncio.run(receive(endless(), folder, "a.csv", MB))
    assert taken < 300
    assert nothing_is_there(folder)


def test_what_is_cut_off_on_the_way_leaves_nothing(folder: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield CSV
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(receive(broken(), folder, "a.csv", MB))
    assert nothing_is_there(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b"a\0b\n1\0", "is no text"),
        ("a.csv", zipped({"a": CSV}), "is no text"),
        ("a.csv", b"PAR1xxxx", "is no text"),
        ("a.parquet", CSV, "not what its name says"),
        ("a.xls", CSV, "not what its name says"),
        ("a.xlsx", CSV, "damaged, or is not what its name says"),
        ("a.ods", b"PK\x03\x04 and no more", "damaged"),
        ("a.csv.gz", CSV, "damaged"),
        ("a.csv.gz", gzip.compress(CSV, mtime=0)[:-6], "damaged"),
        ("a.zip", CSV, "damaged"),
    ],
)
def test_what_is_not_what_it_says_is_refused(
    folder: Path, name: str, content: bytes, message: str
) -> None:
    with pytest.raises(StudioError, match=message):
        hand_in(folder, name, content)
    assert nothing_is_there(folder)


def test_text_of_any_encoding_is_text(folder: Path) -> None:
    hand_in(folder, "a.csv", "größe;1\n".encode("utf-16"))
    hand_in(folder, "b.csv", "größe;1\n".encode("latin-1"))


# Files that unpack to more than there is room for


def test_a_bomb_in_gzip_is_refused(folder: Path) -> None:
    bomb = gzip.compress(b"0" * (64 * MB))
    assert len(bomb) < MB // 10
    with pytest.raises(TooLargeError, match="unpacks to more than 4 MB"):
        hand_in(folder, "a.csv.gz", bomb)
    assert nothing_is_there(folder)
    hand_in(folder, "a.csv.gz", gzip.compress(CSV))


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods", "a.xlsm"])
def test_a_bomb_in_a_workbook_is_refused(folder: Path, name: str) -> None:
    bomb = zipped({"xl/worksheets/sheet1.xml": b"0" * (64 * MB)})
    assert len(bomb) < MB // 10
    with pytest.raises(TooLargeError, match="unpacks to more than 4 MB"):
        hand_in(folder, name, bomb)
    assert nothing_is_there(folder)


def test_many_parts_together_are_a_bomb_too(folder: Path) -> None:
    with pytest.raises(TooLargeError, match="unpacks to more"):
        hand_in(folder, "a.xlsx", zipped({f"{i}.xml": b"0" * MB for i in range(8)}))
    with pytest.raises(TooLargeError, match="5,001 parts"):
        hand_in(folder, "a.xlsx", zipped({f"{i}.xml": b"" for i in range(5001)}))


def test_a_bomb_that_lies_about_its_size_is_refused(folder: Path) -> None:
    """The directory says 10 bytes; what comes out is counted, or does not fit and is damaged."""
    bomb = bytearray(zipped({"a.xml": b"0" * (64 * MB)}))
    size = struct.pack("<I", 64 * MB)
    while (at := bomb.find(size)) >= 0:
        bomb[at : at + 4] = struct.pack("<I", 10)
    with pytest.raises(StudioError, match=r"damaged|unpacks"):
        hand_in(folder, "a.xlsx", bytes(bomb))
    assert nothing_is_there(folder)


def test_an_archive_gives_its_only_table(folder: Path) -> None:
    content = zipped({"readme.md": b"x", "deep/patients.csv": CSV})
    assert hand_in(folder, "a.zip", content) == "patients.csv"
    assert [file.name for file in folder.iterdir()] == ["patients.csv"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"a.csv": CSV, "b.csv": CSV}, "must have one table in it, and has 2"),
        ({"a.txt.exe": CSV}, "has 0"),
        ({"../a.csv": CSV}, "lead out of it"),
        ({"/a.csv": CSV}, "lead out of it"),
        ({"inner.zip": zipped({"a.csv": CSV})}, "has 0"),
        ({"a.csv": b"a\0b"}, "is no text"),
    ],
)
def test_other_archives_are_refused(folder: Path, parts: dict[str, bytes], message: str) -> None:
    with pytest.raises(StudioError, match=message):
        hand_in(folder, "a.zip", zipped(parts))
    assert nothing_is_there(folder)


def test_a_bomb_in_a_bomb_is_refused(folder: Path) -> None:
    inner = gzip.compress(b"0" * (64 * MB))
    with pytest.raises(TooLargeError, match="unpacks to more"):
        hand_in(folder, "a.zip", zipped({"a.csv.gz": inner}))
    assert nothing_is_there(folder)


def test_a_locked_archive_is_refused(folder: Path) -> None:
    content = bytearray(zipped({"a.csv": CSV}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = content.find(mark) + (6 if mark == b"PK\x03\x04" else 8)
        content[at] |= 1
    with pytest.raises(StudioError, match="locked with a password"):
        hand_in(folder, "a.zip", bytes(content))
