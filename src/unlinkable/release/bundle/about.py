"""About: what recipients are told of a release beside the manifest, in ``about.json``.

Who publishes it, for whom and why, and what a kind of data adds. The file is listed in the manifest
like any other, so that versions which do not know it can still open and verify the bundle.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import Field

from unlinkable.containment import read_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.bundle.manifest_json import read_json, written_json
from unlinkable.release.bundle.signed_form import read_form
from unlinkable.release.plan.form import Form

__all__ = ["ABOUT", "About", "read_about"]

ABOUT = "about.json"
"""What the file is called."""

FORMAT = 1
"""The newest format, and the one that is written."""


class About(Form):
    """What recipients are told beside the manifest.

    Attributes
    ----------
    holder, recipient, purpose
        Who publishes, for whom, and what for; None if it is not stated.
    """

    format: int = Field(default=FORMAT, ge=1, le=FORMAT)
    holder: str | None = None
    recipient: str | None = None
    purpose: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it tells nothing."""
        return self == type(self)()

    def write(self, folder: Path) -> Path:
        """Write it into the public half."""
        file = folder / ABOUT
        file.write_bytes(written_json(self.model_dump(mode="json")))
        return file


A = TypeVar("A", bound=About)


def read_about(form: type[A], folder: Path, manifest: Manifest) -> A:
    """Read it from the public half; if there is no such file, it tells nothing.

    Raises
    ------
    BundleError
        If it is damaged, or comes from a later version.
    """
    if not any(file.name == ABOUT for file in manifest.files):
        return form()
    file = folder / ABOUT
    document = read_json(read_file(folder, ABOUT), file)
    number = document.get("format")
    if type(number) is int and number > FORMAT:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {FORMAT}: upgrade "
            "unlinkable"
        )
    return read_form(form, document, file)
