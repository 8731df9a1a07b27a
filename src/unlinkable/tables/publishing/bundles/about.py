"""About: what recipients are told of a release of a table beside the manifest.

What each column lost, and the figures about the original records that the holder has approved by
name.
"""

from __future__ import annotations

from pydantic import Field

from unlinkable.release.bundle import About as AnyAbout
from unlinkable.release.plan import Form, Many

__all__ = ["About", "Distribution", "LossByColumn", "RiskBefore"]


class LossByColumn(Form):
    """Which share of each column was lost, from 0 to 1, and by which metric."""

    metric: str = Field(description="name the metric")
    columns: dict[str, float] = Field(description="say what each column lost")


class RiskBefore(Form):
    """Re-identification risk in the original records for an adversary who knows who is in it.

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


class About(AnyAbout):
    """What recipients are told of a table beside the manifest.

    Attributes
    ----------
    loss
        What each quasi-identifier lost, if values were generalized.
    unchanged
        Columns of which no value was replaced, though the method replaces values; None if that is
        not told.
    risk_before, distributions
        Figures about the original records that the holder has approved.
    """

    loss: LossByColumn | None = None
    unchanged: Many[str] | None = None
    risk_before: RiskBefore | None = None
    distributions: Many[Distribution] = ()
