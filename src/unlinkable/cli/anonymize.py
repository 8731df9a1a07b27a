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
    print_models,
    print_table,
    progress_bar,
    say,
    seen_from_here,
)
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.publishing.plans import Plan
    from unlinkable.tables.publishing.releases import MaskedRelease, Release

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
    """Turn a table into a verified bundle, by a plan or by options.

    Example: unlinkable anonymize plan.toml --out release

    Example: unlinkable anonymize data.csv -q age,zip -s disease -p "k-anonymity(k=5)" -o release
    """
    from unlinkable.tables.publishing.anonymizing import changed

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
    if source.lower().endswith(".toml"):
        plan = _loaded(source, [*roles.values(), privacy, taxonomies, len(data) > 1])
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
    from unlinkable.tables.publishing.plans import Plan

    if any(beside):
        raise ParameterError(
            f"{source} is a plan: write roles, taxonomies, promises and how to read the table "
            "there, not as options"
        )
    return Plan.load(source)


def _require_promise(privacy: list[str] | None, method: str | None) -> None:
    """Refuse a method without a promise that means nothing then: all do that generalize."""
    from unlinkable.registry import make
    from unlinkable.tables.methods.base import RecordMethod

    if privacy:
        return
    made = None if method is None else make("method", method)
    if not isinstance(made, RecordMethod) or made.needs_promise:
        raise ParameterError('nothing is promised: add --privacy "k-anonymity(k=5)", or more')


def _whole(path: Path | None) -> str | None:
    """Name a path so that it does not matter in which folder the plan is."""
    return None if path is None else str(path.absolute())


def _run(plan: Plan, *, overwrite: bool, json: bool) -> None:
    from unlinkable.tables.publishing.anonymizing import prepare, run, save
    from unlinkable.tables.publishing.releases import release_document

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
    from unlinkable.tables.publishing.releases import measured as measure

    seconds = sum(release.seconds.values())
    say(f"{_published(release)}; {seconds:.2f} s with {release.method}")
    if release.models:
        print_models(release.finding.to_json())
    else:
        say("Nothing is promised: only the treatment of the values protects people.")
    _show_columns(release)
    told = measure(release, folder).items()
    measured = [(name, "not finite" if value is None else number(value)) for name, value in told]
    if measured:
        print_table("Information loss", ("metric", "value"), measured, right="value")
    if facts := release.outcome.facts:
        found = [(name, number(value)) for name, value in facts.items()]
        print_table("Facts of the search", ("fact", "value"), found, right="value")
    if ending := _how_it_ended(release):
        say(ending)
    say(f"Bundle: {folder}")
    say(f"Report: {folder / 'public' / 'report.html'}, and the holder's in {folder / 'private'}")


def _published(release: Release) -> str:
    """Say how many records are published."""
    from unlinkable.tables.publishing.releases import GeneralizedRelease

    if not isinstance(release, GeneralizedRelease):
        return f"{release.n_records:,} records published from {len(release.table):,}"
    total = release.n_records + release.n_suppressed
    return (
        f"{release.n_records:,} of {total:,} records published in {release.n_groups:,} groups; "
        f"{release.n_suppressed:,} suppressed ({release.n_suppressed / total:.1%})"
    )


def _show_columns(release: Release) -> None:
    """Tell people what each column lost, or how many of its values were replaced."""
    from unlinkable.tables.publishing.releases import GeneralizedRelease, MaskedRelease

    if isinstance(release, MaskedRelease):
        _show_replaced(release)
    if not isinstance(release, GeneralizedRelease):
        return
    node = release.node
    rows = [
        (a.name, "" if node is None else f"{node[a.name]} of {a.taxonomy.height}", f"{loss:.1%}")
        for a, loss in zip(
            release.task.attributes, release.loss_by_attribute().values(), strict=True
        )
    ]
    print_table("Information loss by column", ("column", "level", "lost"), rows, right="lost")


def _show_replaced(release: MaskedRelease) -> None:
    shares = [] if release.method.truthful else list(release.replaced.items())
    if shares:
        rows = [(name, f"{share:.1%}") for name, share in shares]
        print_table("Replaced values by column", ("column", "replaced"), rows, right="replaced")
    if release.untouched:
        say(
            f"Warning: {', '.join(release.untouched)} stayed as it was, though others may know it: "
            "an adversary who knows it can search for a person's record."
        )


def _how_it_ended(release: Release) -> str:
    """Say what is known of other releases that the search could have made."""
    outcome = release.outcome
    if outcome.optimal:
        return "Optimal: no release of this kind loses less."
    if not outcome.is_complete:
        return "The search was stopped: a longer search may find a release that loses less."
    if outcome.optimal is not None:
        return "A release of this kind that loses less may exist."
    return ""
