"""The public half of a bundle of a table, as a report sees it.

Whatever is worked out here is worked out from published files alone: recipients could do the same.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import ClassVar

from attrs import define

from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.release import PrivacyModel
from unlinkable.release.attacks import AttackSuite, Outcome, Skipped, Threat
from unlinkable.release.plan import Statement
from unlinkable.release.report import ReportView, number
from unlinkable.report import Cell, Figure
from unlinkable.spelling import quantity
from unlinkable.tables.data import COUNT, Frame, TextCounts
from unlinkable.tables.publishing.attacking.attack_arguments import made_attack
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.bundles.about import About
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.releases.risking import published_table
from unlinkable.tables.risk import ReIdentification, ReIdentified, adversary_view

__all__ = ["QUICK", "PublicView"]

QUICK = ("attribute-linkage", "skewness", "proximity", "corruption")
"""Attacks that need nothing but the release, are exact, and take a moment on a million records."""


_ALIKE = re.compile("(p)eople who look alike", re.IGNORECASE)


@define(eq=False, frozen=True, slots=False)
class PublicView(ReportView):
    """What recipients are told of a table."""

    about_form: ClassVar[type[About]] = About

    bundle: Bundle
    statement: Statement | None

    @property
    def manifest(self) -> Manifest:
        return self.bundle.manifest

    @cached_property
    def about(self) -> About:
        about = super().about
        assert isinstance(about, About)
        return about

    @property
    def noun(self) -> tuple[str, str | None]:
        if self.masked is not None and self.masked.counts:
            return "row of counts", "rows of counts"
        return super().noun

    @property
    def masked(self) -> MaskedManifest | None:
        """The manifest, if values were not generalized."""
        return self.manifest if isinstance(self.manifest, MaskedManifest) else None

    @property
    def is_coarser(self) -> bool:
        """Whether values were made coarser, and nothing else was done to them."""
        return self.masked is None or self.masked.treatment == "generalized"

    @property
    def is_noisy(self) -> bool:
        """Whether noise is promised to hide people: then nothing is told without it."""
        return self.masked is not None and self.masked.noise is not None

    @property
    def frames(self) -> list[Frame]:
        """The published tables."""
        hidden = self.bundle.hidden
        return [self.bundle.frame, *([] if hidden is None else [hidden])]

    def counts(self, name: str) -> TextCounts | None:
        """Tell how often each text of a published column occurs; None if it is in no table."""
        if name not in self._counted:
            self._counted[name] = self._count(name)
        return self._counted[name]

    @cached_property
    def _counted(self) -> dict[str, TextCounts | None]:
        return {}

    def _count(self, name: str) -> TextCounts | None:
        counts = None if self.masked is None else self.masked.counts
        for frame in self.frames:
            if name in frame.columns:
                weights = counts if frame is self.bundle.frame else COUNT
                weights = weights if weights != name and weights in frame.columns else None
                return TextCounts.of(frame, name, weights)
        return None

    def with_role(self, *roles: str) -> list[str]:
        """Name the published columns that have one of these roles."""
        return [column.name for column in self.manifest.columns if column.role in roles]

    @cached_property
    def attackable(self) -> Attackable | None:
        """The release as an outsider can attack it; None if it shows no records."""
        try:
            return Attackable.of_bundle(self.bundle)
        except UnsupportedError:
            return None

    @property
    def shows_groups(self) -> bool:
        """Whether it matters who looks alike: values are true, or people were put together."""
        found = self.attackable
        return found is not None and (found.target.is_truthful or found.target.is_grouped)

    @cached_property
    def risk(self) -> ReIdentified | None:
        """How likely people are found; None if groups of equal published values do not tell."""
        if self.attackable is None or not self.shows_groups:
            return None
        try:
            table = published_table(self.bundle, self.attackable.target)
            return ReIdentification().of(adversary_view(table))
        except (SchemaError, DataError):
            return None

    @cached_property
    def attack_suite(self) -> AttackSuite | None:
        if self.attackable is None:
            return None
        outcomes: list[Outcome] = []
        skipped: list[Skipped] = []
        for name in QUICK:
            found = self.attackable.tried(made_attack(name, {}, None))
            if isinstance(found, Outcome):
                outcomes.append(found)
            else:
                skipped.append(found)
        return AttackSuite.of(outcomes, skipped)

    @property
    def is_in_buckets(self) -> bool:
        """Whether sensitive values are told for whole buckets of records."""
        return self.masked is not None and self.masked.buckets is not None

    def threats(self, model: PrivacyModel) -> list[Threat]:
        # In buckets, records are published as they were.
        return [t for t in model.threats if not (self.is_in_buckets and t is Threat.RECORD)]

    def promised(self, model: PrivacyModel) -> str:
        words = model.promised()
        return _ALIKE.sub(r"\1eople of a bucket", words) if self.is_in_buckets else words

    def figures(self) -> list[Figure]:
        records, suppressed = super().figures()
        n = len(self.manifest.columns)
        figures = [records] if self.is_noisy else [records, suppressed]
        figures.append(Figure(f"{n:,}", "column" if n == 1 else "columns"))
        if self.risk is not None and self.risk.seen.people.size:
            smallest = int(self.risk.seen.people.min())
            words = "in the smallest group that looks alike"
            figures.append(Figure(quantity(smallest, "record"), words))
        return figures

    def method_facts(self) -> list[tuple[str, Cell]]:
        if self.masked is None:
            return []
        return [
            (f"Told: {name}", value if isinstance(value, str) else number(value))
            for name, value in self.masked.told.items()
        ]
