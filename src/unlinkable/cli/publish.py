"""``unlinkable publish``: the next release of a series."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.attack_output import show_outcome
from unlinkable.cli.output import print_json, print_table, progress_bar, say, seen_from_here
from unlinkable.errors import ChannelError, InfeasibleError, ParameterError

if TYPE_CHECKING:
    from unlinkable.release.attacks import Outcome
    from unlinkable.tables.publishing.plans import Plan
    from unlinkable.tables.series import History, Publication

__all__ = ["history_of", "publish"]

Key = Annotated[
    Path | None,
    typer.Option("--key", help="The holder's key for recognizing people: see unlinkable key."),
]
Wait = Annotated[
    float, typer.Option("--wait", min=0, help="Seconds to wait if another process is publishing.")
]


def publish(
    plan: Annotated[Path, typer.Argument(help="The plan (.toml) of the releases.")],
    history: Annotated[
        str,
        typer.Option(
            "--history",
            help="The history of releases: a file, created if missing, or the address of a "
            "PostgreSQL database.",
        ),
    ],
    recipient: Annotated[
        str | None, typer.Option("--recipient", help="Recipient; everybody by default.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="The records, if not the source of the plan.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", help='Policy for the next release, like "m-invariance(m=3)".'),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--person", help="The column that identifies people over time."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the bundles: 001, 002 and so on."),
    ] = None,
    key: Key = None,
    wait: Wait = 30.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Do everything but publish: nothing is written.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Publish the next release of a series, checked against all earlier ones.

    Exit code 1 if it is refused: together with earlier releases it would expose people, or nothing
    can be published any more. Then nothing is published.

    Example: unlinkable publish plan.toml --history history.db

    Example: unlinkable publish plan.toml --history history.db --source march.csv --dry-run
    """
    from unlinkable.release.plan import changed
    from unlinkable.tables.publishing.plans import Plan

    given = None if source is None or "://" in source else str(Path(source).absolute())
    asked = changed(Plan.load(plan), source=given or source, policy=policy, person=person)
    home = out or asked.out
    if home is None and not dry_run:
        raise ParameterError("say where the bundles go: --out FOLDER, or out in the plan")
    opened = history_of(history, key, wait)
    try:
        found = _publish(opened, asked, recipient, home, dry_run=dry_run, json=json)
    except (ChannelError, InfeasibleError) as error:
        _refused(error, json=json)
        raise typer.Exit(1) from None
    if json:
        print_json(_document(found))
    else:
        _show(found)


def history_of(address: str, key: Path | None, wait: float = 30.0) -> History:
    """Open the history that is named."""
    from unlinkable.tables.operations import load_key
    from unlinkable.tables.series import History

    return History(address, key=None if key is None else load_key(key), wait=wait)


def _publish(
    history: History,
    plan: Plan,
    recipient: str | None,
    home: Path | None,
    *,
    dry_run: bool,
    json: bool,
) -> Publication:
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.series import publish_planned

    table = read_table(plan)
    with progress_bar("publishing", quiet=json) as tell:
        return publish_planned(
            history, plan, table, recipient=recipient, out=home, dry_run=dry_run, progress=tell
        )


def _document(found: Publication) -> dict[str, object]:
    folder = None if found.folder is None else str(seen_from_here(found.folder))
    return {**found.to_json(), "bundle": folder}


def _show(found: Publication) -> None:
    from unlinkable.spelling import quantity

    line, release = found.line, found.release
    to_whom = "everybody" if line.recipient is None else line.recipient
    done = "published" if found.is_published else "would be published (--dry-run)"
    n_made_up = int(found.told.get("counterfeits", 0))
    made_up = f", {n_made_up:,} of them made up," if n_made_up else ""
    say(
        f"Release {line.number} {done} to {to_whom}: {quantity(line.records, 'record')}{made_up} "
        f"in {quantity(release.n_groups, 'group')}, "
        f"{quantity(line.new_people, 'person', 'people')} for the first time; "
        f"{line.suppressed:,} suppressed; {line.policy}"
    )
    if line.number > 1 and line.new_people + n_made_up >= line.records:
        say(
            "none of them was in an earlier release. If that is wrong, the column that identifies "
            "people is written in another way than before, and they are not protected",
            alarm="warning:",
        )
    for text in found.unseen:
        say(f"{text}: nobody is protected by it unless it is written so", alarm="warning:")
    for outcome in found.refused:
        say(
            f"A release with more detail was not published: {outcome.attack.name} would expose "
            f"{outcome.n_fallen:,} of {outcome.n_attacked:,} people."
        )
    rows = [
        (o.attack.name, f"{o.n_fallen:,} of {o.n_attacked:,}", f"{o.highest:.3g}", o.found)
        for o in found.outcomes
    ]
    if rows:
        header = ("attack", "people exposed", "highest confidence", "finding")
        print_table("Attacks together with all earlier releases", header, [*dict.fromkeys(rows)])
    if n_unknown := _n_unknown(found.outcomes):
        say(
            f"the confidence over all possible worlds is not known for "
            f"{quantity(n_unknown, 'person', 'people')}: there are too many worlds to count "
            "before every release. unlinkable history counts more of them",
            alarm="warning:",
        )
    if not rows and line.number > 1:
        say(f"No attack was tried together with earlier releases: {line.policy} names none.")
    if found.folder is not None:
        say(f"Bundle: {seen_from_here(found.folder)}")


def _n_unknown(outcomes: Sequence[Outcome]) -> int:
    """Count the people for whom an attack could not decide whether they are exposed."""
    unknown = [o.details.get("uncounted") for o in outcomes if o.attack.limit < 1]
    return max((n for n in unknown if isinstance(n, int)), default=0)


def _refused(error: ChannelError | InfeasibleError, *, json: bool) -> None:
    """Explain why nothing was published, and who would have been exposed."""
    from unlinkable.release.attacks import Outcome

    outcomes = [o for o in getattr(error, "outcomes", ()) if isinstance(o, Outcome)]
    if json:
        found = [outcome.to_json() for outcome in outcomes]
        print_json({"published": False, "error": str(error), "channels": found})
        return
    # An attack may be tried with several promises, and find the same.
    alike = {(found.attack.name, found.found, str(found.victims)): found for found in outcomes}
    for outcome in alike.values():
        show_outcome(outcome, 10)
    say(str(error), alarm="refused:")
