"""Told: the public half of a bundle, as a report sees it.

Whatever is worked out here is worked out from published files alone: recipients could do the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

from attrs import define

from unlinkable.errors import DataError, SchemaError, UnlinkableError, UnsupportedError
from unlinkable.registry import make
from unlinkable.release.plan import Statement
from unlinkable.tables.attacks.base import Outcome
from unlinkable.tables.data import COUNT, Frame, TextCounts
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.attacking.assault import Assault, Skipped
from unlinkable.tables.publishing.attacking.attack_arguments import made_attack
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.bundles.about import About, read_about
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.manifest_sections import Promise
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.releases.risking import published_table
from unlinkable.tables.risk import ReIdentification, ReIdentified, adversary_view

__all__ = ["QUICK", "Told"]

QUICK = ("attribute-linkage", "skewness", "proximity", "corruption")
"""Attacks that need nothing but the release, are exact, and take a moment on a million records."""


@define(eq=False, frozen=True, slots=False)
class Told:
    """What recipients are told.

    Attributes
    ----------
    bundle
        The public half.
    about
        What is told beside the manifest.
    """

    bundle: Bundle
    about: About

    @classmethod
    def of(cls, bundle: Bundle, statement: Statement | None = None) -> Self:
        """Look at the public half of a bundle, and at nothing else.

        A statement says for whom the release is, if that is not as the bundle says.
        """
        about = read_about(bundle.public, bundle.manifest)
        if statement is not None:
            names = ("holder", "recipient", "purpose")
            given = {name: getattr(statement, name) for name in names}
            about = about.model_copy(update={n: text for n, text in given.items() if text})
        return cls(bundle.for_recipients(), about)

    @property
    def manifest(self) -> Manifest:
        """The manifest."""
        return self.bundle.manifest

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
    def promises(self) -> tuple[tuple[Promise, GroupModel | None], ...]:
        """What is promised, as told and as a model; None for a model that is not known here."""
        return tuple((promise, _model(promise)) for promise in self.manifest.models)

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
    def assault(self) -> Assault | None:
        """What comes of the attacks that are quick and need nothing else; None if none applies."""
        if self.attackable is None:
            return None
        outcomes: list[Outcome] = []
        skipped: list[Skipped] = []
        for name in QUICK:
            made = made_attack(name, {}, None)
            found = self.attackable.tried(made)
            if isinstance(found, Outcome):
                outcomes.append(found)
            else:
                skipped.append(found)
        return Assault.of(outcomes, skipped)


def _model(promise: Promise) -> GroupModel | None:
    try:
        return make("model", promise.model)
    except UnlinkableError:
        return None  # A model of a later version.
