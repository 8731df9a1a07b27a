r"""Accountant: what the events of a ledger cost together.

All prices come from OpenDP: every event is stood for by one of its mechanisms, whose privacy map
gives the cost, and costs are added up by its composition, which rounds up. Sequential composition
adds; events on different cells of a partition cost as much as the dearest cell, because a person is
in one cell alone [1]_. If neighbours replace a person, they may leave one cell and enter another,
and the two dearest cells count.

Two bounds on the total are known, and the smaller counts: the sum of pure costs, and the sum of
zero-concentrated ones, :math:`\rho = \epsilon^2 / 2` for what is pure [2]_, told as
:math:`(\epsilon, \delta)`.

References
----------
.. [1] F. McSherry. "Privacy integrated queries." SIGMOD 2009. Theorem 4.
.. [2] M. Bun, T. Steinke. "Concentrated differential privacy: simplifications, extensions, and
   lower bounds." TCC 2016. Propositions 1.3 and 1.4, Lemma 1.7.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.noise.ledger import Event, Ledger, Mechanism, Neighbours
from unlinkable.noise.mechanisms import opendp

__all__ = ["Cost", "price"]

_MOST_EVENTS = 100_000
"""So many events are composed one by one, which takes a second or two."""


@frozen
class Cost:
    """What events cost together.

    Attributes
    ----------
    epsilon
        By pure differential privacy; infinite if an event is not pure.
    rho
        By zero-concentrated differential privacy; for the events that are not only approximate.
    approximate
        Epsilon and delta of the events that are known to be approximate, and nothing else.
    """

    epsilon: float
    rho: float
    approximate: tuple[float, float] = (0.0, 0.0)

    def at(self, delta: float) -> float:
        """Give the least epsilon that is proved with this delta; infinite if none is.

        Examples
        --------
        >>> Cost(0.5, 0.125).at(0)
        0.5
        """
        more, used = self.approximate
        if used > delta:
            return math.inf
        pure = self.epsilon + more
        left = delta - used
        return min(pure, _as_approximate(self.rho, left) + more) if left > 0 else pure


_FREE = Cost(0.0, 0.0)


def price(ledger: Ledger) -> Cost:
    """Price all events of a ledger.

    Raises
    ------
    DataError
        If OpenDP is not installed, or there are too many events to add up one by one.

    Examples
    --------
    >>> noise = {"sensitivity": 1, "scale": 4}
    >>> ledger = Ledger([Event("laplace", noise, times=2),
    ...     Event("laplace", noise, partition="sex", cell="f"),
    ...     Event("laplace", noise, partition="sex", cell="m")])
    >>> price(ledger).at(0)
    0.75
    """
    n_events = sum(event.times for event in ledger.events)
    if n_events > _MOST_EVENTS:
        raise DataError(
            f"the ledger has {n_events} events, and at most {_MOST_EVENTS} are added up: write "
            "what was done often as one event of its whole cost, with the mechanism pure, "
            "concentrated or approximate"
        )
    cells: dict[tuple[str | None, str | None], list[Event]] = {}
    for event in ledger.events:
        cells.setdefault((event.partition, event.cell), []).append(event)
    by_partition: dict[str | None, list[Cost]] = {}
    for (partition, _), events in cells.items():
        by_partition.setdefault(partition, []).append(_total(events))
    n_met = 1 if ledger.neighbours is Neighbours.ADD_REMOVE else 2
    return _sum([_dearest(costs, n_met) for costs in by_partition.values()])


def _total(events: Iterable[Event]) -> Cost:
    return _sum([cost for event in events for cost in [_cost(event)] * event.times])


def _dearest(costs: Sequence[Cost], n_met: int) -> Cost:
    """Give the cost for a person who is in at most ``n_met`` of these cells."""

    def largest(read: Callable[[Cost], float]) -> list[float]:
        return sorted(map(read, costs), reverse=True)[:n_met]

    return _sum(
        [
            Cost(*worst)
            for worst in zip(
                largest(lambda c: c.epsilon),
                largest(lambda c: c.rho),
                zip(
                    largest(lambda c: c.approximate[0]),
                    largest(lambda c: c.approximate[1]),
                    strict=True,
                ),
                strict=True,
            )
        ]
    )


def _sum(costs: Sequence[Cost]) -> Cost:
    return Cost(
        _compose(_laplace, [c.epsilon for c in costs]),
        _compose(_gaussian, [c.rho for c in costs]),
        (math.fsum(c.approximate[0] for c in costs), math.fsum(c.approximate[1] for c in costs)),
    )


def _compose(stand_in: Callable[[float], Any], costs: Iterable[float]) -> float:
    """Add up costs as the composition of mechanisms that cost as much."""
    left = [cost for cost in costs if cost]
    if not all(map(math.isfinite, left)):
        return math.inf
    if len(left) < 2:
        return left[0] if left else 0.0
    return float(opendp().c.make_composition([stand_in(cost) for cost in left]).map(1.0))


@cache
def _cost(event: Event) -> Cost:
    told = event.parameters
    match event.mechanism:
        case Mechanism.LAPLACE | Mechanism.GEOMETRIC:
            # Both cost sensitivity / scale, and the map of the one on floats serves for both.
            return _pure(told["sensitivity"] / told["scale"])
        case Mechanism.GAUSSIAN:
            if not told["sensitivity"]:
                return _FREE
            return _concentrated(_gaussian_of(told["scale"] / told["sensitivity"]).map(1.0))
        case Mechanism.RANDOMIZED_RESPONSE:
            names = [str(i) for i in range(int(told["categories"]))]
            response = opendp().m.make_randomized_response(categories=names, prob=told["truth"])
            return _pure(response.map(1))
        case Mechanism.PURE:
            return _pure(told["epsilon"])
        case Mechanism.CONCENTRATED:
            return _concentrated(told["rho"])
        case Mechanism.APPROXIMATE:
            return Cost(0.0, 0.0, (told["epsilon"], told["delta"]))


def _pure(epsilon: float) -> Cost:
    if not epsilon:
        return _FREE
    return Cost(epsilon, float(opendp().c.make_pureDP_to_zCDP(_laplace(epsilon)).map(1.0)))


def _concentrated(rho: float) -> Cost:
    return Cost(math.inf, rho) if rho else _FREE


def _as_approximate(rho: float, delta: float) -> float:
    if not rho:
        return 0.0
    if not math.isfinite(rho):
        return math.inf
    return float(opendp().c.make_zCDP_to_approxDP(_gaussian(rho)).map(1.0).epsilon(delta))


@cache
def _laplace(epsilon: float) -> Any:
    """Give a mechanism that costs a pure epsilon."""
    dp = opendp()
    return dp.m.make_laplace(*_numbers(), scale=1 / epsilon)


@cache
def _gaussian(rho: float) -> Any:
    """Give a mechanism that costs rho."""
    return _gaussian_of(math.sqrt(1 / (2 * rho)))


def _gaussian_of(scale: float) -> Any:
    return opendp().m.make_gaussian(*_numbers(), scale=scale)


def _numbers() -> tuple[Any, Any]:
    dp = opendp()
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
