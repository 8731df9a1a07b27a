"""Who knows the algorithm is as sure as asking it about every world makes him."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.witness import learners
from tests.witness.oracles import LowestLevel
from tests.witness.releases import RandomRelease, frame_of, knowledge_of, releases, target_of
from tests.witness.tree import Tree
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Truth

bounds = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)])


@given(releases(max_people=5, max_qid=2, shapes=["raw"], values=("v", "w", "x")), bounds)
def test_minimality(release: RandomRelease, h: Fraction) -> None:
    oracle = LowestLevel(release.qid, "s", release.trees, h)
    told = oracle.recode(release.rows)
    assume(told is not None)
    assert told is not None
    beliefs = learners.minimality(release.rows, release.qid, "s", oracle.says)
    assert beliefs is not None
    values = sorted({str(row["s"]) for row in release.rows})
    flat = Tree({value: (value, "*") for value in values})
    original = RandomTable(release.rows, release.qid, ("s",), {**release.trees, "s": flat}, None)
    listed = [{k: v for k, v in person.items() if k != "s"} for person in release.people]
    knowledge = evolve(
        knowledge_of(external=listed),
        truth=Truth(table_of(original), np.arange(len(release.rows))),
        oracle=oracle,
    )
    target = evolve(target_of(release), frame=frame_of(told, [*release.qid, "s"]))
    found = attacks.Minimality(assumes="method").run(target, knowledge)
    assert found.highest == pytest.approx(float(max(max(b.values()) for b in beliefs)))
