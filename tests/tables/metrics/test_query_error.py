"""Query error: the definition, what is right by construction, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.metrics.asked import bucketized, matches, queries_of
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import QueryError
from unlinkable.tables.metrics.base import Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.query_answers import answers_estimated
from unlinkable.tables.taxonomies.builders import Flat

RECORDS = {
    "age": [31, 33, 34, 36, 38, 52, 52, 60],
    "sex": ["m", "f", "f", "m", "m", "f", "m", "f"],
    "pay": [10, 25, 31, 22, 48, 50, 12, 0],
    "ill": ["flu", "flu", "cold", "HIV", "flu", "cold", "HIV", "flu"],
}
PEOPLE = as_table(
    RECORDS,
    quasi=["age", "sex"],
    sensitive="ill",
    insensitive="pay",
    taxonomies={"age": Flat(), "sex": Flat()},
)


def at_levels(table: Table, *levels: int) -> Generalized:
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, levels)
    return Generalized.of(table, partition, counted.labels)


RAW: dict[str, Published] = {
    "generalized": at_levels(PEOPLE, 0, 0),
    "bucketized": bucketized(PEOPLE, list(range(8)), ["ill"]),
    "perturbed": Perturbed(PEOPLE, PEOPLE.frame, None),
}
ONE_GROUP = at_levels(PEOPLE, 1, 1)


@given(tables(min_records=1, owner=False), st.data())
def test_is_the_mean_of_what_the_definition_says(table: RandomTable, data: st.DataObject) -> None:
    metric = QueryError(
        queries=data.draw(st.integers(1, 30)),
        selectivity=data.draw(st.sampled_from(["1/10", "1/2", "1"])),
        dimension=data.draw(st.integers(1, len(table.qid))),
        sanity=data.draw(st.sampled_from(["1/1000", "1/4"])),
        seed=data.draw(st.integers(0, 9)),
    )
    buckets = data.draw(
        st.lists(st.integers(-1, 3), min_size=len(table.rows), max_size=len(table.rows))
    )
    release = bucketized(table_of(table), buckets, table.sensitive)
    asked = metric.workload(release)
    estimates = answers_estimated(release, asked, None).tolist()
    errors = []
    for query, estimate in zip(queries_of(asked), estimates, strict=True):
        true = sum(matches(table, row, query) for row in table.rows)
        errors.append(abs(estimate - true) / max(true, metric.sanity * len(table.rows)))
    found = metric.measure(release)
    assert found.value == pytest.approx(float(sum(errors) / len(errors)))
    assert found.details["median"] == pytest.approx(float(np.median([float(e) for e in errors])))
    assert found.details["queries"] == metric.queries


@pytest.mark.parametrize("kind", RAW)
@pytest.mark.parametrize("added", [None, "pay"])
def test_a_raw_release_answers_everything_right(kind: str, added: str | None) -> None:
    found = QueryError(sum=added, dimension=1).measure(RAW[kind])
    assert found.value == 0
    assert found.details["90 % below"] == 0
    assert found.details["mean true answer"] > 0


def test_one_group_gives_the_answer_of_evenly_spread_records() -> None:
    metric = QueryError(dimension=2, sensitive=False, selectivity=0.1)
    asked = metric.workload(ONE_GROUP)
    # 3 of 7 ages and 1 of 2 sexes: roots of a tenth are 0.316.
    assert (asked.hi - asked.lo).tolist() == [[3, 1]] * 1000
    estimates = answers_estimated(ONE_GROUP, asked, None)
    assert estimates.tolist() == pytest.approx([8 * 3 / 7 * 1 / 2] * 1000)


@pytest.mark.parametrize("release", [ONE_GROUP, *RAW.values()], ids=["one-group", *RAW])
def test_full_ranges_count_every_published_record(release: Published) -> None:
    metric = QueryError(selectivity=1, queries=10)
    estimates = answers_estimated(release, metric.workload(release), None)
    assert estimates.tolist() == pytest.approx([8] * 10)
    assert metric.measure(release).value == pytest.approx(0)


def test_records_that_were_left_out_are_not_counted() -> None:
    counted = count(PEOPLE)
    partition = Partition.at_levels(counted.finest, PEOPLE.attributes, [0, 0])
    rest = partition.suppress(np.arange(partition.n_parts) < 2)
    metric = QueryError(selectivity=1, queries=5)
    assert metric.measure(Generalized.of(PEOPLE, rest, counted.labels)).value == pytest.approx(
        2 / 8
    )
    none = partition.suppress(np.ones(partition.n_parts, bool))
    assert metric.measure(Generalized.of(PEOPLE, none, counted.labels)).value == 1


def test_rare_answers_are_compared_with_the_sanity_bound() -> None:
    # One record of eight, counted as none: an error of 1, or of a half beside a bound of 2.
    counted = count(PEOPLE)
    partition = Partition.at_levels(counted.finest, PEOPLE.attributes, [0, 0])
    none = partition.suppress(np.ones(partition.n_parts, bool))
    release = Generalized.of(PEOPLE, none, counted.labels)
    single = QueryError(dimension=1, columns="age", selectivity=0.1, sanity=0.125)
    assert single.measure(release).details["median"] == 1
    assert single.measure(release).details["mean true answer"] == pytest.approx(8 / 7, rel=0.1)
    bounded = QueryError(dimension=1, columns="age", selectivity=0.1, sanity=0.25)
    assert bounded.measure(release).details["median"] == 0.5


def test_the_same_seed_asks_the_same_queries_and_another_asks_others() -> None:
    first, again, other = (QueryError(seed=seed).workload(ONE_GROUP) for seed in (3, 3, 4))
    assert (first.at == again.at).all()
    assert (first.lo == again.lo).all()
    assert not ((first.at == other.at).all() and (first.lo == other.lo).all())
    values = [QueryError(dimension=1, seed=3).measure(ONE_GROUP).value for _ in range(2)]
    assert values[0] == values[1] > 0


def test_all_kinds_of_releases_are_asked_the_same_queries() -> None:
    drawn = [QueryError().workload(release) for release in RAW.values()]
    for other in drawn[1:]:
        assert other.columns == drawn[0].columns
        assert (other.at == drawn[0].at).all()
        assert (other.lo == drawn[0].lo).all()


def test_every_query_asks_for_a_sensitive_column_unless_told_otherwise() -> None:
    assert QueryError(dimension=2).workload(ONE_GROUP).columns == ("age", "sex", "ill")
    assert QueryError(dimension=2).workload(ONE_GROUP).at.tolist() == [[0, 1, 2]] * 1000
    assert QueryError(sensitive=False).workload(ONE_GROUP).columns == ("age", "sex")
    named = QueryError(sensitive=False, dimension=1, columns=("age", "ill"))
    assert set(named.workload(ONE_GROUP).at.ravel().tolist()) == {0, 1}
    no_sum = QueryError(sum="age", dimension=1).workload(ONE_GROUP)
    assert no_sum.columns == ("sex", "ill")


def test_weights_of_records_do_not_matter() -> None:
    records = {**RECORDS, "pay": [9] * 8}
    weighted = as_table(records, quasi=["age", "sex"], sensitive="ill", weight="pay")
    found = QueryError(selectivity=1, queries=3).measure(at_levels(weighted, 0, 0))
    assert found.details["mean true answer"] == 8


def test_noise_that_is_larger_than_the_answers_is_worse_than_nothing() -> None:
    release = Perturbed(PEOPLE, PEOPLE.frame, None, np.full(8, 5.0))
    assert QueryError(selectivity=1, queries=3).measure(release).value == 4


def test_tells_of_progress_up_to_the_end() -> None:
    told: list[float] = []
    QueryError(queries=300).measure(ONE_GROUP, lambda share, _: told.append(share))
    assert told == sorted(told)
    assert told[0] < 1
    assert told[-1] == pytest.approx(1)


def test_is_written_with_what_differs_from_the_defaults() -> None:
    assert str(QueryError()) == "query-error"
    assert str(QueryError(dimension=3, sum="pay")) == 'query-error(dimension=3, sum="pay")'
    assert QueryError(selectivity="1/20").selectivity == Fraction(1, 20)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"queries": 0}, "queries must be at least 1, got 0"),
        ({"dimension": 0}, "dimension must be at least 1, got 0"),
        ({"dimension": 1.5}, "dimension must be a whole number, got 1.5"),
        ({"selectivity": 0}, r"selectivity must lie in \(0, 1\], got 0"),
        ({"selectivity": 1.5}, r"selectivity must lie in \(0, 1\], got 3/2"),
        ({"sanity": 0}, r"sanity must lie in \(0, 1\], got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        QueryError(**parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (QueryError(dimension=3), r"dimension 3 need .* there are 2 \(age, sex\): take a lower"),
        (QueryError(columns="ill", dimension=1), "dimension 1 need .* and there are none"),
        (QueryError(columns=("age", "zip")), "no published column 'zip' among 4"),
        (QueryError(columns=("age", "pay"), sum="pay"), "'pay' is added up: queries cannot ask"),
        (QueryError(sum="income"), "no published column 'income' among 4"),
        (QueryError(sum="ill"), "column 'ill' does not hold numbers: it cannot be added up"),
    ],
    ids=["dimension", "no-columns", "unknown", "both", "no-sum", "no-numbers"],
)
def test_refuses_columns_that_cannot_be_asked_for(metric: QueryError, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        metric.measure(ONE_GROUP)


def test_refuses_a_column_that_was_not_published() -> None:
    release = Perturbed(PEOPLE, PEOPLE.frame.drop("pay"), None)
    with pytest.raises(SchemaError, match="no published column 'pay' among 3"):
        QueryError(sum="pay").measure(release)


def test_refuses_an_original_without_records() -> None:
    frame = pl.DataFrame(RECORDS).clear()
    empty = as_table(frame, quasi=["age", "sex"], sensitive="ill", insensitive="pay")
    with pytest.raises(DataError, match="the original has no records: there is nothing to count"):
        QueryError().measure(Perturbed(empty, empty.frame, None))


def test_refuses_to_add_up_nothing() -> None:
    table = as_table({"age": [1, 2], "pay": [0, None]}, quasi="age", insensitive="pay")
    with pytest.raises(DataError, match="column 'pay' holds only zeros: there is nothing"):
        QueryError(dimension=1, sum="pay").measure(Perturbed(table, table.frame, None))
