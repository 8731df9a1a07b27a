"""The text of a file: what it is written in, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import text_file
from unlinkable.tables.data.reading.text_file import open_text


def test_a_plain_file_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\n1,2\n")
    text = open_text(path, None)
    assert text.source == path
    assert text.head() == b"a,b\n1,2\n"
    assert text.view().tobytes() == b"a,b\n1,2\n"
    assert not text.has_quotes()


def test_the_head_ends_with_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b'a,b\n1,"x\ny"\n3,4\n')
    monkeypatch.setattr(text_file, "_HEAD", 10)
    text = open_text(path, None)
    assert text.head() == b"a,b\n"
    assert text.has_quotes()
    monkeypatch.setattr(text_file, "_HEAD", 2)
    assert text.head() == b"a,"


def test_a_packed_file_is_unpacked_and_decoded(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress('a,"é"\n'.encode("utf-16")))
    text = open_text(path, None)
    assert text.source == 'a,"é"\n'.encode()
    assert text.has_quotes()


@pytest.mark.parametrize(
    ("name", "content", "encoding", "message"),
    [
        ("x.csv.gz", b"a,b\n", None, r"x\.csv\.gz: the file is not a whole gzip archive"),
        ("x.csv.gz", gzip.compress(b"a,b\n" * 99, mtime=0)[:-9], None, "not a whole gzip archive"),
        ("x.csv", b"a,b\n", "utf-9", "there is no encoding 'utf-9'; common ones are"),
        ("x.csv", b"\xef\xbb\xbfa,b\n", "cp1252", "the file says that it is UTF-8; leave out"),
        ("x.csv", b"PAR1\x15a,b\n", None, "this is no text file; export the table as CSV"),
        ("x.csv", b"6162", "hex", "there is no encoding 'hex'"),
        ("x.csv", b"a,b\n1,\xe9\n", "ascii", "line 2: the file is not written in ascii"),
        ("x.csv", b"a,b\n1,2\n3", "utf-16-le", "line 1: the file is not written in utf-16-le"),
        ("x.csv", b"a\\ud800,b\n", "unicode_escape", "the file is not text in unicode-escape"),
        ("x.csv", b" " * 70_000, None, "the file is empty"),
    ],
)
def test_bad_text_is_refused(
    tmp_path: Path, name: str, content: bytes, encoding: str | None, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        open_text(path, encoding)
