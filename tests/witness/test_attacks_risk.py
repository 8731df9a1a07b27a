"""Risk as it is measured is risk as it is counted, record by record."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.witness import population, qid_search
from tests.witness import reidentification as risks
from tests.witness.releases import frame_of
from unlinkable.tables.risk import (
    QuasiIdentifierSearch,
    ReIdentification,
    SpecialUniques,
    Uniqueness,
)

small = partial(
    tables, min_records=2, max_records=10, max_qid=4, max_leaves=4, missing=False, owner=False
)
thresholds = st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)])


@given(small(), thresholds)
def test_prosecutor_and_marketer(table: RandomTable, threshold: Fraction) -> None:
    found = ReIdentification(threshold).measure(table_of(table))
    each = population.prosecutor_risks(table.rows, table.qid)
    assert found.risks.tolist() == pytest.approx([float(risk) for risk in each])
    assert found.prosecutor.highest == pytest.approx(float(risks.highest(each)))
    assert found.prosecutor.above == pytest.approx(float(risks.above(each, threshold)))
    assert found.marketer == pytest.approx(float(risks.marketer(table.rows, table.qid)))


@given(small(), st.data())
def test_journalist_with_a_population(table: RandomTable, data: st.DataObject) -> None:
    more = data.draw(st.lists(st.sampled_from(table.rows), max_size=6))
    everybody = [{c: row[c] for c in table.qid} for row in [*table.rows, *more]]
    found = ReIdentification(population="people").measure(
        table_of(table), {"people": frame_of(everybody)}
    )
    each = population.journalist_risks(table.rows, everybody, table.qid)
    assert found.journalist_risks.tolist() == pytest.approx([float(risk) for risk in each])
    assert found.journalist.highest == pytest.approx(
        float(risks.journalist(table.rows, everybody, table.qid))
    )
    assert found.marketer == pytest.approx(float(risks.marketer(table.rows, table.qid, everybody)))


@given(small(), st.data())
def test_uniques(table: RandomTable, data: st.DataObject) -> None:
    more = data.draw(st.lists(st.sampled_from(table.rows), max_size=6))
    everybody = [{c: row[c] for c in table.qid} for row in [*table.rows, *more]]
    found = Uniqueness(population="people").measure(
        table_of(table), {"people": frame_of(everybody)}
    )
    unique = risks.sample_uniques(table.rows, table.qid)
    assert found.is_unique.nonzero()[0].tolist() == unique
    assert found.n_sample == len(unique)
    lonely = risks.population_uniques(table.rows, everybody, table.qid)
    assert found.share == pytest.approx(len(lonely) / len(table.rows))


@given(small(), st.one_of(st.none(), st.integers(1, 4)))
def test_special_uniques(table: RandomTable, largest: int | None) -> None:
    found = SpecialUniques(largest=largest).measure(table_of(table))
    each = risks.minimal_uniques(table.rows, table.qid, largest)
    counts = [
        [
            sum(i == record and len(c) == n for record, c in each)
            for n in range(1, found.largest + 1)
        ]
        for i in range(len(table.rows))
    ]
    assert found.n_minimal.tolist() == counts
    scores = risks.suda_scores(table.rows, table.qid, largest)
    assert found.scores.tolist() == pytest.approx([float(score) for score in scores])


@given(small())
def test_separation_and_distinct_ratio(table: RandomTable) -> None:
    found = QuasiIdentifierSearch(largest=2, alpha=1).measure(table_of(table), table.qid)
    for each in found:
        distinct = qid_search.distinct_ratio(table.rows, each.columns)
        separation = qid_search.separation_ratio(table.rows, each.columns)
        assert each.distinct == pytest.approx(float(distinct))
        assert each.separation == pytest.approx(float(separation))
        assert each.unique == pytest.approx(
            float(qid_search.unique_share(table.rows, each.columns))
        )
