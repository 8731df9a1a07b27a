"""``unlinkable verify``: check a bundle from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_models, say

__all__ = ["verify"]


def verify(
    bundle: Annotated[Path, typer.Argument(help="A bundle, or its public half.")],
    key: Annotated[
        Path | None, typer.Option("--key", help="The holder's public key: checks the signature.")
    ] = None,
    json: o.Json = False,
) -> None:
    """Check a bundle from its files alone: nothing changed, every promise kept.

    Example: unlinkable verify release/
    """
    from unlinkable.release.verification import verify as check_bundle

    result = check_bundle(bundle, public_key=key)
    if json:
        print_json(result.to_json())
    else:
        print_models(result.models)
        for problem in result.problems:
            say(problem, alarm="problem:")
        for note in result.notes:
            say(note)
        say("The bundle is whole and holds." if result.holds else "DO NOT TRUST IT.")
    raise typer.Exit(0 if result.holds else 1)
