"""Stored editions: what a release of a table shows of whom, in the columns of a history."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from unlinkable.registry import make
from unlinkable.release.history import Ledger
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.attacks.series import Edition
from unlinkable.tables.data import Frame, frame_from_bytes, frame_to_bytes
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.taxonomies import taxonomy_from_json, taxonomy_to_json
from unlinkable.typing import CountArray

__all__ = ["edition_to_row", "editions_of", "memory_of"]

_EDITION = ("published", "people", "columns", "taxonomies")
"""The columns that hold a release as it was published."""

_PERSON = "person"


def editions_of(ledger: Ledger) -> tuple[Edition, ...]:
    """Read what everybody sees of all releases, and whose each record is.

    Raises
    ------
    HistoryError
        If the database is damaged.
    """
    rows = ledger.contents("number", "promises", *_EDITION)
    with ledger.undamaged():
        return tuple(map(_edition_of, rows))


def memory_of(ledger: Ledger) -> dict[str, Frame]:
    """Read what the policy stored with the last release.

    Raises
    ------
    HistoryError
        If the database is damaged.
    """
    stored = ledger.memory()
    with ledger.undamaged():
        return {name: frame_from_bytes(content) for name, content in stored.items()}


def edition_to_row(edition: Edition) -> dict[str, object]:
    """Write a release as it is published, under the names of `_EDITION`.

    What was promised of it, and its number, stand elsewhere.
    """
    target = edition.target
    columns = {
        "quasi": target.quasi,
        "sensitive": target.sensitive,
        "bucket": target.bucket,
        "is_truthful": target.is_truthful,
        "is_grouped": target.is_grouped,
        "is_alike": target.is_alike,
    }
    told = {name: taxonomy_to_json(found) for name, found in target.taxonomies.items()}
    people = None if edition.people is None else to_frame({_PERSON: edition.people})[0]
    return {
        "published": frame_to_bytes(target.frame),
        "people": None if people is None else frame_to_bytes(people),
        "columns": json.dumps(columns),
        "taxonomies": zlib.compress(json.dumps(told).encode()),
    }


def _edition_of(row: Mapping[str, Any]) -> Edition:
    """Read a release as it was published, with its number and its promises."""
    columns = json.loads(row["columns"])
    told = json.loads(zlib.decompress(bytes(row["taxonomies"])))
    people: CountArray | None = None
    if row["people"] is not None:
        frame = frame_from_bytes(bytes(row["people"]))
        people = frame.get_column(_PERSON).to_numpy()
    target = Target(
        frame_from_bytes(bytes(row["published"])),
        tuple(columns["quasi"]),
        tuple(columns["sensitive"]),
        {name: taxonomy_from_json(found) for name, found in told.items()},
        bucket=columns["bucket"],
        is_truthful=columns["is_truthful"],
        is_grouped=columns["is_grouped"],
        is_alike=columns.get("is_alike", True),
        promises=tuple(make("model", text) for text in json.loads(row["promises"])),
    )
    return Edition(target, people, f"release {row['number']}")
