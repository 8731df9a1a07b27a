"""World counting: in how many ways the records of several releases can be people's.

A *world* says which record of every release is whose. It is possible if nobody has one label in one
release and another label in another. All possible worlds are equally likely to an adversary who
holds the releases. Counting them one by one is hopeless; but people who are in the same groups of
all releases are interchangeable, and a group is done with when all its people have got their
labels. So worlds are counted people by people, and what is remembered is only how often each label
is left in the groups that are not done with: a dynamic program, with numbers of any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import comb, perm
from operator import mul

from attrs import define, field

__all__ = ["Component", "StepBudget", "count_worlds"]

Left = tuple[tuple[int, ...], ...]
"""How often each label is left, in each group that is not done with."""


@define(frozen=True)
class Component:
    """A part of several releases that hangs together, in numbers of its own.

    Attributes
    ----------
    kinds
        People who are in the same groups, two or more of them: how many, and in which.
    records
        For each group how often each label occurs.

    Examples
    --------
    Two people are in one group with HIV and flu. One of them is also in another group, with flu and
    a cold; so this person has the flu.

    >>> component = Component(((1, (0, 1)),), ((1, 1, 0), (0, 1, 1)))
    >>> [str(share) for share in count_worlds(component, StepBudget(100))[0]]
    ['0', '1', '0']
    """

    kinds: tuple[tuple[int, tuple[int, ...]], ...]
    records: tuple[tuple[int, ...], ...]


@define
class StepBudget:
    """How many steps may still be taken."""

    left: int
    spent: int = field(default=0, init=False)

    def pay(self, steps: int) -> bool:
        """Take some steps, if there are as many left."""
        self.left -= steps
        self.spent += steps
        return self.left >= 0


def count_worlds(component: Component, budget: StepBudget) -> list[list[Fraction]] | None:
    """Give for each kind the share of the worlds in which one of its people has each label.

    People who are in one group only need not be gone through: whatever the others have, they can
    get the records that are left in the same number of ways.

    Returns
    -------
    list[list[Fraction]] | None
        The shares; empty if there is no world at all, None if there were not steps enough.

    Cost
    ----
    Exponential in how many groups are open at a time; the budget ends it. A step costs as much as
    groups are open.
    """
    course = _course(component)
    layers: list[dict[Left, int]] = [{(): 1}]
    steps: list[list[_Step]] = []
    for turn in course:
        reached: dict[Left, int] = {}
        taken: list[_Step] = []
        for left, ways in layers[-1].items():
            here = left + turn.opens
            for dealt in _deals(turn.n, [here[at] for at in turn.at]):
                if not budget.pay(len(here)):
                    return None
                then, times = _deal(here, turn, dealt)
                reached[then] = reached.get(then, 0) + ways * times
                taken.append((left, then, times, dealt))
        layers.append(reached)
        steps.append(taken)
    total = sum(layers[-1].values())
    return _shares(component, course, layers, steps, total) if total else []


_Step = tuple[Left, Left, int, tuple[int, ...]]
"""What was left before and after, in how many ways, and how often each label was given."""


@define(frozen=True)
class _Turn:
    """When it is the turn of a kind: which groups are looked at for the first and the last time.

    Attributes
    ----------
    kind, n
        Which kind it is, and how many people.
    opens
        What the records of groups are that are looked at for the first time.
    at
        Where the groups of the kind are among those that are open then.
    stays
        Where those are that stay open.
    """

    kind: int
    n: int
    opens: Left
    at: tuple[int, ...]
    stays: tuple[int, ...]


def _shares(
    component: Component,
    course: Sequence[_Turn],
    layers: Sequence[dict[Left, int]],
    steps: Sequence[list[_Step]],
    total: int,
) -> list[list[Fraction]]:
    """Go back through the steps, with the number of ways to the end from each."""
    n_labels = len(component.records[0])
    shares: list[list[Fraction]] = [[] for _ in component.kinds]
    onward = dict.fromkeys(layers[-1], 1)
    for turn, layer, taken in zip(course[::-1], layers[-2::-1], steps[::-1], strict=True):
        has = [0] * n_labels
        before: dict[Left, int] = {}
        for left, then, times, dealt in taken:
            ways = times * onward.get(then, 0)
            before[left] = before.get(left, 0) + ways
            ways *= layer[left]
            for label, n in enumerate(dealt):
                has[label] += ways * n
        onward = before
        shares[turn.kind] = [Fraction(part, total * turn.n) for part in has]
    return shares


def _course(component: Component) -> list[_Turn]:
    """Choose in which order to go through the people: group by group, from one to the next."""
    inside: list[list[int]] = [[] for _ in component.records]
    for kind, (_, groups) in enumerate(component.kinds):
        for g in groups:
            inside[g].append(kind)
    order: dict[int, None] = {}
    met: dict[int, None] = {}
    for start in range(len(component.records)):
        queue = [] if start in met else [start]
        met[start] = None
        for g in queue:
            fresh = [kind for kind in inside[g] if kind not in order]
            order |= dict.fromkeys(fresh)
            near = dict.fromkeys(other for kind in fresh for other in component.kinds[kind][1])
            queue += [other for other in near if other not in met]
            met |= near
    last = {g: kind for kind in order for g in component.kinds[kind][1]}
    course, is_open = [], list[int]()
    for kind in order:
        n, groups = component.kinds[kind]
        new = [g for g in groups if g not in is_open]
        is_open += new
        stays = tuple(at for at, g in enumerate(is_open) if last[g] != kind)
        at = tuple(is_open.index(g) for g in groups)
        course.append(_Turn(kind, n, tuple(component.records[g] for g in new), at, stays))
        is_open = [is_open[at] for at in stays]
    return course


def _deals(n: int, left: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """List how often each label can be given to n people, with what is left in all their groups."""
    most = [min(column) for column in zip(*left, strict=True)]

    def deal(at: int, n: int, rest: int) -> Iterator[tuple[int, ...]]:
        rest -= most[at]
        if at == len(most) - 1:
            if n <= most[at]:
                yield (n,)
            return
        for own in range(max(0, n - rest), min(n, most[at]) + 1):
            for others in deal(at + 1, n - own, rest):
                yield (own, *others)

    if n <= sum(most):
        yield from deal(0, n, sum(most))


def _deal(left: Left, turn: _Turn, dealt: tuple[int, ...]) -> tuple[Left, int]:
    """Give records to people, and count the ways to choose which."""
    times, new = _orders(dealt), list(left)
    for at in turn.at:
        times *= reduce(mul, map(perm, new[at], dealt))
        new[at] = tuple(have - given for have, given in zip(new[at], dealt, strict=True))
    return tuple(new[at] for at in turn.stays), times


def _orders(dealt: tuple[int, ...]) -> int:
    """Count in how many orders people can have labels."""
    ways, n = 1, sum(dealt)
    for given in dealt:
        ways *= comb(n, given)
        n -= given
    return ways
