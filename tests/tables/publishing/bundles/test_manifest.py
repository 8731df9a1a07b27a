"""The manifest: nothing leaks, nothing can be changed, everything malformed is refused."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from unlinkable.errors import BundleError
from unlinkable.release.bundle import MANIFEST, Promise, PublicFile, read_manifest, write_manifest
from unlinkable.release.bundle.signing import new_signing_key
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.manifest_sections import (
    PublishedColumn,
    PublishedLevel,
    PublishedTaxonomy,
)

KEY = new_signing_key()
JOBS = PublishedTaxonomy(
    type="text",
    values=("Dancer", "Writer", "Cook"),
    missing=False,
    levels=(PublishedLevel(starts=(0, 2), labels=("Artist", "Kitchen")),),
    root="*",
)
EXAMPLE = Manifest(
    created=date(2026, 1, 31),
    version="0.1.0",
    records=9_500,
    groups=120,
    suppressed=0.05,
    columns=(
        PublishedColumn(name="id", role="identifier", treatment="pseudonym"),
        PublishedColumn(name="job", role="quasi-identifier", taxonomy=JOBS),
        PublishedColumn(name="Krankheit „Grippe“", role="sensitive"),
    ),
    models=(
        Promise(model="k-anonymity(k=5)", holds=True, basis="counted", achieved={"k": 7}),
        Promise(
            model="t-closeness(t=0.2)",
            holds=True,
            basis="counted",
            achieved={"t": 0.19},
            rests_on="the published values",
            needs_private=True,
        ),
    ),
    method="optimal",
    optimal=True,
    node={"job": 1},
    metrics={"iloss": 0.25, "discernibility": 1_000},
    files=(PublicFile(name="data.csv", sha256="0" * 64, size=100, rows=9_500),),
)

texts = st.text(max_size=8)
figures = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
manifests = st.builds(
    Manifest,
    created=st.dates(),
    version=texts,
    records=st.integers(0),
    groups=st.integers(0),
    suppressed=st.floats(0, 1),
    columns=st.lists(
        st.builds(
            PublishedColumn,
            name=texts,
            role=st.sampled_from(["quasi-identifier", "sensitive", "target", "weight"]),
            taxonomy=st.sampled_from([None, JOBS]),
        ),
        unique_by=lambda column: column.name,
    ),
    models=st.lists(
        st.builds(
            Promise,
            model=texts,
            holds=st.booleans(),
            basis=st.sampled_from(["counted", "sufficient", "ledger"]),
            achieved=st.dictionaries(texts, figures),
            rests_on=texts,
            needs_private=st.booleans(),
        )
    ),
    method=texts,
    optimal=st.none() | st.booleans(),
    node=st.none() | st.dictionaries(texts, st.integers()),
    metrics=st.dictionaries(texts, figures),
    files=st.just([PublicFile(name="data.csv", sha256="a" * 64, size=0, rows=0)]),
)


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: each writes its own manifest."""
    return tmp_path_factory.mktemp("public")


def written(folder: Path, manifest: Manifest = EXAMPLE) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    return write_manifest(manifest, folder)


