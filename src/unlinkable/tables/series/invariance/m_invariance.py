"""m-invariance: everybody's group hides the same values for as long as he is published.

Records come and go between releases. Whoever knows when somebody was in intersects what his groups
hide; nothing is left over to be found if they always hide the same values [1]_, [2]_.

References
----------
.. [1] X. Xiao, Y. Tao. "m-invariance: towards privacy preserving re-publication of dynamic
   datasets." SIGMOD 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.3.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import at_least
from unlinkable.tables.attacks.series import (
    CriticalAbsence,
    Difference,
    Intersection,
    RecordTracing,
    SeriesAttack,
)
from unlinkable.tables.methods.base import Method
from unlinkable.tables.series.invariance.counterfeiting import CounterfeitedGeneralization
from unlinkable.tables.series.invariance.signatures import signatures_of
from unlinkable.tables.series.invariance.snapshot_policy import SnapshotPolicy
from unlinkable.tables.series.policy import Past, Request

__all__ = ["MInvariance"]


@frozen
class MInvariance(SnapshotPolicy):
    r"""Keep the values that everybody's group hides, with made-up records where people are missing.

    The *signature* of a person is the set of sensitive values of his group. Releases are
    *m-invariant* if every group has at least m values, each of them once, and everybody has the
    same signature in all releases that he is in. Then nobody's value is known with more than 1/m to
    somebody who holds all releases and knows who was in which group when: exchanging the values of
    a signature for each other turns every possible world into another one. If nobody is left who
    has a value of the signature, a counterfeit has it. What is left when groups are taken away from
    others has every value of a signature equally often, too; what the groups of a person have in
    common is his whole signature; and whoever follows a record finds that it can be anybody's of
    its group.

    Unlike in the paper, a person who comes back after having been away still has his signature:
    treated as a new record he would tell who else has what. Groups of one signature that happen to
    show the same are one group, in which each value occurs equally often; the argument above holds
    as before.

    Nobody is left out: where new records are too few, or one value is too frequent among them, they
    get counterfeits, too. Quasi-identifiers may change from one release to the next.

    Parameters
    ----------
    m
        How many values a group must hide at least.
    sensitive
        The column that is protected, and the only one that is published beside the
        quasi-identifier. If not given, the only sensitive one.

    Cost
    ----
    O(d n log² n + N) for n records, d columns and N records of all earlier releases.

    Raises
    ------
    SchemaError
        If it is not clear which column is meant.
    UnsupportedError
        If values of people changed, earlier releases are not m-invariant, or anything else was
        promised.
    InfeasibleError
        If there are fewer than m values.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.data import as_table
    >>> table = as_table({"age": [31, 32, 51, 53], "ill": ["flu", "hiv", "flu", "cold"]},
    ...     quasi="age", sensitive="ill")
    >>> first = next_release(MInvariance(2), Request(table, np.arange(4)), Past())
    >>> past = Past((first.edition,), first.memory, 4)
    >>> table = as_table({"age": [31, 51], "ill": ["flu", "flu"]}, quasi="age", sensitive="ill")
    >>> then = next_release(MInvariance(2), Request(table, np.array([0, 2])), past)
    >>> then.release.masked.told["counterfeits"], then.outcomes[0].highest
    (2, 0.5)
    """

    name: ClassVar[str] = "m-invariance"
    reference: ClassVar[str] = "Xiao and Tao 2007"
    scenario: ClassVar[str] = (
        "people come, go and come back between releases; what they hide does not change"
    )
    guards: ClassVar[tuple[str, ...]] = (
        "critical-absence",
        "difference",
        "intersection",
        "record-tracing",
    )

    m: int = field(validator=at_least(2))
    sensitive: str | None = field(default=None, kw_only=True)

    def method_for(self, request: Request, past: Past) -> Method:
        column = self.column_of(request)
        known = signatures_of(request, past, column, self.m, str(self))
        return CounterfeitedGeneralization(self, self.m, column, known)

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        column = self.bind(request.table.schema).sensitive
        limit = Fraction(1, self.m)
        return (
            CriticalAbsence(column, limit=limit),
            Difference(column, k=self.m, limit=limit),
            Intersection(column, limit=limit),
            RecordTracing(column, k=self.m, limit=limit),
        )
