"""View: the public half of a bundle, as a report sees it.

Whatever is worked out here is worked out from published files alone: recipients could do the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from attrs import define

from unlinkable.errors import UnlinkableError, UnsupportedError
from unlinkable.release.attacks.attack import Threat
from unlinkable.release.attacks.attack_suite import AttackSuite
from unlinkable.release.bundle.about import About, read_about
from unlinkable.release.bundle.manifest import Manifest, Promise
from unlinkable.release.promise import PrivacyModel
from unlinkable.release.report.words import percent
from unlinkable.report import Cell, Figure

if TYPE_CHECKING:
    from unlinkable.release.bundle.opened import Bundle
    from unlinkable.release.plan.statement import Statement

__all__ = ["ReportView"]


@define(eq=False, frozen=True, slots=False)
class ReportView:
    """What recipients are told, for the parts that reports of all kinds of data have.

    Attributes
    ----------
    bundle
        The release.
    statement
        For whom it is, if that is not as the bundle says.
    """

    about_form: ClassVar[type[About]] = About
    """What is told beside the manifest."""

    bundle: Bundle
    statement: Statement | None

    @property
    def manifest(self) -> Manifest:
        """The manifest."""
        return self.bundle.manifest

    @cached_property
    def about(self) -> About:
        """What is told beside it."""
        about = read_about(self.about_form, self.bundle.public, self.manifest)
        if self.statement is None:
            return about
        names = ("holder", "recipient", "purpose")
        given = {name: getattr(self.statement, name) for name in names}
        return about.model_copy(update={name: text for name, text in given.items() if text})

    @property
    def noun(self) -> tuple[str, str | None]:
        """What one of the published records is called, and several."""
        return "record", None

    @cached_property
    def promises(self) -> tuple[tuple[Promise, PrivacyModel | None], ...]:
        """What is promised, as told and as a model; None for a model that is not known here."""
        return tuple((promise, _model(promise)) for promise in self.manifest.models)

    @cached_property
    def attack_suite(self) -> AttackSuite | None:
        """What comes of attacks that are quick and need nothing else; None if none applies."""
        try:
            return self.bundle.attackable().attack_all()
        except UnsupportedError:
            return None

    def threats(self, model: PrivacyModel) -> list[Threat]:
        """Say what a promise guards against in this release."""
        return list(model.threats)

    def promised(self, model: PrivacyModel) -> str:
        """Put a promise about this release into a sentence."""
        return model.promised()

    def figures(self) -> list[Figure]:
        """Give the figures that matter most."""
        manifest = self.manifest
        noun, many = self.noun
        return [
            Figure(f"{manifest.records:,}", f"{many or noun + 's'} published"),
            Figure(percent(manifest.suppressed), "of the records left out"),
        ]

    def method_facts(self) -> list[tuple[str, Cell]]:
        """Give what else is told of how the release was made."""
        return []


def _model(promise: Promise) -> PrivacyModel | None:
    try:
        return PrivacyModel.read(promise.model)
    except UnlinkableError:
        return None  # A model of a later version.
