"""Signatures: made by the holder alone, and keys that are kept well."""

from __future__ import annotations

import base64
import os
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.release.bundle.signing import (
    fingerprint,
    load_signing_key,
    load_verifying_key,
    new_signing_key,
    save_signing_key,
    save_verifying_key,
    sign,
    verify,
)

KEY = new_signing_key()
LOADERS = pytest.mark.parametrize("load", [load_signing_key, load_verifying_key])


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples."""
    return tmp_path_factory.mktemp("keys")


@given(st.binary(), st.data())
def test_a_signature_holds_for_these_bytes_and_no_others(
    message: bytes, data: st.DataObject
) -> None:
    signature = sign(message, KEY)
    assert verify(message, signature, KEY.public_key())
    other = data.draw(st.binary().filter(lambda b: b != message))
    assert not verify(other, signature, KEY.public_key())


def test_a_signature_holds_for_one_key() -> None:
    assert not verify(b"a", sign(b"a", KEY), new_signing_key().public_key())


@given(st.text())
def test_any_other_text_is_no_signature(text: str) -> None:
    assert not verify(b"a", text, KEY.public_key())


def test_rfc_8032_signs_the_same() -> None:
    """Test 2 of section 7.1."""
    seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
    expected = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    assert base64.b64decode(sign(b"\x72", key)).hex() == expected


def test_keys_come_back_from_their_files(tmp_path: Path) -> None:
    save_signing_key(KEY, tmp_path / "private.pem")
    save_verifying_key(KEY, tmp_path / "public.pem")
    private = load_signing_key(tmp_path / "private.pem")
    assert private.private_bytes_raw() == KEY.private_bytes_raw()
    for name in ("public.pem", "private.pem"):
        assert fingerprint(load_verifying_key(tmp_path / name)) == fingerprint(KEY.public_key())


def test_the_public_file_holds_nothing_private(tmp_path: Path) -> None:
    save_verifying_key(KEY, tmp_path / "a.pem")
    save_verifying_key(KEY.public_key(), tmp_path / "b.pem")
    assert (tmp_path / "a.pem").read_bytes() == (tmp_path / "b.pem").read_bytes()
    assert b"PRIVATE" not in (tmp_path / "a.pem").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_private_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "private.pem"
    save_signing_key(KEY, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_signing_key(file)
    file.chmod(0o644)
    with pytest.warns(UserWarning, match="open to other users of this machine: run `chmod 600"):
        load_signing_key(file)


@pytest.mark.parametrize("save", [save_signing_key, save_verifying_key])
def test_a_key_file_is_never_replaced(
    tmp_path: Path, save: Callable[[Ed25519PrivateKey, Path], None]
) -> None:
    file = tmp_path / "key.pem"
    save(KEY, file)
    before = file.read_bytes()
    with pytest.raises(DataError, match="exists and is not replaced: choose another name"):
        save(new_signing_key(), file)
    assert file.read_bytes() == before


def test_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot write key file .*: No such file"):
        save_signing_key(KEY, tmp_path / "none" / "key.pem")


@LOADERS
def test_refuses_a_file_that_is_not_there(load: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no key file .*none.pem: `unlinkable key FILE`"):
        load(tmp_path / "none.pem")


@LOADERS
@given(content=st.binary() | st.binary().map(lambda b: b"-----BEGIN PRIVATE KEY-----\n" + b))
def test_refuses_a_file_with_something_else(
    load: Callable[[Path], object], content: bytes, keys: Path
) -> None:
    file = keys / "key.pem"
    file.write_bytes(content)
    with pytest.raises(DataError, match="must hold an Ed25519 key in PEM form"):
        load(file)


@LOADERS
def test_refuses_keys_of_another_kind(load: Callable[[Path], object], tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    with pytest.raises(DataError, match="must hold an Ed25519 key in PEM form"):
        load(file)


@LOADERS
def test_refuses_a_locked_key_with_the_way_to_unlock_it(
    load: Callable[[Path], object], tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(
        KEY.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    with pytest.raises(DataError, match="locked with a passphrase: unlock it with `openssl pkey"):
        load(file)


def test_refuses_to_sign_with_a_public_key(tmp_path: Path) -> None:
    save_verifying_key(KEY, tmp_path / "public.pem")
    with pytest.raises(DataError, match="holds a public key, and signing needs the private one"):
        load_signing_key(tmp_path / "public.pem")


def test_refuses_a_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_signing_key(KEY, tmp_path / "key.pem")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot read key file .*: Permission denied"):
        load_signing_key(tmp_path / "key.pem")


def test_the_library_is_loaded_only_for_signatures() -> None:
    code = (
        "import sys, unlinkable.tables.publishing.anonymizing.run; "
        "print('cryptography' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
