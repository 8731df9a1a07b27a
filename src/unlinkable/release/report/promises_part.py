"""What is promised: every promise in plain words, its verdict, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import attrs

from unlinkable.release.attacks.attack import Threat
from unlinkable.release.bundle.manifest import Manifest, Promise
from unlinkable.release.promise import PrivacyModel
from unlinkable.release.report.view import ReportView
from unlinkable.release.report.words import listed, number
from unlinkable.report import (
    Block,
    Bullets,
    Card,
    Cell,
    Facts,
    Mark,
    Paragraph,
    Section,
    Table,
    Tone,
)

__all__ = ["gaps_part", "promises_part"]

_BASES: Mapping[str, str] = {
    "counted": "It was counted on the published values themselves",
    "estimated": "It is an estimate from a sample, not a count",
    "sufficient": "A condition was checked that implies the promise",
    "ledger": "It was computed from the ledger of all noise that was added",
}
_THREATS: Mapping[Threat, tuple[str, str]] = {
    Threat.RECORD: ("Record linkage", "a person is linked to a record"),
    Threat.ATTRIBUTE: ("Attribute linkage", "a person is linked to a sensitive value"),
    Threat.TABLE: ("Table linkage", "a person is found to be in the data at all"),
    Threat.PROBABILISTIC: (
        "Probabilistic attack",
        "the belief about a person changes much through the release",
    ),
}
_ALWAYS = (
    "Nothing is promised against adversaries who know columns of a person that were taken for "
    "harmless here.",
    "Nothing is promised about this release together with other data about the same people, unless "
    "they were checked together.",
    "No promise says that the published values are useful for a purpose: look at what was lost.",
)


def promises_part(view: ReportView) -> Section:
    """Tell of every promise."""
    cards: list[Block] = [_card(view, promise, model) for promise, model in view.promises]
    if not cards:
        cards = [Paragraph(_nothing(view.manifest))]
    return Section("What is promised", cards)


def _nothing(manifest: Manifest) -> str:
    if policy := manifest.policy:
        return (
            f"Nothing is promised of this release alone. How well the series by {policy.name} "
            "protects people, the holder can tell: unlinkable history tries attacks on all of its "
            "releases."
        )
    return (
        "Nothing is promised. How well people are protected depends on what was done to the "
        "values, and was not judged."
    )


def gaps_part(view: ReportView) -> Section:
    """Tell what no promise says."""
    rows = []
    for threat, (name, words) in _THREATS.items():
        guards = [str(m) for _, m in view.promises if m is not None and threat in view.threats(m)]
        verdict = Mark("guarded", Tone.GOOD) if guards else Mark("not guarded", Tone.CAUTION)
        row: tuple[Cell, ...] = name, words, verdict, ", ".join(guards) or "no promise"
        rows.append(row)
    header = ("Threat", "What happens", "Verdict", "Guarded by")
    return Section(
        "What is not promised",
        [
            Table("What the promises guard against", header, rows),
            Bullets(_ALWAYS),
        ],
    )


def _card(view: ReportView, promise: Promise, model: PrivacyModel | None) -> Card:
    verdict = Mark("kept", Tone.GOOD) if promise.holds else Mark("not kept", Tone.BAD)
    if model is None:
        said = "This version does not know the model, and repeats what the manifest says."
        return Card(promise.model, verdict, [said], Facts([("Rests on", promise.rests_on)]))
    facts: list[tuple[str, Cell]] = [
        ("Asked for", _asked(promise, model)),
        ("Reached", _reached(promise.achieved)),
        (
            "Guards against",
            listed([_THREATS[t][0].lower() for t in view.threats(model)]),
        ),
        ("What the verdict rests on", f"{_BASES[promise.basis]}: {promise.rests_on}."),
        ("Who can check it", _who(promise)),
    ]
    facts.append(("What it does not promise", " ".join(model.does_not_promise)))
    return Card(promise.model, verdict, [view.promised(model)], Facts(facts))


def _asked(promise: Promise, model: PrivacyModel) -> str:
    sign = "at least" if model.higher_is_safer else "at most"
    value = getattr(model, model.parameter, None)
    if value is None:
        return promise.model
    others = [
        f"{field.name} = {number(float(given))}"
        for field in attrs.fields(type(model))  # type: ignore[arg-type]
        if field.name != model.parameter
        and isinstance(given := getattr(model, field.name), int | Fraction)
        and not isinstance(given, bool)
    ]
    with_others = f", with {listed(others)}" if others else ""
    return f"{model.parameter} of {sign} {number(float(value))}{with_others}"


def _reached(achieved: Mapping[str, float | None]) -> str:
    return ", ".join(f"{name} = {number(value)}" for name, value in achieved.items())


def _who(promise: Promise) -> str:
    if promise.refers:
        return "Only the holder: the promise refers to what is not published."
    if promise.needs_private:
        return "Anybody as far as records go; that people were counted, only the holder."
    return "Anybody who has the public files, with the command unlinkable verify."
