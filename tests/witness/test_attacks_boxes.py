"""Records that our own methods publish as boxes are linked as counting their values says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests.witness.matching import box
from tests.witness.releases import knowledge_of
from unlinkable.errors import InfeasibleError
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Target

AGES, JOBS = list(range(20, 32)), list("abcde")
METHODS = ["best", "greedy-cell", "mondrian", "oka"]

people = st.lists(
    st.tuples(st.sampled_from(AGES), st.sampled_from(JOBS), st.sampled_from("vwx")),
    min_size=5,
    max_size=12,
)


@given(st.sampled_from(METHODS), people, st.integers(2, 3), st.data())
def test_boxes_that_overlap(
    method: str, told: list[tuple[int, str, str]], k: int, data: st.DataObject
) -> None:
    ages, jobs, ill = (list(column) for column in zip(*told, strict=True))
    table = ul.as_table(
        pl.DataFrame({"age": ages, "job": jobs, "ill": ill}), quasi=["age", "job"], sensitive="ill"
    )
    try:
        release = ul.anonymize(table, privacy=ul.KAnonymity(k), method=method, seed=1)
    except InfeasibleError:
        assume(False)
    frame = release.frame
    assert isinstance(frame, pl.DataFrame)
    texts = {name: [str(v) for v in frame[name].to_list()] for name in ("age", "job")}
    target = Target(
        frame,
        ("age", "job"),
        ("ill",),
        taxonomies={name: table.taxonomy(name) for name in ("age", "job")},
    )
    # Only values that somebody in the table has: what a range means beyond them is not told.
    listed = data.draw(
        st.lists(st.tuples(st.sampled_from(ages), st.sampled_from(jobs)), min_size=1, max_size=6)
    )
    chances = []
    for age, job in listed:
        n = sum(
            age in box(a, AGES) and job in box(j, JOBS)
            for a, j in zip(texts["age"], texts["job"], strict=True)
        )
        chances.append(Fraction(1, n) if n else Fraction(0))
    external = pl.DataFrame(
        {
            "name": [f"n{i}" for i in range(len(listed))],
            "age": [age for age, _ in listed],
            "job": [job for _, job in listed],
        }
    )
    found = attacks.RecordLinkage().run(target, knowledge_of(external=external))
    assert found.highest == pytest.approx(float(max(chances)))
    assert found.n_fallen == sum(chance > Fraction(1, 2) for chance in chances)
    shown = Counter(v.who["name"] for v in found.victims)
    assert all(n == 1 for n in shown.values())
