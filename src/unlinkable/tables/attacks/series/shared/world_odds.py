"""World odds: how confident an adversary who holds all releases can be of what people have.

Connected components are numbered by themselves, so that those of one shape are counted once.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series.shared.memberships import Memberships
from unlinkable.tables.attacks.series.shared.value_elimination import intersect, narrow
from unlinkable.tables.attacks.series.shared.world_counting import (
    Component,
    StepBudget,
    count_worlds,
)
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["ComponentNames", "Components", "Odds", "weigh"]


@define(eq=False, frozen=True)
class Odds:
    """The likeliest label of everybody, and its probability.

    Attributes
    ----------
    sure, label
        How likely, and which label; -1 if that is not known, or there is none to be found out.
    falls
        Whether that is above the limit.
    is_counted
        Whether all worlds were counted; otherwise the probability is a lower bound.
    is_excluded
        Whether a label of one of the person's groups is impossible.
    """

    sure: FloatArray
    label: CodeArray
    falls: BoolArray
    is_counted: BoolArray
    is_excluded: BoolArray

    @classmethod
    def none(cls, n: int) -> Odds:
        """Say of so many that nothing is known."""
        return cls(np.zeros(n), np.full(n, -1, np.int32), *(np.zeros(n, bool) for _ in range(3)))

    def put(self, at: CountArray | BoolArray, odds: Odds, where: CountArray) -> None:
        """Take over what is known of others."""
        for own, other in zip(self._arrays(), odds._arrays(), strict=True):
            own[at] = other[where]

    def note(self, at: int, shares: dict[int, Fraction], impossible: bool, limit: Fraction) -> None:
        """Note how likely each label is for a person."""
        label = max(shares, key=shares.__getitem__, default=-1)
        share = shares.get(label, Fraction(0))
        self.sure[at], self.label[at], self.falls[at] = float(share), label, share > limit
        self.is_counted[at], self.is_excluded[at] = True, impossible

    def _arrays(self) -> tuple[FloatArray | CodeArray | BoolArray, ...]:
        return self.sure, self.label, self.falls, self.is_counted, self.is_excluded


def weigh(
    memberships: Memberships, guarded: BoolArray, limit: Fraction, budget: StepBudget
) -> Odds:
    """Find for everybody the guarded label that they have in most of the possible worlds.

    In a part where all groups hide the same labels, each equally often, labels can be exchanged for
    each other: every world in which a person has the one has a twin in which they have the other,
    and all are equally likely. The same goes for a part of one group, in which every record may be
    anybody's. In other parts worlds are counted, the smallest parts first, while the budget lasts.
    Of the rest, what `narrow` finds is told.

    Raises
    ------
    UnsupportedError
        If there is no possible world: a person's label is not the same in all releases.
    """
    odds = Odds.none(memberships.n_people)
    if not memberships.n_groups:
        return odds
    n_groups = np.bincount(memberships.part, minlength=memberships.n_parts)
    has, lacks = np.zeros(memberships.n_parts, bool), np.zeros(memberships.n_parts, bool)
    has[memberships.part[memberships.row[guarded[memberships.label]]]] = True
    lacks[memberships.part[memberships.row[~guarded[memberships.label]]]] = True
    is_easy = (n_groups == 1) | (memberships.is_even() & ~lacks) | ~has
    _weigh_easy(memberships, guarded, limit, is_easy, odds)
    _weigh_hard(memberships, guarded, limit, budget, (~is_easy, odds))
    _weigh_rest(memberships, guarded, limit, odds)
    return odds


def _weigh_easy(
    memberships: Memberships, guarded: BoolArray, limit: Fraction, is_easy: BoolArray, odds: Odds
) -> None:
    """Give the share of the most frequent label, where that is all that can be known."""
    held = np.where(guarded[memberships.label], memberships.count, 0)
    top = np.lexsort((-held, memberships.row))[memberships.starts[:-1]]
    most = held[top]
    mine = np.flatnonzero(is_easy[memberships.part[memberships.group]])
    who, group = memberships.person[mine], memberships.group[mine]
    odds.sure[who] = (most / memberships.sizes)[group]
    odds.label[who] = np.where(most > 0, memberships.label[top], -1)[group]
    odds.falls[who] = ~is_within(most, limit, memberships.sizes)[group]
    odds.is_counted[who] = True


def _weigh_hard(
    memberships: Memberships,
    guarded: BoolArray,
    limit: Fraction,
    budget: StepBudget,
    to: tuple[BoolArray, Odds],
) -> None:
    is_hard, odds = to
    in_hard = (memberships.part_of >= 0) & is_hard[memberships.part_of]
    shared = np.flatnonzero(in_hard & (memberships.degree > 1))
    if not shared.size:
        return
    kind_of, somebody = memberships.kinds(shared)
    kinds, groups = Odds.none(somebody.size), Odds.none(memberships.n_groups)
    components = Components(memberships, kind_of, somebody)
    known: dict[Component, list[list[Fraction]] | None] = {}
    sizes = np.bincount(memberships.part_of[somebody], minlength=memberships.n_parts)
    for part in np.argsort(sizes, kind="stable")[np.count_nonzero(sizes == 0) :].tolist():
        if sizes[part] > budget.left:
            break
        component, names = components.tie(part)
        if component not in known:
            known[component] = count_worlds(component, budget)
        shares = known[component]
        if shares is None:
            break
        if not shares:
            raise _contradiction()
        for kind, own in zip(names.kinds, shares, strict=True):
            inside = {x for g in components.where[kind] for x in components.hides[g]}
            told = {x: share for x, share in zip(names.labels, own, strict=True) if guarded[x]}
            gone = any(told[x] == 0 for x in told if x in inside)
            kinds.note(kind, told, gone, limit)
        for g, told in components.left_over(part, shares, names).items():
            told = {x: share for x, share in told.items() if guarded[x]}
            groups.note(g, told, 0 in told.values(), limit)
    odds.put(shared, kinds, kind_of)
    alone = np.flatnonzero(
        in_hard[memberships.person] & (memberships.degree[memberships.person] == 1)
    )
    odds.put(memberships.person[alone], groups, memberships.group[alone])


def _weigh_rest(memberships: Memberships, guarded: BoolArray, limit: Fraction, odds: Odds) -> None:
    """Say what is certain of people whose worlds were too many to count."""
    rest = ~odds.is_counted & (memberships.degree > 0)
    if not rest.any():
        return
    first = intersect(memberships)
    found = narrow(first)
    if found.contradicted:
        raise _contradiction(found.contradicted)
    may_hide = np.zeros(memberships.n_people, bool)
    may_hide[found.person[~guarded[found.label]]] = True
    n_each = np.where(may_hide, 0, found.n_each)
    at = np.flatnonzero(rest & (n_each > 0))
    odds.sure[at] = 1 / n_each[at]
    odds.falls[at] = ~is_within(np.ones(at.size, np.int64), limit, n_each[at])
    odds.label[rest] = np.where(n_each == 1, found.only(), -1)[rest]
    odds.is_excluded[rest] = (found.n_each < first.n_each)[rest]


def _contradiction(n: int = 1) -> UnsupportedError:
    who = "somebody hides" if n == 1 else f"{n:,} people hide"
    return UnsupportedError(
        f"what {who} is not the same in all releases, and the adversary was to take it for "
        "unchanging: name the values that nobody loses again with permanent"
    )


@define(eq=False, frozen=True)
class ComponentNames:
    """What kinds, groups and labels of a component are called in the releases."""

    kinds: list[int]
    groups: list[int]
    labels: list[int]


class Components:
    """Connected components in numbers of their own."""

    def __init__(self, memberships: Memberships, kind_of: CountArray, somebody: CountArray) -> None:
        self._tangle = memberships
        self.n_each = np.bincount(kind_of, minlength=somebody.size)
        kind_at = np.full(memberships.n_people, -1, np.int64)
        kind_at[somebody] = np.arange(somebody.size)
        mine = kind_at[memberships.person] >= 0
        kinds, groups = kind_at[memberships.person[mine]], memberships.group[mine]
        self.where: dict[int, list[int]] = {}
        self.hides: dict[int, dict[int, int]] = {}
        self._kinds = _split(memberships.part_of[somebody])
        self._pairs = kinds, groups, _split(memberships.part[groups])
        hard = np.isin(memberships.part, memberships.part_of[somebody])
        self._groups = _split(memberships.part, np.flatnonzero(hard))
        self.inside: dict[int, list[int]] = {}

    def tie(self, part: int) -> tuple[Component, ComponentNames]:
        """Give a part in numbers of its own; parts of one shape come out equal."""
        memberships = self._tangle
        groups = self._groups[part].tolist()
        for g in groups:
            cells = slice(memberships.starts[g], memberships.starts[g + 1])
            labels, counts = memberships.label[cells].tolist(), memberships.count[cells].tolist()
            self.hides[g] = dict(zip(labels, counts, strict=True))
            self.inside[g] = []
        kinds, places, at = self._pairs
        mine = at[part]
        for kind, g in zip(kinds[mine].tolist(), places[mine].tolist(), strict=True):
            self.where.setdefault(kind, []).append(g)
            self.inside[g].append(kind)
        number = {g: i for i, g in enumerate(groups)}
        own = [(tuple(number[g] for g in self.where[k]), k) for k in self._kinds[part].tolist()]
        own.sort()
        columns = {
            x: tuple(self.hides[g].get(x, 0) for g in groups) for g in groups for x in self.hides[g]
        }
        labels = sorted(columns, key=lambda x: (columns[x], x))
        records = tuple(tuple(self.hides[g].get(x, 0) for x in labels) for g in groups)
        component = Component(tuple((int(self.n_each[k]), places) for places, k in own), records)
        return component, ComponentNames([k for _, k in own], groups, labels)

    def left_over(
        self, part: int, shares: list[list[Fraction]], names: ComponentNames
    ) -> dict[int, dict[int, Fraction]]:
        """Say how likely labels are for people who are in one release only, by their groups."""
        share_of = dict(zip(names.kinds, shares, strict=True))
        found = {}
        for g in names.groups:
            n_left = int(self._tangle.sizes[g]) - sum(int(self.n_each[k]) for k in self.inside[g])
            if n_left == 0:
                continue
            found[g] = {
                x: (
                    self.hides[g][x]
                    - sum(int(self.n_each[k]) * share_of[k][i] for k in self.inside[g])
                )
                / Fraction(n_left)
                for i, x in enumerate(names.labels)
                if x in self.hides[g]
            }
        return found


def _split(part: CountArray, among: CountArray | None = None) -> dict[int, CountArray]:
    """List the places of each part."""
    among = np.arange(part.size) if among is None else among
    among = among[np.argsort(part[among], kind="stable")]
    parts, first = np.unique(part[among], return_index=True)
    return dict(zip(parts.tolist(), np.split(among, first[1:]), strict=True))
