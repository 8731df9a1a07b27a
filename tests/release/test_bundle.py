"""Bundles: what is written where, what is never written, and that it is all or nothing."""

from __future__ import annotations

import base64
import inspect
import json
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.release.bundles import JOBS, patients, release_of, rewrite_manifest, rewrite_provenance
from tests.strategies import RandomTable, tables
from unlinkable.errors import BundleError, InfeasibleError, ParameterError
from unlinkable.methods import Mondrian, Optimal
from unlinkable.methods.base import Method
from unlinkable.privacy import DistinctLDiversity, KAnonymity, TCloseness
from unlinkable.release import Release, anonymize, bundle, open_bundle, verify
from unlinkable.release.manifest import MANIFEST
from unlinkable.release.plan import Plan
from unlinkable.release.private_half import PRIVATE_FORMAT, PROVENANCE
from unlinkable.release.public_half import write_public
from unlinkable.release.registry import default_metrics
from unlinkable.release.run import rerun
from unlinkable.release.signing import new_signing_key
from unlinkable.table import Intervals, Table, Tree, as_table
from unlinkable.utility import AverageClassSize, ILoss

FORMATS = ["csv", "parquet"]


@pytest.fixture(scope="module")
def release() -> Release:
    return release_of()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.mark.parametrize("form", FORMATS)
def test_a_bundle_has_two_halves_with_these_files(
    release: Release, tmp_path: Path, form: Any
) -> None:
    folder = release.save(tmp_path / "release", format=form)
    assert folder == tmp_path / "release"
    assert sorted(contents(folder)) == [
        "private/groups.parquet",
        "private/provenance.json",
        "private/rows.parquet",
        "private/taxonomies.json",
        f"public/data.{form}",
        "public/release.json",
    ]
    assert verify(folder).holds
    assert verify(folder / "public").holds


