"""``unlinkable measure``: information loss and utility of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, progress_bar, say
from unlinkable.cli.output_files import require_place
from unlinkable.errors import ParameterError
from unlinkable.spelling import finite

if TYPE_CHECKING:
    from unlinkable.release import Measurement

__all__ = ["measure"]


def measure(
    bundle: Annotated[Path | None, typer.Argument(help="A bundle.")] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help="A metric; may be repeated. The default ones if none is given."
        ),
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option(
            "--original",
            help="The original table; with a bundle, its new place, if a metric needs it.",
        ),
    ] = None,
    released: Annotated[
        Path | None, typer.Option("--released", help="The published table.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="Roles and taxonomies of both tables.")
    ] = None,
    treatment: Annotated[
        str,
        typer.Option("--treatment", help="Treatment of the values: generalized or perturbed."),
    ] = "generalized",
    charts: Annotated[
        Path | None,
        typer.Option("--charts", help="A folder for charts of the loss (SVG)."),
    ] = None,
    overwrite: o.Overwrite = False,
    json: o.Json = False,
) -> None:
    """Measure the information loss of a release, from a bundle or from two tables.

    Example: unlinkable measure release --metric iloss --metric "classification-error(target=job)"
    """
    from unlinkable.release import measure_bundle
    from unlinkable.tables.publishing.bundles import open_bundle
    from unlinkable.tables.publishing.releases import CHARTS, charts_folder, measuring, save_charts

    done = measuring.Treatment.read(treatment)
    if charts is not None:
        for name in CHARTS:
            place = charts / f"{name}.svg"
            require_place(place, [bundle, original, released, plan], overwrite=overwrite)
        charts_folder(charts)
    with progress_bar("measuring", quiet=json) as tell:
        if bundle is not None:
            if released or plan or done is not measuring.Treatment.GENERALIZED:
                raise ParameterError(
                    "give a bundle, or --original, --released and --plan; --treatment is for tables"
                )
            measured = measure_bundle(bundle, metric or [], original, tell)
            drawn = {} if charts is None else open_bundle(bundle).charts(original)
        elif original is None or released is None or plan is None:
            raise ParameterError("give a bundle, or all of --original, --released and --plan")
        else:
            given = original, released, plan
            measured = measuring.measure_tables(*given, metric or [], done, tell)
            drawn = {} if charts is None else measuring.draw_tables(*given, done)
        if charts is not None:
            save_charts(drawn, charts)
    if json:
        print_json(_plain(measured))
        return
    if metric:
        rows = [row for name, found in measured.items() for row in _rows(name, found)]
    else:
        rows = [(name, number(found.value)) for name, found in measured.items()]
    print_table("Information loss", ("metric", "value"), rows, right="value")
    if charts is not None:
        say(f"The charts {', '.join(drawn)} are in {charts}. They stay with the holder.")


def _rows(name: str, found: Measurement) -> Iterator[tuple[str, str]]:
    yield name, number(found.value)
    yield from ((f"  {part}", number(value)) for part, value in found.details.items())


def _plain(measured: Mapping[str, Measurement]) -> dict[str, object]:
    """Give all numbers as JSON can write them; one that is not finite is null."""
    return {
        "metrics": {name: finite(found.value) for name, found in measured.items()},
        "details": {
            name: {part: finite(value) for part, value in found.details.items()}
            for name, found in measured.items()
            if found.details
        },
    }
