"""``unlinkable attack``: try what can be found out from a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, progress_bar, say
from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.attacks.base import Outcome
    from unlinkable.release.assault import Assault
    from unlinkable.release.attackable import Attackable

__all__ = ["attack"]

File: TypeAlias = Path | None

_SECTIONS = (".md", ".html", ".json")
"""How the name of a file for findings may end."""


def attack(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME SOURCE",
            help="The attack, and a bundle, its public half, a plan or a table; with --all, the "
            "source alone.",
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Try every attack that applies, strongest finding first.")
    ] = False,
    external: Annotated[
        File, typer.Option("--external", help="A list of people: names and what others know.")
    ] = None,
    population: Annotated[
        File, typer.Option("--population", help="A list of everybody who may be in the release.")
    ] = None,
    known: Annotated[
        File, typer.Option("--known", help="A list of people whose sensitive values are known.")
    ] = None,
    prior: Annotated[
        File, typer.Option("--prior", help="What is believed beforehand, with columns value and p.")
    ] = None,
    control: Annotated[
        File, typer.Option("--control", help="People who are like those in it, and are not in it.")
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option("--limit", help="How sure he may be at most of anybody: 0.2 or 1/5."),
    ] = None,
    original: Annotated[
        File, typer.Option("--original", help="Where the original records of a bundle are now.")
    ] = None,
    quasi: o.Quasi = None,
    sensitive: o.Sensitive = None,
    taxonomy: o.Taxonomy = None,
    taxonomies: o.Taxonomies = None,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    missing: o.Missing = None,
    types: o.As = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.1, help="With --all: how long an attack may go on trying."),
    ] = 10.0,
    seed: Annotated[int, typer.Option("--seed", help="Makes chance repeatable.")] = 0,
    show: Annotated[
        int, typer.Option("--show", min=0, help="How many victims to show at most.")
    ] = 10,
    out: Annotated[
        File,
        typer.Option("--out", "-o", help="A file for the findings of --all: .md, .html or .json."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Attack a release as others might, and say who falls to it.

    Exit code 1 if the adversary is surer of somebody than the limit. With the private half of a
    bundle, he knows everybody in it, unless he is given a list of people.

    Examples: unlinkable attack record-linkage release --external voters.csv ·
    unlinkable attack --all release · unlinkable attack "corruption(n=2)" release/public
    """
    name, source = _asked(what, every=every)
    _check_out(out, every=every)
    files = {
        "external": external,
        "population": population,
        "known": known,
        "prior": prior,
        "control": control,
    }
    own = {"separator": separator, "encoding": encoding, "missing": missing}
    tables = {key: _read(file, own) for key, file in files.items() if file is not None}
    meanings, reading = (taxonomy, taxonomies), {**own, "types": types}
    if Path(source).is_dir():
        if quasi or sensitive or types:
            raise ParameterError(f"{source} is a bundle: it says itself what its columns are")
        attacked = _bundle(Path(source), original, *meanings)
    else:
        if original is not None:
            raise ParameterError(f"--original is for bundles, and {source} is none")
        attacked = _table(source, quasi, sensitive, *meanings, reading)
    if attacked.doubt is not None:
        say(attacked.doubt, alarm="warning:")
    words = "trying all attacks" if name is None else f"trying {name}"
    with progress_bar(words, quiet=json) as tell:
        found: Assault | Outcome
        if name is None:
            found = attacked.attack_all(
                limit=limit, seconds=seconds, seed=seed, progress=tell, **tables
            )
        else:
            found = attacked.attack(name, limit=limit, seed=seed, progress=tell, **tables)
    if out is not None:
        _write(found, out)
    if json:
        print_json({**found.to_json(), "doubt": attacked.doubt})
    else:
        _show(found, show)
    raise typer.Exit(1 if found.succeeded else 0)


def _asked(what: Sequence[str], *, every: bool) -> tuple[str | None, str]:
    """Tell the attack from what is attacked."""
    wanted = 1 if every else 2
    if len(what) != wanted:
        how = "--all SOURCE" if every else "NAME SOURCE, or --all SOURCE"
        raise ParameterError(
            f"write unlinkable attack {how}; `unlinkable list attack` has the names"
        )
    return (None, what[0]) if every else (what[0], what[1])


def _check_out(out: Path | None, *, every: bool) -> None:
    """Refuse a file that findings cannot be written to, before they are found."""
    if out is None:
        return
    if not every:
        raise ParameterError("--out is for the findings of --all; use --json for a single attack")
    if out.suffix.lower() not in _SECTIONS:
        raise ParameterError(f"{out}: {unknown('format of findings', out.suffix, _SECTIONS)}")
    if not out.parent.is_dir():
        raise ParameterError(f"{out}: there is no folder {out.parent}; create it first")