def rewrite(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what a manifest says, and compute its digest anew, as an adversary would."""
    told = json.loads(file.read_text(encoding="utf-8"))
    change(told)
    hashed = {k: v for k, v in told.items() if k != "digest"}
    text = json.dumps(hashed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    told["digest"] = hashlib.sha256(text.encode()).hexdigest()
    lines = []
    for key, value in told.items():
        listed = value if isinstance(value, list) else []
        items = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in listed)
        shown = f"[\n{items}\n ]" if items else json.dumps(value, ensure_ascii=False)
        lines.append(f" {json.dumps(key)}: {shown}")
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


@given(manifest=manifests, is_signed=st.booleans())
def test_a_manifest_is_the_same_after_writing_and_reading(
    manifest: Manifest, is_signed: bool, public: Path
) -> None:
    manifest = manifest.signed(KEY) if is_signed else manifest
    written(public, manifest)
    again = read_manifest(public)
    assert again == manifest
    assert again.signed_bytes() == manifest.signed_bytes()
    assert again.is_signed_by(KEY.public_key()) == is_signed


@pytest.mark.parametrize(
    ("number", "digest"),
    [
        (1, "223a0de1e80db4a5781ed3d479a040f9dda7b92a6c9c33744c4e3b32e0980d0d"),
        (3, "58200e22b3de4ed39836776315024a03a8889bc886bc81925b0289159c225593"),
    ],
)
def test_the_files_of_formats_1_and_3_are_these(tmp_path: Path, number: int, digest: str) -> None:
    manifest = EXAMPLE.model_copy(update={"format": number})
    text = written(tmp_path, manifest).read_text(encoding="utf-8")
    assert text.splitlines()[:4] == [
        "{",
        f' "format": {number},',
        ' "created": "2026-01-31",',
        ' "version": "0.1.0",',
    ]
    assert list(json.loads(text)) == [
        "format",
        "created",
        "version",
        "records",
        "groups",
        "suppressed",
        "columns",
        "models",
        "method",
        "optimal",
        "node",
        "metrics",
        "noise",
        "files",
        "digest",
    ]
    # Formats open for ever: these digests must not change with a later version.
    assert json.loads(text)["digest"] == digest
    assert read_manifest(tmp_path) == manifest


def test_there_is_no_place_for_what_would_leak() -> None:
    forms = (Manifest, PublishedColumn, PublishedTaxonomy, Promise, PublicFile)
    said = " ".join(key for form in forms for key in form.model_fields)
    for secret in ("source", "seed", "path", "seconds", "plan", "time", "owner"):
        assert secret not in said


@given(data=st.data())
def test_any_changed_byte_is_found(data: st.DataObject, public: Path) -> None:
    file = written(public, EXAMPLE.signed(KEY))
    content = bytearray(file.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    match data.draw(st.sampled_from(["change", "insert", "delete"])):
        case "change":
            content[at] = data.draw(st.integers(0, 255).filter(lambda b: b != content[at]))
        case "insert":
            content.insert(at, data.draw(st.integers(0, 255)))
        case _:
            del content[at]
    file.write_bytes(content)
    with pytest.raises(
        BundleError, match=r"release\.json is damaged|release\.json was changed|has format"
    ):
        read_manifest(public)


def test_a_manifest_that_was_changed_and_hashed_anew_is_found_with_the_key(tmp_path: Path) -> None:
    file = written(tmp_path, EXAMPLE.signed(KEY))
    rewrite(file, lambda told: told["models"][0].update(model="k-anonymity(k=6)"))
    again = read_manifest(tmp_path)
    assert again.models[0].model == "k-anonymity(k=6)"
    assert not again.is_signed_by(KEY.public_key())


def test_a_signature_is_of_one_key_and_tells_which() -> None:
    signed = EXAMPLE.signed(KEY)
    assert signed.is_signed_by(KEY.public_key())
    assert not signed.is_signed_by(new_signing_key().public_key())
    assert not EXAMPLE.is_signed_by(KEY.public_key())
    assert signed.signature is not None
    assert len(signed.signature.key) == 16


def test_signing_again_changes_nothing_that_is_signed() -> None:
    assert EXAMPLE.signed(KEY).signed_bytes() == EXAMPLE.signed_bytes()


def test_figures_that_json_cannot_hold_are_null(tmp_path: Path) -> None:
    odd = EXAMPLE.model_copy(update={"metrics": {}})
    odd = Manifest(**{**dict(odd), "metrics": {"iloss": float("nan"), "x": float("inf")}})
    written(tmp_path, odd)
    assert read_manifest(tmp_path).metrics == {"iloss": None, "x": None}


def test_a_public_file_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_bytes(b"age\n30\n")
    public = PublicFile.of(file, rows=1)
    assert public.sha256 == hashlib.sha256(b"age\n30\n").hexdigest()
    assert (public.name, public.size, public.rows) == ("data.csv", 7, 1)
    with pytest.raises(BundleError, match=r"cannot read .*none\.csv: No such file"):
        PublicFile.of(tmp_path / "none.csv")


def change(*path: str | int, to: object) -> Callable[[dict[str, Any]], object]:
    def apply(told: dict[str, Any]) -> None:
        place: Any = told
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return apply


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change("format", to="1"), "it must have a format number"),
        (change("format", to=True), "it must have a format number"),
        (change("format", to=0), "it must have a format number"),
        (change("format", to=6), "format 6, and this version reads formats up to 5: upgrade"),
        (change("format", to=5), "no release of tables has format 5"),
        (change("seed", to=7), "no key 'seed' among 15"),
        (change("recrods", to=7), r"no key 'recrods' among 15 \(did you mean 'records'\?\)"),
        (lambda told: told.pop("models"), "key 'models' is missing: list what is promised"),
        (change("created", to="2026-13-01"), "created: must be a day, like 2026-01-31"),
        (change("created", to=20260131), "created: must be a day"),
        (change("records", to="many"), "records: must be a whole number, got 'many'"),
        (change("records", to=-1), "records: must be at least 0, got -1"),
        (change("records", to=1.0), r"records: must be a whole number, got 1\.0"),
        (change("suppressed", to=1.5), r"suppressed: must be at most 1\.0, got 1\.5"),
        (change("suppressed", to=True), "suppressed: must be a number, got True"),
        (change("optimal", to="yes"), "optimal: must be true or false, got 'yes'"),
        (change("method", to=None), "method: must be text, got None"),
        (change("columns", to={}), "columns: must be a list"),
        (change("columns", to=["age"]), r"columns\[0\]: must be a table, got 'age'"),
        (change("columns", 0, "role", to="owner"), r"columns\[0\]\.role: input should be"),
        (change("columns", 0, "treatment", to=None), "published with a treatment"),
        (change("columns", 1, "treatment", to="mask"), "nothing else has one"),
        (change("columns", 1, "name", to="id"), "the column 'id' is listed twice"),
        (
            change("columns", 1, "taxonomy", "type", to="number"),
            r"columns\[1\]\.taxonomy\.type: input should be",
        ),
        (change("columns", 1, "taxonomy", "values", 0, to=None), r"taxonomy\.values\[0\]"),
        (
            change("columns", 1, "taxonomy", "levels", 0, "starts", to=[1, 2]),
            r"taxonomy: a taxonomy is damaged \(ValueError\)",
        ),
        (
            change("columns", 1, "taxonomy", "levels", 0, "starts", to=[0, 2, 2]),
            "a taxonomy is damaged",
        ),
        (
            change("columns", 1, "taxonomy", "levels", 0, "labels", to=["Artist"]),
            "a taxonomy is damaged",
        ),
        (
            change("columns", 1, "taxonomy", "levels", 0, "labels", to=["Artist", "Dancer"]),
            "'Dancer' means two things",
        ),
        (change("models", 0, "holds", to=1), r"models\[0\]\.holds: must be true or false, got 1"),
        (change("models", 0, "basis", to="guess"), r"models\[0\]\.basis: input should be"),
        (change("models", 0, "achieved", to={"k": "7"}), "must be a number, got '7'"),
        (change("metrics", to={"iloss": True}), r"metrics\.iloss: must be a number, got True"),
        (change("node", to={"job": 1.5}), r"node\.job: must be a whole number, got 1\.5"),
        (change("noise", to=[{"epsilon": 1}]), "format 1 has no noise"),
        (change("files", 0, "sha256", to="abc"), "must be a SHA-256 digest of 64 hexadecimal"),
        (change("files", 0, "sha256", to=5), r"files\[0\]\.sha256: must be text, got 5"),
        (change("files", 0, "name", to="../private/rows.parquet"), "a file beside the manifest"),
        (change("files", 0, "name", to=".."), "a file beside the manifest"),
        (change("files", 0, "name", to="C:data.csv"), "a file beside the manifest"),
        (change("files", 0, "name", to=MANIFEST), "cannot hold its own digest"),
        (
            lambda told: told["files"].append(told["files"][0]),
            "the file 'data.csv' is listed twice",
        ),
        (change("signature", to={"key": "a"}), "signature: key 'value' is missing"),
        (change("signature", to={"algorithm": "rsa", "key": "", "value": ""}), "algorithm"),
        (change("version", to="\ud800"), "damaged|not Unicode"),
    ],
)
def test_a_malformed_manifest_is_refused_with_the_reason(
    tmp_path: Path, edit: Callable[[dict[str, Any]], object], message: str
) -> None:
    file = written(tmp_path)
    told = json.loads(file.read_text(encoding="utf-8"))
    edit(told)
    file.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(BundleError, match=message):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is damaged: it is no JSON"),
        (b"\xff", "is damaged: it is no JSON"),
        (b"[]", "is damaged: it must be a JSON object"),
        (b'{"format": 1, "format": 2}', r"no JSON \('format' is given twice\)"),
        (b"[" * 100_000, "is damaged: it is nested too deeply"),
        (b'{"format": ' + b"9" * 5_000 + b"}", "is damaged: it is no JSON"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(BundleError, match=message):
        read_manifest(tmp_path)


def test_a_changed_claim_and_a_changed_spelling_are_told_apart(tmp_path: Path) -> None:
    file = written(tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("9500", "9501"), encoding="utf-8")
    with pytest.raises(BundleError, match="was changed: its digest does not fit what it says"):
        read_manifest(tmp_path)
    file.write_text(text + " ", encoding="utf-8")
    with pytest.raises(BundleError, match="was changed: it is not as it was written"):
        read_manifest(tmp_path)


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"no release\.json in .*: name the public folder"):
        read_manifest(tmp_path)


def test_a_manifest_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BundleError, match=r"cannot read .*release\.json: Permission denied"):
        read_manifest(tmp_path)


def test_a_manifest_is_never_replaced(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(BundleError, match="exists and is not replaced"):
        write_manifest(EXAMPLE, tmp_path)
    with pytest.raises(BundleError, match=r"cannot write .*: No such file"):
        write_manifest(EXAMPLE, tmp_path / "none")


def test_a_day_is_all_that_is_told_of_the_time() -> None:
    with pytest.raises(ValidationError, match="created"):
        Manifest(**{**dict(EXAMPLE), "created": datetime(2026, 1, 31, 12, 5)})


def test_text_that_is_not_unicode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="text that is not Unicode"):
        write_manifest(EXAMPLE.model_copy(update={"version": "\ud800"}), tmp_path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
def test_whatever_stands_in_a_manifest_it_is_read_or_refused(
    data: st.DataObject, public: Path
) -> None:
    file = written(public)
    told = json.loads(file.read_text(encoding="utf-8"))
    place: Any = told
    while True:
        keys = [k for k in place if k != "digest"] if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    value = data.draw(json_values)
    before, place[key] = place[key], value
    rewrite(file, lambda said: said.update(told))
    try:
        read_manifest(public)
    except BundleError:
        return
    # Only another value of the same kind passes: this is a manifest that could have been written.
    assert value is None or before is None or _kind(value) == _kind(before)


def _kind(value: object) -> type:
    return float if type(value) is int else type(value)


@given(content=st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_refused(content: bytes, public: Path) -> None:
    (public / MANIFEST).write_bytes(content)
    with pytest.raises(BundleError, match=r"release\.json"):
        read_manifest(public)
