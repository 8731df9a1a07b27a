"""Entropy of a crowd: the uncertainty about a record's owner.

A crowd of k people hides each of them only as well as k - 1 others if all are equally likely. If 99
of the 100 records of a group are the same patient's, a record of the group is hers, however many
others are in it. Entropy counts the members of a crowd by how likely they are; it was first used
for who sent a message through a mix network [1]_, [2]_.

References
----------
.. [1] A. Serjantov, G. Danezis. "Towards an information theoretic metric for anonymity." PET 2002.
.. [2] C. Diaz, S. Seys, J. Claessens, B. Preneel. "Towards measuring anonymity." PET 2002. The
   degree of anonymity.
.. [3] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.1.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.kernels.distributions import entropies, trim_to_entropy
from unlinkable.params import at_least, at_most, exact
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.exact_powers import is_at_least_one
from unlinkable.tables.models.shared.gaps import NOTHING_IN_COMMON
from unlinkable.tables.taxonomies import rounded_down
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["CrowdEntropy"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, in bits."""

_ERROR = 1e-13
"""The entropy of a group is off by less than this for every owner in it."""

_MOST = 48
"""No table has 2^48 records, and a float still tells neighbours of such numbers apart."""


@frozen
class CrowdEntropy(GroupModel):
    r"""Whose record it is remains unsure by at least so many ``bits``.

    For every combination :math:`q` that occurs, with :math:`P(q, o)` the share of the records in
    its group that belong to owner :math:`o`: :math:`-\sum_o P(q, o) \log_2 P(q, o) \ge bits`. The
    bound is met by equality, and decided exactly. Without an owner column every record is another
    person's, and the entropy of n records is :math:`\log_2 n`. Records without an owner are taken
    for one person's. Weights do not matter: they say how many people outside the table a record
    stands for, not whose it is.

    Parameters
    ----------
    bits
        The least entropy, from 0 to 48: as unsure as among 2^bits equally likely people.

    Guarantees
    ----------
    An adversary who finds the group of a record has to guess its owner among people who are, by
    entropy, as many as 2^bits equally likely ones, and at least as many in number. Without an owner
    column this is k-anonymity with k = 2^bits. With one it asks for more: that no few people own
    most of the records. The confidence in an owner is bounded only in the mean. It says nothing
    about what the records have in common.

    Merging
    -------
    Safe: the owners of a union are a mixture of those of its parts, also if somebody has records in
    several. Entropy is concave, so that of the mixture is at least the weighted mean of those of
    the parts, and that is at least the smallest. It does not absorb: two people with a record each
    are 1 bit, and with four more records of the first, {5, 1}, they are not. Without owners it
    would.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> visits = as_table({"sex": ["f"] * 4, "patient": ["Ann", "Ann", "Ann", "Eve"]},
    ...     quasi="sex", owner="patient")
    >>> verdict = CrowdEntropy(1).verdict(count(visits).finest)
    >>> verdict.holds, round(verdict.level, 4)
    (False, 0.8113)
    """

    name: ClassVar[str] = "crowd-entropy"
    reference: ClassVar[str] = "Serjantov and Danezis 2002; Diaz et al. 2002"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "Whose record it is stays unsure by at least {bits} bits, as if among {bits:exp2} equally "
        "likely people."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "How sure one may be of an owner is bounded only in the mean: one person may own more "
        "than half of a group.",
        NOTHING_IN_COMMON,
    )
    parameter: ClassVar[str] = "bits"
    counts_people: ClassVar[bool] = True

    bits: Fraction = field(converter=exact, validator=(at_least(0), at_most(_MOST)))

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        owners, people = _owners(groups), groups.people()
        if owners is None:
            return np.asarray(people >= self.least_people)
        gap = entropies(owners.indptr, owners.counts) / math.log(2) - float(self.bits)
        good: BoolArray = gap > 0
        close = np.abs(gap) <= _CLOSE + _ERROR * people
        if close.any():
            # Most of what is close is a group of people with equally many records.
            is_even = owners.peak * people == groups.sizes
            good[close] = people[close] >= self.least_people
            for g in np.flatnonzero(close & ~is_even):
                row = owners.counts[owners.indptr[g] : owners.indptr[g + 1]]
                good[g] = _is_unsure(tuple(sorted(row.tolist())), self.bits)
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of the records of those who own the most.

        What finer groups keep of it keeps the promise together, because merging is safe.
        """
        owners = _owners(groups)
        if owners is None:
            return np.where(self.judge(groups), 0, groups.sizes)
        bound = (float(self.bits) - _CLOSE - _ERROR * owners.n_values) * math.log(2)
        return trim_to_entropy(owners.indptr, owners.counts, bound)

    def level(self, groups: Groups) -> FloatArray:
        """Give the entropy of each group in bits."""
        owners, people = _owners(groups), groups.people()
        most = np.log2(np.maximum(people, 1))
        if owners is None:
            return most
        is_even = owners.peak * people == groups.sizes
        bits = entropies(owners.indptr, owners.counts) / math.log(2)
        return np.where(is_even, most, np.maximum(bits, 0.0))

    def degree(self, groups: Groups) -> FloatArray:
        """Give the degree of anonymity of each group: its entropy, out of what it could be at most.

        At most it is that of all people in the table, equally likely. The degree is 0 if the owner
        is known for certain, and 1 if every person in the table is as likely as any other.
        """
        everybody = (
            int(groups.sizes.sum())
            if groups.owner is None
            else int(np.count_nonzero(groups.whole[groups.owner,]))
        )
        return self.level(groups) / math.log2(max(everybody, 2))

    def reading(self, groups: Groups) -> str:
        if groups.owner is not None:
            return ""
        return "every record is taken for another person's, because no column tells owners"

    def witness(self, groups: Groups, at: int) -> str:
        reached, n = float(self.level(groups)[at]), int(groups.sizes[at])
        entropy = f"an entropy of {reached:.4g}, and it must be at least {float(self.bits):g}"
        owners = _owners(groups)
        if owners is None:
            return f"{n} people look alike, {entropy}"
        most, people = int(owners.peak[at]), int(groups.people()[at])
        return (
            f"{most} of {n} records belong to one of {people} people, as unsure as among "
            f"{2**reached:.4g} equally likely ones: {entropy}"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """The entropy of k people is at most that of k equally likely ones."""
        return (KAnonymity(self.least_people),)

    def owner_ceiling(self) -> float:
        return float(2.0 ** -float(self.bits))

    def weaker(self) -> CrowdEntropy | None:
        less = self.bits - Fraction(1, 2)
        return evolve(self, bits=less) if less > 0 else None

    def explain_failure(self, groups: Groups) -> str:
        together = Partition.whole(groups).groups()
        reached = rounded_down(float(self.level(together)[0]))
        return (
            f"in all {groups.n_records} records together, {self.witness(together, 0)}, and some "
            f"group is never more unsure than the whole: ask for at most {reached} bits"
        )

    @property
    def least_people(self) -> int:
        """The least number of equally likely people that are so unsure: 2^bits, rounded up.

        Examples
        --------
        >>> CrowdEntropy(3).least_people, CrowdEntropy(1.5).least_people
        (8, 3)
        """
        # A float may be off by one where 2^bits is close to a whole number.
        least = max(math.floor(2 ** float(self.bits)) - 1, 1)
        while not _is_unsure_even(least, self.bits):
            least += 1
        return least


def _owners(groups: Groups) -> Histogram | None:
    """Give the records of each owner in each group, if owners are known."""
    return None if groups.owner is None else groups.histograms[groups.owner,]


def _is_unsure_even(people: int, bits: Fraction) -> bool:
    """Decide whether this many equally likely people have an entropy of p / q: people^q >= 2^p."""
    p, q = bits.as_integer_ratio()
    powers = Counter({people: q})
    powers[2] -= p
    return is_at_least_one(powers)


@lru_cache(maxsize=1 << 14)
def _is_unsure(counts: tuple[int, ...], bits: Fraction) -> bool:
    """Decide whether owners of this many records have an entropy of p / q.

    With counts c that add up to n: 2^(n entropy) = n^n / prod c^c, which is to be at least
    2^(n p / q).
    """
    n = sum(counts)
    p, q = bits.as_integer_ratio()
    powers = Counter({n: n * q})
    powers[2] -= n * p
    for c, times in Counter(counts).items():
        powers[c] -= c * times * q
    return is_at_least_one(powers)
