"""``unlinkable attack``: attack a release as an adversary would."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from unlinkable.cli import options as o
from unlinkable.cli.attack_output import check_file, show_findings, write_findings
from unlinkable.cli.attack_sources import Columns, open_release, open_series, read_known
from unlinkable.cli.output import print_json, progress_bar, say
from unlinkable.cli.output_files import require_place
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.attacks.base import Outcome
    from unlinkable.tables.attacks.series import Series
    from unlinkable.tables.publishing.attacking import Assault, Attackable
    from unlinkable.typing import Progress

__all__ = ["attack"]

File: TypeAlias = Path | None


def attack(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME SOURCE...",
            help="The attack, and a bundle, its public half, a plan or a table; several of them, "
            "the earliest first, for attacks on several releases; with --all, no name.",
        ),
    ],
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Run every attack that applies, strongest finding first.")
    ] = False,
    external: Annotated[
        File, typer.Option("--external", help="A list of people: names and quasi-identifiers.")
    ] = None,
    population: Annotated[
        File, typer.Option("--population", help="A list of everybody who may be in the release.")
    ] = None,
    known: Annotated[
        File, typer.Option("--known", help="A list of people whose sensitive values are known.")
    ] = None,
    prior: Annotated[
        File, typer.Option("--prior", help="Prior belief, with columns value and p.")
    ] = None,
    control: Annotated[
        File,
        typer.Option("--control", help="People of the same population who are not in the release."),
    ] = None,
    limit: o.Limit = None,
    person: Annotated[
        str | None,
        typer.Option("--person", help="Several releases: the column that identifies people."),
    ] = None,
    original: Annotated[
        File, typer.Option("--original", help="The original table of a bundle, if it has moved.")
    ] = None,
    quasi: o.Quasi = None,
    sensitive: o.Sensitive = None,
    taxonomies: o.Taxonomies,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    missing: o.Missing = None,
    types: o.Types = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", min=0.1, help="Time limit of attacks that could run indefinitely."
        ),
    ] = None,
    seed: o.Seed = 0,
    show: Annotated[
        int, typer.Option("--show", min=0, help="Maximum number of victims to show.")
    ] = 10,
    out: Annotated[
        File,
        typer.Option("--out", "-o", help="A file for the findings of --all: .md, .html or .json."),
    ] = None,
    overwrite: o.Overwrite = False,
    json: o.Json = False,
) -> None:
    """Attack a release as an adversary would, and report who is exposed.

    Exit code 1 if the confidence in a person exceeds the limit. With the private half of a bundle,
    the adversary knows everybody in it, unless a list of people is given.

    Examples: unlinkable attack record-linkage release --external voters.csv ·
    unlinkable attack --all release · unlinkable attack "corruption(n=2)" release/public ·
    unlinkable attack difference releases/001 releases/002
    """
    name, sources = _asked(what, every=every)
    check_file(out, every=every)
    files = {
        "external": external,
        "population": population,
        "known": known,
        "prior": prior,
        "control": control,
    }
    if out is not None:
        require_place(out, [*sources, original, *files.values()], overwrite=overwrite)
    reading = o.Reading(separator=separator, encoding=encoding, missing=missing, types=types)
    tables = {key: read_known(file, reading) for key, file in files.items() if file is not None}
    columns = Columns(o.names(quasi), o.names(sensitive), taxonomies, reading)
    words = "running all attacks" if name is None else f"running {name}"
    found: Assault | Outcome
    doubt: str | None = None
    if len(sources) > 1:
        for option, value in (("original", original), ("seconds", seconds)):
            if value is not None:
                raise ParameterError(f"--{option} is for one release alone")
        series = open_series(sources, person, columns)
        with progress_bar(words, quiet=json) as tell:
            found = _attack_series(series, name, limit, tables, seed, tell)
    else:
        if person is not None:
            raise ParameterError("--person is for several releases: give two or more")
        attacked = open_release(sources[0], original, columns)
        doubt = attacked.doubt
        if doubt is not None:
            say(doubt, alarm="warning:")
        with progress_bar(words, quiet=json) as tell:
            found = _attack_one(attacked, name, limit, seconds, tables, seed, tell)
    if out is not None:
        write_findings(found, out)
    if json:
        print_json({**found.to_json(), "doubt": doubt})
    else:
        show_findings(found, show)
    raise typer.Exit(1 if found.succeeded else 0)


def _attack_one(
    attacked: Attackable,
    name: str | None,
    limit: str | None,
    seconds: float | None,
    tables: Mapping[str, object],
    seed: int,
    tell: Progress,
) -> Assault | Outcome:
    from unlinkable.tables.publishing.attacking import ATTACK_SECONDS

    if name is None:
        seconds_each = ATTACK_SECONDS if seconds is None else seconds
        return attacked.attack_all(
            limit=limit, seconds=seconds_each, seed=seed, progress=tell, **tables
        )
    given = tables if seconds is None else {"seconds": seconds, **tables}
    _refuse_useless(name, given)
    return attacked.attack(name, limit=limit, seed=seed, progress=tell, **given)


def _attack_series(
    series: Series,
    name: str | None,
    limit: str | None,
    tables: Mapping[str, object],
    seed: int,
    tell: Progress,
) -> Assault | Outcome:
    from unlinkable.tables.publishing.attacking import (
        attack_series,
        attack_series_all,
        made_series_attack,
    )

    _refuse_useless(name, tables)
    if name is None:
        return attack_series_all(series, limit=limit, seed=seed, progress=tell)
    made = made_series_attack(name, {key: key for key in tables}, limit)
    return attack_series(series, made, tables=tables, seed=seed, progress=tell)


def _refuse_useless(name: str | None, given: Iterable[str]) -> None:
    """Refuse options that an attack has no use for; no name means all on several releases."""
    from unlinkable.spelling import read_call
    from unlinkable.tables.publishing.attacking import takes

    for option in given:
        if name is None or not takes(read_call(name)[0], option):
            attacks = "all attacks on several releases together" if name is None else name
            raise ParameterError(f"--{option} is of no use to {attacks}: leave it out")


def _asked(what: Sequence[str], *, every: bool) -> tuple[str | None, list[str]]:
    """Tell the attack from what is attacked."""
    if len(what) < (1 if every else 2):
        how = "--all SOURCE" if every else "NAME SOURCE, or --all SOURCE"
        raise ParameterError(
            f"write unlinkable attack {how}; `unlinkable list attack` has the names"
        )
    if every and _is_attack(what[0]) and not Path(what[0]).exists():
        raise ParameterError(
            f"--all tries every attack, and {what[0]} is one of them: write unlinkable attack "
            f"--all SOURCE, or unlinkable attack {what[0]} SOURCE"
        )
    return (None, [*what]) if every else (what[0], [*what[1:]])


def _is_attack(name: str) -> bool:
    from unlinkable.registry import look_up

    return look_up("attack", name) is not None
