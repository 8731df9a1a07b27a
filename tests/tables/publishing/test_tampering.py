"""Tampering: whatever is changed in either half is noticed, with the key and without it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.tables.publishing.saved_bundles import contents, patients, release_of
from unlinkable.errors import BundleError
from unlinkable.release.bundle import PROVENANCE
from unlinkable.release.bundle.signed_form import SignedForm
from unlinkable.release.bundle.signing import new_signing_key
from unlinkable.release.verify import verify
from unlinkable.tables.data import as_table
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.publishing import anonymize, open_bundle
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.provenance import Provenance

KEY = new_signing_key()
OTHER = new_signing_key()
PUBLIC_KEY = KEY.public_key()

Place = tuple[str | int, ...]


def saved(kind: str, folder: Path, key: Any) -> Path:
    from unlinkable.tables.methods import Anatomize

    if kind == "bucketized":
        data = {"age": [30, 31, 45, 46] * 2, "ill": ["flu", "hiv", "cold", "gout"] * 2}
        table = as_table(data, quasi="age", sensitive="ill")
        release = anonymize(table, privacy=DistinctLDiversity(2), method=Anatomize(2))
        return release.save(folder / kind, signing_key=key)
    table = patients(owner="name", identifiers=()) if kind == "owners" else patients()
    form: Literal["csv", "parquet"] = "parquet" if kind == "owners" else "csv"
    generalized = release_of(table, privacy=[KAnonymity(2)])
    return generalized.save(folder / kind, signing_key=key, format=form)


KINDS = ("generalized", "owners", "bucketized")


@pytest.fixture(scope="module", params=KINDS)
def signed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(request.param, tmp_path_factory.mktemp("signed"), KEY)


@pytest.fixture(scope="module", params=KINDS)
def unsigned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(request.param, tmp_path_factory.mktemp("unsigned"), None)


def places(value: object, at: Place = ()) -> Iterator[Place]:
    """Name every field of a document, and every item of its lists."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inside in items:
        yield (*at, key)
        yield from places(inside, (*at, key))


def other(value: object, instead: object = 1) -> object:
    """Give another value of the same type, or ``instead`` of none."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}"
        case None:
            return instead
        case list():
            return [*value, 1]
        case _:
            return {"x": 1}


def edited(document: Any, place: Place, instead: object = 1) -> Any:
    copy = json.loads(json.dumps(document))
    inside = copy
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = other(inside[place[-1]], instead)
    return copy


def is_none(document: Any, place: Place) -> bool:
    for key in place:
        document = document[key]
    return document is None


def documents(bundle: Path) -> list[Path]:
    return sorted(bundle.rglob("*.json"))


def is_noticed(bundle: Path, key: Any = None) -> bool:
    return not verify(bundle, public_key=key).holds


@pytest.mark.parametrize("key", [None, PUBLIC_KEY], ids=["without the key", "with the key"])
def test_every_field_of_every_document_of_both_halves_is_noticed(signed: Path, key: Any) -> None:
    n = 0
    for file in documents(signed):
        content = file.read_bytes()
        document = json.loads(content)
        for place in places(document):
            file.write_text(json.dumps(edited(document, place)), encoding="utf-8")
            assert is_noticed(signed, key), (file.name, place)
            n += 1
        file.write_bytes(content)
    assert n > 80
    assert verify(signed, public_key=PUBLIC_KEY).holds


def test_fields_of_an_unsigned_bundle_are_noticed_by_digests(unsigned: Path) -> None:
    for file in documents(unsigned):
        content = file.read_bytes()
        document = json.loads(content)
        for place in places(document):
            # The spelling is kept: nothing but the digest can tell.
            old, new = document, edited(document, place)
            text = content.decode()
            for a, b in [(old, new)] if len(place) > 1 else []:
                text = text.replace(json.dumps(a[place[0]]), json.dumps(b[place[0]]), 1)
            if text == content.decode():
                text = json.dumps(new)
            file.write_text(text, encoding="utf-8")
            assert is_noticed(unsigned), (file.name, place)
        file.write_bytes(content)
    assert verify(unsigned).holds


def test_every_file_is_noticed_cut_off_longer_or_with_a_flipped_bit(signed: Path) -> None:
    for name, content in contents(signed).items():
        file = signed / name
        step = max(len(content) // 12, 1)
        changed = [content[:at] for at in range(0, len(content), step)]
        changed += [content + b"\n", b" " + content]
        changed += [
            content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
            for at in range(0, len(content), step)
        ]
        for new in changed:
            file.write_bytes(new)
            assert is_noticed(signed), name
        file.unlink()
        assert is_noticed(signed) or name.startswith("private/provenance"), name
        file.write_bytes(content)
    assert verify(signed, public_key=PUBLIC_KEY).holds


def rewritten(file: Path, document: Any) -> bool:
    """Do what a clever forger does: compute the document's own digest anew, without the key."""
    form: type[SignedForm] = Provenance
    if file.name == "release.json":
        form = Manifest if document["format"] in Manifest.formats else MaskedManifest
    told = {key: value for key, value in document.items() if key != form.digest_key}
    try:
        file.write_bytes(form.model_validate(told).file_bytes())
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", ["public/release.json", f"private/{PROVENANCE}"])
def test_with_the_key_a_field_is_noticed_though_all_digests_are_new(
    signed: Path, name: str
) -> None:
    """The seed, the source, its digest, owners, and what a signature says of itself."""
    file = signed / name
    manifest, provenance = signed / "public" / "release.json", signed / "private" / PROVENANCE
    kept = manifest.read_bytes(), provenance.read_bytes()
    document = json.loads(file.read_bytes())
    fields = set()
    own = "digest" if name == "public/release.json" else "own_digest"
    for place in places(document):
        if place[0] == own:
            continue  # It is computed anew anyway.
        # What is not there may be a number, a text, a digest or a table.
        for instead in (1, "0" * 64, {"x": 1}) if is_none(document, place) else (1,):
            if rewritten(file, edited(document, place, instead)):
                fields.add(place[0])
                assert is_noticed(signed, PUBLIC_KEY), place
                if name == "public/release.json":
                    assert is_noticed(signed / "public", PUBLIC_KEY), place
            manifest.write_bytes(kept[0])
            provenance.write_bytes(kept[1])
    assert "signature" in fields
    if name != "public/release.json":
        assert {"seed", "source", "digest", "owner", "plan", "folder", "versions"} <= fields
    assert verify(signed, public_key=PUBLIC_KEY).holds


