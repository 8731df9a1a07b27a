"""Exposure: re-identification risk, and the highest confidence in a sensitive value.

Three numbers that put releases on a common scale, whatever they promise: the highest and the mean
chance that a victim's record is found by the quasi-identifier, and the highest confidence with
which a sensitive value can be told of a victim.

References
----------
.. [1] K. El Emam, L. Arbuckle. "Anonymizing Health Data." O'Reilly, 2013. Prosecutor risk.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.typing import Columns

__all__ = ["Exposure", "exposure"]


@frozen
class Exposure:
    """What an adversary who knows a victim's quasi-identifier can hope for.

    Attributes
    ----------
    highest
        The chance to find the record of the person who is easiest to find: 1 / smallest group.
    average
        The mean chance over all records: groups / records.
    attribute
        The greatest share that one sensitive value has in a group; 0 if there is no sensitive
        column.
    """

    highest: float
    average: float
    attribute: float


def exposure(groups: Groups, sensitive: Iterable[Columns]) -> Exposure:
    """Measure how exposed the people in published groups are.

    People count, where records have owners. If nothing is published, nobody is exposed.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "clerk"], "ill": ["flu", "flu", "hiv"]},
    ...     quasi="job", sensitive="ill")
    >>> exposure(count(people, [("ill",)]).finest, [("ill",)])
    Exposure(highest=1.0, average=0.6666666666666666, attribute=1.0)
    """
    if not groups.n_records:
        return Exposure(0.0, 0.0, 0.0)
    people = groups.people()
    shares = (groups.histograms[columns].peak / groups.sizes for columns in sensitive)
    return Exposure(
        1 / int(people.min()),
        len(groups) / int(people.sum()),
        max((float(share.max()) for share in shares), default=0.0),
    )
