"""Which groups break a promise: the library against the definitions, group by group."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.models.twins import bounds, small, verdict_of
from tests.witness import closeness, emd, promises
from tests.witness.promises import Promise
from unlinkable.tables.models import (
    AlphaKAnonymity,
    BetaLikeness,
    ConfidenceBounding,
    CrowdEntropy,
    DeltaDisclosure,
    FrequencyLDiversity,
    HellingerCloseness,
    KCAnonymity,
    LKCPrivacy,
    TCloseness,
    XYAnonymity,
    XYLinkability,
)
from unlinkable.tables.models.base import GroupModel


def asked(
    qid: tuple[str, ...], h: Fraction, k: int, length: int
) -> list[tuple[GroupModel, list[Promise]]]:
    """Pair promises of the library with those of the definitions."""
    x = qid[:1]
    # Who knows fewer columns may see more bad records than those of the bad groups, in groups that
    # are good once these are left out: named are the groups of those who know the most.
    longest = combinations(qid, min(length, len(qid)))
    return [
        (FrequencyLDiversity(1 / h), [promises.frequency_l_diverse(1 / h, "s0")]),
        (AlphaKAnonymity(h, k), [promises.alpha_k_anonymous(h, k, "s0")]),
        (KCAnonymity(k, h), [promises.alpha_k_anonymous(h, k, "s0")]),
        (
            ConfidenceBounding(f"{x[0]} -> s0 = s00 <= {h}"),
            [promises.confident_at_most(h, "s0", "s00", qid=x)],
        ),
        (XYAnonymity(k, y="s0", x=x), [promises.xy_anonymous(k, ["s0"], x=x)]),
        (XYLinkability(h, y="s0", x=x), [promises.xy_linkable(h, ["s0"], x=x)]),
        (
            LKCPrivacy(length, k, h),
            [promises.alpha_k_anonymous(h, k, "s0", qid=columns) for columns in longest],
        ),
        (TCloseness(h), [promises.t_close(h, "s0", emd.emd_equal)]),
        (HellingerCloseness(h), [promises.nearly_close(float(h), "s0", closeness.hellinger)]),
        (DeltaDisclosure(3 * h), [promises.delta_disclosing(float(3 * h), "s0")]),
        (BetaLikeness(3 * h), [promises.beta_like(3 * h, "s0")]),
        (BetaLikeness(3 * h, enhanced=True), [promises.beta_like(3 * h, "s0", enhanced=True)]),
        (CrowdEntropy(3 * h), [promises.crowded(3 * h)]),
    ]


@settings(max_examples=4 * settings().max_examples)
@given(
    table=small(owner=False, min_records=1),
    h=bounds,
    k=st.integers(1, 4),
    length=st.integers(1, 3),
    which=st.integers(0, 12),
)
def test_the_same_groups_are_good(
    table: RandomTable, h: Fraction, k: int, length: int, which: int
) -> None:
    model, literal = asked(table.qid, h, k, length)[which]
    verdict = verdict_of(table, model)
    good = promises.good_records(literal, table.rows, table.qid)
    keys = [tuple(row[name] for name in table.qid) for row in table.rows]
    bad = {key for key, is_good in zip(keys, good, strict=True) if not is_good}
    assert verdict.good.size == len({*keys})
    assert int((~verdict.good).sum()) == len(bad)
