"""Pseudonyms and masks: known answers, the definition word by word, consistency, refusals."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import random
import stat
import traceback
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.operations import Key, load_key, mask, new_key, pseudonyms, save_key
from unlinkable.tables.operations.shared.pseudonyms import (
    LONGEST,
    SHORTEST,
    canonical_text,
    check_key,
)

KEY = bytes(range(32))

OTHER_KEY = bytes(range(1, 33))

texts = st.text(max_size=12)


def by_definition(text: str, key: bytes, length: int) -> str:
    """Read the hash as one large number and write its leading bits, five at a time."""
    composed = unicodedata.normalize("NFC", text).encode("utf-8")
    number = int.from_bytes(hmac.new(key, composed, hashlib.sha256).digest(), "big")
    return "".join(
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> (256 - 5 * (i + 1)) & 31]
        for i in range(length)
    )


def test_known_answer_of_another_implementation() -> None:
    # printf 'Ada Lovelace' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102...1f
    digest = bytes.fromhex("ec8898a9b745c6029a58f6ccbc749e28163251a501681e84bdfec9897b7639ad")
    bits = "".join(f"{byte:08b}" for byte in digest)
    assert [int(bits[i : i + 5], 2) for i in range(0, 20, 5)] == [29, 18, 4, 9]
    (name,) = pseudonyms(["Ada Lovelace"], KEY)
    assert name == "XJ49HADQ8Q3056JR"  # X is digit 29, J is 18, 4 is 4, 9 is 9


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "TE5M42BDG3T5Z0KB8JMX"),
        ("42", "FQWRK4JB5TZRGCP8101D"),
        ("Müller", "V14V9SSCW5NN3H46X764"),
    ],
)
def test_pseudonyms_are_those_that_openssl_and_base32_make(value: str, expected: str) -> None:
    assert pseudonyms([value], KEY, length=20) == [expected]


@given(
    st.lists(texts, max_size=8),
    st.binary(min_size=32, max_size=80).map(lambda tail: bytes(range(16)) + tail),
    st.integers(SHORTEST, LONGEST),
)
def test_says_what_the_definition_says(values: list[str], key: bytes, length: int) -> None:
    expected = [by_definition(value, key, length) for value in values]
    assert pseudonyms(values, key, length=length) == expected


@given(st.lists(st.none() | texts, max_size=10), st.randoms())
def test_a_value_has_the_same_pseudonym_in_every_column(
    values: list[str | None], shuffle: random.Random
) -> None:
    first = dict(zip(values, pseudonyms(values, KEY), strict=True))
    shuffled = [*values, "someone else"]
    shuffle.shuffle(shuffled)
    for value, name in zip(shuffled, pseudonyms(shuffled, KEY), strict=True):
        assert value == "someone else" or first[value] == name


def test_a_shorter_pseudonym_is_the_start_of_a_longer_one() -> None:
    (long,) = pseudonyms(["Ada"], KEY, length=LONGEST)
    for length in range(SHORTEST, LONGEST):
        (short,) = pseudonyms(["Ada"], KEY, length=length)
        assert short is not None
        assert long is not None
        assert len(short) == length
        assert long.startswith(short)


def test_different_keys_give_unrelated_pseudonyms() -> None:
    values = [str(i) for i in range(2000)]
    ours, theirs = pseudonyms(values, KEY), pseudonyms(values, OTHER_KEY)
    assert not set(ours) & set(theirs)
    pairs = list(zip("".join(map(str, ours)), "".join(map(str, theirs)), strict=True))
    # 32,000 digits agree by chance 1,000 times, with a standard deviation of 31: the false-alarm
    # rate of these fixed keys is zero, and of any other keys below 10^-10.
    assert 800 < sum(a == b for a, b in pairs) < 1200


def test_nothing_is_ambiguous_when_read_aloud() -> None:
    names = pseudonyms([str(i) for i in range(2000)], KEY)
    assert set("".join(map(str, names))) == set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


@pytest.mark.parametrize(
    "same", [42, 42.0, np.int32(42), np.uint8(42), np.float64(42), np.str_("42")]
)
def test_a_number_and_its_text_are_the_same_identifier(same: Any) -> None:
    assert pseudonyms([same], KEY) == pseudonyms(["42"], KEY)
    assert mask([same], keep_left=1) == ["4*"]


def test_composed_and_decomposed_accents_are_the_same_identifier() -> None:
    composed, decomposed = "M\u00fcller", "Mu\u0308ller"
    assert composed != decomposed
    assert len(set(pseudonyms([composed, decomposed], KEY))) == 1


@pytest.mark.parametrize("other", ["042", "42 ", "forty-two", "\uff14\uff12"])
def test_zeros_blanks_and_other_digits_tell_identifiers_apart(other: str) -> None:
    assert len(set(pseudonyms(["42", other], KEY))) == 2


def test_missing_values_stay_missing_and_differ_from_every_text() -> None:
    assert pseudonyms([None], KEY) == mask([None]) == [None]
    empty, text = pseudonyms(["", "None"], KEY)
    assert empty is not None
    assert text is not None


def test_an_empty_column_stays_empty() -> None:
    assert pseudonyms([], KEY) == mask([]) == []


def test_text_that_is_no_valid_unicode_is_still_named() -> None:
    assert len(set(pseudonyms(["\ud800", "\ud801"], KEY))) == 2


def test_two_identifiers_never_share_a_pseudonym() -> None:
    unlucky = ["690778", "1458381"]  # found by trying: both are 43HR5SEQ at length 8
    assert [pseudonyms([value], KEY, length=8) for value in unlucky] == [["43HR5SEQ"]] * 2
    with pytest.raises(
        ParameterError,
        match="two of 2 identifiers get the same pseudonym of length 8: raise length to at least 9",
    ):
        pseudonyms(unlucky, KEY, length=8)
    assert len(set(pseudonyms(unlucky, KEY, length=9))) == 2


@given(st.lists(texts), st.integers(0, 5), st.integers(0, 5), st.sampled_from("*#•"))
def test_a_mask_shows_the_ends_and_the_length_only(
    values: list[str], left: int, right: int, fill: str
) -> None:
    for value, masked in zip(
        values, mask(values, keep_left=left, keep_right=right, fill=fill), strict=True
    ):
        text = canonical_text(value)
        assert masked is not None
        assert len(masked) == len(text)
        if len(text) <= left + right:
            assert masked == fill * len(text)
        else:
            assert masked[:left] == text[:left]
            assert masked[len(text) - right :] == text[len(text) - right :]
            assert set(masked[left : len(text) - right]) == {fill}


def test_a_value_that_the_kept_ends_would_show_is_struck_out() -> None:
    assert mask(["1234", "12345"], keep_left=2, keep_right=2) == ["****", "12*45"]


@pytest.mark.parametrize("length", [7, 49, 0, -1])
def test_refuses_lengths_that_name_nobody_or_run_out_of_hash(length: int) -> None:
    with pytest.raises(ParameterError, match=rf"length must lie in \[8, 48\], got {length}"):
        pseudonyms(["a"], KEY, length=length)


@pytest.mark.parametrize("length", [True, 16.0, "16"])
def test_refuses_lengths_that_are_no_whole_numbers(length: Any) -> None:
    with pytest.raises(ParameterError, match="length must be a whole number, got"):
        pseudonyms(["a"], KEY, length=length)


@pytest.mark.parametrize("value", [4.2, float("nan"), True, b"Ada", ("Ada",)])
def test_refuses_what_is_neither_text_nor_whole_without_showing_it(value: Any) -> None:
    with pytest.raises(ParameterError, match="text or a whole number, got a") as refusal:
        pseudonyms([value], KEY)
    assert "Ada" not in str(refusal.value)
    assert "4.2" not in str(refusal.value)


def test_refuses_a_weak_key() -> None:
    with pytest.raises(ParameterError, match="at least 16 bytes, got 3"):
        pseudonyms(["a"], b"abc")


@pytest.mark.parametrize("fill", ["", "**", "\n"])
def test_refuses_a_fill_that_is_not_one_character(fill: str) -> None:
    with pytest.raises(ParameterError, match="fill must be one printable character"):
        mask(["a"], fill=fill)


@pytest.mark.parametrize("ends", [{"keep_left": -1}, {"keep_right": -1}])
def test_refuses_to_keep_fewer_than_no_characters(ends: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="keep_left and keep_right must be at least 0"):
        mask(["a"], **ends)


def test_new_keys_make_new_pseudonyms() -> None:
    assert pseudonyms(["Ada"], new_key()) != pseudonyms(["Ada"], new_key())


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
