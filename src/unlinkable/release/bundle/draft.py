"""Drafts: what is to be written of a release, decided and not yet written.

What recipients get and what stays with the holder are kept apart: whatever writes the public half
is given published values only, and no release.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from unlinkable.release.bundle.about import About
from unlinkable.release.bundle.manifest import Manifest, PublicFile
from unlinkable.release.bundle.opened import Bundle

__all__ = ["Draft", "PublicDraft", "PublicTexts"]


class PublicDraft(abc.ABC):
    """What recipients get."""

    manifest: Manifest
    """What they are told, with no files yet."""
    about: About
    """What else they are told."""

    @abc.abstractmethod
    def write(self, folder: Path) -> list[PublicFile]:
        """Write the published data."""


@frozen
class PublicTexts(PublicDraft):
    """Published data that are texts.

    Attributes
    ----------
    manifest, about
        What recipients are told.
    texts
        The published data, by file.
    """

    manifest: Manifest
    texts: Mapping[str, str]
    about: About = field(factory=About)

    def write(self, folder: Path) -> list[PublicFile]:
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        return [PublicFile.of(folder / name, text.count("\n")) for name, text in self.texts.items()]


@frozen
class Draft:
    """What is to be written of a release.

    A kind of data whose holder keeps more than where the data came from has a class of its own.

    Attributes
    ----------
    public
        What recipients get.
    """

    public: PublicDraft

    def write_private(self, folder: Path) -> tuple[Mapping[str, object], Mapping[str, int]]:
        """Write what the holder keeps.

        Returns
        -------
        tuple
            The fields of the provenance that are this kind's own, and the number of records in
            files that are tables.
        """
        return {}, {}

    def pages(self, seen: Bundle, origin: Mapping[str, object]) -> Mapping[str, str]:
        """Explain the release to its holder: texts by file.

        Parameters
        ----------
        seen
            The public half, as it was written.
        origin
            What is known of where the release came from.
        """
        return {}
