"""r-robust bucketization: buckets of people of whom about the same is believed.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Section IV.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.params import exact
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.buckets.shared.crowd import Crowd
from unlinkable.tables.methods.buckets.shared.publishing import (
    as_published,
    least_values,
    require_buckets,
    why_not_in_buckets,
)
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import CodeArray

__all__ = ["RRobustBucketization"]

_TRIES, _AT_ONCE = 8, 40_000
"""How often buckets are formed at most, in other orders of the records: so often that all tries
together take this many records; if too many would be left out, so often if a try takes no more."""

_FEW = 50
"""If more than one in so many records are left out beyond what may be, no further try helps."""

_JOINED = (0.0, 0.0, 0.25, 0.5, 1.0, 0.0, 0.25, 0.5)
"""Which share of neighbouring kinds of people is merged before, from try to try."""

_SLACK = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0)
"""How much more than what is promised buckets are formed for, if those before break the promise."""


@frozen
class RRobustBucketization(RecordMethod):
    r"""Buckets in which every guarded value comes once, among people as likely to have it.

    If everybody of a bucket of N people is held to have a value with about the same chance, and it
    comes once, nobody has it with much more than 1/N. A bucket in which the odds differ by a factor
    of :math:`\rho` needs :math:`N \ge 1 + (r - 1) \rho` people: the delta bounding condition [1]_.
    The paper starts with everybody alone and merges groups until the condition holds for all sets
    of columns, and leaves open which. Here:

    1. People of whom the same is believed by every prior are one block. Its people are dealt out to
       as many buckets of :math:`\lceil r \rceil` or more as have no guarded value twice.
    2. Who is left, because a value is too frequent in the block, joins the nearest bucket that
       keeps the condition with him; or founds one with others who can be spared; or changes places
       with somebody who then looks for another. Blocks are on a line, the one on which their log
       odds differ most.
    3. A block that has people whom no bucket takes is merged with the neighbour with which the
       fewest are left, and all is done again, with buckets as large as the odds in the block ask.

    Chance decides who is dealt out first. Small tables are tried several times, and what leaves out
    the fewest records in the most buckets is taken.

    Promises
    --------
    r-robustness and delta-bounding, for any number of priors about one sensitive column; with them,
    promises about sensitive values alone. The condition is sufficient where adversaries take one
    value at a time. For those who weigh all values at once, buckets are judged as they are, and
    formed anew for a greater r if they break the promise. The verdict rests on the published tables
    and the priors.

    Publishes
    ---------
    Two tables: the records with all their values except the sensitive ones, and the bucket of each;
    and for every bucket its sensitive values with their counts. Records stay true. Which record is
    which original one stays with the holder.

    Cost
    ----
    O(n + k (v log n + q)) for each round, with n records, k different rows of beliefs, v guarded
    values, and q beliefs in each row. There are as many rounds as blocks have to be merged, about
    the logarithm of their number.

    Raises
    ------
    UnsupportedError
        If no promise is about beliefs, one is about more than beliefs and sensitive values, beliefs
        are about several columns, or one person may have several records.
    SchemaError
        If there is no sensitive column.
    InfeasibleError
        If more records would have to be left out than may be.

    Examples
    --------
    Men have lung cancer more often: both cancers stay among men, and women have buckets of their
    own.

    >>> from unlinkable.noise import secure_generator
    >>> from unlinkable.tables.models import RRobustness
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.data.side import Side
    >>> from unlinkable.tables.metrics import ILoss
    >>> ward = as_table({"sex": list("mmmmff"), "ill": ["cancer", "flu", "cancer", "flu", "flu",
    ...     "cold"]}, quasi="sex", sensitive="ill")
    >>> us = {"sex": ["m", "f"], "value": ["cancer", "cancer"], "p": [0.1, 0.003]}
    >>> context = BindingContext(("sex",), ("ill",), side=Side.of({"us": us}))
    >>> promise = All(RRobustness(2, prior="us", values="cancer").bind(context))
    >>> task = Task(ward.attributes, ILoss(), rng=secure_generator(1))
    >>> masked = RRobustBucketization().mask(ward, promise, task)
    >>> of_men = masked.frame.filter(masked.frame["sex"] == "m")["group"]
    >>> of_women = masked.frame.filter(masked.frame["sex"] == "f")["group"]
    >>> of_men.n_unique(), of_women.n_unique(), {*of_men} & {*of_women}
    (2, 1, set())
    """

    name: ClassVar[str] = "r-robust-bucketization"
    reference: ClassVar[str] = "Wong et al. 2010"
    truthful: ClassVar[bool] = True

    def refusal(self, model: GroupModel) -> str | None:
        return None if model.about_beliefs else why_not_in_buckets(model)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        if not any(model.about_beliefs for model in privacy.models):
            raise UnsupportedError(
                f"{self} works towards a promise about what is believed of people, such as "
                "r-robustness: use anatomize for others"
            )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        require_buckets(self, table)
        crowd = Crowd.of(table, privacy)
        r = max(_asked(privacy), Fraction(least_values(privacy, 1)))
        limit = task.may_suppress(len(table))
        if (excess := crowd.n_excess(float(r))) > limit:
            raise InfeasibleError(_too_frequent(self, crowd, r, excess, limit))
        best, rounds = self._best(table, crowd, float(r), privacy, task)
        lost = int((best < 0).sum())
        if lost > limit:
            raise InfeasibleError(
                f"{self} found no buckets for {lost} of {len(table)} records, and {limit} may be "
                "left out: too few others are about as likely to have their values for "
                f"{privacy}. Let more records be left out, ask for less, or guard fewer values"
            )
        task.progress(0.9, "writing the two tables")
        effort = {"kinds": crowd.n_kinds, "rounds": rounds}
        return as_published(table, best, task, effort=effort)

    def _best(
        self, table: Table, crowd: Crowd, r: float, privacy: All, task: Task
    ) -> tuple[CodeArray, int]:
        """Try several times, and take the buckets that leave out the fewest, or else the most."""
        n, limit = len(table), task.may_suppress(len(table))
        n_tries = min(max(_AT_ONCE // n, 1), _TRIES)
        found: list[tuple[int, int, CodeArray]] = []
        slack, rounds = 0, 0
        for k in range(_TRIES + len(_SLACK)):
            task.progress(k / (_TRIES + len(_SLACK)), "forming buckets")
            buckets, n_rounds = crowd.bucketed(
                r * _SLACK[slack], task.rng, _JOINED[k % len(_JOINED)]
            )
            rounds += n_rounds
            good, is_kept = _kept(table, buckets, privacy)
            found.append((int((good < 0).sum()), -np.unique(good).size, good))
            slack = min(slack + (not is_kept), len(_SLACK) - 1)
            lost = min(lost for lost, _, _ in found)
            is_hopeless = is_kept and (n > _AT_ONCE or lost > limit + max(n // _FEW, _TRIES))
            if is_hopeless or (k + 1 >= n_tries and lost <= limit):
                break
        return min(found, key=lambda one: one[:2])[2], rounds


def _asked(privacy: All) -> Fraction:
    """Find the greatest bound that a promise about beliefs asks for."""
    return max(exact(getattr(m, m.parameter)) for m in privacy.models if m.about_beliefs)


def _kept(table: Table, buckets: CodeArray, privacy: All) -> tuple[CodeArray, bool]:
    """Leave out buckets that break a promise, and tell whether there were none."""
    groups = count_parts(table, buckets, int(buckets.max(initial=-1)) + 1, privacy.needs())
    keep = kept(groups, privacy) | (groups.sizes == 0)
    return np.where(np.append(keep, False)[buckets], buckets, np.int32(-1)), bool(keep.all())


def _too_frequent(
    method: RRobustBucketization, crowd: Crowd, r: Fraction, excess: int, limit: int
) -> str:
    counts = np.bincount(crowd.values[crowd.values >= 0])
    n, peak = crowd.values.size, int(counts.max(initial=1))
    return (
        f"{method} cannot leave out at most {limit} of {n} records: one of the guarded values has "
        f"{peak} of them, and a bucket of at least {float(r):g} records may have it once. Ask for "
        f"r of at most {n / peak:.4g}, or let {excess} records be left out"
    )
