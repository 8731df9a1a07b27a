"""Attacks: what was tried on the release, and what came of it. Nobody is named."""

from __future__ import annotations

from unlinkable.registry import find
from unlinkable.release.attacks.attack import Outcome
from unlinkable.release.attacks.attack_suite import AttackSuite
from unlinkable.release.report.view import ReportView
from unlinkable.release.report.words import percent
from unlinkable.report import Block, Bullets, Card, Cell, Facts, Mark, Paragraph, Section, Tone

__all__ = ["attacks_part"]


def attacks_part(view: ReportView, suite: AttackSuite | None = None) -> Section:
    """Tell what was tried: all attacks if the holder did, else those that anybody can repeat."""
    title = "Attacks that were tried"
    found = view.attack_suite if suite is None else suite
    if found is None:
        return Section(title, [Paragraph("No records are published that could be attacked.")])
    who = (
        "These attacks need nothing but the published files. They are exact, and anybody can "
        "repeat them."
        if suite is None
        else "All attacks were tried, with knowledge of the original records where that helps."
    )
    blocks: list[Block] = [Paragraph(who)]
    if found.outcomes:
        blocks += [Paragraph(found.summary), Paragraph(_LIMIT)]
        blocks += [_card(outcome) for outcome in found.outcomes]
    if found.skipped:
        blocks.append(Paragraph("Not tried:"))
        blocks.append(Bullets([f"{s.attack.name}: {s.reason}." for s in found.skipped]))
    return Section(title, blocks)


_LIMIT = (
    "A person is exposed to an attack that reaches more than the limit. Passing it breaks no "
    "promise by itself: compare the highest value reached with what you can accept."
)


def _card(outcome: Outcome) -> Card:
    is_good = not outcome.succeeded and not outcome.is_undecided
    facts: list[tuple[str, Cell]] = [
        (f"Highest {outcome.attack.measured}", percent(min(outcome.highest, 1.0))),
        ("Limit", percent(float(outcome.attack.limit))),
        ("People exposed", f"{outcome.n_fallen:,} of {outcome.n_attacked:,}"),
        ("How sure this is", outcome.sureness),
        ("What the adversary has", outcome.attack.needs),
        ("What would stop it", outcome.attack.remedy),
    ]
    return Card(
        outcome.attack.name,
        Mark(outcome.verdict, Tone.GOOD if is_good else Tone.CAUTION),
        [find("attack", outcome.attack.name).summary.replace("``", ""), outcome.found],
        Facts(facts),
    )
