"""What a parameter would cost, compared with plain counts and with the library."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import unlinkable as ul
from tests.studio.tasks.sixty_people import ILLS, PLAN, ROWS, asked
from tests.studio.test_confinement import silent
from unlinkable.errors import ParameterError
from unlinkable.studio.tasks import promises
from unlinkable.studio.tasks.session import Session


@pytest.mark.parametrize("k", [2, 3, 4, 10, 100])
def test_an_effect_is_the_share_that_would_be_left_out(session: Session, k: int) -> None:
    levels = {"age": 2, "zip": 1, "sex": 0}
    found = promises.effect(
        session, silent, promise=0, parameter="k", values=[k], levels=levels, **asked()
    )
    coarse = Counter((age // 10, code[:3], sex) for _, age, code, sex in ROWS)
    raw = Counter(row[1:] for row in ROWS)
    assert found["raw"] == [sum(n for n in raw.values() if n < k) / 60]
    assert found["coarse"] == [sum(n for n in coarse.values() if n < k) / 60]
    assert found["groups"] == len(raw)


def test_effects_compare_with_the_levels_that_lose_least(session: Session) -> None:
    found = promises.effect(session, silent, promise=0, parameter="k", values=[3, 0, 30], **asked())
    release = ul.anonymize(
        session.table(session.plan(PLAN)), privacy=ul.KAnonymity(3), suppression="1/10"
    )
    assert found["levels"] == dict(release.node or {})
    shares = found["coarse"]
    assert shares[0] is not None
    assert shares[0] <= Fraction(1, 10)
    assert shares[1] is None
    assert found["words"][1] == "at k=0 the cost could not be computed in time"
    assert "of the records would be suppressed" in found["words"][2]
    with pytest.raises(ParameterError, match="no promise number 3"):
        promises.effect(session, silent, promise=2, parameter="k", values=[1], **asked())


def test_an_effect_counts_all_other_promises_too(session: Session) -> None:
    both = asked(privacy=[*PLAN["privacy"], {"model": "distinct-l-diversity", "l": 2}])
    levels = {"age": 1, "zip": 1, "sex": 1}
    found = promises.effect(
        session, silent, promise=1, parameter="l", values=[2, 3], levels=levels, **both
    )
    groups: dict[Any, list[str]] = {}
    for n, (_, age, code, _sex) in enumerate(ROWS):
        groups.setdefault((age // 5, code[:3]), []).append(ILLS[n % 3])
    for at, least in enumerate((2, 3)):
        lost = [g for g in groups.values() if len(g) < 3 or len(set(g)) < least]
        assert found["coarse"][at] == sum(map(len, lost)) / 60
