"""``unlinkable list``: models, methods, metrics and everything else with a name."""

from __future__ import annotations

from typing import Annotated

import typer

from unlinkable.cli.options import Json
from unlinkable.cli.output import print_json, print_table

__all__ = ["list_registry"]


def list_registry(
    kind: Annotated[str | None, typer.Argument(help="Only this kind, such as model.")] = None,
    json: Json = False,
) -> None:
    """List models, metrics, methods, operations, attacks and other things with a name."""
    from unlinkable.registry import entries

    found = entries(kind)
    if json:
        print_json([entry.to_json() for entry in found])
        return
    rows = [(e.kind, e.name, e.summary, e.reference) for e in found]
    print_table("Names", ("kind", "name", "meaning", "reference"), rows)
