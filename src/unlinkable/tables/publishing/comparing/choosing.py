"""Choosing k: where what a release hides and what it is good for are in balance.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." Thesis, NIT Rourkela.
   Sections 4.3 to 4.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Unpack

import numpy as np
from attrs import evolve, frozen

from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.tables.data import ColumnRoles, Role, Side, Table, table_of
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.anonymizing.written import (
    AnyMethod,
    Promises,
    as_metric,
    as_models,
)
from unlinkable.tables.publishing.comparing.compare import compare
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.tables.charts import Chart
    from unlinkable.tables.metrics import ClassificationError

__all__ = ["Balance", "balance", "choose_k"]

_FLAT = 1.0
"""Utility that falls by less than so many per cent over all k is flat."""


@frozen
class Balance:
    """How much releases hide and what they are good for, over k, and where both are in balance.

    Attributes
    ----------
    ks
        The values of k that have a release, rising.
    privacy, utility
        What the release for each k hides, and what it is good for, in per cent.
    between
        The two values of k between which the curves cross; twice the same value if they meet there,
        or if they never cross and come closest there.
    crosses
        Whether the curves meet at all.
    point
        Where they meet or come closest: a fraction if that is between two values of k.
    at
        What the release is good for at that point, in per cent.
    without
        The values of k that have no release.
    baseline
        What a release would be good for that told nothing, in per cent: how many records have the
        most frequent class. None if utility is not how well a class is told.
    """

    ks: tuple[int, ...]
    privacy: tuple[float, ...]
    utility: tuple[float, ...]
    between: tuple[int, int]
    crosses: bool
    point: float
    at: float
    without: tuple[int, ...] = ()
    baseline: float | None = None

    @property
    def is_flat(self) -> bool:
        """Whether utility hardly depends on k, so that it says nothing about which one to take."""
        return len(self.ks) > 1 and max(self.utility) - min(self.utility) < _FLAT

    @property
    def k(self) -> int | None:
        """The safe choice: the larger of the two values; None if utility hardly depends on k."""
        return None if self.is_flat else self.between[1]

    def chart(self) -> Chart:
        """Draw both curves, and where they are in balance."""
        from unlinkable.tables.charts import draw_choice_of_k

        shares = ([value / 100 for value in curve] for curve in (self.privacy, self.utility))
        is_met = self.crosses and not self.is_flat
        return draw_choice_of_k(self.ks, *shares, balance=self.point if is_met else None)

    def to_json(self) -> dict[str, object]:
        """Give the curves and the point as plain values."""
        return {
            "k": self.k,
            "between": list(self.between),
            "crosses": self.crosses,
            "flat": self.is_flat,
            "baseline": self.baseline,
            "point": self.point,
            "utility": self.at,
            "without": list(self.without),
            "curve": [
                {"k": k, "privacy": p, "utility": u}
                for k, p, u in zip(self.ks, self.privacy, self.utility, strict=True)
            ],
        }


def balance(ks: Sequence[int], privacy: Sequence[float], utility: Sequence[float]) -> Balance:
    """Find where two curves over k cross first, or come closest.

    Between two values of k the curves are taken to be straight.

    Examples
    --------
    >>> found = balance([2, 4, 6], [10.0, 40.0, 70.0], [80.0, 60.0, 50.0])
    >>> found.between, round(found.at, 1)
    ((4, 6), 55.0)
    """
    gaps = [p - u for p, u in zip(privacy, utility, strict=True)]
    curves = tuple(ks), tuple(privacy), tuple(utility)
    for i, gap in enumerate(gaps):
        if gap == 0:
            return Balance(*curves, (ks[i], ks[i]), True, ks[i], utility[i])
        if i + 1 < len(gaps) and gaps[i + 1] != 0 and (gap < 0) != (gaps[i + 1] < 0):
            part = gap / (gap - gaps[i + 1])
            at = utility[i] + part * (utility[i + 1] - utility[i])
            point = ks[i] + part * (ks[i + 1] - ks[i])
            return Balance(*curves, (ks[i], ks[i + 1]), True, point, at)
    i = min(range(len(gaps)), key=lambda j: abs(gaps[j]))
    return Balance(*curves, (ks[i], ks[i]), False, ks[i], utility[i])


def choose_k(
    table: object,
    *,
    ks: Iterable[int],
    method: AnyMethod | None = None,
    privacy: Promises = (),
    hides: Metric | str | None = None,
    utility: Metric | str | None = None,
    suppression: float | str | Fraction = 0,
    seed: int = 0,
    progress: Progress | None = None,
    side: Mapping[str, object] | Side | None = None,
    jobs: int = 1,
    **roles: Unpack[ColumnRoles],
) -> Balance:
    """Publish the table for every k, and find where privacy and utility are in balance.

    Privacy rises with k and utility falls. Where the curves meet is a compromise that needs no
    weights; whether it is safe enough is for the holder to say.

    Parameters
    ----------
    table
        The records, with the roles of their columns.
    ks
        The values of k to try. Those for which there is no release are left out of the curves.
    method
        How to search; if not given, `Mondrian` with the labels of the taxonomies, so that groups
        that are too wide show nothing.
    privacy
        What is promised besides k-anonymity.
    hides
        What a release hides, from 0 to 100; the share of cells that show nothing if not given.
    utility
        What a release is good for: a metric from 0 to 1. If not given, how often a decision tree
        tells the target column, or, if there is no such column, the share of information kept.
    suppression, seed, progress, side, jobs, roles
        As for `compare`. A table, promises, methods and metrics may be given in the same forms.

    Raises
    ------
    ParameterError
        If a metric does not go from 0 to 1, or 100 for what is hidden.
    InfeasibleError
        If no k has a release.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [*range(20, 40)], "zip": [*range(20)]}, quasi=["age", "zip"])
    >>> found = choose_k(people, ks=range(2, 21))
    >>> found.between
    (10, 11)
    """
    # Whoever does not choose k need not load what is only used here.
    from unlinkable.tables.methods.regions import Labels, Mondrian
    from unlinkable.tables.metrics import ClassificationError, ILoss, PrivacyPercentage

    records, promised = table_of(table, roles), as_models(privacy)
    hides = PrivacyPercentage() if hides is None else as_metric(hides)
    if utility is None:
        utility = ClassificationError() if records.schema.with_role(Role.TARGET) else ILoss()
    utility = as_metric(utility)
    if hides.bounds != (0.0, 100.0):
        raise ParameterError(f"{hides} does not go from 0 to 100: use privacy-percentage")
    if utility.bounds != (0.0, 1.0):
        raise ParameterError(f"{utility} does not go from 0 to 1: use one that does, like iloss")
    asked = _ks(ks)
    outcomes = compare(
        records,
        methods=[method or Mondrian(labels=Labels.TAXONOMY)],
        privacy=[[KAnonymity(k), *promised] for k in asked],
        metrics=[ILoss(), hides, utility],
        suppression=suppression,
        seed=seed,
        progress=progress,
        side=side,
        jobs=jobs,
    )
    found = [(k, o.metrics) for k, o in zip(asked, outcomes, strict=True) if o.problem is None]
    if not found:
        raise InfeasibleError(outcomes[0].problem or "there is no k to try")
    good = [m[str(utility)] if utility.higher_is_better else 1 - m[str(utility)] for _, m in found]
    hidden = [metrics[str(hides)] for _, metrics in found]
    missed = tuple(k for k, o in zip(asked, outcomes, strict=True) if o.problem is not None)
    curves = balance([k for k, _ in found], hidden, [100 * share for share in good])
    classes = utility if isinstance(utility, ClassificationError) else None
    return evolve(
        curves, without=missed, baseline=None if classes is None else _most(records, classes)
    )


def _most(table: Table, classes: ClassificationError) -> float:
    """Tell how many records have the most frequent class, in per cent."""
    name = classes.target or table.schema.with_role(Role.TARGET)[0]
    return 100 * float(np.bincount(table.codes(name)).max()) / len(table)


def _ks(ks: Iterable[int]) -> list[int]:
    given = list(ks) if isinstance(ks, Iterable) and not isinstance(ks, str) else []
    if not given or not all(isinstance(k, int) for k in given):
        raise ParameterError("ks must list the values of k to try, like range(2, 11)")
    return sorted(set(given))
