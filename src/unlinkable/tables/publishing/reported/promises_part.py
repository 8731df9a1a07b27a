"""What is promised: every promise in plain words, its verdict, and what that rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import attrs

from unlinkable.release.report import listed, number
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
from unlinkable.tables.models import promised
from unlinkable.tables.models.base import GroupModel, Threat
from unlinkable.tables.publishing.bundles.manifest_sections import Promise
from unlinkable.tables.publishing.bundles.series_policy import policy_of
from unlinkable.tables.publishing.reported.told import Told

__all__ = ["gaps_part", "promises_part"]

_BASES: Mapping[str, str] = {
    "counted": "It was counted on the published values themselves",
    "estimated": "It is an estimate from a sample, not a count",
    "sufficient": "A condition was checked that implies the promise",
    "ledger": "It was computed from the ledger of all noise that was added",
}
_THREATS: Mapping[Threat, tuple[str, str]] = {
    Threat.RECORD: ("Record linkage", "somebody is linked to a record"),
    Threat.ATTRIBUTE: ("Attribute linkage", "somebody is linked to a sensitive value"),
    Threat.TABLE: ("Table linkage", "somebody is found to be in the data at all"),
    Threat.PROBABILISTIC: (
        "Probabilistic attack",
        "what is believed of somebody changes much through the release",
    ),
}
_ALWAYS = (
    "Nothing is promised against somebody who knows columns of a person that were taken for "
    "harmless here.",
    "Nothing is promised about this release together with other data about the same people, unless "
    "they were checked together.",
    "No promise says that the published values are useful for a purpose: look at what was lost.",
)
_ALIKE = re.compile("(p)eople who look alike", re.IGNORECASE)


def promises_part(told: Told) -> Section:
    """Tell of every promise."""
    cards: list[Block] = [
        _card(promise, model, in_buckets=_is_in_buckets(told)) for promise, model in told.promises
    ]
    if not cards:
        cards = [Paragraph(_nothing(told.manifest.method))]
    return Section("What is promised", cards)


def _nothing(method: str) -> str:
    if policy := policy_of(method):
        return (
            f"Nothing is promised of this release alone. How well the series by {policy} protects "
            "people, the holder can tell: unlinkable history tries attacks on all of its releases."
        )
    return (
        "Nothing is promised. How well people are protected depends on what was done to the "
        "values, and was not judged."
    )


def gaps_part(told: Told) -> Section:
    """Tell what no promise says."""
    rows = []
    for threat, (name, words) in _THREATS.items():
        guards = [
            str(m)
            for _, m in told.promises
            if m is not None and threat in _threats(m, in_buckets=_is_in_buckets(told))
        ]
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


def _is_in_buckets(told: Told) -> bool:
    return told.masked is not None and told.masked.buckets is not None


def _threats(model: GroupModel, *, in_buckets: bool) -> list[Threat]:
    """Say what a promise guards against: in buckets, records are published as they were."""
    return [t for t in model.threats if not (in_buckets and t is Threat.RECORD)]


def _card(promise: Promise, model: GroupModel | None, *, in_buckets: bool) -> Card:
    verdict = Mark("kept", Tone.GOOD) if promise.holds else Mark("not kept", Tone.BAD)
    if model is None:
        said = "This version does not know the model, and repeats what the manifest says."
        return Card(promise.model, verdict, [said], Facts([("Rests on", promise.rests_on)]))
    facts: list[tuple[str, Cell]] = [
        ("Asked for", _asked(promise, model)),
        ("Reached", _reached(promise.achieved)),
        (
            "Guards against",
            listed([_THREATS[t][0].lower() for t in _threats(model, in_buckets=in_buckets)]),
        ),
        ("What the verdict rests on", f"{_BASES[promise.basis]}: {promise.rests_on}."),
        ("Who can check it", _who(promise)),
    ]
    facts.append(("What it does not promise", " ".join(model.does_not_promise)))
    words = promised(model)
    if in_buckets:
        words = _ALIKE.sub(r"\1eople of a bucket", words)
    return Card(promise.model, verdict, [words], Facts(facts))


def _asked(promise: Promise, model: GroupModel) -> str:
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
