"""Queues: distinct records in orders in which neighbours are alike.

Where only the sizes of groups count, a queue that is cut whenever there are enough records makes
groups that are as small as may be. But groups that look alike are one, so that the order matters;
several are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unlinkable.tables.groups import Groups
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray

__all__ = ["queues"]


def queues(finest: Groups, attributes: Sequence[Attribute]) -> Iterator[CodeArray]:
    """Order distinct records by their values, and by the levels of the taxonomies from the top.

    Columns with many values come first; then each column comes first once.
    """
    by_values = np.argsort([-a.taxonomy.n for a in attributes], kind="stable")
    most = max((len(a.taxonomy.levels) for a in attributes), default=0)
    for first in range(len(attributes)):
        columns = np.roll(by_values, -first).tolist()
        yield _sorted([finest.keys[:, j] for j in columns])
        yield _sorted(
            [
                attributes[j].taxonomy.levels[level].blocks[finest.keys[:, j]]
                for level in reversed(range(most))
                for j in columns
                if level < len(attributes[j].taxonomy.levels)
            ]
        )


def _sorted(columns: Sequence[CodeArray]) -> CodeArray:
    """Order rows by the first column, then by the second, and so on."""
    return np.lexsort(columns[::-1]).astype(np.int32)
