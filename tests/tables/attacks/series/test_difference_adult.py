"""The difference attack on UCI Adult: the series of the paper, with releases made one by one."""

from __future__ import annotations

import numpy as np

import unlinkable as ul
from tests.adult import SEVEN, needs_adult, records, trees
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.series.next_release import edition_of

pytestmark = needs_adult

QUASI = [*SEVEN, "salary-class"]


def attacked(method: Search) -> Outcome:
    frame = records(*QUASI, "occupation").sample(fraction=1.0, shuffle=True, seed=0)
    editions = []
    for n in range(5_000, 30_001, 5_000):
        table = as_table(frame[:n], quasi=QUASI, sensitive="occupation", taxonomies=trees(QUASI))
        release = ul.anonymize(table, privacy=ul.KAnonymity(5), method=method)
        editions.append(edition_of(release, np.arange(n), f"{n} records"))
    return Difference(k=5).run(Series(tuple(editions)))


def test_many_fall_if_mondrian_does_not_look_back() -> None:
    outcome = attacked(ul.Mondrian())
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (30_000, 13_970, 1.0)
    assert outcome.details["fallen_few_left"] == 10_718
    assert outcome.details["fallen_value"] == 7_940
    assert outcome.details["fallen_alone"] == 8_575


def test_few_fall_if_incognito_does_not_look_back() -> None:
    outcome = attacked(ul.Incognito())
    assert 0 < outcome.n_fallen < 100
