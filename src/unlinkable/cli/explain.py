"""``unlinkable explain``: what determined the loss of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_listing, progress_bar, say

__all__ = ["explain"]


def explain(
    bundle: Annotated[Path, typer.Argument(help="A bundle, with its private half.")],
    data: Annotated[
        str | None, typer.Option("--data", help="The original table, if it has moved.")
    ] = None,
    json: o.Json = False,
) -> None:
    """Explain which columns and records cost the most, and what would reduce the loss.

    The original table is read again, and the search is repeated with one requirement after the
    other removed.

    Example: unlinkable explain release
    """
    from unlinkable.release.bundle import open_bundle

    with progress_bar("repeating the search", quiet=json) as tell:
        explanation = open_bundle(bundle).explain(data, tell)
    if json:
        print_json(explanation.to_json())
        return
    for sentence in explanation.sentences():
        say(sentence)
    for listing in explanation.listings():
        print_listing(listing)
