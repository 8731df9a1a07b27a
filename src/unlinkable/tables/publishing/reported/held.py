"""Held: what the holder of a release knows of it besides what is published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from attrs import define, field

from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.release.attacks import AttackSuite
from unlinkable.tables.engines import count
from unlinkable.tables.metrics.base import Generalized, Perturbed, Published, Shown
from unlinkable.tables.publishing.bundles.about import RiskBefore
from unlinkable.tables.publishing.bundles.approved import risk_before
from unlinkable.tables.publishing.bundles.before import Before, read_before
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.releases.explanation import Explanation
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.publishing.reported.values_part import both
from unlinkable.tables.risk import AdversaryView, ReIdentification, ReIdentified

__all__ = ["Held"]


@define(eq=False, frozen=True)
class Held:
    """What the holder knows besides.

    Attributes
    ----------
    origin
        Where the release came from: the fields of `Provenance`.
    shown
        What the groups show, if values were generalized.
    before
        What is known of the original records; nothing if they are not at hand.
    missing
        Why nothing is known of the original records; empty if it is.
    attack_suite
        What came of all attacks, if they were tried.
    explanation
        What costs the most, if it was asked for.
    """

    origin: Mapping[str, object]
    shown: Shown | None = None
    before: Before = field(factory=Before)
    missing: str = ""
    attack_suite: AttackSuite | None = None
    explanation: Explanation | None = None

    @classmethod
    def of_release(
        cls,
        release: Release,
        origin: Mapping[str, object],
        *,
        attack_suite: AttackSuite | None = None,
        explanation: Explanation | None = None,
    ) -> Self:
        """Take what is known of a release that was just made."""
        try:
            published = release.published()
        except UnlinkableError:
            published = None
        risk = risk_before(release) if release.table.schema.quasi else None
        shown = None
        if isinstance(release, GeneralizedRelease):
            shown = release.shown.over(release.domains)
        return cls(
            origin,
            shown,
            _before(risk, published).model_copy(update={"replaced": _replaced(release)}),
            attack_suite=attack_suite,
            explanation=explanation,
        )

    @classmethod
    def of_bundle(
        cls,
        bundle: Bundle,
        original: str | Path | None = None,
        *,
        attack_suite: AttackSuite | None = None,
        explanation: Explanation | None = None,
    ) -> Self:
        """Take what the private half of a bundle knows.

        The original records are read if they are named, or if the private half does not say what
        they were like.

        Raises
        ------
        BundleError
            If there is no private half, or ``original`` is not what the release was made from.
        """
        if bundle.private is None:
            raise BundleError(
                f"{bundle.folder} has no private half, and the report for the holder needs it: ask "
                "for the public report"
            )
        origin = bundle.private.provenance.model_dump(mode="json")
        shown = bundle.private.public_shown() if bundle.is_generalized else None
        before = read_before(bundle.private) if original is None else None
        missing = ""
        if before is None:
            try:
                before = _compared(bundle.published(None, original))
            except UnlinkableError as error:
                if original is not None:
                    raise
                before, missing = Before(), str(error)
        return cls(origin, shown, before, missing, attack_suite, explanation)


def _replaced(release: Release) -> dict[str, float]:
    """Tell what share of each column was replaced."""
    return release.replaced if isinstance(release, MaskedRelease) else {}


def _compared(published: Published) -> Before:
    """Look at the original records again."""
    if not published.original.schema.quasi:
        return _before(None, published)
    counted = count(published.original)
    return _before(ReIdentification().of(AdversaryView(counted.finest, counted.labels)), published)


def _before(risk: ReIdentified | None, published: Published | None) -> Before:
    beside = published if isinstance(published, Generalized | Perturbed) else None
    return Before(
        risk=None if risk is None else _figures(risk),
        distributions=None if beside is None else tuple(both(beside)),
    )


def _figures(found: ReIdentified) -> RiskBefore:
    risk = found.prosecutor
    return RiskBefore(
        highest=risk.highest,
        average=risk.average,
        threshold=float(found.threshold),
        above=risk.above,
        unique=found.alone,
    )
