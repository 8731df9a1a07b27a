"""``unlinkable anonymize``: the main job."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import (
    number,
    print_json,
    print_listing,
    print_models,
    print_table,
    progress_bar,
    say,
    seen_from_here,
)
from unlinkable.cli.plan_options import data_part, names, plan_of, taxonomy_parts
from unlinkable.errors import ParameterError
from unlinkable.tables.methods.base import Method

if TYPE_CHECKING:
    from unlinkable.release import Release
    from unlinkable.release.plan import Plan

__all__ = ["anonymize", "show_release"]

Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the bundle.")]
Suppression = Annotated[
    float | None, typer.Option("--suppression", help="Share of records that may be left out.")
]
Sign = Annotated[
    Path | None, typer.Option("--sign", help="The holder's private key: signs the manifest.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a bundle that is there.")]


def anonymize(
    source: Annotated[str, typer.Argument(help="A plan (.toml), or a table.")],
    out: Out = None,
    quasi: o.Quasi = None,
    sensitive: o.Sensitive = None,
    identifier: o.Identifier = None,
    target: o.Target = None,
    insensitive: o.Insensitive = None,
    owner: o.Owner = None,
    guard: o.Guard = None,
    join: o.Join = None,
    weight: o.Weight = None,
    others: o.Others = None,
    privacy: o.Privacy = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help='How to search, like "optimal".')
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="What to keep small, like iloss.")
    ] = None,
    suppression: Suppression = None,
    taxonomy: o.Taxonomy = None,
    taxonomies: o.Taxonomies = None,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    header: o.Header = None,
    sheet: o.Sheet = None,
    query: o.Query = None,
    missing: o.Missing = None,
    types: o.As = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="Of the published table: csv or parquet.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes chance repeatable.")] = None,
    sign: Sign = None,
    overwrite: Overwrite = False,
    json: o.Json = False,
) -> None:
    """Turn a table into a verified bundle, by a plan or by options.

    Example: unlinkable anonymize plan.toml --out release

    Example: unlinkable anonymize data.csv -q age,zip -s disease -p "k-anonymity(k=5)" -o release
    """
    from unlinkable.release.plan import changed

    roles = {
        "identifier": names(identifier),
        "quasi-identifier": names(quasi),
        "sensitive": names(sensitive),
        "target": names(target),
        "insensitive": names(insensitive),
        "owner": [owner] if owner else [],
        "guard": [guard] if guard else [],
        "weight": [weight] if weight else [],
    }
    data = data_part(
        source,
        separator=separator,
        encoding=encoding,
        header=header,
        sheet=sheet,
        query=query,
        missing=missing,
        types=types,
        others=others,
        join=join,
    )
    if source.lower().endswith(".toml"):
        plan = _loaded(source, [*roles.values(), privacy, taxonomy, taxonomies, len(data) > 1])
    else:
        _require_promise(privacy, method)
        listed = [name for given in roles.values() for name in given]
        plan = plan_of(data, roles, taxonomy_parts(taxonomy, taxonomies, listed), privacy)
    plan = changed(
        plan,
        method=method,
        metric=metric,
        suppression=suppression,
        out=_whole(out),
        seed=seed,
        file_format=file_format,
        sign=_whole(sign),
    )
    _run(plan, overwrite=overwrite, json=json)


def _loaded(source: str, beside: Iterable[object]) -> Plan:
    """Load a plan, beside which nothing is given that it says itself."""
    from unlinkable.release.plan import load_plan

    if any(beside):
        raise ParameterError(
            f"{source} is a plan: write roles, taxonomies, promises and how to read the table "
            "there, not as options"
        )
    return load_plan(source)


def _require_promise(privacy: list[str] | None, method: str | None) -> None:
    """Refuse a method without a promise that means nothing then: all do that generalize."""
    from unlinkable.tables.methods.base import RecordMethod

    if privacy:
        return
    made = None if method is None else Method.read(method)
    if not isinstance(made, RecordMethod) or made.needs_promise:
        raise ParameterError('nothing is promised: add --privacy "k-anonymity(k=5)", or more')


def _whole(path: Path | None) -> str | None:
    """Name a path so that it does not matter in which folder the plan is."""
    return None if path is None else str(path.absolute())


def _run(plan: Plan, *, overwrite: bool, json: bool) -> None:
    from unlinkable.release import prepare, release_document, run, save

    if plan.out is None:
        raise ParameterError("say where the bundle goes: --out FOLDER, or out in the plan")
    prepare(plan, overwrite=overwrite)
    with progress_bar("searching", quiet=json) as tell:
        release = run(plan, progress=tell)
    folder = seen_from_here(save(release, plan, overwrite=overwrite))
    if json:
        print_json(release_document(release, folder))
    else:
        show_release(release, folder)
    raise typer.Exit(0 if release.holds else 1)


def show_release(release: Release, folder: Path) -> None:
    """Tell people what was promised, reached and lost, and where the bundle is."""
    from unlinkable.release.bundle import open_bundle

    seconds = sum(release.seconds.values())
    say(f"{release.headline()}; {seconds:.2f} s with {release.made_by}")
    if release.promises:
        print_models(release.finding.to_json())
    else:
        say("Nothing is promised: what was done to the values is all that protects people.")
    for listing in release.listings():
        print_listing(listing)
    for warning in release.warnings():
        say(warning)
    losses = release.losses(open_bundle(folder).manifest.metrics).items()
    rows = [(name, "not finite" if value is None else number(value)) for name, value in losses]
    if rows:
        print_table("What was lost, in all", ("metric", "value"), rows, right="value")
    if facts := release.facts:
        found = [(name, number(value)) for name, value in facts.items()]
        print_table("What the search found", ("fact", "value"), found, right="value")
    if ending := release.ending():
        say(ending)
    say(f"Bundle: {folder}")
    say(f"Report: {folder / 'public' / 'report.html'}, and for you alone in {folder / 'private'}")
