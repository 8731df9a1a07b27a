"""Risk: how likely somebody is found, after and, where it may be told, before."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from unlinkable.release.report import chance, listed, percent
from unlinkable.report import Bar, Bars, Block, Gallery, Gauge, Note, Paragraph, Section
from unlinkable.spelling import quantity
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.bundles.about import RiskBefore
from unlinkable.tables.publishing.reported.public_view import PublicView
from unlinkable.tables.risk import ReIdentified

__all__ = ["Risks", "groups_part", "risk_part", "risks_of"]


@frozen
class Risks:
    """The figures of the gauges."""

    highest: float
    average: float
    above: float
    unique: float
    threshold: float

    @classmethod
    def stated(cls, stated: RiskBefore) -> Risks:
        """Take the figures that are told of the original."""
        return cls(stated.highest, stated.average, stated.above, stated.unique, stated.threshold)


def risks_of(found: ReIdentified) -> Risks:
    """Take the figures of a table."""
    risk = found.prosecutor
    return Risks(risk.highest, risk.average, risk.above, found.alone, float(found.threshold))


def risk_part(
    view: PublicView, before: Risks | None = None, after: Risks | None = None, why_not: str = ""
) -> Section:
    """Draw how likely people are found.

    Parameters
    ----------
    view
        The public half.
    before, after
        What is known before, and after if the holder knows better than recipients do.
    why_not
        Why nothing is known before, if something could be.
    """
    title = "How likely somebody is found"
    if view.risk is None:
        return Section(title, [Paragraph(_why_no_risk(view))])
    known = risks_of(view.risk) if after is None else after
    who = (
        f"The figures are about somebody who knows {listed(list(view.risk.seen.columns))} of a "
        "person, and that the person is in the data. Whoever knows less finds less."
    )
    blocks: list[Block] = [Paragraph(who), Gallery(_gauges(view, known, before))]
    if view.masked is not None and view.masked.buckets is not None:
        blocks.insert(
            1,
            Note(
                "Records are published as they were, so that a record may well be found; what it "
                "hides is told for whole buckets only."
            ),
        )
    if made_up := _n_made_up(view):
        blocks.insert(
            1,
            Note(
                f"Made up and nobody's: {quantity(made_up, 'record')}. So fewer people look alike "
                "than records."
            ),
        )
    if before is None and why_not:
        blocks.append(Paragraph(why_not))
    return Section(title, blocks)


def _n_made_up(view: PublicView) -> int:
    """Count the records that stand for nobody, as far as it is told."""
    found = None if view.masked is None else view.masked.told.get("counterfeits")
    return int(found) if isinstance(found, int | float) else 0


def _gauges(view: PublicView, after: Risks, before: Risks | None) -> list[Gauge]:
    limit = _limit(view)
    high = percent(after.threshold)
    labels = (
        ("Highest chance to find the record of a person", "highest"),
        ("Average chance to find the record of a person", "average"),
        (f"Share of the records with a chance above {high}", "above"),
        ("Share of the records that no other looks like", "unique"),
    )
    gauges = []
    for label, name in labels:
        value, earlier = getattr(after, name), None if before is None else getattr(before, name)
        is_bounded = name == "highest" and limit is not None
        gauges.append(
            Gauge(
                label=label,
                value=value,
                text=chance(value) if name in ("highest", "average") else percent(value),
                before=earlier,
                before_text="" if earlier is None else f"Before: {percent(earlier)}",
                limit=limit if is_bounded else None,
                limit_text=f"Promised: at most {chance(limit)}" if is_bounded and limit else "",
            )
        )
    return gauges


def _limit(view: PublicView) -> float | None:
    """Give the highest chance that k-anonymity on all columns allows."""
    asked = [m.k for _, m in view.promises if isinstance(m, KAnonymity) and m.qid is None]
    return float(Fraction(1, max(asked))) if asked else None


def _why_no_risk(view: PublicView) -> str:
    if view.attackable is None:
        return (
            "No records are published, but tables of counts: nobody has a record that could be "
            "found. What the counts give away is bounded by the promises alone."
        )
    if not view.shows_groups:
        return (
            "Values were replaced by others, or made up: that records look alike says little of "
            "who is found. What protects people is what the promises say, and what attacks do not "
            "reach."
        )
    return "No column is published that others were assumed to know: nobody is found by one."


def groups_part(view: PublicView) -> Section | None:
    """Draw how large the groups are that look alike."""
    if view.risk is None or not view.risk.seen.n_records:
        return None
    crowds, n = view.risk.group_sizes, view.risk.seen.n_records
    bars = [
        Bar(crowd.text, crowd.records / n, f"{percent(crowd.records / n)} ({crowd.records:,})")
        for crowd in crowds
    ]
    groups = quantity(len(view.risk.seen.people), "group")
    chart = Bars(
        "Records by the size of their group",
        ("Records alike", "Share of all"),
        bars,
        note=f"{quantity(n, 'record')} form {groups}. The larger the group, the better it hides.",
        of_all=True,
    )
    return Section("How large the groups are", [chart])
