"""``unlinkable risk``: re-identification risk of a table or a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_table, progress_bar, say
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.publishing.bundles import Bundle
    from unlinkable.tables.publishing.plans import Plan
    from unlinkable.tables.risk import RiskReport

__all__ = ["risk"]


def risk(
    source: Annotated[
        str,
        typer.Argument(
            metavar="DATA|PLAN|BUNDLE",
            help="A table (CSV, Parquet, SQL, ...), a plan, or a bundle.",
        ),
    ],
    *,
    quasi: o.Quasi = None,
    owner: o.Owner = None,
    weight: o.Weight = None,
    population: Annotated[
        str | None, typer.Option("--population", help="File with the people of the population.")
    ] = None,
    threshold: Annotated[
        str, typer.Option("--threshold", help="Threshold of a high risk, like 0.2 or 1/5.")
    ] = "0.2",
    fraction: Annotated[
        str | None,
        typer.Option("--fraction", help="Sampling fraction: share of the population in the table."),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--size", help="Number of people in the population.")
    ] = None,
    estimator: Annotated[
        str, typer.Option("--estimator", help="pitman, zayatz, snb, or dankar, which chooses.")
    ] = "dankar",
    largest: Annotated[
        int | None, typer.Option("--largest", help="Most columns in a minimal unique set.")
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option("--limit", help="Highest prosecutor risk allowed; above it, exit code 1."),
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option("--original", help="The original table of a bundle, if it has moved."),
    ] = None,
    taxonomies: o.Taxonomies,
    reading: o.Reading,
    json: o.Json = False,
) -> None:
    """Estimate re-identification risk, by adversary and by column.

    A table and the records of a plan are taken as they stand; a bundle is compared with the
    original records, if they are at hand.

    Example: unlinkable risk patients.csv -q age,zip,sex --fraction 0.01 --limit 0.2
    """
    from unlinkable.tables.publishing.releases import risk_of
    from unlinkable.tables.risk import Assessment, as_limit

    asked = Assessment(
        threshold=threshold,
        fraction=fraction,
        size=size,
        estimator=estimator,
        largest=largest,
    )
    if limit is not None:
        as_limit(limit)
    if original is not None and not Path(source).is_dir():
        raise ParameterError("--original is for a bundle: a table is assessed as it stands")
    roles = {"quasi-identifier": o.names(quasi)}
    roles |= {"owner": [owner] if owner else [], "weight": [weight] if weight else []}
    part, meanings = reading.data(source), taxonomies.of(roles["quasi-identifier"])
    with progress_bar("assessing", quiet=json) as tell:
        report = risk_of(
            _opened(source, part, roles, meanings),
            asked,
            population=population,
            original=original,
            progress=tell,
        )
    _tell(report, limit, json=json)


def _tell(report: RiskReport, limit: str | None, *, json: bool) -> NoReturn:
    """Print a report, and end with whether the risk is within what is allowed."""
    is_within = limit is None or report.is_within(limit)
    if json:
        document = report.to_json()
        print_json(document if limit is None else {**document, "within_limit": is_within})
    else:
        _show(report)
        if not is_within:
            say(f"the highest risk is {report.highest:.4g}, and {limit} is allowed", alarm="limit:")
    raise typer.Exit(0 if is_within else 1)


def _opened(
    source: str,
    part: Mapping[str, object],
    roles: Mapping[str, Sequence[str]],
    meanings: Mapping[str, Mapping[str, object]],
) -> Bundle | Plan:
    """Take a folder for a bundle, a TOML file for a plan, and all else for a table."""
    from unlinkable.tables.publishing.bundles import open_bundle
    from unlinkable.tables.publishing.plans import Plan

    is_bundle, is_plan = Path(source).is_dir(), source.lower().endswith(".toml")
    if not is_bundle and not is_plan:
        if "://" not in source and not Path(source).exists():
            raise ParameterError(f"{source}: there is no such bundle, plan or table")
        if not roles["quasi-identifier"]:
            raise ParameterError("say what others may know of people: name columns with --quasi")
        return o.plan_of({**part, "others": "insensitive"}, roles, meanings)
    if len(part) > 1 or any(roles.values()) or meanings:
        what = "a bundle" if is_bundle else "a plan"
        raise ParameterError(
            f"{source} is {what}, which says itself what its columns are and how they are read: "
            "leave the options for tables out"
        )
    return open_bundle(source) if is_bundle else Plan.load(source)


def _show(report: RiskReport) -> None:
    """Print a page on the risk."""
    from unlinkable.spelling import quantity
    from unlinkable.tables.risk import column_rows, flag_rows, risk_rows, size_rows

    people = quantity(report.n_people, "person", "people")
    about = "" if report.n_people == report.n_records else f" about {people}"
    records = quantity(report.n_records, "record")
    say(f"{records}{about}, known by {', '.join(report.columns)}")
    if report.note:
        say(f"Note: {report.note}.")
    for sentence in report.sentences():
        say(sentence)
    found = report.re_identification
    header = ("adversary", "highest", "average", "above")
    title = f"Re-identification risk (above: share of records above {float(found.threshold):g})"
    print_table(title, header, risk_rows(report), right="highest average above")
    say(f"Journalist and marketer: {found.basis.words}.")
    alike = ("size", "groups", "records")
    print_table("Group sizes", alike, size_rows(report), right="groups records")
    _show_uniques(report)
    columns = ("column", "part", "without", "special")
    most = quantity(report.special_uniques.largest, "column")
    special = f"special uniques of up to {most}"
    title = f"By column (part of the average risk, average without it, share in {special})"
    print_table(title, columns, column_rows(report), right="part without special")
    if report.flags:
        safe_harbor = ("column", "identifier", "because", "what to do")
        print_table("HIPAA Safe Harbor", safe_harbor, flag_rows(report.flags))


def _show_uniques(report: RiskReport) -> None:
    from unlinkable.spelling import quantity

    uniques, special = report.uniqueness, report.special_uniques
    alone = quantity(uniques.n_sample, "record")
    rows = [("in the table", f"{uniques.sample_share:.2%}", alone)]
    share = "" if uniques.share is None else f"{uniques.share:.2%}"
    rows.append(("in the population", share, uniques.basis.words))
    for estimate in uniques.estimates:
        said = "none" if estimate.share is None else f"{estimate.share:.2%}"
        rows.append((f"  {estimate.estimator.value}", said, estimate.note))
    if report.n_people == 1:
        rows.append(("by no column", f"{uniques.sample_share:.2%}", "nobody else is in the table"))
    for columns, n in special.by_size().items():
        if n:
            part = n / max(report.n_records, 1)
            few = f"by {columns} column{'s' * (columns > 1)}"
            rows.append((few, f"{part:.2%}", quantity(n, "record")))
    print_table("Uniqueness", ("where", "share", "how"), rows, right="share")
