"""How sure an adversary gets of a value: the library against the definitions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.models.twins import agree, bounds, same, small, verdict_of
from tests.witness import confidence, models
from tests.witness.confidence import Template
from unlinkable import check
from unlinkable.tables.models import (
    AlphaKAnonymity,
    ConfidenceBounding,
    FrequencyLDiversity,
    KCAnonymity,
    MultirelationalKAnonymity,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)

alone = small(owner=False)
listed = st.lists(st.sampled_from(["s00", "s01", "s03"]), min_size=1, max_size=2, unique=True)


def present(table: RandomTable, values: list[str]) -> list[str]:
    """Leave out values that the column cannot have."""
    return [v for v in values if v in table.trees["s0"].leaves]


@given(small(), st.fractions(1, 4, max_denominator=6))
def test_frequency_diversity(table: RandomTable, l: Fraction) -> None:  # noqa: E741
    verdict = verdict_of(table, FrequencyLDiversity(l, sensitive="s0"))
    holds = confidence.is_frequency_l_diverse(table.rows, table.qid, "s0", l)
    agree(verdict, confidence.frequency_l(table.rows, table.qid, "s0"), holds=holds)


@given(small(max_sensitive=2), st.data())
def test_confidence_bounding(table: RandomTable, data: st.DataObject) -> None:
    drawn = []
    for _ in range(data.draw(st.integers(1, 3))):
        column = data.draw(st.sampled_from(table.sensitive))
        seen: list[Hashable] = [v for v in table.trees[column].leaves if v is not None]
        qid = data.draw(st.lists(st.sampled_from(table.qid), min_size=1, unique=True))
        value, h = data.draw(st.sampled_from(seen)), data.draw(bounds)
        drawn.append(Template(tuple(qid), column, value, h))
    templates = [*dict.fromkeys(drawn)]
    texts = [f"{', '.join(t.qid)} -> {t.column} = {t.value} <= {t.h}" for t in templates]
    finding = check(table_of(table), ConfidenceBounding(texts))
    assert finding.holds is confidence.keeps_templates(table.rows, templates)
    for verdict, template in zip(finding.verdicts, templates, strict=True):
        holds = confidence.keeps_templates(table.rows, [template])
        agree(verdict, confidence.template_confidence(table.rows, template), holds=holds)


@given(small(max_sensitive=2), st.integers(1, 4), st.data())
def test_xy_anonymity(table: RandomTable, k: int, data: st.DataObject) -> None:
    x = data.draw(st.lists(st.sampled_from(table.qid), min_size=1, unique=True))
    y = data.draw(st.lists(st.sampled_from(table.sensitive), min_size=1, unique=True))
    level = confidence.xy_anonymity(table.rows, x, y)
    verdict = verdict_of(table, XYAnonymity(k, x=x, y=y))
    agree(verdict, level, holds=level is None or level >= k)


@given(small(max_sensitive=2), st.integers(1, 4))
def test_x_is_the_quasi_identifier_unless_it_is_said(table: RandomTable, k: int) -> None:
    level = confidence.xy_anonymity(table.rows, table.qid, ["s0"])
    holds = level is None or level >= k
    agree(verdict_of(table, XYAnonymity(k, y="s0")), level, holds=holds)


@given(small(max_sensitive=2), bounds, st.data())
def test_xy_linkability(table: RandomTable, h: Fraction, data: st.DataObject) -> None:
    x = data.draw(st.lists(st.sampled_from(table.qid), min_size=1, unique=True))
    y = data.draw(st.lists(st.sampled_from(table.sensitive), min_size=1, unique=True))
    level = confidence.xy_linkability(table.rows, x, y)
    verdict = verdict_of(table, XYLinkability(h, x=x, y=y))
    agree(verdict, level, holds=level is None or level <= h)


@given(small(), bounds, listed)
def test_xy_linkability_of_listed_values(
    table: RandomTable, h: Fraction, values: list[str]
) -> None:
    if not (values := present(table, values)):
        return
    level = confidence.xy_linkability(table.rows, table.qid, ["s0"], [(v,) for v in values])
    verdict = verdict_of(table, XYLinkability(h, y="s0", values=values))
    agree(verdict, level, holds=level is None or level <= h)


@given(alone, st.integers(1, 4), bounds, st.booleans())
def test_xy_privacy(table: RandomTable, k: int, h: Fraction, distinct: bool) -> None:
    rows, qid = table.rows, table.qid
    model = XYPrivacy(k, h, y="s0", count="distinct" if distinct else "records")
    verdict = verdict_of(table, model)
    assert verdict.holds is confidence.is_xy_private(rows, qid, ["s0"], k, h, distinct=distinct)
    if rows:
        size = confidence.xy_anonymity(rows, qid, ["s0"]) if distinct else None
        assert same(verdict.reached["k"], size or models.k_anonymity(rows, qid))
        assert same(verdict.reached["h"], confidence.xy_linkability(rows, qid, ["s0"]))


@given(alone, bounds, st.integers(1, 4), st.none() | listed)
def test_alpha_k_anonymity(
    table: RandomTable, alpha: Fraction, k: int, values: list[str] | None
) -> None:
    values = None if values is None else present(table, values) or None
    verdict = verdict_of(table, AlphaKAnonymity(alpha, k, sensitive="s0", values=values))
    rows, qid = table.rows, table.qid
    holds = confidence.is_alpha_k_anonymous(rows, qid, "s0", alpha, k, values=values)
    assert verdict.holds is holds
    if rows:
        share = confidence.highest_share(rows, qid, "s0", values)
        assert same(verdict.reached["alpha"], share)
        assert same(verdict.reached["k"], models.k_anonymity(rows, qid))


@given(alone, bounds, st.integers(1, 4))
def test_kc_anonymity(table: RandomTable, c: Fraction, k: int) -> None:
    verdict = verdict_of(table, KCAnonymity(k, c, sensitive="s0"))
    assert verdict.holds is confidence.is_kc_anonymous(table.rows, table.qid, "s0", k, c)
    if table.rows:
        share = confidence.highest_share(table.rows, table.qid, "s0")
        assert same(verdict.reached["c"], share)
        assert same(verdict.reached["k"], models.k_anonymity(table.rows, table.qid))


@given(small(), st.integers(1, 4))
def test_multirelational_anonymity(table: RandomTable, k: int) -> None:
    if table.owner is None:
        rows = [{**row, "owner": f"p{i}"} for i, row in enumerate(table.rows)]
        table = replace(table, rows=rows, owner="owner")
    level = confidence.multirelational_k([table.rows], table.qid, "owner")
    agree(verdict_of(table, MultirelationalKAnonymity(k)), level, holds=level is None or level >= k)


@given(small(), bounds, st.integers(1, 4))
def test_where_owners_are_known_people_are_counted(table: RandomTable, c: Fraction, k: int) -> None:
    rows, qid = table.rows, table.qid
    people = models.k_anonymity(rows, qid, table.owner)
    share = confidence.highest_share(rows, qid, "s0")
    holds = people is None or share is None or (people >= k and share <= c)
    for model in (
        AlphaKAnonymity(c, k, sensitive="s0"),
        KCAnonymity(k, c, sensitive="s0"),
        XYPrivacy(k, c, y="s0"),
    ):
        verdict = verdict_of(table, model)
        assert verdict.holds is holds
        if rows:
            assert same(verdict.reached["k"], people)
