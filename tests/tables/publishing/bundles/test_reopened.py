"""Bundles measured beside their original records: as in memory, and by no other records."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unlinkable as ul
from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.data import read
from unlinkable.tables.metrics.base import Generalized, GroupMetric, Measurement, Metric
from unlinkable.tables.publishing import GeneralizedRelease, open_bundle, verify
from unlinkable.tables.publishing.anonymizing.run import run
from unlinkable.tables.publishing.bundles.public_half import tell
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.taxonomies.builders import Dates, Intervals, Tree

METRICS = [entry.name for entry in entries("metric")]
N = 48


def records() -> pl.DataFrame:
    """Patients of every kind of column, some values missing, one of them like nobody else."""
    rng = np.random.default_rng(5)
    ages: list[int | None] = rng.integers(20, 60, N).tolist()
    ages[0], ages[1], ages[2] = 99, None, None
    born = [date(1960, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 9000, N)]
    jobs = rng.choice(np.array(["cook", "clerk", "smith", None], object), N).tolist()
    return pl.DataFrame(
        {
            "pid": [f"p{i // 2}" for i in range(N)],
            "name": [f"Patient{i}" for i in range(N)],
            "age": ages,
            "born": born,
            "job": jobs,
            "ill": rng.choice(["flu", "hiv", "cold"], N).tolist(),
            "rich": ["yes" if (a or 0) > 40 else "no" for a in ages],
            "stay": [
                None if i % 7 == 3 else round(float(x), 2) for i, x in enumerate(rng.random(N))
            ],
            "weight": rng.integers(1, 5, N).astype(float).tolist(),
        }
    )


COLUMNS: dict[str, dict[str, object]] = {
    "pid": {"role": "owner"},
    "name": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [5, 10, 20]}, "weight": 2.0},
    "born": {"role": "quasi-identifier", "taxonomy": {"dates": ["year"]}},
    "job": {"role": "quasi-identifier"},
    "ill": {
        "role": "sensitive",
        "taxonomy": {"tree": {"virus": ["hiv", "flu"], "other": ["cold", "gout"]}},
    },
    "rich": {"role": "target"},
    "stay": {"role": "insensitive"},
    "weight": {"role": "weight"},
}


def plan_of(folder: Path, **changes: object) -> Plan:
    document: dict[str, object] = {
        "data": {"source": "patients.csv"},
        "columns": COLUMNS,
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "optimal", "suppression": 0.1},
        "release": {"seed": 7},
        **changes,
    }
    return Plan.from_dict(document, folder)


def saved(plan: Plan, folder: Path) -> GeneralizedRelease:
    release = run(plan)
    assert isinstance(release, GeneralizedRelease)
    release.save(folder / "release", plan=plan, format=plan.form.release.format)
    return release


def by_plan(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    records().write_csv(folder / "patients.csv")
    return saved(plan_of(folder), folder), None


def by_regions(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    records().write_parquet(folder / "patients.parquet")
    plan = plan_of(
        folder,
        data={"source": "patients.parquet"},
        method={"name": "mondrian"},
        release={"seed": 7, "format": "parquet"},
    )
    return saved(plan, folder), None


def by_frame(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    """Without a plan: where the records are has to be said."""
    table = ul.as_table(
        records(),
        owner="pid",
        identifiers="name",
        quasi=["age", "born", "job"],
        sensitive="ill",
        target="rich",
        insensitive="stay",
        weight="weight",
        importance={"age": 2.0},
        taxonomies={
            "age": Intervals(5, 10, 20),
            "born": Dates("year"),
            "ill": Tree({"virus": ["hiv", "flu"], "other": ["cold", "gout"]}),
        },
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(3), suppression=0.1, seed=7)
    release.save(folder / "release")
    records().write_parquet(folder / "elsewhere.parquet")
    return release, folder / "elsewhere.parquet"


def by_file(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    """Without a plan, from a file that is still there."""
    records().drop("pid", "name", "weight").write_csv(folder / "patients.csv")
    table = read(
        folder / "patients.csv",
        quasi=["age", "born", "job"],
        sensitive="ill",
        target="rich",
        insensitive="stay",
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(3), method=ul.Mondrian(), seed=7)
    release.save(folder / "release")
    return release, None


def by_relations(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    """From two tables that the plan joins."""
    whole = records()
    people = whole.unique("pid", keep="first", maintain_order=True)
    people.drop("ill", "stay").write_csv(folder / "patients.csv")
    whole.select("pid", "ill", "stay").write_csv(folder / "visits.csv")
    columns = {name: told for name, told in COLUMNS.items() if name != "weight"}
    plan = plan_of(
        folder,
        data={"source": "patients.csv", "join": ["visits.csv"], "others": "drop"},
        columns=columns,
        method={"name": "mondrian"},
    )
    return saved(plan, folder), None


def by_population(folder: Path) -> tuple[GeneralizedRelease, Path | None]:
    """With people who look like no record: their values are in the taxonomies."""
    records().write_csv(folder / "patients.csv")
    population = records().select("age", "born", "job")
    others = population.with_columns(pl.col("age") + 31, pl.lit("baker").alias("job"))
    pl.concat([population, population, others]).write_csv(folder / "people.csv")
    plan = plan_of(
        folder, privacy=[{"model": "k-map", "k": 3, "population": str(folder / "people.csv")}]
    )
    return saved(plan, folder), None


Way = Callable[[Path], tuple[GeneralizedRelease, Path | None]]
WAYS: list[Way] = [by_plan, by_regions, by_frame, by_file, by_relations, by_population]


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, tuple[GeneralizedRelease, Path, Path | None]]:
    """Every release with its bundle, and where the original records are if that must be said."""
    found = {}
    for way in WAYS:
        folder = tmp_path_factory.mktemp(way.__name__)
        release, original = way(folder)
        found[way.__name__] = release, folder / "release", original
    return found


def assert_same(found: Measurement, expected: Measurement) -> None:
    assert found.value == pytest.approx(expected.value, rel=1e-9, abs=1e-12, nan_ok=True)
    assert list(found.details) == list(expected.details)
    assert [*found.details.values()] == pytest.approx(
        [*expected.details.values()], rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("way", [way.__name__ for way in WAYS])
@pytest.mark.parametrize("name", METRICS)
def test_a_bundle_is_worth_what_its_release_is_worth(
    made: dict[str, tuple[GeneralizedRelease, Path, Path | None]], name: str, way: str
) -> None:
    release, folder, original = made[way]
    metric = make("metric", name)
    assert_same(open_bundle(folder).evaluate(metric, original), release.evaluate(metric))


@pytest.mark.parametrize("way", [way.__name__ for way in WAYS])
def test_published_records_are_put_beside_the_same_originals(
    made: dict[str, tuple[GeneralizedRelease, Path, Path | None]], way: str
) -> None:
    release, folder, original = made[way]
    metric = make("metric", "classification-metric")
    assert isinstance(metric, GroupMetric)
    found, expected = open_bundle(folder).published(metric, original), release.published(metric)
    assert found.columns == expected.columns
    assert isinstance(found, Generalized)
    assert found.rows is not None
    assert expected.rows is not None
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.target(None) == "rich"
    for name in found.columns:
        for mine, theirs in zip(found.ranges(name), expected.ranges(name), strict=True):
            assert mine.tolist() == theirs.tolist(), name
    assert found.shown.weights.sum() == pytest.approx(expected.shown.weights.sum())
    assert found.shown.suppressed_weight == pytest.approx(expected.shown.suppressed_weight)


def test_records_are_left_out_somewhere(
    made: dict[str, tuple[GeneralizedRelease, Path, Path | None]],
) -> None:
    """Otherwise the tests above would say nothing about such records."""
    assert {way for way, (release, _, _) in made.items() if release.n_suppressed} >= {
        "by_plan",
        "by_frame",
    }
    assert made["by_population"][0].crowds
    assert len(made["by_relations"][0].table) == N


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    by_plan(tmp_path)
    return tmp_path / "release"


NEEDS_RECORDS = "nonuniform-entropy"


def measured(folder: Path, original: str | Path | None = None) -> float:
    return open_bundle(folder).measure(NEEDS_RECORDS, original)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_records_that_were_moved_are_found_where_one_says(bundle: Path, suffix: str) -> None:
    expected = measured(bundle)
    source, moved = bundle.parent / "patients.csv", bundle.parent / f"moved{suffix}"
    source.unlink()
    if suffix == ".csv":
        records().write_csv(moved)
    else:
        records().write_parquet(moved)
    with pytest.raises(BundleError, match=r"patients\.csv.*say where they are with --original"):
        measured(bundle)
    assert measured(bundle, moved) == measured(bundle, str(moved)) == pytest.approx(expected)


def test_a_bundle_that_was_moved_still_finds_its_records(bundle: Path, tmp_path: Path) -> None:
    expected = measured(bundle)
    shutil.move(bundle, tmp_path / "moved" / "there")
    assert measured(tmp_path / "moved" / "there") == pytest.approx(expected)


def other_ages_for_all(frame: pl.DataFrame) -> pl.DataFrame:
    """Equal ages stay equal, and all are ages that occur."""
    known = sorted(set(frame["age"].drop_nulls()))
    return frame.with_columns(pl.col("age").replace(known, known[::-1]))


def one_like_a_later_one(frame: pl.DataFrame) -> pl.DataFrame:
    """The first record is made equal to one that was published in another group."""
    last = frame[-1]
    first = frame[:1].with_columns(age=last["age"], born=last["born"], job=last["job"])
    return pl.concat([first, frame[1:]])


def rewritten(**columns: object) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda frame: frame.with_columns(**columns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame[::-1], "is not what the release was made from"),
        (rewritten(age=pl.col("age") + 1), "is not what the release was made from: .*'age' holds"),
        (other_ages_for_all, "records show values that they never had"),
        (one_like_a_later_one, "records show values that they never had"),
        (rewritten(job=pl.lit("pope")), r"is not what the release was made from: .*'job' holds 1"),
        (
            rewritten(ill=pl.col("ill").replace("flu", "cold")),
            "is not what the release was made from: column 'ill' has other values",
        ),
        (
            rewritten(stay=pl.col("stay").replace(None, 0.5)),
            "is not what the release was made from: column 'stay' has other values",
        ),
        (
            rewritten(weight=pl.col("weight") * 2),
            "is not what the release was made from: column 'weight' has other values",
        ),
        (rewritten(stay=pl.lit("long")), "column 'stay' has other values"),
        (lambda frame: frame[:-1], "has 47 records, and the release was made from 48"),
        (lambda frame: pl.concat([frame, frame]), "has 96 records, and the release was made fr"),
        (lambda frame: frame.drop("rich"), "no column 'rich'"),
    ],
    ids=[
        "another order",
        "unknown ages",
        "other ages",
        "one like another",
        "an unknown job",
        "another illness",
        "a value that was missing",
        "other weights",
        "texts for numbers",
        "one less",
        "twice as many",
        "a column less",
    ],
)
@pytest.mark.parametrize("is_moved", [False, True])
def test_other_records_are_refused(
    bundle: Path,
    change: Callable[[pl.DataFrame], pl.DataFrame],
    message: str,
    is_moved: bool,
) -> None:
    place = bundle.parent / ("elsewhere.csv" if is_moved else "patients.csv")
    change(records()).write_csv(place)
    # What the bundle itself names is not looked into unless it has the digest of the source.
    expected = message if is_moved else "it was changed, or is another file"
    with pytest.raises(BundleError, match=expected):
        measured(bundle, place if is_moved else None)


def test_a_change_within_a_published_range_is_noticed(bundle: Path) -> None:
    file = bundle.parent / "patients.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(BundleError, match="it was changed, or is another file"):
        measured(bundle)


def test_what_was_not_published_may_be_gone_or_changed(tmp_path: Path) -> None:
    """Names and owners tell a metric nothing."""
    release, original = by_frame(tmp_path)
    assert original is not None
    records().drop("name").with_columns(pid=pl.lit("x")).write_parquet(original)
    metric = make("metric", NEEDS_RECORDS)
    found = open_bundle(tmp_path / "release").measure(metric, original)
    assert found == pytest.approx(release.measure(metric))


def test_records_of_a_frame_have_to_be_named(tmp_path: Path) -> None:
    by_frame(tmp_path)
    with pytest.raises(BundleError, match=r"came from no file: say where they are with --original"):
        measured(tmp_path / "release")
    with pytest.raises(BundleError, match=r"no such file.*say where they are with --original"):
        measured(tmp_path / "release", tmp_path / "nowhere.csv")


def test_an_address_is_not_taken_for_a_path(bundle: Path, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/patients.db"
    with pytest.raises(BundleError, match=r"sqlite:///") as refused:
        measured(bundle, address)
    assert str(Path.cwd()) not in str(refused.value)


def test_the_public_half_alone_tells_which_record_is_which_to_nobody(bundle: Path) -> None:
    public = open_bundle(bundle / "public")
    with pytest.raises(BundleError, match="no private half, and only that tells which record is"):
        public.published()
    with pytest.raises(BundleError, match="no private half"):
        public.charts()
    with pytest.raises(BundleError, match="no private half"):
        public.evaluate(make("metric", NEEDS_RECORDS))
    assert public.evaluate(make("metric", "iloss")).details == {}


def test_metrics_of_boxes_do_without_the_records(bundle: Path) -> None:
    expected = open_bundle(bundle).evaluate(make("metric", "iloss"))
    assert set(expected.details) == {"age", "born", "job"}
    (bundle.parent / "patients.csv").unlink()
    assert_same(open_bundle(bundle).evaluate(make("metric", "iloss")), expected)


def test_metrics_of_a_plan_go_into_the_manifest_and_the_bundle_verifies(tmp_path: Path) -> None:
    records().write_csv(tmp_path / "patients.csv")
    asked = ["propensity", "classification-metric", "stress"]
    plan = plan_of(tmp_path, utility={"metric": "iloss", "metrics": asked})
    release = saved(plan, tmp_path)
    told = open_bundle(tmp_path / "release").manifest.metrics
    for name in asked:
        metric = make("metric", name)
        expected = metric.measure(release.published_alone(metric)).value
        assert told[name] == pytest.approx(expected)
    assert verify(tmp_path / "release").problems == ()
    assert verify(tmp_path / "release" / "public").problems == ()
    (tmp_path / "patients.csv").unlink()
    assert verify(tmp_path / "release").holds
    assert open_bundle(tmp_path / "release" / "public").measure("stress") == told["stress"]


class Boundless(Metric):
    """A number that is not finite."""

    name = "boundless"
    reference = "none"

    def __init__(self, value: float) -> None:
        self.value = value

    def __str__(self) -> str:
        return f"boundless({self.value})"

    def _measure(self, published: object, progress: object = None) -> Measurement:
        return Measurement(self.value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_figures_that_are_not_finite_are_told_as_nothing(value: float) -> None:
    table = ul.as_table({"a": [1, 1, 2, 2]}, quasi="a")
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    told = tell(release, release.applied.frame, release.shown, (Boundless(value), Boundless(1.5)))
    assert told.metrics[f"boundless({value})"] is None
    assert told.metrics["boundless(1.5)"] == 1.5


def test_a_damaged_private_half_is_no_base_for_figures(bundle: Path) -> None:
    rows = bundle / "private" / "rows.parquet"
    rows.write_bytes(rows.read_bytes()[:-1])
    with pytest.raises(BundleError, match=r"rows\.parquet was changed"):
        measured(bundle)


def test_a_task_cannot_guide_a_search() -> None:
    table = ul.as_table({"a": [1, 2, 3], "y": ["n", "y", "y"]}, quasi="a", target="y")
    made = [make("metric", name) for name in METRICS]
    tasks = [metric for metric in made if not isinstance(metric, GroupMetric)]
    assert tasks
    for task in tasks:
        with pytest.raises(UnsupportedError, match=f"{task} can measure a release, but not guide"):
            ul.anonymize(table, privacy=ul.KAnonymity(2), metric=task)
