"""``unlinkable compare``: several methods and promises on the same data."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, progress_bar, say
from unlinkable.cli.output_files import chart_file, plan_file, plan_inputs, require_place
from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.tables.methods.base import Method
    from unlinkable.tables.models.base import GroupModel
    from unlinkable.tables.publishing.comparing import Comparison
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["compare"]

_AND = re.compile(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""Between promises, and not within the name of a column."""


def compare(
    plan: o.PlanFile,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", "-m", help="A method; may be repeated, and have lists of values."),
    ] = None,
    privacy: Annotated[
        list[str] | None,
        typer.Option(
            "--privacy",
            "-p",
            help='Promises, joined by " and "; may be repeated, and have lists of values.',
        ),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="A metric; the first guides the search.")
    ] = None,
    suppression: Annotated[
        list[float] | None,
        typer.Option("--suppression", help="Maximum share of suppressed records; may be repeated."),
    ] = None,
    risk: Annotated[
        str,
        typer.Option("--risk", help="Risk on the frontier: highest, average or attribute."),
    ] = "highest",
    jobs: o.Jobs = None,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", help="A file for outcomes: run again with it to continue."),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option("--time", help="Seconds for each setting; no limit by default."),
    ] = None,
    chart: Annotated[
        Path | None,
        typer.Option("--chart", help="A file for the chart: .svg, .png, .html or .json."),
    ] = None,
    overwrite: o.Overwrite = False,
    json: o.Json = False,
) -> None:
    """Compare several methods and promises on the same data: one table, one chart.

    Example: unlinkable compare plan.toml -m optimal -m mondrian -p "k-anonymity(k=[2, 5, 10])"
    """
    from unlinkable.tables.metrics.base import Metric
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.publishing.comparing import RISKS
    from unlinkable.tables.publishing.comparing import compare as run_all
    from unlinkable.tables.publishing.plans import Plan

    if risk not in RISKS:
        raise ParameterError(unknown("risk", risk, RISKS))
    given, chart = Plan.load(plan_file(plan)), chart_file(chart)
    if chart is not None:
        require_place(chart, plan_inputs(given), overwrite=overwrite)
    metrics = [Metric.read(m) for m in metric or ()] or [given.metric() or Metric.read("iloss")]
    methods = _methods(method or []) or [given.method()]
    with progress_bar("comparing", quiet=json) as tell:
        found = run_all(
            read_table(given),
            methods=methods,
            privacy=_promises(privacy or []) or [_promised(given, methods)],
            metrics=metrics,
            suppression=suppression or given.suppression,
            seed=given.form.release.seed or 0,
            progress=tell,
            side=given.side(),
            jobs=jobs or os.cpu_count() or 1,
            keep=keep,
            time=limit,
        )
        if chart is not None:
            found.chart(risk=risk).save(chart)
    if json:
        print_json(found.to_json(risk=risk))
    else:
        _show(found, risk)
        if chart is not None:
            say(f"The chart is in {chart}.")
    raise typer.Exit(0 if any(x.problem is None for x in found) else 1)


def _methods(texts: list[str]) -> list[Method]:
    from unlinkable.tables.methods.base import Method

    return [made for text in texts for made in Method.read_all(text)]


def _promised(plan: Plan, methods: Sequence[Method]) -> tuple[GroupModel, ...]:
    """Give what a plan promises; nothing, if no method works towards a promise."""
    from unlinkable.tables.methods.base import RecordMethod

    if not plan.form.privacy and all(
        isinstance(method, RecordMethod) and not method.needs_promise for method in methods
    ):
        return ()
    return plan.models()


def _promises(texts: list[str]) -> list[tuple[GroupModel, ...]]:
    """Read sets of promises; one with lists of values stands for all sets that can be chosen."""
    from unlinkable.tables.models.base import GroupModel

    return [
        chosen
        for text in texts
        for chosen in product(*(GroupModel.read_all(part) for part in _AND.split(text)))
    ]


def _show(found: Comparison, risk: str) -> None:
    """Tell people what each setting loses, and which ones no other beats."""
    rows = []
    for x, beaten in zip(found, found.dominated(risk=risk), strict=True):
        measured = [number(x.metrics[m]) if m in x.metrics else "" for m in found.metrics]
        exposed = "" if x.risk is None else number(getattr(x.risk, risk))
        rows.append(
            (
                "" if beaten else "*",
                x.method,
                x.privacy,
                x.suppression,
                x.n_groups,
                x.n_suppressed,
                exposed,
                *measured,
                f"{x.seconds:.3f}",
                x.problem or "",
            )
        )
    said = ("", "method", "privacy", "may leave out", "groups", "suppressed", "risk")
    header = (*said, *found.metrics, "seconds", "problem")
    print_table("Compared", header, rows, right="groups suppressed risk seconds")
    better = "more" if found.metrics[0] in found.gains else "less"
    say(f"* no other setting has both less {risk} risk and {better} {found.metrics[0]}")
