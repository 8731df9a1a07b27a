"""What a verifier groups by, of a release that was not generalized."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from unlinkable.tables.data import Frame, paired, repeated
from unlinkable.tables.methods.base import Buckets
from unlinkable.tables.models.base import GroupModel
from unlinkable.typing import Columns

__all__ = ["Visible", "visible"]


@define(eq=False, frozen=True)
class Visible:
    """Records as a verifier takes them.

    Attributes
    ----------
    frame
        A row for every person.
    quasi
        The columns by which people are told apart.
    is_row_by_row
        Whether the rows are the published ones, in their order.
    """

    frame: Frame
    quasi: Columns
    is_row_by_row: bool


def visible(
    frame: Frame,
    quasi: Sequence[str],
    models: Sequence[GroupModel],
    *,
    buckets: Buckets | None = None,
    counts: str | None = None,
) -> Visible:
    """Take published records for what can be seen of people in them.

    The records of a bucket cannot be told apart by what they hide, so the bucket is all that is
    seen; each gets one of its hidden values. A record that stands for several people is repeated.
    Promises about noise are not about records, and any column will do to group these.

    Parameters
    ----------
    frame
        The published records.
    quasi
        The quasi-identifying columns of the original.
    models
        What is promised.
    buckets, counts
        As in `MaskedRecords`.

    Raises
    ------
    DataError
        If the tables do not fit together.
    """
    if buckets is not None:
        return Visible(paired(frame, buckets.hidden, buckets.column), (buckets.column,), False)
    shown = tuple(name for name in quasi if name in frame.columns)
    is_counted = counts is not None and any(model.unsearchable is None for model in models)
    if counts is not None and is_counted:
        frame = repeated(frame, counts)
    return Visible(frame, shown or tuple(frame.columns[:1]), not is_counted)
