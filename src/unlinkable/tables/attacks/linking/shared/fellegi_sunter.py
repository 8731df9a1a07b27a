"""Probabilistic linkage: weigh how far people and records agree, column by column.

A misspelt or missing value breaks a join, but not an adversary who knows that such things happen.
The weight of a pair is how much likelier its agreement is if the record is the person's than if it
is anybody's. How often values of the same person agree is not known, and is estimated from list and
release themselves: guess, weigh all pairs, and count again (EM) [1]_ [2]_.

References
----------
.. [1] I. P. Fellegi, A. B. Sunter. "A theory for record linkage." JASA 64 (1969) 1183-1210.
.. [2] W. E. Winkler. "Using the EM algorithm for weight computation in the Fellegi-Sunter model of
   record linkage." Section on Survey Research Methods, ASA, 1988.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.linkage import (
    assign_greedily,
    believe,
    compare,
    expect,
    first_peaks,
    settle_claims,
)
from unlinkable.tables.attacks.linking.shared.agreement import (
    AGREE,
    CLOSE,
    DIFFER,
    column_agreement,
)
from unlinkable.tables.attacks.linking.shared.candidate_pairs import (
    Pairs,
    candidates,
    near_candidates,
)
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.tables.attacks.shared.rates import wilson
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["DOUBT", "Fit", "WeighedLinks", "fit", "weigh"]

_MOST_FITTED = 50_000
"""So many kinds of people are enough to find the weights."""

_SAMPLES = 20
_MOST_SAMPLED = 2_000
"""How confident the highest chance is, so many samples of so many kinds of people tell."""

_MOST_TOLD = 50
_SMALLEST_CHANGE = 1e-3
"""Claims to records are settled when no chance changes by more, or after so many rounds."""

_FEWEST = 0.5
"""Where fewer people come near any record than this part of those who could have one, little is
found out."""

_SHORTEST = 20
"""A list of fewer people does not tell how often people agree by chance."""


@define(eq=False, frozen=True, slots=False)
class WeighedLinks:
    """What weighing tells of everybody on a list.

    Attributes
    ----------
    columns
        What was compared.
    fit
        How people and their own records agree.
    look
        By kind, the likeliest look; -1 if no record is worth weighing.
    probability
        By kind, the chance that a record with this look is the person's.
    weight
        Its weight in bits.
    n_pairs, n_passes, n_settled
        How many pairs were weighed, how many joins listed them, and how often claims were told
        back and forth.
    interval
        Where the highest probability lies with 95 % certainty.
    matching
        Kinds and looks.
    """

    columns: Columns
    fit: Fit
    look: CodeArray
    probability: FloatArray
    weight: FloatArray
    n_pairs: int
    n_passes: int
    n_settled: int
    interval: tuple[float, float]
    matching: Matching

    @cached_property
    def record(self) -> CountArray:
        """By person, the first record with the likeliest look; -1 if there is none."""
        look = self.look[self.matching.kind]
        record = np.full(look.size, -1, np.int64)
        record[look >= 0] = self.matching.first_look[look[look >= 0]]
        return record

    @property
    def n_weighed(self) -> int:
        """How many people were weighed against some record."""
        return int(self.matching.kind_sizes[self.look >= 0].sum())

    @property
    def says_little(self) -> bool:
        """Whether too few people were weighed to say anything of the others."""
        return self.n_weighed < _enough(self.matching)

    @property
    def is_short(self) -> bool:
        """Whether the list is too short to tell how often people agree by chance."""
        return _is_short(self.matching)

    @property
    def confidence(self) -> FloatArray:
        """By person, the chance that this record is theirs."""
        return self.probability[self.matching.kind]


def weigh(
    matching: Matching, rng: np.random.Generator, *, one_to_one: bool = False
) -> WeighedLinks:
    """Weigh people against records, and find the likeliest record of everybody.

    No record is two people's: claims to the same record are weighed against each other.

    Parameters
    ----------
    matching
        List and release.
    rng
        Chooses the people that the weights are found from, if there are many.
    one_to_one
        Whether every record is given to one person at most, the likeliest pair first.
    """
    boxes = matching.overlaps.first.columns, matching.overlaps.second.columns
    columns = [
        column_agreement(column, listed, published, matching.kind_sizes)
        for column, listed, published in zip(matching.linked, *boxes, strict=True)
    ]
    listed = candidates(matching)
    if _is_little(matching, listed[0]):
        listed = near_candidates(matching, [column.near for column in columns], listed)
    indptr, looks, n_passes = listed
    pairs = Pairs.of(matching, columns, indptr, looks)
    some = _some(pairs, rng)
    found = fit(some)
    belief, n_settled = _settle(pairs, found)
    if one_to_one:
        belief = _assign(pairs, belief)
    look, probability, at = _best(pairs, belief)
    weight, has = np.zeros(look.size), look >= 0
    weight[has] = pairs.weights[at[has]]
    for j in range(len(columns)):
        weight[has] += found.log_m[j, pairs.levels[j, at[has]]]
    highest = int(np.argmax(probability)) if look.size else 0, float(probability.max(initial=0))
    # People who were not weighed may have a record for certain.
    is_unsure = _is_little(matching, indptr)
    interval = (0.0, 1.0) if is_unsure else _interval(pairs, some, found, highest, rng)
    if _is_short(matching):
        interval = interval[0], 1.0
    return WeighedLinks(
        matching.columns, found, look, probability, weight / np.log(2),
        looks.size, n_passes, n_settled, interval, matching,
    )  # fmt: skip


def _enough(matching: Matching) -> float:
    """Say how many people must be weighed: half of those who could have a record."""
    return _FEWEST * min(matching.kind.size, matching.look.size)


def _is_little(matching: Matching, indptr: CountArray) -> bool:
    return float(matching.kind_sizes[np.diff(indptr) > 0].sum()) < _enough(matching)


def _is_short(matching: Matching) -> bool:
    """Say whether agreement on two columns cannot weigh as much as there are records.

    No value is counted to be rarer than one in the n people of the list, so that it weighs at most
    n squared.
    """
    n, n_records = matching.kind.size, matching.look.size
    return n_records > 0 and (n < _SHORTEST or n * n < n_records)


def _some(pairs: Pairs, rng: np.random.Generator) -> Pairs:
    n = pairs.people.size
    if n <= _MOST_FITTED:
        return pairs
    return pairs.take(np.sort(rng.choice(n, _MOST_FITTED, replace=False)))


def _believe(pairs: Pairs, found: Fit) -> FloatArray:
    belief: FloatArray = believe(
        pairs.indptr, pairs.looks, pairs.levels, pairs.weights, pairs.sizes,
        found.log_m, found.present, max(int(pairs.sizes.sum()), 1),
    )  # fmt: skip
    return belief


def _settle(pairs: Pairs, found: Fit) -> tuple[FloatArray, int]:
    """Weigh claims of people to records against each other: no record is two people's."""
    present, n_records = found.present, max(int(pairs.sizes.sum()), 1)
    ratios = compare(pairs.levels, pairs.weights, found.log_m, present / n_records)
    belief, rounds = settle_claims(
        pairs.indptr, pairs.looks, ratios, 1 - present, pairs.people, pairs.sizes,
        _MOST_TOLD, _SMALLEST_CHANGE,
    )  # fmt: skip
    return belief, int(rounds)


