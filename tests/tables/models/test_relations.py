"""What the literature says of models side by side is true of the library, on random tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.models.twins import bounds, frame_of, small
from unlinkable import as_table, check
from unlinkable.tables.models import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    ConfidenceBounding,
    CrowdEntropy,
    DeltaBounding,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EntropyLDiversity,
    EpsilonMAnonymity,
    FFAnonymity,
    FrequencyLDiversity,
    HellingerCloseness,
    KAnonymity,
    KCAnonymity,
    KEAnonymity,
    KMap,
    LKCPrivacy,
    MConfidentiality,
    MultirelationalKAnonymity,
    NTCloseness,
    RRobustness,
    SkylinePrivacy,
    SquaredErrorDiversity,
    TCloseness,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import GroupModel

alone = small(owner=False, min_records=1)
NEAR = 1e-9


def holds(table: RandomTable, *models: GroupModel) -> list[bool]:
    """Say of each promise whether a random table keeps it."""
    return [verdict.holds for verdict in check(table_of(table), models).verdicts]


def levels(
    table: RandomTable, *models: GroupModel, side: Mapping[str, object] | None = None
) -> list[float]:
    """Say of each promise what a random table reaches."""
    reached = [verdict.level for verdict in check(table_of(table), models, side=side).verdicts]
    return [math.nan if level is None else level for level in reached]


def all_equal(verdicts: list[bool]) -> bool:
    return len({*verdicts}) == 1


@given(alone)
def test_frequency_implies_entropy_implies_distinct_diversity_implies_anonymity(
    table: RandomTable,
) -> None:
    models = (FrequencyLDiversity(1), EntropyLDiversity(1), DistinctLDiversity(1), KAnonymity(1))
    assert all(less <= more * (1 + NEAR) for less, more in pairwise(levels(table, *models)))


@given(alone, bounds, st.integers(1, 4))
def test_one_bound_on_shares_under_many_names(table: RandomTable, c: Fraction, k: int) -> None:
    n, leaves = len(table.qid), [str(v) for v in table.trees["s0"].leaves if v is not None]
    assert all_equal(
        holds(
            table,
            LKCPrivacy(n, k, c),
            AlphaKAnonymity(c, k),
            KCAnonymity(k, c),
            XYPrivacy(k, c, y="s0"),
        )
    )
    assert all_equal(
        holds(table, LKCPrivacy(n, 1, c), FrequencyLDiversity(1 / c), XYLinkability(c, y="s0"))
    )
    assert all_equal(holds(table, LKCPrivacy(n, k, 1), LKCPrivacy(n + 3, k, 1), KAnonymity(k)))
    templates = [f"{', '.join(table.qid)} -> s0 = {v} <= {c}" for v in leaves]
    whole = check(table_of(table), ConfidenceBounding(templates)).holds
    assert [whole] == holds(table, XYLinkability(c, y="s0", values=leaves))


@given(small(owner=False, min_records=1, max_records=8), bounds)
def test_freeform_and_fully_informed_adversaries_are_bounds_on_shares(
    table: RandomTable, h: Fraction
) -> None:
    assert all_equal(holds(table, FFAnonymity(h, sensitive="s0"), XYLinkability(h, y="s0")))
    share = levels(table, XYLinkability(1, y="s0"))[0]
    assert math.isclose(levels(table, SkylinePrivacy([[0, 0, 0, 1]]))[0], share)
    assert math.isclose(1 / levels(table, MConfidentiality(1, h=h))[0], share)


@given(small(min_records=1), st.integers(1, 4))
def test_xy_anonymity_is_diversity_by_value_and_anonymity_by_owner(
    table: RandomTable, k: int
) -> None:
    assert all_equal(holds(table, XYAnonymity(k, y="s0"), DistinctLDiversity(k)))
    if table.owner:
        by_owner = XYAnonymity(k, y=table.owner)
        assert all_equal(holds(table, by_owner, MultirelationalKAnonymity(k), KAnonymity(k)))


@given(alone)
def test_closeness_0_means_the_same_shares_everywhere(table: RandomTable) -> None:
    assert all_equal(
        holds(
            table,
            TCloseness(0),
            TCloseness(0, distance="ordered"),
            TCloseness(0, distance="kl"),
            HellingerCloseness(0),
            BetaLikeness(0),
            BetaLikeness(0, enhanced=True),
            NTCloseness(len(table.rows), 0),
        )
    )


@given(alone, st.integers(1, 14))
def test_distances_bound_one_another(table: RandomTable, n: int) -> None:
    equal, kl, root, beta, enhanced, delta = levels(
        table,
        TCloseness(1),
        TCloseness(1, distance="kl"),
        HellingerCloseness(1),
        BetaLikeness(1),
        BetaLikeness(1, enhanced=True),
        DeltaDisclosure(1),
    )
    assert 2 * equal**2 <= kl + NEAR
    assert root**2 <= equal + NEAR
    assert equal <= math.sqrt(2) * root + NEAR
    assert kl <= math.log1p(beta) + NEAR
    assert math.log1p(beta) <= delta + NEAR
    assert beta <= enhanced
    size = len(table.rows)
    here, more, whole, beyond, least = levels(
        table, *(NTCloseness(x, 1) for x in (n, n + 1, size, size + 1, 1))
    )
    assert least == 0
    assert here <= more
    assert whole == equal
    assert beyond == math.inf


@given(alone, st.data())
def test_a_population_hides_whoever_the_table_hides(
    table: RandomTable, data: st.DataObject
) -> None:
    rows, qid = table.rows, table.qid
    cells = {name: st.sampled_from(table.trees[name].leaves) for name in qid}
    more = data.draw(st.lists(st.fixed_dictionaries(cells), max_size=9))
    side = {"self": frame_of(rows, qid), "all": frame_of([*rows, *more], qid)}
    k, itself, wider = levels(
        table, KAnonymity(1), KMap(1, population="self"), KMap(1, population="all"), side=side
    )
    assert k == itself <= wider
    models = (DeltaPresence(1, 1, population="self"), DeltaPresence(0, 1, population="all"))
    presence = check(table_of(table), models, side=side)
    assert presence.holds
    high = presence.verdicts[1].reached["high"]
    assert high is not None
    assert wider >= k / high - NEAR


@given(alone)
def test_anonymity_bounds_the_average_risk_and_fills_a_population(table: RandomTable) -> None:
    k, risk, bits = levels(table, KAnonymity(1), AverageRisk(1), CrowdEntropy(1))
    assert risk <= 1 / k + NEAR
    assert math.isclose(bits, math.log2(k), abs_tol=NEAR)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(-9, 9)), min_size=1, max_size=10))
def test_numbers_side_by_side(pairs: list[tuple[str, int]]) -> None:
    names, values = zip(*pairs, strict=True)
    table = as_table({"q": [*names], "s": [*values]}, quasi="q", sensitive="s")
    models = (
        SquaredErrorDiversity(1),
        EpsilonMAnonymity(0, 1),
        EpsilonMAnonymity(2, 1),
        FrequencyLDiversity(1),
        DistinctLDiversity(1),
    )
    found = [verdict.level or 0.0 for verdict in check(table, models).verdicts]
    (range_of,) = check(table, KEAnonymity(1, 0)).verdicts
    assert 4 * found[0] <= (range_of.reached["e"] or 0.0) ** 2 + NEAR, (
        "of the same or another group"
    )
    assert math.isclose(found[1], found[3])
    assert found[2] <= found[1]
    assert range_of.reached["k"] == found[4]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("mf")), min_size=1, max_size=7),
    st.lists(st.integers(1, 14), min_size=14, max_size=14),
    st.fractions(1, 4, max_denominator=4),
)
def test_the_bounding_condition_implies_robustness_and_equal_beliefs_are_shares(
    people: list[tuple[str, str]], chances: list[int], r: Fraction
) -> None:
    values = [f"v{i}" for i in range(len(people))]
    table = as_table(
        {"q": [q for q, _ in people], "z": [z for _, z in people], "s": values},
        quasi="q",
        sensitive="s",
        insensitive="z",
    )
    rows = [(z, v, chances[i + 7 * (z == "m")] / 100) for i, v in enumerate(values) for z in "mf"]
    flat = [(z, v, 0.125) for _, v, _ in rows[::2] for z in "mf"]
    names = ["z", "value", "p"]
    side = {
        "us": pl.DataFrame(rows, schema=names, orient="row"),
        "same": pl.DataFrame(flat, schema=names, orient="row"),
    }
    models = (DeltaBounding(r, prior="us"), RRobustness(r, prior="us"))
    bounded, robust = check(table, models, side=side).verdicts
    assert bounded.level is not None
    assert robust.level is not None
    assert bounded.level <= robust.level + NEAR
    assert robust.holds or not bounded.holds
    shares, believed = check(
        table, (FrequencyLDiversity(1), RRobustness(1, prior="same")), side=side
    ).verdicts
    assert shares.level is not None
    assert believed.level is not None
    assert math.isclose(shares.level, believed.level)