@pytest.mark.skipif(os.name != "posix", reason="rights work differently elsewhere")
def test_the_private_half_is_for_its_owner_alone(release: Release, tmp_path: Path) -> None:
    private = release.save(tmp_path / "release") / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in private.iterdir()} == {0o600}
    others_can_read = (private.parent / "public" / "data.csv").stat().st_mode & stat.S_IROTH
    assert bool(others_can_read) == (Path(__file__).stat().st_mode & stat.S_IROTH > 0)


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_published_comes_back_as_it_was(
    release: Release, tmp_path: Path, form: Any
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
    release: Release, tmp_path: Path
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
    for file in contents(folder / "private"):
        assert file not in public


def test_the_function_that_writes_the_public_half_is_not_given_the_release() -> None:
    types = [str(p.annotation) for p in inspect.signature(write_public).parameters.values()]
    assert types == ["Path", "Frame", "Manifest", "Format", "SigningKey | None"]


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
    release: Release, tmp_path: Path, address: str, shown: str
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
    release: Release, tmp_path: Path
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


def test_the_plan_and_its_metrics_go_into_the_bundle(release: Release, tmp_path: Path) -> None:
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


def test_a_signed_bundle_is_verified_with_the_public_key(release: Release, tmp_path: Path) -> None:
    key = new_signing_key()
    folder = release.save(tmp_path / "release", signing_key=key)
    assert verify(folder / "public", public_key=key.public_key()).holds


@pytest.mark.parametrize("method", [Optimal(), Mondrian()], ids=str)
def test_any_metric_can_be_measured_from_a_whole_bundle(tmp_path: Path, method: Method) -> None:
    weighted = patients(weight="stay", insensitive=(), importance={"age": 3.0})
    release = release_of(weighted, method=method)
    opened = open_bundle(release.save(tmp_path / "release"))
    for metric in default_metrics():
        assert opened.measure(metric) == pytest.approx(release.measure(metric))
        assert opened.manifest.metrics[str(metric)] == pytest.approx(release.measure(metric))


def test_the_public_half_alone_measures_what_it_can(release: Release, tmp_path: Path) -> None:
    public = release.save(tmp_path / "release") / "public"
    opened = open_bundle(public)
    assert opened.provenance is None
    for metric in default_metrics():
        assert opened.measure(metric) == pytest.approx(release.measure(metric))
    other = AverageClassSize(k=7)
    assert opened.measure(str(other)) == pytest.approx(release.measure(other))
    with pytest.raises(BundleError, match=r"no private half.*the manifest has .*iloss"):
        opened.shown()
    rewrite_manifest(public, lambda told: told.update(metrics={"discernibility": 1}))
    with pytest.raises(BundleError, match="has no private half"):
        open_bundle(public).measure("iloss")
    with pytest.raises(BundleError, match=r"the metric discernibility is 4\d\.0, and the manifest"):
        open_bundle(public).measure("discernibility")


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
        for metric in default_metrics():
            assert metric.of(shown) == pytest.approx(release.measure(metric))


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


def test_folders_above_are_made(release: Release, tmp_path: Path) -> None:
    assert verify(release.save(tmp_path / "a" / "b" / "release")).holds


def test_an_empty_folder_is_filled(release: Release, tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    assert verify(release.save(tmp_path / "release")).holds


def test_a_bundle_is_replaced_only_if_asked(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "release")
    before = contents(folder)
    with pytest.raises(BundleError, match="exists: choose another name, or ask to overwrite it"):
        release.save(folder)
    assert contents(folder) == before
    release.save(folder, format="parquet", overwrite=True)
    assert (folder / "public" / "data.parquet").is_file()
    assert not (folder / "public" / "data.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_what_is_no_bundle_is_never_replaced(release: Release, tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("years of work", encoding="utf-8")
    with pytest.raises(BundleError, match="something that is no bundle, which is never replaced"):
        release.save(tmp_path, overwrite=True)
    with pytest.raises(BundleError, match="is a file, and a bundle is a folder"):
        release.save(tmp_path / "thesis.docx", overwrite=True)
    assert contents(tmp_path) == {"thesis.docx": b"years of work"}


def test_a_place_that_cannot_be_written_is_refused(release: Release, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BundleError, match=r"cannot write the bundle .*check the place"):
        release.save(tmp_path / "file" / "release")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read_is_refused(release: Release, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BundleError, match="Permission denied"):
            release.save(tmp_path / "release")
    finally:
        tmp_path.chmod(0o700)


def test_an_unknown_format_is_refused(release: Release, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no format 'xlsx' among 2"):
        release.save(tmp_path / "release", format="xlsx")  # type: ignore[arg-type]


def test_a_release_that_does_not_hold_is_refused(release: Release, tmp_path: Path) -> None:
    recoded = release.recode(patients().frame.head(1))
    assert not recoded.holds
    with pytest.raises(BundleError, match=r"does not keep k-anonymity\(k=2\).*: nothing was"):
        recoded.save(tmp_path / "release")
    assert not list(tmp_path.iterdir())


def test_recoded_records_can_be_saved_too(release: Release, tmp_path: Path) -> None:
    recoded = release.recode(patients().frame)
    assert recoded.holds
    folder = recoded.save(tmp_path / "release")
    assert verify(folder).problems == ()


def interrupt(*arguments: object, **named: object) -> None:
    raise KeyboardInterrupt


def fill_disk(*arguments: object, **named: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["write_public", "write_private", "verify", "_settle", "_flush"])
@pytest.mark.parametrize(
    ("accident", "error"), [(interrupt, KeyboardInterrupt), (fill_disk, BundleError)]
)
@pytest.mark.parametrize("is_there", [False, True])
def test_an_accident_leaves_everything_as_it_was(
    release: Release,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    accident: Callable[..., None],
    error: type[BaseException],
    is_there: bool,
) -> None:
    target = tmp_path / "deep" / "release"
    if is_there:
        release.save(target)
    before = contents(tmp_path)
    monkeypatch.setattr(bundle, step, accident)
    with pytest.raises(error):
        release.save(target, format="parquet", overwrite=True)
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == (["deep"] if is_there else [])
    if is_there:
        assert [path.name for path in target.parent.iterdir()] == ["release"]


def test_a_bundle_that_somebody_else_writes_meanwhile_is_not_replaced(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_another(part: Path) -> None:
        (tmp_path / "release" / "public").mkdir(parents=True)
        (tmp_path / "release" / "public" / MANIFEST).write_text("another", encoding="utf-8")

    monkeypatch.setattr(bundle, "_flush", write_another)
    with pytest.raises(BundleError, match="exists: choose another name"):
        release.save(tmp_path / "release")
    assert contents(tmp_path) == {f"release/public/{MANIFEST}": b"another"}


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
    assert open_bundle(folder).manifest.metrics["own-metric"] == release.measure("iloss")


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    ("accident", "error"), [(interrupt, KeyboardInterrupt), (fill_disk, BundleError)]
)
def test_an_accident_while_moving_keeps_the_old_bundle(
    release: Release,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    accident: Callable[..., None],
    error: type[BaseException],
) -> None:
    target = release.save(tmp_path / "release")
    before = contents(tmp_path)
    rename, calls = Path.rename, 0

    def rename_or_fail(self: Path, to: Path) -> Path:
        nonlocal calls
        calls += self.is_dir()
        if self.is_dir() and calls == number:
            accident()
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", rename_or_fail)
    with pytest.raises(error):
        release.save(target, overwrite=True)
    assert contents(tmp_path) == before


def test_a_folder_without_a_bundle_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"no folder .*: name a bundle, or its public half"):
        open_bundle(tmp_path / "nothing")
    with pytest.raises(BundleError, match="is no bundle: it has neither a folder 'public' nor"):
        open_bundle(tmp_path)


def test_a_manifest_must_list_one_table(release: Release, tmp_path: Path) -> None:
    opened = open_bundle(release.save(tmp_path / "release"))
    without = evolve(opened, manifest=opened.manifest.model_copy(update={"files": ()}))
    with pytest.raises(BundleError, match="must list one table, as CSV or Parquet, and lists"):
        _ = without.frame


def test_a_private_half_of_a_later_version_is_refused(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "release")
    rewrite_provenance(folder / "private", lambda told: told.update(format=PRIVATE_FORMAT + 1))
    with pytest.raises(BundleError, match="reads formats up to 1: upgrade unlinkable"):
        open_bundle(folder)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda told: told.pop("seed"), "damaged: key 'seed' is missing: give the seed"),
        (lambda told: told.update(seed="7"), "damaged: seed: must be a whole number, got '7'"),
        (lambda told: told.update(sead=7), r"no key 'sead' among 20 \(did you mean 'seed'\?\)"),
    ],
)
def test_a_malformed_provenance_is_refused(
    release: Release, tmp_path: Path, edit: Any, message: str
) -> None:
    folder = release.save(tmp_path / "release")
    rewrite_provenance(folder / "private", edit)
    with pytest.raises(BundleError, match=message):
        open_bundle(folder)


def test_a_private_half_without_its_files_is_refused(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "release")
    opened = open_bundle(folder)
    assert opened.private is not None
    for name in ("rows.parquet", "groups.parquet", "taxonomies.json"):
        (folder / "private" / name).unlink()
        with pytest.raises(BundleError, match="the private half is damaged"):
            opened.private.rows() if name == "rows.parquet" else opened.shown()
    (folder / "private" / PROVENANCE).unlink()
    with pytest.raises(BundleError, match=r"cannot read .*provenance\.json"):
        open_bundle(folder)


def test_rows_say_which_record_is_which(tmp_path: Path) -> None:
    table = patients(owner="name", identifiers=())
    release = release_of(table)
    opened = open_bundle(release.save(tmp_path / "release"))
    assert opened.private is not None
    rows, groups, owners = opened.private.rows()
    assert owners is not None
    assert owners.to_list() == table.frame["name"].to_list()
    assert rows.tolist() == [*range(11), -1]
    assert groups[-1] == -1
    assert np.bincount(groups[:-1]).min() >= 2
    assert json.loads((opened.public / MANIFEST).read_text())["models"][0]["needs_private"]