def _assign(pairs: Pairs, belief: FloatArray) -> FloatArray:
    kind = np.repeat(np.arange(pairs.people.size, dtype=np.int32), np.diff(pairs.indptr))
    order = np.argsort(-belief, kind="stable")
    free = pairs.people.astype(np.int64), pairs.sizes.copy()
    given = assign_greedily(order, kind, pairs.looks, *free)
    return belief * given / pairs.people[kind]


def _best(pairs: Pairs, belief: FloatArray) -> tuple[CodeArray, FloatArray, CountArray]:
    """Find the likeliest look of each kind, the first of several, and where it stands."""
    at = first_peaks(pairs.indptr, belief)
    has = at >= 0
    look, probability = np.full(at.size, -1, np.int32), np.zeros(at.size)
    look[has], probability[has] = pairs.looks[at[has]], belief[at[has]]
    return look, probability, at


def _interval(
    pairs: Pairs, some: Pairs, found: Fit, highest: tuple[int, float], rng: np.random.Generator
) -> tuple[float, float]:
    """Weigh the kind with the highest confidence again, on other samples of people."""
    kind, probability = highest
    if pairs.people.size == 0 or probability == 0:
        return 0.0, 0.0
    top = pairs.take(np.array([kind]))
    # What was brought down because others claim the record, too, stays so.
    claimed = probability / max(float(_believe(top, found).max()), DOUBT)
    told = []
    for _ in range(_SAMPLES):
        which = rng.integers(0, some.people.size, min(some.people.size, _MOST_SAMPLED))
        told.append(float(_believe(top, fit(some.take(which), found, 1e-4)).max()))
    low, high = np.quantile(np.array(told) * claimed, [0.025, 0.975])
    # Where next to nobody or nearly everybody seems to have a record, all samples say the same.
    for present in wilson(found.present, int(some.people.sum())):
        share = min(max(present, DOUBT), max(some.most_present, DOUBT), 1 - DOUBT)
        sure = float(_believe(top, evolve(found, present=share)).max()) * claimed
        low, high = min(low, sure), max(high, sure)
    return float(min(low, probability)), float(min(max(high, probability), 1.0))


