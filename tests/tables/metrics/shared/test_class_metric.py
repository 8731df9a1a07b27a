"""Class metrics: which column is the class, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import unlinkable as ul
from tests.tables.metrics.releases import shown_sizes
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.registry.lookup import make
from unlinkable.tables.data import Table
from unlinkable.tables.data.schema import Schema
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Histogram, Partition
from unlinkable.tables.groups.histogram import head_count, population_column
from unlinkable.tables.metrics import IGPL, ILPG, ClassificationMetric, InformationGain
from unlinkable.tables.metrics.base import Bucketized, Generalized, Shown
from unlinkable.tables.metrics.shared.class_metric import Gain, TradeOff, anonymity, entropy
from unlinkable.typing import Columns

Ours = ClassificationMetric | InformationGain | IGPL | ILPG

METRICS: list[Ours] = [ClassificationMetric(), InformationGain(), IGPL(), ILPG()]


def people() -> Table:
    return ul.as_table(
        {
            "job": ["cook", "cook", "clerk", "clerk"],
            "ill": ["y", "n", "y", "n"],
            "rich": ["n", "n", "y", "y"],
            "who": ["a", "b", "c", "d"],
            "n": [1, 2, 3, 4],
        },
        quasi="job",
        sensitive="ill",
        target="rich",
        owner="who",
        weight="n",
    )


def raw(table: Table, *columns: str) -> Generalized:
    counted = count(table, [(name,) for name in columns])
    partition = Partition.at_levels(counted.finest, table.attributes, [0])
    return Generalized.of(table, partition, counted.labels)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_the_class_is_the_target_or_else_the_sensitive_column(metric: Ours) -> None:
    for schema, column in [
        (Schema.of(quasi="a", target="t", sensitive=["s", "u"]), "t"),
        (Schema.of(quasi="a", sensitive="s"), "s"),
    ]:
        assert metric.needs(schema) == frozenset({(column,)})
        assert metric.bind(schema).target == column
    named = type(metric)(target="u")
    assert named.needs(Schema.of(quasi="a", target="t", insensitive="u")) == frozenset({("u",)})


def test_the_roles_decide_where_several_columns_were_counted() -> None:
    published = raw(people(), "rich", "ill")
    assert InformationGain().measure(published).value == 1.0
    assert InformationGain("ill").measure(published).value == 0.0
    with pytest.raises(SchemaError, match="ill, rich were counted: name the column with target="):
        InformationGain().value(published.shown)


def test_owners_and_crowds_are_no_classes() -> None:
    counted = count(people(), [("rich",)]).finest
    crowd: dict[Columns, Histogram] = {(population_column("all"),): head_count(np.array([5, 5]))}
    finest = type(counted)(
        counted.sizes,
        counted.weights,
        {**counted.histograms, **crowd},
        counted.whole,
        counted.columns,
        counted.keys,
        counted.owner,
    )
    shown = Shown.of(Partition.at_levels(finest, people().attributes, [0]), people().attributes)
    assert ("who",) in finest.histograms
    assert InformationGain().column(shown) == "rich"


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_a_release_is_measured_with_all_details(metric: Ours) -> None:
    published = raw(people(), "rich")
    measured = metric.measure(published)
    assert measured.value == metric.value(published.shown)
    assert measured.details == metric.details(published.shown)
    assert len(measured.details) == 2


def test_records_count_whatever_they_weigh() -> None:
    published = raw(people(), "ill")
    assert published.shown.weights.tolist() == [3.0, 7.0]
    assert ClassificationMetric("ill").value(published.shown) == 0.5


def test_a_missing_class_is_a_class() -> None:
    table = ul.as_table({"job": ["a", "a", "a"], "y": ["u", None, None]}, quasi="job", target="y")
    assert ClassificationMetric().measure(raw(table, "y")).value == 1 / 3


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_an_empty_table_has_no_classes_to_tell(metric: Ours) -> None:
    nobody = ul.as_table({"job": [""], "y": [""]}, quasi="job", target="y")
    counted = count(nobody, [("y",)])
    gone = counted.finest.select(np.array([False]))
    shown = Shown.of(Partition.whole(gone), nobody.attributes)
    assert shown.n_records == 0
    assert metric.value(shown) == 0
    assert set(metric.details(shown).values()) == {0.0}


def test_entropy_is_exact_where_it_can_be() -> None:
    assert entropy(np.array([7])) == entropy(np.array([0, 49, 0])) == entropy(np.array([])) == 0
    assert entropy(np.array([3, 3, 3, 3])) == 2.0


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_refuses_tables_without_a_class(metric: Ours) -> None:
    with pytest.raises(SchemaError, match="and no column has the role target: name the column"):
        metric.needs(Schema.of(quasi="a"))
    with pytest.raises(SchemaError, match="s, u could be it"):
        metric.bind(Schema.of(quasi="a", sensitive=["s", "u"]))
    with pytest.raises(SchemaError, match=r"no class column 'rihc' among 2 \(did you mean 'rich'"):
        type(metric)(target="rihc").needs(Schema.of(quasi="a", target="rich", owner="who"))
    with pytest.raises(SchemaError, match="no class column 'who'"):
        type(metric)(target="who").bind(Schema.of(quasi="a", target="rich", owner="who"))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_refuses_releases_whose_class_was_not_counted(metric: Ours) -> None:
    with pytest.raises(UnsupportedError, match="the values of rich were not counted"):
        metric.measure(raw(people(), "ill"))
    with pytest.raises(UnsupportedError, match="which original record is in which group"):
        metric.value(shown_sizes([2, 2], 0))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_refuses_releases_without_groups_of_records_that_look_alike(metric: Ours) -> None:
    table = people()
    bucketized = Bucketized(table, table.frame, np.arange(4), np.zeros(4, np.int32), {})
    with pytest.raises(UnsupportedError, match=r"cannot measure a bucketized release: it .* alike"):
        metric.measure(bucketized)


KINDS = [IGPL, ILPG]


@pytest.mark.parametrize("kind", KINDS)
def test_distortion_needs_no_class(kind: type[TradeOff]) -> None:
    schema = Schema.of(quasi="a")
    by_distortion = kind(Gain.DISTORTION)
    assert by_distortion.needs(schema) == frozenset()
    assert by_distortion.bind(schema) is by_distortion
    with pytest.raises(SchemaError, match="no column has the role target"):
        kind(Gain.INFORMATION).bind(schema)


@pytest.mark.parametrize("text", ['igpl(gain="distortion")', 'ilpg(target="y")', "igpl"])
def test_reads_back_what_it_writes(text: str) -> None:
    assert str(make("metric", text)) == text


def test_anonymity_is_the_size_of_the_smallest_group() -> None:
    assert anonymity(np.array([3, 0, 2]), 9) == 2
    assert anonymity(np.array([], np.int64), 9) == 9


@pytest.mark.parametrize("kind", KINDS)
def test_refuses_other_gains(kind: type[TradeOff]) -> None:
    with pytest.raises(ParameterError, match="no gain 'entropy' among 2"):
        kind("entropy")
