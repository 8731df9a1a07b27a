"""Bundles that earlier versions wrote, as they were written: they open and verify for ever."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.tables.publishing.saved_bundles import change
from unlinkable.release.bundle import PROVENANCE
from unlinkable.release.bundle.manifest_json import written_json
from unlinkable.release.bundle.signing import load_verifying_key
from unlinkable.release.verify import verify
from unlinkable.tables.publishing import open_bundle

EARLIER = Path(__file__).parent / "earlier"
KEY = load_verifying_key(EARLIER / "holder.pub")
NAMES = sorted(file.stem for file in EARLIER.glob("*.zip"))


@pytest.fixture(params=NAMES)
def bundle(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return unpacked(request.param, tmp_path)


def unpacked(name: str, folder: Path) -> Path:
    with zipfile.ZipFile(EARLIER / f"{name}.zip") as archive:
        archive.extractall(folder / name)
    (folder / name / "private").chmod(0o700)
    return folder / name


def is_signed(bundle: Path) -> bool:
    return bundle.name.endswith("-signed")


def test_there_is_one_of_every_kind() -> None:
    assert NAMES == [
        "bucketized-signed",
        "generalized",
        "generalized-signed",
        "owners-signed",
        "perturbed",
        "population",
    ]


def test_it_verifies_and_says_what_was_not_looked_for(bundle: Path) -> None:
    result = verify(bundle, public_key=KEY if is_signed(bundle) else None)
    assert result.problems == ()
    (note,) = [note for note in result.notes if "an earlier version made this bundle" in note]
    assert "provenance.json has neither a digest nor a signature" in note
    assert verify(bundle / "public", public_key=KEY if is_signed(bundle) else None).holds


def test_it_opens_and_is_measured_and_reported(bundle: Path) -> None:
    opened = open_bundle(bundle)
    assert opened.manifest.format in (1, 2)
    assert opened.frame.height == opened.manifest.records
    assert opened.report().to_html()
    assert opened.report(holder=True).to_html()
    if opened.is_generalized:
        assert opened.measure("iloss") == pytest.approx(opened.manifest.metrics["iloss"])


def test_a_private_half_of_before_does_not_go_with_a_manifest_of_now(
    bundle: Path, tmp_path: Path
) -> None:
    """Whoever changes the private half cannot pass it off as one that never had a digest."""
    from tests.tables.publishing.saved_bundles import release_of

    now = release_of().save(tmp_path / "now")
    file = now / "private" / PROVENANCE
    told = json.loads(file.read_text(encoding="utf-8"))
    told.pop("own_digest")
    for edit in (change("format", to=1), change("seed", to=1)):
        edit(told)
    file.write_bytes(written_json(told))
    assert verify(now).problems == (
        "provenance.json was changed: it has another format than release.json belongs to",
    )


def test_other_changes_are_found_as_before(tmp_path: Path) -> None:
    bundle = unpacked("generalized-signed", tmp_path)
    rows = bundle / "private" / "rows.parquet"
    rows.write_bytes(rows.read_bytes() + b" ")
    assert verify(bundle).problems == ("rows.parquet was changed: it has 1327 bytes, not 1326",)
