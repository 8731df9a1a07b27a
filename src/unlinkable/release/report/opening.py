"""What a report says first: whether what was promised is kept, and how much there is."""

from __future__ import annotations

from unlinkable.release.attacks.attack_suite import AttackSuite
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.report.view import ReportView
from unlinkable.report import Block, Card, Cell, Facts, Figures, Mark, Tone
from unlinkable.spelling import quantity

__all__ = ["opening"]

_NOT_STATED = "not stated"


def opening(view: ReportView, suite: AttackSuite | None = None) -> list[Block]:
    """Say what matters most."""
    about = view.about
    stated: list[tuple[str, Cell]] = [
        ("Published by", about.holder or _NOT_STATED),
        ("For", about.recipient or _NOT_STATED),
        ("Purpose", about.purpose or _NOT_STATED),
    ]
    facts: list[tuple[str, Cell]] = [*stated, *_attacked(suite or view.attack_suite)]
    return [_verdict(view.manifest), Figures(view.figures()), Facts(facts)]


def _attacked(found: AttackSuite | None) -> list[tuple[str, Cell]]:
    """Say in a word what came of attacks: a kept promise is not all that counts."""
    if found is None or not found.outcomes:
        return []
    n, passed = len(found.outcomes), sum(outcome.succeeded for outcome in found.outcomes)
    n_open = sum(outcome.is_undecided for outcome in found.outcomes)
    tried = quantity(n, "attack")
    if not passed and n_open:
        open_ones = f"{tried} tried, {n_open} may pass the limit: see below"
        return [("Attacks", Mark(open_ones, Tone.CAUTION))]
    if not passed:
        return [("Attacks", Mark(f"{tried} tried, none passes its limit", Tone.GOOD))]
    return [("Attacks", Mark(f"{tried} tried, {passed} past the limit: see below", Tone.CAUTION))]


def _verdict(manifest: Manifest) -> Card:
    promises = manifest.models
    kept = sum(promise.holds for promise in promises)
    if not promises:
        return Card(
            "What was promised",
            Mark("nothing", Tone.CAUTION),
            [_unpromised(manifest)],
        )
    if kept == len(promises):
        said = {1: "The promise holds.", 2: "Both promises hold."}.get(
            kept, f"All {kept} promises hold."
        )
        checked = "It was" if kept == 1 else "They were"
        judged = f"{checked} judged again on the files that were written, not on what was intended."
        return Card("What was promised", Mark("kept", Tone.GOOD), [f"{said} {judged}"])
    return Card(
        "What was promised",
        Mark("not kept", Tone.BAD),
        [f"{len(promises) - kept} of {len(promises)} promises do not hold. Do not publish this."],
    )


def _unpromised(manifest: Manifest) -> str:
    if policy := manifest.policy:
        return (
            "No promise was made of this release alone. It is one of a series by "
            f"{policy.name}: what protects people is what that does to all releases of the series."
        )
    return "No promise was made: what was done to the values is all that protects people."
