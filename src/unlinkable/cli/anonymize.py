"""``unlinkable anonymize``: from a table to a verified bundle."""

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
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.release import Release
    from unlinkable.release.plan import Plan

__all__ = ["anonymize", "show_release"]

Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the bundle.")]
Suppression = Annotated[
    float | None, typer.Option("--suppression", help="Maximum share of suppressed records.")
]
Sign = Annotated[
    Path | None, typer.Option("--sign", help="The holder's private key, which signs the manifest.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing bundle.")]


def anonymize(
    source: Annotated[str, typer.Argument(help="A plan (.toml), or a table.")],
    *,
    kind: o.KindOfData = None,
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
        str | None, typer.Option("--method", "-m", help='Method, like "optimal".')
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Loss to minimize, like iloss.")
    ] = None,
    suppression: Suppression = None,
    taxonomies: o.Taxonomies,
    reading: o.Reading,
    file_format: Annotated[
        str | None, typer.Option("--format", help="Format of the published table: csv or parquet.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    sign: Sign = None,
    overwrite: Overwrite = False,
    json: o.Json = False,
) -> None:
    """Turn data into a verified bundle, by a plan or by options.

    Example: unlinkable anonymize plan.toml --out release

    Example: unlinkable anonymize data.csv -q age,zip -s disease -p "k-anonymity(k=5)" -o release
    """
    from unlinkable.release.plan import changed

    roles = {
        "identifier": o.names(identifier),
        "quasi-identifier": o.names(quasi),
        "sensitive": o.names(sensitive),
        "target": o.names(target),
        "insensitive": o.names(insensitive),
        "owner": [owner] if owner else [],
        "guard": [guard] if guard else [],
        "weight": [weight] if weight else [],
    }
    data = reading.data(source, others=others, join=join)
    for_tables = [*roles.values(), taxonomies, len(data) > 1]
    plan: Plan
    if source.lower().endswith(".toml"):
        plan = _loaded(source, [*for_tables, privacy, kind])
    elif (other := o.other_kind(kind, source, for_tables)) is not None:
        plan = o.plan_of_kind(other, source, privacy)
    else:
        _require_promise(privacy, method)
        listed = [name for given in roles.values() for name in given]
        plan = o.plan_of(data, roles, taxonomies.of(listed), privacy)
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
    from unlinkable.tables.methods.base import Method, RecordMethod

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
        say("Nothing is promised: only the treatment of the values protects people.")
    for listing in release.listings():
        print_listing(listing)
    for warning in release.warnings():
        say(warning)
    losses = release.losses(open_bundle(folder).manifest.metrics).items()
    rows = [(name, "not finite" if value is None else number(value)) for name, value in losses]
    if rows:
        print_table("Information loss", ("metric", "value"), rows, right="value")
    if facts := release.facts:
        found = [(name, number(value)) for name, value in facts.items()]
        print_table("Facts of the search", ("fact", "value"), found, right="value")
    if ending := release.ending():
        say(ending)
    say(f"Bundle: {folder}")
    say(f"Report: {folder / 'public' / 'report.html'}, and the holder's in {folder / 'private'}")
