"""``unlinkable explain``: what determined the loss of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_table, progress_bar, say

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
    from unlinkable.tables.publishing.anonymizing import rerun

    with progress_bar("repeating the search", quiet=json) as tell:
        explanation = rerun(bundle, data, progress=tell).explain()
    if json:
        print_json(explanation.to_json())
        return
    for sentence in explanation.sentences():
        say(sentence)
    rows = [
        (
            c.name,
            "" if c.level is None else f"{c.level} of {c.height}",
            f"{c.share:.1%}",
            f"{c.part:.1%}",
        )
        for c in explanation.attributes
    ]
    print_table("By column", ("column", "level", "lost", "part"), rows, right="lost part")
