"""Bundles and histories of earlier versions: they open, verify, are measured and go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import outcome
from tests.formats.archives import unpack

FOLDERS = sorted(Path(__file__).parent.glob("written_by_*"))
EXPECTED = {
    folder: json.loads((folder / "expected.json").read_text(encoding="utf-8")) for folder in FOLDERS
}


def every(kind: str) -> pytest.MarkDecorator:
    """Run a test for all that is expected of a kind: its folder, its name, what is expected."""
    cases = [
        pytest.param(folder, name, told, id=f"{folder.name}-{name}")
        for folder, expected in EXPECTED.items()
        for name, told in expected[kind].items()
    ]
    return pytest.mark.parametrize(("folder", "name", "expected"), cases)


def close_to(expected: Any) -> Any:
    """Give what equals the same document, but for the last digits of its floats."""
    match expected:
        case dict():
            return {key: close_to(value) for key, value in expected.items()}
        case list():
            return [close_to(value) for value in expected]
        case float():
            return pytest.approx(expected)
        case _:
            return expected


def test_something_is_kept_and_all_of_it_is_tested() -> None:
    assert FOLDERS
    for folder, expected in EXPECTED.items():
        assert set(expected["signatures"]) <= set(expected["bundles"])
        for kind in ("bundles", "histories"):
            kept = {file.stem for file in (folder / kind).iterdir()}
            assert kept
            assert kept == set(expected[kind])


@every("bundles")
def test_a_bundle_says_what_it_said(
    tmp_path: Path, folder: Path, name: str, expected: outcome.Outcome
) -> None:
    bundle = unpack(folder / "bundles" / f"{name}.zip", tmp_path)
    assert outcome.of_bundle(bundle, folder / "plans" / f"{name}.toml") == close_to(expected)


@every("signatures")
def test_a_signature_is_still_that_of_its_holder(
    tmp_path: Path, folder: Path, name: str, expected: outcome.Outcome
) -> None:
    bundle = unpack(folder / "bundles" / f"{name}.zip", tmp_path)
    told = outcome.of_verification(bundle, "--key", folder / "holder.pub")
    assert told == close_to(expected)
    assert told["origin_checked"]


@every("histories")
def test_a_history_goes_on(
    tmp_path: Path, folder: Path, name: str, expected: outcome.Outcome
) -> None:
    history = unpack(folder / "histories" / f"{name}.zip", tmp_path)
    assert outcome.of_history(history) == close_to(expected["before"])
    number = len(expected["before"]["record"]["releases"]) + 1
    assert outcome.of_next_release(history, number) == close_to(expected["next"])
    assert outcome.of_history(history) == close_to(expected["after"])


@every("bundles")
def test_a_changed_byte_of_the_data_is_noticed(
    tmp_path: Path, folder: Path, name: str, expected: outcome.Outcome
) -> None:
    bundle = unpack(folder / "bundles" / f"{name}.zip", tmp_path)
    data = next(
        file for file in sorted((bundle / "public").iterdir()) if file.stem in ("data", "quasi")
    )
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    told = outcome.of_verification(bundle)
    assert expected["both halves"]["exit code"] == 0
    assert told["exit code"] == 1
    assert any(data.name in problem for problem in told["problems"])
