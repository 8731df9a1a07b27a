"""``unlinkable compare``: the same data under several methods and promises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, progress_bar
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.release.compare import Compared

__all__ = ["compare"]

_AND = re.compile(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""Between promises, and not within the name of a column."""


def compare(
    plan: Annotated[Path, typer.Argument(help="A plan (.toml).")],
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help="A method; may be repeated.")
    ] = None,
    privacy: Annotated[
        list[str] | None,
        typer.Option("--privacy", "-p", help='Promises, joined by " and "; may be repeated.'),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="A metric; the first guides the search.")
    ] = None,
    suppression: Annotated[
        float | None, typer.Option("--suppression", help="Share of records that may be left out.")
    ] = None,
    json: o.Json = False,
) -> None:
    """Run several methods and promises on the same data: one table, one chart.

    Example: unlinkable compare plan.toml -m optimal -m mondrian -p "k-anonymity(k=5)"
    """
    from unlinkable.release.compare import compare as run_all
    from unlinkable.release.plan import Plan
    from unlinkable.release.planned import changed, read_table
    from unlinkable.release.registry import make

    if plan.suffix.lower() != ".toml":
        raise ParameterError(
            f"{plan} is no plan: `unlinkable describe {plan} --plan plan.toml` writes one"
        )
    given = changed(Plan.load(plan), suppression=suppression)
    promises = [tuple(make("model", m) for m in _AND.split(text)) for text in privacy or ()]
    metrics = [make("metric", m) for m in metric or ()] or [given.metric()]
    with progress_bar("comparing", quiet=json) as tell:
        outcomes = run_all(
            read_table(given),
            methods=[make("method", m) for m in method or ()] or [given.method()],
            privacy=promises or [given.models()],
            metrics=metrics,
            suppression=given.suppression,
            progress=tell,
            side=given.side(),
        )
    if json:
        print_json({"outcomes": [outcome.to_json() for outcome in outcomes]})
    else:
        _show(outcomes, [str(m) for m in metrics])
    raise typer.Exit(0 if any(x.problem is None for x in outcomes) else 1)


def _show(outcomes: Sequence[Compared], metrics: Sequence[str]) -> None:
    """Tell people what each method loses, with a bar for the first metric."""
    first = metrics[0]
    most = max((x.metrics[first] for x in outcomes if x.metrics), default=0) or 1
    rows = []
    for x in outcomes:
        measured = [number(x.metrics[m]) if x.metrics else "" for m in metrics]
        bar = "█" * max(round(20 * x.metrics[first] / most), 1) if x.metrics else x.problem
        rows.append(
            (x.method, x.privacy, x.n_groups, x.n_suppressed, *measured, f"{x.seconds:.3f}", bar)
        )
    header = ("method", "privacy", "groups", "suppressed", *metrics, "seconds", first)
    print_table("Compared", header, rows, right="groups suppressed seconds")
