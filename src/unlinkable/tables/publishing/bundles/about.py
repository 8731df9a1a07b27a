"""About: what recipients are told of a release beside the manifest, in ``about.json``.

Who publishes it, for whom and why; what each column lost; and the figures about the original
records that the holder has approved by name. The file is listed in the manifest like any other,
so that versions which do not know it can still open and verify the bundle.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from unlinkable.containment import read_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle import read_form, read_json, written_json
from unlinkable.release.plan import Form, Many
from unlinkable.tables.publishing.bundles.manifest import Manifest

__all__ = ["ABOUT", "About", "Distribution", "LossByColumn", "RiskBefore", "read_about"]

ABOUT = "about.json"
"""What the file is called."""

FORMAT = 1
"""The newest format, and the one that is written."""


class LossByColumn(Form):
    """Which share of each column was lost, from 0 to 1, and by which metric."""

    metric: str = Field(description="name the metric")
    columns: dict[str, float] = Field(description="say what each column lost")


class RiskBefore(Form):
    """How likely people were found in the original records by whoever knows they are in it.

    Attributes
    ----------
    highest, average
        The highest and the average risk of a record.
    threshold, above
        What counts as a high risk, and the share of the records with a higher one.
    unique
        The share of the records that no other looks like.
    """

    highest: float = Field(ge=0, le=1, description="give the highest risk")
    average: float = Field(ge=0, le=1, description="give the average risk")
    threshold: float = Field(ge=0, le=1, description="say what counts as high")
    above: float = Field(ge=0, le=1, description="give the share of records above")
    unique: float = Field(ge=0, le=1, description="give the share of records alone")


class Distribution(Form):
    """How often the values of a column occur, in the original and by what the release says."""

    column: str = Field(description="name the column")
    labels: Many[str] = Field(description="name the values, or ranges of them")
    before: Many[float] = Field(description="give the shares in the original")
    after: Many[float] = Field(description="give the shares by the release")


class About(Form):
    """What recipients are told beside the manifest.

    Attributes
    ----------
    holder, recipient, purpose
        Who publishes, for whom, and what for; None if it is not stated.
    loss
        What each quasi-identifier lost, if values were generalized.
    unchanged
        Columns of which no value was replaced, though the method replaces values; None if that is
        not told.
    risk_before, distributions
        Figures about the original records that the holder has approved.
    """

    format: int = Field(default=FORMAT, ge=1, le=FORMAT)
    holder: str | None = None
    recipient: str | None = None
    purpose: str | None = None
    loss: LossByColumn | None = None
    unchanged: Many[str] | None = None
    risk_before: RiskBefore | None = None
    distributions: Many[Distribution] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it tells nothing."""
        return self == About()

    def write(self, folder: Path) -> Path:
        """Write it into the public half."""
        file = folder / ABOUT
        file.write_bytes(written_json(self.model_dump(mode="json")))
        return file


def read_about(folder: Path, manifest: Manifest) -> About:
    """Read it from the public half; if there is no such file, it tells nothing.

    Raises
    ------
    BundleError
        If it is damaged, or comes from a later version.
    """
    if not any(file.name == ABOUT for file in manifest.files):
        return About()
    file = folder / ABOUT
    document = read_json(read_file(folder, ABOUT), file)
    number = document.get("format")
    if type(number) is int and number > FORMAT:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {FORMAT}: upgrade "
            "unlinkable"
        )
    return read_form(About, document, file)
