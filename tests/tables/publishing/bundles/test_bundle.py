"""Bundles: what is written where, what is never written, and that it is all or nothing."""

from __future__ import annotations

import base64
import inspect
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import polars as pl
import pyarrow.parquet as pq
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.publishing.saved_bundles import JOBS, contents, patients, release_of
from unlinkable.errors import BundleError, InfeasibleError, ParameterError
from unlinkable.release.bundle import MANIFEST
from unlinkable.release.bundle.signing import new_signing_key
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.defaults import DEFAULT_METRICS
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from unlinkable.tables.publishing import GeneralizedRelease, anonymize, open_bundle, verify
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.bundles.public_half import write_public
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.taxonomies.builders import Intervals, Tree

FORMATS = ["csv", "parquet"]


@pytest.fixture(scope="module")
def release() -> GeneralizedRelease:
    return release_of()


@pytest.mark.parametrize("form", FORMATS)
def test_a_bundle_has_two_halves_with_these_files(
    release: GeneralizedRelease, tmp_path: Path, form: Any
) -> None:
    folder = release.save(tmp_path / "release", format=form)
    assert folder == tmp_path / "release"
    assert sorted(contents(folder)) == [
        "private/before.json",
        "private/groups.parquet",
        "private/provenance.json",
        "private/report.html",
        "private/rows.parquet",
        "private/taxonomies.json",
        "public/about.json",
        f"public/data.{form}",
        "public/release.json",
        "public/report.html",
    ]
    assert verify(folder).holds
    assert verify(folder / "public").holds


@pytest.mark.skipif(os.name != "posix", reason="rights work differently elsewhere")
def test_the_private_half_is_for_its_owner_alone(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    private = release.save(tmp_path / "release") / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in private.iterdir()} == {0o600}
    others_can_read = (private.parent / "public" / "data.csv").stat().st_mode & stat.S_IROTH
    assert bool(others_can_read) == (Path(__file__).stat().st_mode & stat.S_IROTH > 0)


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_published_comes_back_as_it_was(
    release: GeneralizedRelease, tmp_path: Path, form: Any
) -> None:
    opened = open_bundle(release.save(tmp_path / "release", format=form))
    expected = release.applied.frame.cast(pl.String)
    assert opened.frame.cast(pl.String).equals(expected)
    assert opened.manifest.records == release.n_records == 11
    assert opened.manifest.suppressed == pytest.approx(1 / 12)


def everything_in(file: Path) -> bytes:
    """Unpack what a Parquet file holds beside its values: schema and dictionaries."""
    metadata = pq.read_metadata(file).metadata or {}
    schema = base64.b64decode(metadata.get(b"ARROW:schema", b""))
    table = pq.read_table(file, read_dictionary=["job", "ill"])
    words = [c.dictionary.to_pylist() for n in ("job", "ill") for c in table.column(n).chunks]
    return schema + str(words).encode()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", ["text", "categorical", "enum"])
def test_nothing_of_what_was_left_out_is_in_the_public_half(
    tmp_path: Path, form: Any, how: str
) -> None:
    table = patients()
    texts = table.frame.select(pl.col(pl.String))
    if how == "categorical":
        texts = texts.cast(pl.Categorical)
    elif how == "enum":
        texts = texts.select(s.cast(pl.Enum(s.unique())) for s in texts)
    table = Table(table.frame.with_columns(texts), table.schema)
    release = release_of(table)
    assert release.n_suppressed == 1
    folder = release.save(tmp_path / "release", format=form)
    told = b"".join(contents(folder / "public").values())
    if form == "parquet":
        told += everything_in(folder / "public" / "data.parquet")
    assert b"hiv" in told
    for secret in (b"unheard-of", b"Patient", b'"name": "name"'):
        assert secret not in told


def test_the_public_half_says_nothing_of_where_it_came_from(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    source = tmp_path / "patients.csv"
    source.write_text("somewhere", encoding="utf-8")
    release = evolve(release, table=evolve(release.table, source=str(source)))
    folder = release.save(tmp_path / "release")
    provenance = open_bundle(folder).provenance
    assert provenance is not None
    assert provenance.source == str(source)
    assert provenance.digest is not None
    assert provenance.seed == release.seed
    public = (folder / "public" / MANIFEST).read_text(encoding="utf-8")
    for secret in (str(source), "patients.csv", provenance.digest, str(release.seed), "seconds"):
        assert secret not in public
    for file in contents(folder / "private").keys() - {"report.html"}:
        assert file not in public


def test_the_function_that_writes_the_public_half_is_not_given_the_release() -> None:
    types = [str(p.annotation) for p in inspect.signature(write_public).parameters.values()]
    given = ["Path", "Mapping[str, Frame]", "Manifest", "Format", "SigningKey | None"]
    assert types == [*given, "About | None"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://steward:geheim@db/patients", "postgresql://steward:***@db/patients"),
        ("postgresql://steward:geh/e@im@db/patients", "postgresql://steward:***@db/patients"),
        (
            "mysql://db/patients?user=ann&password=geheim&x=1",
            "mysql://db/patients?user=ann&password=***&x=1",
        ),
        ("sqlite:///patients.db", "sqlite:///patients.db"),
    ],
)
def test_passwords_of_databases_are_not_written(
    release: GeneralizedRelease, tmp_path: Path, address: str, shown: str
) -> None:
    plan = Plan.from_dict(
        {
            "data": {"source": address, "query": "select 1"},
            "columns": {"age": {"role": "quasi-identifier"}},
        }
    )
    release = evolve(release, table=evolve(release.table, source=address))
    folder = release.save(tmp_path / "release", plan=plan)
    provenance = open_bundle(folder).provenance
    assert provenance is not None
    assert provenance.source == shown
    assert provenance.digest is None
    written = b"".join(contents(folder).values())
    assert b"geh" not in written
    assert b"im@" not in written


