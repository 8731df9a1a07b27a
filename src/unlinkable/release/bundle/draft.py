"""Draft: what is to be written of a release, decided and not yet written."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from unlinkable.release.bundle.about import About
from unlinkable.release.bundle.manifest import Manifest, PublicFile
from unlinkable.release.bundle.opened import Bundle

__all__ = ["Draft", "TextDraft"]


class Draft(abc.ABC):
    """What is to be written of a release.

    Recipients get what `write_public` writes, which sees published values only. The rest stays with
    the holder.
    """

    @property
    @abc.abstractmethod
    def manifest(self) -> Manifest:
        """What recipients are told, with no files yet."""

    @property
    def about(self) -> About:
        """What else they are told."""
        return About()

    @abc.abstractmethod
    def write_public(self, folder: Path) -> list[PublicFile]:
        """Write the published data."""

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


@frozen
class TextDraft(Draft):
    """A draft of texts, of which recipients get all and the holder keeps nothing.

    Attributes
    ----------
    manifest
        What recipients are told, with no files yet.
    texts
        The published data, by file.
    """

    manifest: Manifest
    texts: Mapping[str, str]

    def write_public(self, folder: Path) -> list[PublicFile]:
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        return [PublicFile.of(folder / name, text.count("\n")) for name, text in self.texts.items()]
