"""What the literature says of models of belief side by side is true of the witnesses."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import beliefs, confidence, emd, models, worlds
from tests.witness.models import Row

small = partial(
    tables, min_records=1, max_records=7, max_qid=2, max_leaves=3, max_height=2, missing=False
)
chances = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@st.composite
def believed(draw: st.DrawFn, *, distinct: bool = False) -> tuple[list[Row], worlds.Prior]:
    """Draw a group of records with what is believed of each of them."""
    n = draw(st.integers(2, 5))
    pool = st.sampled_from("vwxyz"[:n])
    given_values = draw(
        st.permutations("vwxyz"[:n]) if distinct else st.lists(pool, min_size=n, max_size=n)
    )
    group: list[Row] = [{"id": i, "s": s} for i, s in enumerate(given_values)]
    chance = {(i, s): draw(chances) for i in range(n) for s in {*given_values}}
    return group, lambda row, value: chance[row["id"], value]


@given(small(max_sensitive=1), chances)
def test_who_believes_the_same_of_everybody_sees_shares(
    table: RandomTable, chance: Fraction
) -> None:
    rows, qid = table.rows, table.qid
    shares = confidence.frequency_l(rows, qid, "s0")
    for joint in (False, True):
        found = worlds.robust_r(rows, qid, "s0", lambda row, value: chance, joint=joint)
        assert found == shares
    assert worlds.confidentiality_m(rows, qid, qid, "s0", Fraction(1, 2)) == shares
    for group in models.groups(rows, qid).values():
        here = emd.shares(row["s0"] for row in group)
        assert beliefs.omega_estimate(group, "s0", lambda row, value: chance) == [here] * len(group)


@given(believed())
def test_beliefs_add_up(found: tuple[list[Row], worlds.Prior]) -> None:
    group, prior = found
    counts = {value: sum(row["s"] == value for row in group) for value in {r["s"] for r in group}}
    of_all = {}
    for value, n in counts.items():
        for posterior in (worlds.value_posterior, worlds.joint_posterior):
            assert sum(posterior(group, "s", value, prior)) == n
        of_all[value] = worlds.joint_posterior(group, "s", value, prior)
    for i in range(len(group)):
        assert sum(found[i] for found in of_all.values()) == 1
    assert all(sum(each.values()) == 1 for each in beliefs.omega_estimate(group, "s", prior))


@given(believed(distinct=True))
def test_a_value_that_occurs_once_goes_by_odds(found: tuple[list[Row], worlds.Prior]) -> None:
    group, prior = found
    value = group[0]["s"]
    odds = [prior(row, value) / (1 - prior(row, value)) for row in group]
    shares = [each / sum(odds) for each in odds]
    assert worlds.value_posterior(group, "s", value, prior) == shares


@given(believed(distinct=True), st.fractions(Fraction(11, 10), 5, max_denominator=10))
def test_the_bounding_condition_implies_robustness_value_by_value(
    found: tuple[list[Row], worlds.Prior], r: Fraction
) -> None:
    group, prior = found
    level = worlds.delta_bounding_r(group, "s", prior)
    assert level is not None
    assert 1 <= level <= len(group)
    assert worlds.is_delta_bounded(group, "s", prior, r) is (r <= level)
    robust = worlds.robust_r(group, [], "s", prior)
    assert robust is not None
    assert level <= robust


@given(chances, chances, st.integers(2, 5))
def test_the_bounding_condition_is_tight(one: Fraction, other: Fraction, n: int) -> None:
    assume(one > other)
    group: list[Row] = [{"id": i, "s": i} for i in range(n)]

    def prior(row: Row, value: Hashable) -> Fraction:
        return one if row["id"] == value else other

    level = worlds.delta_bounding_r(group, "s", prior)
    assert level == worlds.robust_r(group, [], "s", prior)


def test_the_bounding_condition_says_nothing_of_several_values_together() -> None:
    group: list[Row] = [{"id": i, "s": s} for i, s in enumerate("xyz")]

    def prior(row: Row, value: Hashable) -> Fraction:
        return Fraction(30 if (row["id"] == 0) is (value == "x") else 18, 100)

    assert worlds.is_delta_bounded(group, "s", prior, 2)
    one_by_one = worlds.robust_r(group, [], "s", prior)
    together = worlds.robust_r(group, [], "s", prior, joint=True)
    assert one_by_one is not None
    assert together is not None
    assert together < 2 <= one_by_one
    assert float(1 / together) == pytest.approx(0.581, abs=5e-4)


@pytest.mark.parametrize("joint", [False, True])
def test_splitting_can_make_a_table_robust(joint: bool) -> None:
    rows: list[Row] = [{"sex": sex, "s": s} for sex in "fm" for s in ("cancer", "heart")]

    def prior(row: Row, value: Hashable) -> Fraction:
        return Fraction(9 if (row["sex"] == "f") is (value == "cancer") else 1, 10)

    whole = worlds.robust_r(rows, [], "s", prior, joint=joint)
    assert whole is not None
    assert whole < 2
    assert worlds.robust_r(rows, ["sex"], "s", prior, joint=joint) == 2


@given(small(max_sensitive=1, max_records=6, owner=False))
def test_who_knows_nothing_has_the_likeliest_table_of_shares(table: RandomTable) -> None:
    rows: list[Row] = [{**row, "id": i} for i, row in enumerate(table.rows)]
    found = beliefs.maximum_entropy(rows, table.qid[:1], ["id"], "s0", [])
    assert found is not None
    for place, group in models.groups(rows, table.qid[:1]).items():
        here = emd.shares(row["s0"] for row in group)
        for row in group:
            for value, share in here.items():
                assert found[place, (row["id"],), value] == pytest.approx(float(share), abs=1e-4)


@given(chances, chances, chances)
def test_one_published_record_raises_the_belief_in_it_and_no_other(
    prior: Fraction, alpha: Fraction, beta: Fraction
) -> None:
    assume(alpha + beta < 1)
    posterior = partial(beliefs.alpha_beta_posterior, prior, alpha, beta)
    assert posterior(published=False) < prior < posterior(published=True)
    gamma = posterior(published=True)
    both = [(prior, posterior(published=is_out)) for is_out in (True, False)]
    kept = posterior(published=False) / prior
    assert beliefs.is_d_gamma_private(both, prior, gamma) is (prior / gamma <= kept)


def test_priors_of_one_need_no_protection() -> None:
    assert beliefs.is_d_gamma_private([(Fraction(1), Fraction(1))], Fraction(1, 5), Fraction(1, 2))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("xy")), min_size=1, max_size=6))
def test_a_narrow_kernel_knows_each_record_and_a_wide_one_the_table(
    pairs: list[tuple[int, str]],
) -> None:
    rows: list[Row] = [{"q": q, "s": s} for q, s in pairs]

    def gap(v: Hashable, w: Hashable) -> Fraction:
        return Fraction(abs(int(str(v)) - int(str(w))), 4)

    narrow = beliefs.kernel_prior(rows, "s", {"q": gap}, Fraction(1, 5))
    wide = beliefs.kernel_prior(rows, "s", {"q": gap}, Fraction(10**6))
    for row in rows:
        same = [other["s"] for other in rows if other["q"] == row["q"]]
        assert narrow(row, "x") == Fraction(same.count("x"), len(same))
        everybody = Fraction(sum(s == "x" for _, s in pairs), len(pairs))
        assert math.isclose(wide(row, "x"), everybody, abs_tol=1e-9)
