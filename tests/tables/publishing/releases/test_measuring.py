"""Measuring tables from files: what is known of their records, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.metrics.base import Generalized, GroupMetric, Perturbed
from unlinkable.tables.metrics.defaults import DEFAULT_METRICS
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing import GeneralizedRelease, anonymize
from unlinkable.tables.publishing.anonymizing.planned import read_table
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.measuring import (
    Treatment,
    beside,
    draw_tables,
    measure_bundle,
    measure_tables,
    read_both,
)

METRICS = [entry.name for entry in entries("metric")]
NEEDS_ROWS = ["cluster-f-measure", "match-point", "stress"]
"""Tasks that compare every published record with its original."""

PLAN = """
data = {source = "nowhere.csv"}
[columns]
age = {role = "quasi-identifier", taxonomy = {intervals = [5, 10]}}
job = {role = "quasi-identifier"}
ill = {role = "sensitive"}
rich = {role = "target"}
weight = {role = "weight"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a table of people, one of them like nobody else, and what is known of its columns."""
    rng = np.random.default_rng(3)
    ages: list[int | None] = rng.integers(20, 50, 40).tolist()
    ages[-2:] = [None, 95]
    frame = pl.DataFrame(
        {
            "age": ages,
            "job": rng.choice(["cook", "clerk"], 40),
            "ill": rng.choice(["flu", "hiv", "cold"], 40),
            "rich": rng.choice(["yes", "no"], 40),
            "weight": rng.integers(1, 5, 40),
        }
    )
    frame.write_csv(tmp_path / "before.csv")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def released(
    folder: Path, method: Search | None = None, suppression: str = "0"
) -> GeneralizedRelease:
    """Publish the table, and write what was published."""
    document = Plan.load(folder / "plan.toml").to_dict()
    document["data"] = {"source": str(folder / "before.csv")}
    table = read_table(Plan.from_dict(document))
    release = anonymize(table, privacy=KAnonymity(2), method=method, suppression=suppression)
    release.applied.frame.write_csv(folder / "after.csv")
    return release


def rewrite(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change what was published."""
    after = pl.read_csv(folder / "after.csv", infer_schema=False)
    change(after).write_csv(folder / "after.csv")


def measured(
    folder: Path, metric: str, treatment: Treatment = Treatment.GENERALIZED
) -> dict[str, float]:
    files = folder / "before.csv", folder / "after.csv", folder / "plan.toml"
    found = measure_tables(*files, [metric], treatment)
    return {name: told.value for name, told in found.items()}


@pytest.mark.parametrize("method", [Optimal(), Mondrian()], ids=str)
def test_in_the_same_order_every_metric_says_what_it_says_of_the_release(
    folder: Path, method: Search
) -> None:
    release = released(folder, method)
    assert release.n_suppressed == 0
    files = folder / "before.csv", folder / "after.csv", folder / "plan.toml"
    found = measure_tables(*files, METRICS)
    assert list(found) == METRICS
    for name in METRICS:
        expected = release.evaluate(name)
        assert found[name].value == pytest.approx(expected.value), name
        assert found[name].details == pytest.approx(expected.details, nan_ok=True), name


def is_counted(name: str) -> bool:
    """Whether a metric counts what is in groups, beside boxes and sizes."""
    metric = make("metric", name)
    return isinstance(metric, GroupMetric) and not metric.boxes_suffice


@pytest.mark.parametrize("name", METRICS)
def test_without_the_records_left_out_boxes_are_measured_and_the_rest_is_refused(
    folder: Path, name: str
) -> None:
    release = released(folder, suppression="0.05")
    assert release.n_suppressed > 0
    metric = make("metric", name)
    if is_counted(name):
        with pytest.raises(UnsupportedError, match="not known here: measure the bundle, or a tab"):
            measured(folder, name)
    elif name in NEEDS_ROWS:
        with pytest.raises(UnsupportedError, match="not known here"):
            measured(folder, name)
    elif isinstance(metric, GroupMetric):
        plain = {"age", "job", "ill", "rich"}
        rewritten = PLAN.replace('weight = {role = "weight"}', 'weight = {role = "insensitive"}')
        (folder / "plan.toml").write_text(rewritten, encoding="utf-8")
        assert plain < set(Plan.load(folder / "plan.toml").schema().names)
        unweighted = released(folder, suppression="0.05")
        assert measured(folder, name) == {name: pytest.approx(unweighted.measure(name))}


def test_records_in_another_order_are_not_taken_for_each_other(folder: Path) -> None:
    released(folder)
    rewrite(folder, lambda after: after[::-1])
    both = read_both(folder / "before.csv", folder / "after.csv", folder / "plan.toml")
    found = beside(*both, Treatment.GENERALIZED)
    assert isinstance(found, Generalized)
    assert found.rows is None
    assert found.shown.partition is None
    with pytest.raises(UnsupportedError, match="not known here"):
        measured(folder, "classification-metric")


def test_columns_that_were_changed_beside_are_read_as_they_are_published(folder: Path) -> None:
    """Nobody is taken for the same record whose other values differ."""
    released(folder)
    rewrite(folder, lambda after: after.with_columns(pl.col("ill").reverse()))
    with pytest.raises(UnsupportedError):
        measured(folder, "stress")
    assert measured(folder, "query-error(dimension=1)")["query-error(dimension=1)"] > 0
    rewrite(folder, lambda after: after.with_columns(ill=pl.lit("QQ")))
    with pytest.raises(UnsupportedError, match="column 'ill' shows values that the original does"):
        measured(folder, "query-error")


def test_equal_records_may_be_published_differently(folder: Path) -> None:
    """Which record is which is known then, and what they weigh; not the groups of equal ones."""
    (folder / "before.csv").write_text(
        "age,job,ill,rich,weight\n30,cook,flu,yes,1\n30,cook,hiv,no,5\n40,cook,flu,no,2\n",
        encoding="utf-8",
    )
    (folder / "after.csv").write_text(
        "age,job,ill,rich,weight\n30,cook,flu,yes,1\n*,cook,hiv,no,5\n*,cook,flu,no,2\n",
        encoding="utf-8",
    )
    both = read_both(folder / "before.csv", folder / "after.csv", folder / "plan.toml")
    found = beside(*both, Treatment.GENERALIZED)
    assert isinstance(found, Generalized)
    assert found.rows is not None
    assert found.rows.tolist() == [0, 1, 2]
    assert sorted(found.shown.weights.tolist()) == [1.0, 7.0]
    with pytest.raises(UnsupportedError, match="with equal ones published alike"):
        measured(folder, "nonuniform-entropy")


def test_the_usual_metrics_are_measured_if_none_is_named(folder: Path) -> None:
    released(folder)
    files = folder / "before.csv", folder / "after.csv", folder / "plan.toml"
    assert list(measure_tables(*files, [])) == [str(metric) for metric in DEFAULT_METRICS]
    assert {"iloss", "discernibility"} <= set(measure_tables(*files, []))


def test_bundles_are_measured_by_name_or_by_the_usual_metrics(folder: Path) -> None:
    release = released(folder)
    bundle = release.save(folder / "release")
    usual = measure_bundle(bundle, [])
    assert list(usual) == [str(metric) for metric in DEFAULT_METRICS]
    asked = measure_bundle(bundle, ["stress", "iloss"], folder / "before.csv")
    assert {name: told.value for name, told in asked.items()} == {
        "stress": pytest.approx(release.measure("stress")),
        "iloss": pytest.approx(release.measure("iloss")),
    }


@pytest.mark.parametrize("n", [40, 30])
def test_perturbed_values_are_taken_as_they_are(folder: Path, n: int) -> None:
    before = pl.read_csv(folder / "before.csv")
    after = before.with_columns(pl.col("age") * 2)[:n]
    after.write_csv(folder / "after.csv")
    both = read_both(folder / "before.csv", folder / "after.csv", folder / "plan.toml")
    found = beside(*both, Treatment.PERTURBED)
    assert isinstance(found, Perturbed)
    assert (found.rows is None) == (n < 40)
    assert found.n_records == n
    low, high = found.spans("age")
    expected = after["age"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    assert np.array_equal(low, expected, equal_nan=True)
    assert np.array_equal(high, expected, equal_nan=True)
    told = measured(folder, "propensity", Treatment.PERTURBED)["propensity"]
    assert told == pytest.approx(make("metric", "propensity").measure(found).value)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_of_generalized_values_refuse_perturbed_ones(folder: Path, name: str) -> None:
    (folder / "after.csv").write_bytes((folder / "before.csv").read_bytes())
    metric = make("metric", name)
    if Perturbed in metric.reads:
        assert np.isfinite(measured(folder, name, Treatment.PERTURBED)[name])
    else:
        with pytest.raises(UnsupportedError, match=f"{name} cannot measure a perturbed release"):
            measured(folder, name, Treatment.PERTURBED)


def test_draws_what_can_be_drawn(folder: Path) -> None:
    release = released(folder, suppression="0.05")
    files = folder / "before.csv", folder / "after.csv", folder / "plan.toml"
    drawn = draw_tables(*files)
    assert list(drawn) == ["loss", "group-sizes", "before-after"]
    sizes = release.charts()["group-sizes"].spec["data"]
    assert drawn["group-sizes"].spec["data"] == sizes
    (folder / "after.csv").write_bytes((folder / "before.csv").read_bytes())
    assert list(draw_tables(*files, Treatment.PERTURBED)) == ["before-after"]


@pytest.mark.parametrize("treatment", list(Treatment), ids=str)
def test_a_table_without_a_known_column_is_refused(folder: Path, treatment: Treatment) -> None:
    released(folder)
    rewrite(folder, lambda after: after.drop("job"))
    with pytest.raises(DataError, match=r"after\.csv has no column 'job', which the plan makes kn"):
        measured(folder, "iloss", treatment)


def test_more_records_than_before_cannot_be_generalized_ones(folder: Path) -> None:
    released(folder)
    rewrite(folder, lambda after: pl.concat([after, after[:1]]))
    with pytest.raises(DataError, match="has 41 records, and the original 40: it cannot have been"):
        measured(folder, "iloss")


def test_texts_that_are_no_generalizations_are_refused(folder: Path) -> None:
    released(folder)
    rewrite(folder, lambda after: after.with_columns(job=pl.lit("pope")))
    with pytest.raises(DataError, match="job"):
        measured(folder, "iloss")


def test_metrics_that_are_unknown_or_lack_their_column_are_refused(folder: Path) -> None:
    released(folder)
    with pytest.raises(ParameterError, match="did you mean 'iloss'"):
        measured(folder, "ilos")
    with pytest.raises(SchemaError, match="no class column 'pay'"):
        measured(folder, "classification-metric(target=pay)")


def test_of_perturbed_values_there_is_nothing_usual_to_measure(folder: Path) -> None:
    (folder / "after.csv").write_bytes((folder / "before.csv").read_bytes())
    files = folder / "before.csv", folder / "after.csv", folder / "plan.toml"
    with pytest.raises(ParameterError, match=r"say what to measure of perturbed .*propensity"):
        measure_tables(*files, [], Treatment.PERTURBED)


def test_treatments_are_read_by_name() -> None:
    assert [Treatment.read(known.value) for known in Treatment] == list(Treatment)
    with pytest.raises(ParameterError, match=r"no treatment 'swapped' among 2 \(there are 'gen"):
        Treatment.read("swapped")
