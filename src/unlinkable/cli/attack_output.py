"""Findings: what came of attacks, for people and for files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.cli.output import as_options, number, print_table, say
from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.tables.attacks.base import Outcome
    from unlinkable.tables.publishing.attacking import Assault

__all__ = ["check_file", "show_assault", "show_findings", "show_outcome", "write_findings"]

_FORMATS = (".md", ".html", ".json")
"""How the name of a file for findings may end."""


def check_file(out: Path | None, *, every: bool) -> None:
    """Refuse a file that findings cannot be written to, before they are found."""
    if out is None:
        return
    if not every:
        raise ParameterError("--out is for the findings of --all; use --json for a single attack")
    if out.suffix.lower() not in _FORMATS:
        raise ParameterError(f"{out}: {unknown('format of findings', out.suffix, _FORMATS)}")
    if not out.parent.is_dir():
        raise ParameterError(f"{out}: there is no folder {out.parent}; create it first")


def show_findings(found: Assault | Outcome, n_victims: int) -> None:
    """Tell people what was found, and name so many victims of a single attack."""
    from unlinkable.tables.attacks.base import Outcome

    if isinstance(found, Outcome):
        show_outcome(found, n_victims)
    else:
        show_assault(found)


def show_assault(found: Assault) -> None:
    """Tell people what came of all attacks."""
    rows = [
        (
            o.attack.name,
            o.verdict,
            number(o.highest),
            f"{o.n_fallen:,} of {o.n_attacked:,}",
            o.found,
        )
        for o in found.outcomes
    ]
    header = ("attack", "verdict", "highest confidence", "people exposed", "finding")
    if rows:
        title = "Attacks, the strongest finding first"
        # An attack may be tried with several promises, and find the same.
        print_table(title, header, [*dict.fromkeys(rows)], right=["highest confidence"])
    strong = [o.attack for o in found.outcomes if o.succeeded or o.is_undecided]
    for name, needs, remedy in dict.fromkeys((a.name, a.needs, a.remedy) for a in strong):
        say(f"{name} needs {needs}.")
        say(f"  Remedy: {remedy}.")
    for name, why in dict.fromkeys((skipped.attack.name, skipped.why) for skipped in found.skipped):
        reason = why.removeprefix(f"{name} cannot be tried here: ")
        say(f"Not tried: {name}: {as_options(reason)}.")
    say(found.summary, alarm="" if rows else "warning:")


def show_outcome(outcome: Outcome, show: int) -> None:
    """Tell people what came of an attack, and name so many victims."""
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
        header = ("who", "learned", attack.measured, "records", "people")
        print_table("Victims, highest confidence first", header, rows, right="people")
    for name, value in outcome.details.items():
        if value is not None:
            say(f"{name.replace('_', ' ')}: {number(value)}")
    say(outcome.found)
    say(f"The adversary has: {attack.needs}.")
    say(
        f"Highest {attack.measured} {outcome.highest:.3g}, limit {float(attack.limit):.3g}; "
        f"{outcome.sureness}."
    )
    if outcome.succeeded:
        say(f"{outcome.n_fallen:,} of {outcome.n_attacked:,} people are exposed.", alarm="exposed:")
        say(f"Remedy: {attack.remedy}.")
    elif outcome.is_undecided:
        say("people may be exposed: the limit is within the confidence interval.", alarm="open:")
        say(f"Remedy: {attack.remedy}.")


def write_findings(found: Assault | Outcome, out: Path) -> None:
    """Write findings that name nobody to a file."""
    from json import dumps

    from unlinkable.tables.publishing.attacking import Assault

    assert isinstance(found, Assault)
    match out.suffix.lower():
        case ".md":
            text = found.to_markdown()
        case ".html":
            text = found.to_html()
        case _:
            text = dumps(found.to_json(with_victims=False), indent=2) + "\n"
    out.write_text(text, encoding="utf-8")
