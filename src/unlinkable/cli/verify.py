"""``unlinkable verify``: check a bundle from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_models, say

if TYPE_CHECKING:
    from unlinkable.tables.publishing.judging import Verification

__all__ = ["verify"]


def verify(
    bundle: o.BundleOrHalf,
    key: Annotated[
        Path | None, typer.Option("--key", help="The holder's public key: checks the signature.")
    ] = None,
    json: o.Json = False,
) -> None:
    """Check a bundle from its files alone: nothing changed, every promise kept.

    Exit code 1 if something is wrong, or if there are promises and none of them can be judged.

    Example: unlinkable verify release/
    """
    from unlinkable.tables.publishing.judging import verify as check_bundle

    result = check_bundle(bundle, public_key=key)
    promised = 0 if result.manifest is None else len(result.manifest.models)
    is_unjudged = result.holds and promised > 0 and not result.models
    if json:
        print_json({**result.to_json(), "promised": promised, "judged": len(result.models)})
    else:
        say(result.scope)
        if is_unjudged:
            say("No promise could be judged from these files: nothing is proved of them.")
        print_models(result.models)
        for problem in result.problems:
            say(problem, alarm="problem:")
        for note in result.notes:
            say(note)
        say(_summary(result, promised))
    raise typer.Exit(0 if result.holds and not is_unjudged else 1)


def _summary(result: Verification, promised: int) -> str:
    if not result.holds:
        return "DO NOT TRUST IT."
    if promised and not result.models:
        return (
            f"The files are unchanged, and none of {promised} promises was judged: verify the "
            "bundle with its private half, or ask its holder to."
        )
    if len(result.models) < promised:
        return (
            f"The bundle is whole. {len(result.models)} of {promised} promises were judged, and "
            "hold; the others need the private half."
        )
    return "The bundle is whole and holds."
