"""r-robust bucketization: buckets of people of whom about the same is believed.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Section IV.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import define, frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.kernels.buckets import order_by_label, robust_buckets, robust_places
from unlinkable.params import exact
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.buckets.shared.bucket_release import (
    as_published,
    least_values,
    require_buckets,
    why_not_in_buckets,
)
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models.base import All, BeliefModel, GroupModel
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["PeopleByPrior", "RRobustBucketization"]

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
       keeps the condition with them; or founds one with others who can be spared; or changes places
       with a member who then looks for another. Blocks are on a line, the one on which their log
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
        return None if isinstance(model, BeliefModel) else why_not_in_buckets(model)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        if not any(isinstance(model, BeliefModel) for model in privacy.models):
            raise UnsupportedError(
                f"{self} works towards a promise about what is believed of people, such as "
                "r-robustness: use anatomize for others"
            )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        require_buckets(self, table)
        people = PeopleByPrior.of(table, privacy)
        r = max(_asked(privacy), Fraction(least_values(privacy, 1)))
        limit = task.may_suppress(len(table))
        if (excess := people.n_excess(float(r))) > limit:
            raise InfeasibleError(_too_frequent(self, people, r, excess, limit))
        best, rounds = self._best(table, people, float(r), privacy, task)
        lost = int((best < 0).sum())
        if lost > limit:
            raise InfeasibleError(
                f"{self} found no buckets for {lost} of {len(table)} records, and {limit} may be "
                "left out: too few others are about as likely to have their values for "
                f"{privacy}. Let more records be left out, ask for less, or guard fewer values"
            )
        task.progress(0.9, "writing the two tables")
        effort = {"kinds": people.n_kinds, "rounds": rounds}
        return as_published(table, best, task, effort=effort)

    def _best(
        self, table: Table, people: PeopleByPrior, r: float, privacy: All, task: Task
    ) -> tuple[CodeArray, int]:
        """Try several times, and take the buckets that leave out the fewest, or else the most."""
        n, limit = len(table), task.may_suppress(len(table))
        n_tries = min(max(_AT_ONCE // n, 1), _TRIES)
        found: list[tuple[int, int, CodeArray]] = []
        slack, rounds = 0, 0
        for k in range(_TRIES + len(_SLACK)):
            task.progress(k / (_TRIES + len(_SLACK)), "forming buckets")
            buckets, n_rounds = people.bucketed(
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
    return max(exact(getattr(m, m.parameter)) for m in privacy.models if isinstance(m, BeliefModel))


def _kept(table: Table, buckets: CodeArray, privacy: All) -> tuple[CodeArray, bool]:
    """Leave out buckets that break a promise, and tell whether there were none."""
    groups = count_parts(table, buckets, int(buckets.max(initial=-1)) + 1, privacy.needs())
    keep = kept(groups, privacy) | (groups.sizes == 0)
    return np.where(np.append(keep, False)[buckets], buckets, np.int32(-1)), bool(keep.all())


def _too_frequent(
    method: RRobustBucketization, people: PeopleByPrior, r: Fraction, excess: int, limit: int
) -> str:
    counts = np.bincount(people.values[people.values >= 0])
    n, peak = people.values.size, int(counts.max(initial=1))
    return (
        f"{method} cannot leave out at most {limit} of {n} records: one of the guarded values has "
        f"{peak} of them, and a bucket of at least {float(r):g} records may have it once. Ask for "
        f"r of at most {n / peak:.4g}, or let {excess} records be left out"
    )


_IDLE = 4
"""So often something is tried without any gain before it is given up."""

_ENOUGH_LOST = 64
"""So few people without a place try again."""

_PARTNERS = 32
"""How many blocks on each side are looked at for the best to merge with."""

_TRIALS = 8
"""How many buckets of a block are tried for each person who is left."""

_CERTAIN = 40.0
"""Logarithms of odds beyond this are as good as certain, to tell who is alike."""


@define(eq=False, frozen=True)
class PeopleByPrior:
    """People of several kinds, who differ by what is believed of them.

    Attributes
    ----------
    kinds
        The kind of each person. Kinds are in an order in which neighbours are alike: along the line
        on which what is believed of them differs most.
    codes
        The hidden value of each person.
    values
        The same if it is guarded, numbered from 0 on; -1 if it is not.
    n_values
        How many guarded values there are.
    odds
        ``odds[k, q]`` is the logarithm of the odds with which people of kind k are held to have
        value ``about[q]``, by one of the priors.
    about
        As above.
    """

    kinds: CodeArray
    codes: CodeArray
    values: CodeArray
    n_values: int
    odds: FloatArray
    about: CodeArray

    @classmethod
    def of(cls, table: Table, privacy: All) -> Self:
        """Look up what the promises say is believed.

        Raises
        ------
        UnsupportedError
            If beliefs are about several columns.
        """
        signatures, n = _signatures(table, privacy)
        alike = count_parts(table, signatures, n, privacy.needs())
        believed = list(privacy.odds(alike))
        columns = sorted({column for column, _, _ in believed})
        if len(columns) != 1:
            raise UnsupportedError(
                f"buckets can be formed for beliefs about one column, and these are about "
                f"{', '.join(map(repr, columns))}: promise it for one of them, and anatomize's "
                "promises for the others"
            )
        guarded = np.unique(np.concatenate([codes for _, codes, _ in believed]))
        number = np.full(table.taxonomy(columns[0]).n, -1, np.int32)
        number[guarded] = np.arange(guarded.size)
        odds = np.concatenate([odds for _, _, odds in believed], axis=1)
        about = np.concatenate([number[codes] for _, codes, _ in believed])
        distinct, kind = np.unique(odds, axis=0, return_inverse=True)
        line = _line(distinct)
        rank = np.empty(line.size, np.int32)
        rank[line] = np.arange(line.size)
        kinds = rank[kind.reshape(-1)][signatures]
        codes = table.codes(columns[0])
        return cls(
            kinds, codes, number[codes], guarded.size, np.ascontiguousarray(distinct[line]), about
        )

    @property
    def n_kinds(self) -> int:
        """How many kinds of people there are."""
        return len(self.odds)

    def n_excess(self, r: float) -> int:
        """Count the people who find no place in any buckets, even if all were believed alike."""
        counts = np.bincount(self.values + 1, minlength=self.n_values + 1)
        even = np.zeros((1, 0))
        _, left = robust_buckets.plan_blocks(
            counts[None, 1:], counts[:1], even, even, np.zeros(0, np.int32), r
        )
        return int(left[0])

    def bucketed(
        self, r: float, rng: np.random.Generator, joined: float = 0.0
    ) -> tuple[CodeArray, int]:
        """Put people into buckets, -1 where there is none; also give the rounds it took.

        People of a kind are dealt out to buckets of their own. Who is left joins a bucket of people
        who are alike. As long as there are some whom no bucket can take, their kinds are merged
        with others. A share ``joined`` of neighbouring kinds, chosen at random, is merged before.
        """
        begins = rng.random(self.n_kinds) >= joined
        block = np.maximum(np.cumsum(begins) - 1, 0).astype(np.int32)
        best: tuple[int, CodeArray] | None = None
        n_rounds, n_idle = 0, 0
        while True:
            n_rounds += 1
            low, high = self._extremes(block)
            counts, free = self._counts(block)
            n_each, _ = robust_buckets.plan_blocks(counts, free, low, high, self.about, r)
            buckets = self._placed(block, n_each, r, rng)
            lost = block[self.kinds[buckets < 0]]
            n_idle += 1
            if best is None or lost.size < best[0]:
                best, n_idle = (lost.size, buckets), 0
            if not lost.size or free.size == 1 or n_idle == _IDLE:
                return best[1], n_rounds
            unplaced = np.bincount(lost, minlength=free.size)
            merged = robust_buckets.merge_blocks(
                counts, free, low, high, self.about, r, unplaced, _PARTNERS
            )
            block = merged[block]

    def _placed(
        self,
        block: CodeArray,
        n_each: CountArray,
        r: float,
        rng: np.random.Generator,
    ) -> CodeArray:
        home = block[self.kinds]
        first = np.concatenate([[0], np.cumsum(n_each)])
        buckets, left = self._dealt(home, n_each, first, rng)
        n_idle = 0
        while left.size and n_idle < _IDLE:
            state = rng.integers(1 << 63, size=1).astype(np.uint64)
            n_lost = robust_places.place_apart(
                rng.permutation(left), buckets, home, first, self.values, self.kinds, self.odds,
                self.about, r, _TRIALS, state,
            )  # fmt: skip
            # Chance decides who goes where: where few are left, it is worth while to try again.
            n_idle = n_idle + 1 if n_lost == left.size else 0
            left = np.flatnonzero(buckets < 0)
            if n_lost > _ENOUGH_LOST:
                break
        # Nothing is promised of values that are not guarded: who fits nowhere is put together.
        buckets[(buckets < 0) & (self.values < 0)] = buckets.max(initial=-1) + 1
        return buckets

    def _dealt(
        self, home: CodeArray, n_each: CountArray, first: CountArray, rng: np.random.Generator
    ) -> tuple[CodeArray, CountArray]:
        """Deal the people of each block out to its buckets, sorted by value; say who is left."""
        number = np.append(rng.permutation(self.n_values), self.n_values).astype(np.int32)
        values, n_codes = number[self.values], int(self.codes.max(initial=-1)) + 1
        order, _ = order_by_label(rng.permutation(home.size), self.codes, n_codes)
        order, _ = order_by_label(order, values, self.n_values + 1)
        order, _ = order_by_label(order, home, n_each.size)
        own, value = home[order], values[order]
        begins = np.ones(order.size, bool)
        begins[1:] = (own[1:] != own[:-1]) | (value[1:] != value[:-1])
        place = _place_in_run(begins)
        is_free = (value == self.n_values) & (n_each[own] > 0)
        stays: BoolArray = (place < n_each[own]) | is_free
        left, order, own = order[~stays], order[stays], own[stays]
        begins = np.ones(order.size, bool)
        begins[1:] = own[1:] != own[:-1]
        buckets = np.full(home.size, -1, np.int32)
        buckets[order] = first[own] + _place_in_run(begins) % np.maximum(n_each[own], 1)
        return buckets, left

    def _counts(self, block: CodeArray) -> tuple[CountArray, CountArray]:
        """Count the guarded values, and all others, of each block."""
        n_blocks, width = int(block.max(initial=-1)) + 1, self.n_values + 1
        cell = block[self.kinds].astype(np.int64) * width + self.values + 1
        counts = np.bincount(cell, minlength=n_blocks * width).reshape(n_blocks, width)
        return np.ascontiguousarray(counts[:, 1:]), np.ascontiguousarray(counts[:, 0])

    def _extremes(self, block: CodeArray) -> tuple[FloatArray, FloatArray]:
        """Find the least and the greatest odds in each block."""
        n_blocks = int(block.max(initial=-1)) + 1
        low = np.full((n_blocks, self.about.size), np.inf)
        high = np.full((n_blocks, self.about.size), -np.inf)
        np.minimum.at(low, block, self.odds)
        np.maximum.at(high, block, self.odds)
        return low, high


def _signatures(table: Table, privacy: All) -> tuple[CodeArray, int]:
    """Number what people show on all columns that a prior may speak of."""
    needs = (m.needs() for m in privacy.models if isinstance(m, BeliefModel))
    names = sorted({name for need in needs for columns in need for name in columns})
    rows = RowNumbers(len(table))
    for name in _visible(table, names):
        rows.add(table.codes(name), table.taxonomy(name).n)
    labels, first = rows.finish()
    return labels, first.size


def _visible(table: Table, names: list[str]) -> Columns:
    return tuple(name for name in names if name not in table.schema.sensitive)


def _line(odds: FloatArray) -> CountArray:
    """Sort kinds of people along the line on which they differ most."""
    points = np.clip(odds, -_CERTAIN, _CERTAIN)
    points = points - points.mean(axis=0)
    if points.size == 0:
        return np.arange(len(odds))
    # The direction of the greatest variance: the last eigenvector of the scatter matrix.
    _, directions = np.linalg.eigh(points.T @ points)
    return np.argsort(points @ directions[:, -1], kind="stable")


def _place_in_run(begins: BoolArray) -> CountArray:
    """Count for every entry how many of its run come before it."""
    at = np.arange(begins.size)
    return at - np.maximum.accumulate(np.where(begins, at, 0))