def test_what_a_signature_says_of_its_key_and_its_spelling_is_held_to_the_key(
    signed: Path,
) -> None:
    file = signed / "public" / "release.json"
    content = file.read_bytes()
    document = json.loads(content)
    value = document["signature"]["value"]
    # The last letter before the padding has four bits that no byte of the signature needs.
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = letters[letters.index(value[-3]) ^ 1]
    for changed in ({"key": "0" * 16}, {"value": f"{value[:-3]}{last}=="}):
        assert rewritten(file, {**document, "signature": {**document["signature"], **changed}})
        assert is_noticed(signed / "public", PUBLIC_KEY)
    file.write_bytes(content)


def test_a_private_half_that_others_have_signed_is_not_the_holders(signed: Path) -> None:
    file = signed / "private" / PROVENANCE
    content = file.read_bytes()
    provenance = open_bundle(signed).provenance
    assert provenance is not None
    forged = provenance.model_copy(update={"seed": 1, "signature": None})
    for copy in (forged, forged.signed(OTHER)):
        file.write_bytes(copy.file_bytes())
        assert verify(signed).problems == (
            "provenance.json is not signed with the key that release.json is signed with",
        )
        assert is_noticed(signed, PUBLIC_KEY)
    file.write_bytes(content)


def test_the_signature_of_one_half_does_not_fit_the_other(signed: Path) -> None:
    opened = open_bundle(signed)
    assert opened.provenance is not None
    assert opened.manifest.signature is not None
    swapped = opened.provenance.model_copy(update={"signature": opened.manifest.signature})
    assert not swapped.is_signed_by(PUBLIC_KEY)


def test_a_changed_private_half_is_not_opened_either(unsigned: Path) -> None:
    file = unsigned / "private" / PROVENANCE
    content = file.read_bytes()
    file.write_bytes(content.replace(b'"engine": "local"', b'"engine": "other"'))
    with pytest.raises(BundleError, match=r"provenance\.json was changed: its digest does not fit"):
        open_bundle(unsigned)
    file.write_bytes(content)


def test_the_public_half_has_nothing_to_test_guesses_of_the_private_one_with(
    tmp_path: Path,
) -> None:
    """Not even a digest: two private halves of the same release leave the same public half."""
    release = release_of()
    one, two = release.save(tmp_path / "one"), release.save(tmp_path / "two")
    shutil.rmtree(two / "private")
    assert contents(one / "public") == contents(two / "public")
