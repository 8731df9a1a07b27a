"""``unlinkable measure``: what a release has lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table
from unlinkable.errors import ParameterError

__all__ = ["measure"]


def measure(
    bundle: Annotated[Path | None, typer.Argument(help="A bundle.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="A metric; may be repeated. All if none.")
    ] = None,
    original: Annotated[
        Path | None, typer.Option("--original", help="The table before, instead of a bundle.")
    ] = None,
    released: Annotated[Path | None, typer.Option("--released", help="The table after.")] = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="Roles and taxonomies of both tables.")
    ] = None,
    json: o.Json = False,
) -> None:
    """Measure what a release has lost, from a bundle or from a table before and after.

    Example: unlinkable measure release --metric iloss --metric discernibility
    """
    from unlinkable.release.measuring import measure_bundle, measure_tables

    if bundle is not None:
        if original or released or plan:
            raise ParameterError("give a bundle, or --original, --released and --plan: not both")
        metrics = measure_bundle(bundle, metric or [])
    else:
        if original is None or released is None or plan is None:
            raise ParameterError("give a bundle, or all of --original, --released and --plan")
        metrics = measure_tables(original, released, plan, metric or [])
    if json:
        print_json({"metrics": metrics})
    else:
        rows = [(name, number(value)) for name, value in metrics.items()]
        print_table("What was lost", ("metric", "value"), rows, right="value")