def _read(file: Path, how: Mapping[str, object]) -> object:
    """Read a table of the adversary."""
    from unlinkable.table.reading import ReadOptions, read_frame

    given = {key: value for key, value in how.items() if value is not None}
    return read_frame(file, options=ReadOptions(may_be_one_column=True, **given))  # type: ignore[arg-type]


def _bundle(
    folder: Path, original: Path | None, taxonomy: list[str] | None, taxonomies: Path | None
) -> Attackable:
    from unlinkable.release import open_bundle
    from unlinkable.release.attackable import Attackable

    bundle = open_bundle(folder)
    names = [c.name for c in bundle.manifest.columns if c.role == "quasi-identifier"]
    given = o.taxonomy_parts(taxonomy, taxonomies, names)
    builders = {}
    if given:
        plan = o.plan_of({"source": "-"}, {"quasi-identifier": names}, given, None)
        columns = plan.schema(names).columns
        builders = {c.name: c.taxonomy for c in columns if c.name in given and c.taxonomy}
    return Attackable.of_bundle(bundle, original, builders)


def _table(
    source: str,
    quasi: list[str] | None,
    sensitive: list[str] | None,
    taxonomy: list[str] | None,
    taxonomies: Path | None,
    reading: Mapping[str, object],
) -> Attackable:
    """Take a table as it stands, or the one that a plan names, for what was published."""
    from unlinkable.release.attackable import Attackable
    from unlinkable.release.plan import Plan
    from unlinkable.release.planned import read_table

    if source.lower().endswith(".toml"):
        if quasi or sensitive or taxonomy or taxonomies or reading["types"]:
            raise ParameterError(f"{source} is a plan: it says itself what its columns are")
        return Attackable.of_table(read_table(Plan.load(source)))
    known, hidden = o.names(quasi), o.names(sensitive)
    if "://" not in source and not Path(source).exists():
        raise ParameterError(f"{source}: there is no such bundle, plan or table")
    if not known:
        raise ParameterError(
            f"say which columns of {source} others may know: --quasi age,zip --sensitive disease"
        )
    data = o.data_part(source, others="insensitive", **reading)  # type: ignore[arg-type]
    roles = {"quasi-identifier": known, "sensitive": hidden}
    parts = o.taxonomy_parts(taxonomy, taxonomies, [*known, *hidden])
    return Attackable.of_table(read_table(o.plan_of(data, roles, parts, None)))


def _show(found: Assault | Outcome, show: int) -> None:
    from unlinkable.attacks.base import Outcome

    if isinstance(found, Outcome):
        _show_outcome(found, show)
        return
    rows = [
        (
            o.attack.name,
            "passes the limit" if o.succeeded else "within the limit",
            number(o.highest),
            f"{o.n_fallen:,} of {o.n_attacked:,}",
            o.found,
        )
        for o in found.outcomes
    ]
    header = ("attack", "verdict", "highest confidence", "people who fall", "what was found")
    print_table("Attacks, the strongest finding first", header, rows, right="highest confidence")
    for outcome in found.outcomes:
        if outcome.succeeded:
            say(f"{outcome.attack.name} needs {outcome.attack.needs}.")
            say(f"  What stops it: {outcome.attack.remedy}.")
    for skipped in found.skipped:
        say(f"Not tried: {skipped.attack.name}: {skipped.why}.")
    say(found.summary)


def _show_outcome(outcome: Outcome, show: int) -> None:
    attack = outcome.attack
    rows = [
        (
            ", ".join(f"{k} {v}" for k, v in victim.who.items()),
            ", ".join(f"{k} {v}" for k, v in victim.learned.items()),
            number(victim.confidence),
            "" if victim.records is None else f"{victim.records:,}",
            f"{victim.people:,}",
        )
        for victim in outcome.victims[:show]
    ]
    if rows:
        header = ("who", "learned", "confidence", "records", "people")
        print_table("Of whom the adversary is surest", header, rows, right="people")
    for name, value in outcome.details.items():
        say(f"{name}: {number(value)}")
    say(outcome.found)
    say(f"The adversary has: {attack.needs}.")
    say(
        f"Highest confidence {outcome.highest:.3g}, limit {float(attack.limit):.3g}; "
        f"{outcome.sureness}."
    )
    if outcome.succeeded:
        say(f"{outcome.n_fallen:,} of {outcome.n_attacked:,} people fall.", alarm="passed:")
        say(f"What stops it: {attack.remedy}.")


def _write(found: Assault | Outcome, out: Path) -> None:
    """Write findings that name nobody to a file."""
    from json import dumps

    from unlinkable.release.assault import Assault

    assert isinstance(found, Assault)
    match out.suffix.lower():
        case ".md":
            text = found.to_markdown()
        case ".html":
            text = found.to_html()
        case _:
            text = dumps(found.to_json(with_victims=False), indent=2) + "\n"
    out.write_text(text, encoding="utf-8")
