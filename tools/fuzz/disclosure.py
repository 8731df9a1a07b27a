"""What the public half must not tell: identifiers, owners, and what only left-out records have."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tools.fuzz.tables import Column, People
from tools.fuzz.trial import FailureError
from tools.fuzz.values import as_text

__all__ = ["changed_where_left_out", "check_canaries", "figures"]

_TELLING = 5
"""Shorter texts are on any page by chance."""


def check_canaries(
    public: Path, people: People, kept: set[int], *, stated: str, about: str
) -> None:
    """Fail if any byte of the public half names somebody, or shows what no published record has.

    What stands in the promises themselves (``stated``) is published with them.
    """
    secrets = {text: whose for text, whose in _secrets(people, kept).items() if text not in stated}
    for file in sorted(public.iterdir()):
        content = file.read_bytes()
        for secret, whose in secrets.items():
            if secret.encode() in content:
                raise FailureError(f"{file.name} has {secret!r}, {whose}\n{about}")


def _secrets(people: People, kept: set[int]) -> dict[str, str]:
    found = {}
    shown = {
        as_text(column.values[at])
        for column in people.columns
        if column.role not in ("identifier", "owner", "guard", "weight")
        for at in kept
    }
    for column in people.columns:
        texts = [as_text(value) for value in column.values]
        if column.role in ("identifier", "owner"):
            found.update({text: f"of the {column.role}" for text in texts if text})
        elif column.kind not in ("odd", "bool", "date") and column.role not in ("guard", "weight"):
            listed = column.rule.written.startswith("tree")
            for text in texts:
                if text and len(text) >= _TELLING and text not in shown and not listed:
                    found[text] = f"which only left-out records have in {column.name!r}"
    return found


def changed_where_left_out(people: People, kept: set[int]) -> People | None:
    """Give the same people with other numbers where records were left out; None if none were."""
    columns = tuple(_moved(column, kept) for column in people.columns)
    return None if columns == people.columns else replace(people, columns=columns)


def _moved(column: Column, kept: set[int]) -> Column:
    is_number = column.kind in ("int", "float") and column.role in ("quasi", "insensitive")
    if not is_number or column.name == "nr":
        return column
    values = tuple(
        value
        if at in kept or not isinstance(value, int | float) or value < 0
        else value + 1_000_003
        for at, value in enumerate(column.values)
    )
    return replace(column, values=values)


def figures(public: Path) -> dict[str, object]:
    """All that the public half says of the records, without the digests of files that say it.

    Whether a search could prove that nothing better exists is about all records, like the choice of
    the release itself.
    """
    manifest = json.loads((public / "release.json").read_text(encoding="utf-8"))
    for name in ("created", "digest", "files", "optimal", "signature"):
        manifest.pop(name, None)
    about = public / "about.json"
    return {
        "data": sorted((file.name, file.read_bytes()) for file in public.glob("*.csv")),
        "about": json.loads(about.read_text(encoding="utf-8")) if about.exists() else None,
        **manifest,
    }
