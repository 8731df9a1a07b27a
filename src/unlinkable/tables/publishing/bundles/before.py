"""Before: what a holder's report says of the original records, kept in the private half.

It is counted while a bundle is made and the records are at hand, so that the report can be written
again later without reading them.
"""

from __future__ import annotations

from pydantic import Field

from unlinkable.release.bundle import read_form, written_json
from unlinkable.release.plan import Form, Many
from unlinkable.tables.publishing.bundles.about import Distribution, RiskBefore
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf

__all__ = ["BEFORE", "Before", "read_before"]

BEFORE = "before.json"
"""What the file is called."""

_FORMAT = 1


class Before(Form):
    """Figures about the original records, for their holder alone.

    Attributes
    ----------
    risk
        How likely people are found in them; None if nothing is known of anybody.
    distributions
        How often values occur, before and after; None if they cannot be compared.
    replaced
        For every column the share of its values that were replaced; empty if that is not known.
    """

    format: int = Field(default=_FORMAT, ge=1, le=_FORMAT)
    risk: RiskBefore | None = None
    distributions: Many[Distribution] | None = None
    replaced: dict[str, float] = Field(default_factory=dict)

    def written(self) -> str:
        """Give it as it stands in its file."""
        return written_json(self.model_dump(mode="json")).decode()


def read_before(private: PrivateHalf) -> Before | None:
    """Read it from a private half; None if that is of a version that did not keep it.

    Raises
    ------
    BundleError
        If it is damaged.
    """
    document = private.document(BEFORE)
    if document is None:
        return None
    return read_form(Before, document, private.folder / BEFORE)
