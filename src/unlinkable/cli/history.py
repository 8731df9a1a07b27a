"""``unlinkable history``: what was published, and attacks on all of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.attack_output import show_assault
from unlinkable.cli.output import print_json, print_table, progress_bar, say, seen_from_here
from unlinkable.cli.publish import Key, history_of
from unlinkable.errors import HistoryError

if TYPE_CHECKING:
    from unlinkable.release.history import ReleaseEntry

__all__ = ["history"]


def history(
    address: Annotated[
        str, typer.Argument(metavar="DB", help="The file or address of the history.")
    ],
    limit: o.Limit = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, help="Minimum number of candidates per person.")
    ] = None,
    attacks: Annotated[
        bool,
        typer.Option("--attacks/--no-attacks", help="Whether to attack all releases together."),
    ] = True,
    key: Key = None,
    seed: o.Seed = 0,
    json: o.Json = False,
) -> None:
    """List what was published, and attack all of it together.

    Exit code 1 if the confidence in a person exceeds the limit, and 2 if there is no such history.

    Example: unlinkable history history.db --limit 1/2 --k 5
    """
    if "://" not in address and not Path(address).exists():
        raise HistoryError(
            f"{seen_from_here(Path(address))}: there is no such history; check the path "
            "(unlinkable publish makes one)"
        )
    opened = history_of(address, key)
    opened.recover()
    entries = opened.releases()
    found = None
    if attacks and len(entries) > 1:
        with progress_bar("attacking all releases", quiet=json) as tell:
            found = opened.attack_all(limit=limit, k=k, seed=seed, progress=tell)
    if json:
        told = None if found is None else found.to_json()
        print_json({"releases": [entry.to_json() for entry in entries], "attacks": told})
    else:
        _show(entries)
        if found is not None:
            show_assault(found)
            _show_guarded(entries[-1])
    raise typer.Exit(1 if found is not None and found.succeeded else 0)


def _show(entries: tuple[ReleaseEntry, ...]) -> None:
    if not entries:
        say("Nothing was published yet.")
        return
    rows = [
        (
            entry.number,
            entry.created,
            entry.recipient or "everybody",
            f"{entry.records:,}",
            f"{entry.new_people:,}",
            entry.policy,
            ", ".join(entry.promises),
            "" if entry.folder is None else str(seen_from_here(Path(entry.folder))),
        )
        for entry in entries
    ]
    header = (
        "number", "published", "recipient", "records", "new people", "policy", "promises", "bundle",
    )  # fmt: skip
    print_table("Releases", header, rows, right=["number", "records", "new people"])


def _show_guarded(entry: ReleaseEntry) -> None:
    """Say which of the attacks the releases were made to withstand."""
    names = dict.fromkeys(str(found["attack"]).split("(")[0] for found in entry.findings)
    if names:
        say(f"Releases by {entry.policy} are protected against {', '.join(names)}, and no others.")
