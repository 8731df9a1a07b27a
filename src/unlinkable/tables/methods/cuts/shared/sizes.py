"""Sizes: promises that ask for nothing but how many records are in a group."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray

__all__ = ["good_sizes"]


def good_sizes(finest: Groups, privacy: All) -> BoolArray | None:
    """Judge every size that a group can have; None if a promise asks for more than sizes.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models import KAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "clerk", "cook"]}, quasi="job")
    >>> good_sizes(count(staff).finest, All([KAnonymity(2)])).tolist()
    [True, False, True, True]
    """
    if privacy.needs() or finest.owner or privacy.relative or not privacy.local:
        return None
    sizes = np.arange(finest.n_records + 1)
    groups = Groups(
        sizes=sizes,
        weights=sizes.astype(float),
        histograms={},
        whole={},
        columns=finest.columns,
        keys=np.zeros((sizes.size, len(finest.columns)), np.int32),
    )
    return privacy.good(groups)
