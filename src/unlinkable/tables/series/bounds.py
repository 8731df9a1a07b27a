"""Bounds: what the promise for one release says of several, as two numbers.

Whoever holds several releases may be left with fewer people than any of them shows together, and be
surer of a value than any of them says. What was promised of one release is held to what can be
found out from all of them: at least ``k`` people, and no value surer than ``c`` [1]_.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Definitions 1 to 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from unlinkable.errors import UnsupportedError
from unlinkable.tables.models import (
    AlphaKAnonymity,
    DistinctLDiversity,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KCAnonymity,
)
from unlinkable.tables.models.base import GroupModel

__all__ = ["series_bounds"]


def series_bounds(
    models: Iterable[GroupModel], policy: object, sensitive: str | None = None
) -> tuple[int, Fraction]:
    """Read from promises how many people must be left, and how sure one may be of a value.

    ========================== ============================== ============
    promise                    people                         share
    ========================== ============================== ============
    k-anonymity(k)             k                              1
    kc-anonymity(k, c)         k                              c
    alpha-k-anonymity(a, k)    k                              a
    frequency-l-diversity(l)   l, rounded up                  1 / l
    ========================== ============================== ============

    Of several promises the strictest number of each kind counts.

    Parameters
    ----------
    models
        The promises, bound to their columns.
    policy
        Who asks, as it is written; it stands in refusals.
    sensitive
        A sensitive column: promises about the values of another one say nothing of its share. If
        not given, the strictest share of any column.

    Raises
    ------
    UnsupportedError
        If a promise cannot be carried over to several releases.

    Examples
    --------
    >>> series_bounds([KAnonymity(5), FrequencyLDiversity(2, sensitive="ill")], "incremental")
    (5, Fraction(1, 2))
    """
    people, share = 1, Fraction(1)
    for model in models:
        k, c = _bounds(model, policy)
        about = getattr(model, "sensitive", None)
        people = max(people, k)
        if sensitive is None or about in (None, sensitive):
            share = min(share, c)
    return people, share


def _bounds(model: GroupModel, policy: object) -> tuple[int, Fraction]:
    match model:
        case KAnonymity(qid=None):
            return model.k, Fraction(1)
        case KCAnonymity():
            return model.k, model.c
        case AlphaKAnonymity(values=None):
            return model.k, model.alpha
        case FrequencyLDiversity():
            return math.ceil(model.l), 1 / model.l
    why = "it is not a bound on people who look alike and on the share of every value"
    if isinstance(model, KAnonymity):
        why = "it is about some of the quasi-identifying columns only"
    if isinstance(model, AlphaKAnonymity):
        why = "it bounds some of the values only"
    raise UnsupportedError(
        f"{policy} cannot hold several releases to {model}: {why}. {_instead(model)}"
    )


def _instead(model: GroupModel) -> str:
    """Say what to promise instead: something that implies it, if there is any."""
    implies: GroupModel | None = None
    match model:
        case DistinctLDiversity() | EntropyLDiversity():
            implies = FrequencyLDiversity(model.l, sensitive=model.sensitive)
        case KAnonymity():
            implies = KAnonymity(model.k)
        case AlphaKAnonymity():
            implies = AlphaKAnonymity(model.alpha, model.k, sensitive=model.sensitive)
    if implies is None:
        return (
            "Promise kc-anonymity(k, c), alpha-k-anonymity(alpha, k) without a list of values, "
            "frequency-l-diversity(l) or k-anonymity(k) instead"
        )
    if implies.name != model.name:
        where = f'in a plan, write model = "{implies.name}" in its place'
    else:
        where = f"in a plan, leave out {'qid' if isinstance(model, KAnonymity) else 'values'}"
    return f"Promise {implies} instead, which says more and implies it: {where}"
