"""``unlinkable verify``: check a bundle from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_models, say

if TYPE_CHECKING:
    from unlinkable.release.verification import Verification

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
        say(result.scope)
        print_models(result.models)
        for problem in result.problems:
            say(problem, alarm="problem:")
        for note in result.notes:
            say(note)
        say(_summary(result))
    raise typer.Exit(0 if result.holds else 1)


def _summary(result: Verification) -> str:
    if not result.holds:
        return "DO NOT TRUST IT."
    promised = 0 if result.manifest is None else len(result.manifest.models)
    if len(result.models) < promised:
        return (
            f"The bundle is whole. {len(result.models)} of {promised} promises were judged, and "
            "hold; the others need the private half."
        )
    return "The bundle is whole and holds."