_MOST_ROUNDS = 200
_SMALLEST_STEP = 1e-6
"""Weights are found when no chance changes by more."""

DOUBT = 1e-6
"""No chance is taken to be closer to 0 or 1."""

_PRIOR = np.array([0.0, 0.5, 0.5, 2.0])
"""So many own records are taken to have been seen on each level before anything was counted."""

_USUAL = np.array([0.0, 0.05, 0.05, 0.9])
_TRUST = 10
"""What is usual, and how often it is taken to have been seen for every person of the list where
values are generalized: neighbours agree there nearly as often as people with their own records."""


@define(eq=False, frozen=True)
class Fit:
    """What an adversary finds out about how people and their own records agree.

    Attributes
    ----------
    m
        A row per column: the chance that a person and their own record differ, nearly agree and
        agree (levels 1 to 3), given that both tell something.
    present
        The share of people on the list who have a record.
    n_rounds
        Number of rounds.
    """

    m: FloatArray
    present: float
    n_rounds: int

    @property
    def log_m(self) -> FloatArray:
        """Logarithms of the chances; nothing told is no evidence."""
        logs: FloatArray = np.log(self.m)
        logs[:, 0] = 0.0
        return logs


def fit(pairs: Pairs, start: Fit | None = None, least: float = _SMALLEST_STEP) -> Fit:
    """Find how people and their own records agree, as what makes all that is seen likeliest.

    Parameters
    ----------
    pairs
        What is seen.
    start
        A guess to begin with.
    least
        No chance changes by more in the last round.
    """
    d, n_records = len(pairs.levels), max(int(pairs.sizes.sum()), 1)
    found = start or Fit(np.tile(np.array([1.0, 0.05, 0.05, 0.9]), (d, 1)), 0.5, 0)
    total = max(float(pairs.people.sum()), 1.0)
    prior = _PRIOR + _TRUST * total * pairs.blurred[:, None] * _USUAL
    for n_rounds in range(1, _MOST_ROUNDS + 1):
        sums, met, _ = expect(
            pairs.indptr, pairs.looks, pairs.levels, pairs.weights, pairs.sizes, pairs.people,
            found.log_m, found.present, n_records,
        )  # fmt: skip
        sums = sums + prior
        levels = sums[:, [DIFFER, CLOSE, AGREE]]
        m = np.column_stack([np.ones(d), levels / levels.sum(axis=1, keepdims=True)])
        most = min(max(pairs.most_present, DOUBT), 1 - DOUBT)
        present = float(np.clip(met / total, DOUBT, most))
        step = max(float(np.abs(m - found.m).max(initial=0)), abs(present - found.present))
        found = Fit(np.maximum(m, DOUBT), present, n_rounds)
        if step < least:
            break
    return found