def test_a_search_in_a_database_is_repeated_only_with_its_password(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    plan = Plan.from_dict(
        {
            "data": {"source": "postgresql://steward:geheim@db/patients", "query": "select 1"},
            "columns": {"age": {"role": "quasi-identifier"}},
        }
    )
    folder = release.save(tmp_path / "release", plan=plan)
    with pytest.raises(BundleError, match="does not keep passwords; name the address anew"):
        rerun(folder)


def test_the_plan_and_its_metrics_go_into_the_bundle(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    plan = Plan.from_dict(
        {
            "data": {"source": "patients.csv"},
            "columns": {"age": {"role": "quasi-identifier"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "utility": {"metrics": ["average-class-size(k=2)"]},
        },
        tmp_path,
    )
    opened = open_bundle(release.save(tmp_path / "release", plan=plan))
    assert opened.provenance is not None
    assert opened.provenance.plan is not None
    assert Plan.from_dict(opened.provenance.plan) == plan
    assert opened.provenance.folder == str(tmp_path.resolve())
    assert "average-class-size(k=2)" in opened.manifest.metrics


def test_a_signed_bundle_is_verified_with_the_public_key(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    key = new_signing_key()
    folder = release.save(tmp_path / "release", signing_key=key)
    assert verify(folder / "public", public_key=key.public_key()).holds


@st.composite
def texts_for(draw: st.DrawFn, table: RandomTable) -> dict[str, str]:
    """Draw a text for every value, none of them twice in a column."""
    names = sorted({str(v) for tree in table.trees.values() for v in tree.leaves if v is not None})
    alphabet = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]) | st.sampled_from(
        "\n,;\"'{}[)"
    )
    texts = st.text(alphabet, min_size=1, max_size=4)
    drawn = draw(st.lists(texts, min_size=len(names), max_size=len(names), unique=True))
    return dict(zip(names, drawn, strict=True))


def as_real_table(random: RandomTable, texts: dict[str, str] | None = None) -> Table:
    """Turn a random table into a real one, with other texts for its values if some are given."""

    def shown(value: object) -> str | None:
        return None if value is None else (texts or {}).get(str(value), str(value))

    columns = [*random.qid, *random.sensitive]
    data = {c: pl.Series([shown(r[c]) for r in random.rows], dtype=pl.String) for c in columns}
    if random.owner:
        data[random.owner] = pl.Series([r[random.owner] for r in random.rows], dtype=pl.String)
    return as_table(
        pl.DataFrame(data), quasi=random.qid, sensitive=random.sensitive, owner=random.owner
    )


@given(data=st.data(), form=st.sampled_from(FORMATS))
def test_every_release_can_be_saved_and_verified_from_its_texts(
    data: st.DataObject, form: Any
) -> None:
    random = data.draw(tables(min_records=2, max_records=12, max_qid=2))
    texts = data.draw(texts_for(random))
    assume("*" not in texts.values())
    method = data.draw(st.sampled_from([Optimal(), Mondrian(), Mondrian(labels="taxonomy")]))
    try:
        release = anonymize(
            as_real_table(random, texts),
            privacy=[KAnonymity(2), TCloseness("0.9")],
            method=method,
            suppression="0.4",
        )
    except InfeasibleError:
        return
    with TemporaryDirectory() as folder:
        saved = release.save(Path(folder) / "release", format=form)
        whole, public = verify(saved), verify(saved / "public")
        assert (whole.problems, public.problems) == ((), ())
        assert [v.achieved for v in whole.finding.verdicts] == [  # type: ignore[union-attr]
            v.achieved for v in release.finding.verdicts
        ]
        shown = open_bundle(saved).shown()
        for metric in DEFAULT_METRICS:
            assert metric.value(shown) == pytest.approx(release.measure(metric))


@pytest.mark.parametrize("form", FORMATS)
def test_values_that_are_written_in_several_ways_are_written_in_one(
    tmp_path: Path, form: Any
) -> None:
    times = [datetime(2024, 1, 1, hour, tzinfo=UTC) for hour in (1, 1, 2, 2)]
    table = as_table(
        pl.DataFrame(
            {
                "zero": [0.0, -0.0, 0.0, -0.0],
                "time": pl.Series(times),
                "pay": [float("nan"), None, 1.0, float("nan")],
                "seen": pl.Series(times),
            }
        ),
        quasi=["zero", "time"],
        sensitive="pay",
        insensitive="seen",
    )
    release = anonymize(table, privacy=[KAnonymity(2), DistinctLDiversity(1)])
    opened = open_bundle(release.save(tmp_path / "release", format=form))
    assert set(opened.frame["zero"].cast(pl.String)) == {"0.0"}
    assert opened.frame["pay"].null_count() == 3
    assert opened.manifest.groups == 2
    assert "+" not in "".join(opened.frame["time"].cast(pl.String))


def test_missing_values_and_empty_texts_stay_apart_in_a_table_of_one_column(
    tmp_path: Path,
) -> None:
    table = as_table({"a": ["", "", None, None, "NA", "NA"]}, quasi="a")
    release = anonymize(table, privacy=KAnonymity(2))
    opened = open_bundle(release.save(tmp_path / "release"))
    assert opened.frame["a"].to_list() == ["", "", None, None, "NA", "NA"]
    assert opened.manifest.groups == 3


def test_a_long_list_of_values_is_not_told(tmp_path: Path) -> None:
    zips = [f"{i:05d}" for i in range(5_001) for _ in range(2)]
    table = as_table({"zip": zips}, quasi="zip")
    release = anonymize(table, privacy=KAnonymity(2), method=Mondrian())
    opened = open_bundle(release.save(tmp_path / "release"))
    told = opened.manifest.columns[0].taxonomy
    assert told is not None
    assert (told.type, told.values) == ("text", ())


def test_a_taxonomy_that_a_promise_rests_on_is_told_without_unpublished_values(
    tmp_path: Path,
) -> None:
    tree = Tree({"Virus": ["flu", "hiv", "cold"], "Rare": ["unheard-of", "kuru"]})
    table = patients(taxonomies={"age": Intervals(5, 10), "job": JOBS, "ill": tree})
    privacy = [KAnonymity(2), TCloseness("0.5", distance="hierarchical")]
    opened = open_bundle(release_of(table, privacy).save(tmp_path / "release"))
    told = {c.name: c.taxonomy for c in opened.manifest.columns}["ill"]
    assert told is not None
    assert told.values == ("flu", "hiv", "cold")
    assert [level.labels for level in told.levels] == [("Virus",)]
    assert verify(opened.folder / "public").holds


@pytest.mark.parametrize("form", FORMATS)
def test_the_order_of_hidden_values_is_told_where_it_is_their_own(
    tmp_path: Path, form: Any
) -> None:
    frame = {"sex": ["f", "f", "m", "m"], "pay": [9, 10, 9, 10], "due": ["x", "y", "y", "x"]}
    table = as_table(frame, quasi="sex", sensitive=["pay", "due"])
    privacy = TCloseness("0.5", distance="ordered")
    release = anonymize(table, privacy=privacy)
    opened = open_bundle(release.save(tmp_path / "release", format=form))
    told = {c.name: c.taxonomy for c in opened.manifest.columns}
    assert told["pay"] is not None
    assert (told["pay"].type, told["pay"].values) == ("int64", ())
    assert told["due"] is None
    assert verify(opened.folder / "public").holds


def test_an_unknown_format_is_refused(release: GeneralizedRelease, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no format 'xlsx' among 2"):
        release.save(tmp_path / "release", format="xlsx")  # type: ignore[arg-type]


def test_a_release_that_does_not_hold_is_refused(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    recoded = release.recode(patients().frame.head(1))
    assert not recoded.holds
    with pytest.raises(BundleError, match=r"does not keep k-anonymity\(k=2\).*: nothing was"):
        recoded.save(tmp_path / "release")
    assert not list(tmp_path.iterdir())


def test_recoded_records_can_be_saved_too(release: GeneralizedRelease, tmp_path: Path) -> None:
    recoded = release.recode(patients().frame)
    assert recoded.holds
    folder = recoded.save(tmp_path / "release")
    assert verify(folder).problems == ()


@frozen
class HomeMade(KAnonymity):
    """A promise that nobody else knows."""

    name: ClassVar[str] = "home-made"


def test_a_promise_that_recipients_cannot_check_is_not_saved(tmp_path: Path) -> None:
    release = release_of(privacy=[HomeMade(2)])
    assert release.holds
    with pytest.raises(BundleError, match="cannot be judged: no model 'home-made'"):
        release.save(tmp_path / "release")


@frozen
class OwnMetric(ILoss):
    """A figure that nobody else knows."""

    name: ClassVar[str] = "own-metric"


def test_a_figure_that_nobody_else_knows_is_told_and_not_checked(tmp_path: Path) -> None:
    release = evolve(release_of(), metric=OwnMetric())
    folder = release.save(tmp_path / "release")
    assert verify(folder).holds
    told = open_bundle(folder).manifest.metrics
    assert told["own-metric"] == told["iloss"]
    assert told["iloss"] == pytest.approx(ILoss().measure(release.published_alone(ILoss())).value)
