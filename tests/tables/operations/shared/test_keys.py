"""Keys: made strong, written for one pair of eyes, read back, never shown."""

from __future__ import annotations

import base64
import os
import stat
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.operations import Key, load_key, new_key, save_key
from unlinkable.tables.operations.shared.keys import check_key

KEY = bytes(range(32))

ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "hexadecimal": lambda key: key.hex().encode(),
    "upper case": lambda key: key.hex().upper().encode(),
    "base64": base64.b64encode,
    "url-safe base64": base64.urlsafe_b64encode,
    "base64 without padding": lambda key: base64.b64encode(key).rstrip(b"="),
    "with line end": lambda key: key.hex().encode() + b"\r\n",
}


def write(folder: Path, content: bytes, mode: int = 0o600) -> Path:
    file = folder / "holder.key"
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_new_keys_are_32_bytes_and_never_the_same() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {32}


def test_a_saved_key_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    key = new_key()
    save_key(key, tmp_path / "holder.key")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_key(tmp_path / "holder.key") == key
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "holder.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("key", [KEY, KEY[:16], bytes(range(224, 256)), bytes(range(200, 217))])
def test_keys_are_read_in_every_usual_form(tmp_path: Path, encoding: str, key: bytes) -> None:
    assert load_key(write(tmp_path, ENCODINGS[encoding](key))) == key


@given(st.binary(min_size=16, max_size=64))
def test_a_key_that_is_accepted_is_read_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, key: bytes
) -> None:
    try:
        check_key(key)
    except ParameterError:
        return
    folder = tmp_path_factory.mktemp("key")
    for name, encode in ENCODINGS.items():
        line = encode(key)
        if "base64" in name and set(line) <= set(b"0123456789abcdefABCDEF"):
            continue  # can be read either way, and is then hexadecimal
        assert load_key(write(folder, line)) == key


def test_a_key_never_shows_itself() -> None:
    key = Key(b"0123456789abcdefSECRET")
    shown = [repr(key), str(key), f"{key}", f"{key!r}", f"{[key]}", f"{ {'key': key} }"]
    assert not [text for text in shown if "SECRET" in text]
    assert repr(key) == "Key(22 bytes, hidden)"


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o666])
def test_a_key_that_others_can_read_gives_a_warning(tmp_path: Path, mode: int) -> None:
    file = write(tmp_path, KEY.hex().encode(), mode)
    with pytest.warns(UserWarning, match=r"open to other users of this machine: run `chmod 600 "):
        assert load_key(file) == KEY


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"correct horse battery staple",
        b"\xff\xfe\x00secret\x00secret",
        b"c2VjcmV0IHNlY3JldCBzZWNyZXQ===",
        b"c2VjcmV0IHNlY3JldCBzZWNyZXQhx",
        b"00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
        b"00010203\n04050607",
        b"+-" * 16,
        KEY.hex().encode() * 100,
    ],
)
def test_refuses_files_that_are_no_keys_without_showing_them(
    tmp_path: Path, content: bytes
) -> None:
    with pytest.raises(DataError, match="must hold one line of hexadecimal digits") as refusal:
        load_key(write(tmp_path, content))
    told = "".join(traceback.format_exception(refusal.value))
    assert "secret" not in told
    assert refusal.value.__context__ is None


def test_refuses_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no key file .*holder.key: make one with"):
        load_key(tmp_path / "holder.key")
    with pytest.raises(DataError, match="no key file"):
        load_key(tmp_path)


def test_refuses_a_file_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, KEY.hex().encode())

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot read key file .*: Permission denied"):
        load_key(file)


def test_never_replaces_a_key_file(tmp_path: Path) -> None:
    save_key(KEY, tmp_path / "holder.key")
    with pytest.raises(DataError, match="exists and is not replaced"):
        save_key(new_key(), tmp_path / "holder.key")
    assert load_key(tmp_path / "holder.key") == KEY


def test_refuses_to_write_where_no_folder_is(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot write key file .*: No such file"):
        save_key(KEY, tmp_path / "nowhere" / "holder.key")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (b"", "at least 16 bytes, got 0"),
        (b"fifteen bytes..", "at least 16 bytes, got 15"),
        (b"\0" * 32, "a key of 32 bytes with only 1 distinct ones is not random"),
        (b"secret" * 6, "a key of 36 bytes with only 5 distinct ones is not random"),
        ("a text of more than sixteen letters", "a key must be bytes, got str"),
    ],
)
def test_refuses_weak_keys_without_showing_them(tmp_path: Path, key: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message) as refusal:
        check_key(key)
    assert "secret" not in str(refusal.value)
    with pytest.raises(ParameterError, match=message):
        save_key(key, tmp_path / "holder.key")
    assert not (tmp_path / "holder.key").exists()


def test_refuses_a_weak_key_in_a_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="at least 16 bytes, got 4"):
        load_key(write(tmp_path, b"deadbeef"))
