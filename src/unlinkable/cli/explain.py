"""``unlinkable explain``: why a release came out as it did."""

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
    """Say which columns and records cost the most, and what would help.

    The original table is read again and the search is repeated with one obstacle after the other
    out of the way.

    Example: unlinkable explain release
    """
    from unlinkable.release.bundle import open_bundle

    with progress_bar("trying what would help", quiet=json) as tell:
        explanation = open_bundle(bundle).explain(data, tell)
    if json:
        print_json(explanation.to_json())
        return
    for sentence in explanation.sentences():
        say(sentence)
    for listing in explanation.listings():
        print_listing(listing)
