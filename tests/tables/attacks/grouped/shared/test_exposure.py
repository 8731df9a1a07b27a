"""Who falls to some of several adversaries."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.tables.attacks.tables import target
from unlinkable.tables.attacks.base.attack import Victim
from unlinkable.tables.attacks.grouped.shared.beliefs import beliefs
from unlinkable.tables.attacks.grouped.shared.exposure import Exposure


def test_a_person_falls_if_somebody_is_surer_than_the_limit() -> None:
    columns = {"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "s": ["x", "x", "y", "z"]}
    told = target(columns, ("a", "b"), "s")
    fallen = Exposure(Fraction(1, 2))
    for seen in beliefs(told, ("s",), [("a",), ("b",)]):
        is_first = seen.columns == ("a",)
        parts = np.array([2, 1] if is_first else [1, 0])
        fallen.take(
            seen,
            parts,
            np.array([2, 2]),
            lambda at, sure, seen=seen: Victim(seen.describe(at)[0], sure),  # type: ignore[misc]
        )
        fallen.note("second", seen, np.array([False, True]))
    assert (fallen.n_attacked, fallen.n_fallen, fallen.highest) == (4, 2, 1.0)
    assert [(v.who, v.confidence) for v in fallen.victims] == [
        ({"a": "1"}, 1.0),
        ({"a": "2"}, 0.5),
        ({"b": "1"}, 0.5),
    ]
    # Those with a second value in a, or in b.
    assert fallen.noted == {"second": 3}
