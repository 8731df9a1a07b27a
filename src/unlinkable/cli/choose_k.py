"""``unlinkable choose-k``: the k at which privacy and utility are in balance."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, progress_bar, say
from unlinkable.cli.output_files import chart_file, plan_file, plan_inputs, require_place
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.models.base import GroupModel
    from unlinkable.tables.publishing.comparing import Balance
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["choose_k"]

_MOST = 1_000
"""So many values of k are tried."""

_SPAN = re.compile(r"(\d+)\.\.(\d+)")


def choose_k(
    plan: o.PlanFile,
    k: Annotated[
        str, typer.Option("--k", help="The values of k to try: 2..20, or 2,5,10.")
    ] = "2..20",
    method: Annotated[
        str, typer.Option("--method", "-m", help="Method for each release.")
    ] = "mondrian(labels=taxonomy)",
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", help="Utility of a release: a metric from 0 to 1.", show_default=False
        ),
    ] = None,
    jobs: o.Jobs = None,
    chart: Annotated[
        Path | None,
        typer.Option("--chart", help="A file for the chart: .svg, .png, .html or .json."),
    ] = None,
    overwrite: o.Overwrite = False,
    json: o.Json = False,
) -> None:
    """Publish the table for every k, and find where privacy and utility are in balance.

    Other promises of the plan are kept as well.

    Example: unlinkable choose-k plan.toml --k 2..30 --chart curve.svg
    """
    from unlinkable.tables.methods.base import Method
    from unlinkable.tables.metrics.base import Metric
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.publishing.comparing import choose_k as run_all
    from unlinkable.tables.publishing.plans import Plan

    given, chart = Plan.load(plan_file(plan)), chart_file(chart)
    if chart is not None:
        require_place(chart, plan_inputs(given), overwrite=overwrite)
    with progress_bar("choosing k", quiet=json) as tell:
        found = run_all(
            read_table(given),
            ks=_values(k),
            method=Method.read(method),
            privacy=_others(given),
            utility=None if metric is None else Metric.read(metric),
            suppression=given.suppression,
            seed=given.form.release.seed or 0,
            progress=tell,
            side=given.side(),
            jobs=jobs or os.cpu_count() or 1,
        )
        if chart is not None:
            found.chart().save(chart)
    if json:
        print_json(found.to_json())
        return
    _show(found)
    if chart is not None:
        say(f"The chart is in {chart}.")


def _others(plan: Plan) -> list[GroupModel]:
    """Give what the plan promises besides k-anonymity."""
    from unlinkable.tables.models import KAnonymity

    models = plan.models() if plan.form.privacy else ()
    return [model for model in models if not isinstance(model, KAnonymity)]


def _values(text: str) -> list[int]:
    """Read values of k: a span or a list."""
    if span := _SPAN.fullmatch(text.strip()):
        first, last = map(int, span.groups())
        values = list(range(first, min(last, first + _MOST) + 1))
    else:
        parts = [part.strip() for part in text.split(",")]
        values = [int(part) for part in parts if part.isdecimal()]
        values = values if len(values) == len(parts) else []
    if len(values) > _MOST:
        raise ParameterError(f"--k names more than {_MOST:,} values: give fewer, like 2,5,10,20")
    if not values or min(values) < 1:
        raise ParameterError(f"--k takes values like 2..20 or 2,5,10, got {text!r}")
    return values


def _show(found: Balance) -> None:
    curve = zip(found.ks, found.privacy, found.utility, strict=True)
    rows = [(k, number(p), number(u)) for k, p, u in curve]
    header = ("k", "privacy", "utility")
    title = "Privacy and utility in per cent"
    print_table(title, header, rows, right="k privacy utility")
    if found.without:
        say(f"There is no release for k = {', '.join(map(str, found.without))}.")
    if found.baseline is not None:
        say(f"Always naming the most frequent class is right for {found.baseline:.1f} %.")
    low, high = found.between
    if found.is_flat:
        say(
            "Utility hardly depends on k here, so that no k is recommended: measure another task "
            "with --metric, or choose k by the risk that is acceptable."
        )
    elif not found.crosses:
        say(f"The curves do not meet; they come closest at k = {low}: {found.at:.0f} % useful.")
    elif low == high:
        say(f"Privacy and utility are in balance at k = {low}: {found.at:.0f} % useful.")
    else:
        say(f"They are in balance between k = {low} and k = {high}: {found.at:.0f} % useful.")
