"""The data exploration problem: a published value that covers another published value.

If some engineers are published as Engineer and others as Professional, a rule that was learnt from
the one does not apply to the other, and a new engineer matches both [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError, in_short
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import write_ranges

__all__ = ["Overlap", "overlaps"]


@frozen
class Overlap:
    """A published value that another one covers.

    Attributes
    ----------
    column
        Where.
    value, covered_by
        The two, as they are published.
    is_ambiguous
        Whether records with the same original value show either of them. If not, the wider one
        stands for what is left, as in sibling generalization: no record matches both.
    """

    column: str
    value: str | None
    covered_by: str | None
    is_ambiguous: bool


def overlaps(recoding: Recoding) -> tuple[Overlap, ...]:
    """Find the published values that others cover, each with the widest that does.

    Examples
    --------
    >>> from unlinkable.tables.operations import CellGeneralization, recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Engineer"] * 2}, quasi="job", taxonomies={"job": jobs})
    >>> overlaps(recode(people, [CellGeneralization("job", "Professional", [0])]))
    (Overlap(column='job', value='Engineer', covered_by='Professional', is_ambiguous=True),)
    """
    if not isinstance(recoding, Recoding):
        raise ParameterError(f"overlaps looks at what recode gives, got {in_short(recoding)}")
    return tuple(found for j in range(len(recoding.columns)) for found in _of_column(recoding, j))


def _of_column(recoding: Recoding, j: int) -> list[Overlap]:
    lo, hi = recoding.ranges(j)
    order = np.lexsort((-hi, lo))
    lo, hi = lo[order], hi[order]
    if lo.size < 2:
        return []
    # What comes before begins no later: it covers what follows if it ends no earlier.
    furthest = np.maximum.accumulate(hi)
    widest = np.concatenate([[0], np.searchsorted(furthest, hi[1:], side="left")])
    covered = np.flatnonzero((widest < np.arange(lo.size)) & (furthest[widest] >= hi))
    texts = write_ranges(recoding.taxonomies[j], lo, hi)
    twice = _shown_in_two_ways(recoding, j)
    return [
        Overlap(
            recoding.columns[j],
            texts[i],
            texts[widest[i]],
            bool(twice[lo[i] : hi[i]].any()),
        )
        for i in covered.tolist()
    ]


def _shown_in_two_ways(recoding: Recoding, j: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mark the values of a column that records show in more than one way."""
    n, kept = recoding.taxonomies[j].n, recoding.kept
    codes = recoding.codes[kept, j]
    least = np.full((2, n), n + 1)
    most = np.full((2, n), -1)
    for side, shown in enumerate((recoding.lo[kept, j], recoding.hi[kept, j])):
        np.minimum.at(least[side], codes, shown)
        np.maximum.at(most[side], codes, shown)
    return np.asarray(((most > least) & (most >= 0)).any(axis=0), bool)
