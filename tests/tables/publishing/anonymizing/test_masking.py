"""From a table to a release whose values are separated, replaced or made up."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import evolve, frozen

import unlinkable as ul
from tests.tables.publishing.maskings import Coarse, Counted, Halves, Plain, Turned, people
from unlinkable.errors import BundleError, ParameterError, UnsupportedError
from unlinkable.release.report.words import percent
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.replaced_values import frame_of
from unlinkable.tables.methods.base.record_method import Buckets, MaskedRecords
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss, QueryError
from unlinkable.tables.metrics.base import Perturbed
from unlinkable.tables.models import (
    CTIsolation,
    DifferentialPrivacy,
    DistinctLDiversity,
    FrequencyLDiversity,
    KAnonymity,
)
from unlinkable.tables.models.base import All, BindingContext
from unlinkable.tables.operations import AdditiveNoise, Anatomization, Pseudonymization, recode
from unlinkable.tables.publishing import BrokenPromiseError, anonymize, compare, open_bundle, verify
from unlinkable.tables.publishing.releases.masked import evidence_of
from unlinkable.tables.taxonomies.builders import Intervals


def test_a_promise_is_judged_on_the_texts_that_perturbed_records_show() -> None:
    release = anonymize(people(), privacy=KAnonymity(4), method=Coarse())
    assert release.holds
    assert [v.achieved for v in release.finding.verdicts] == [{"k": 4}]
    assert (release.n_records, release.n_groups, release.n_suppressed) == (12, 3, 0)


def test_a_masking_that_breaks_its_promise_publishes_nothing() -> None:
    with pytest.raises(BrokenPromiseError, match=r"plain proposed a release that does not keep k"):
        anonymize(people(), privacy=KAnonymity(2), method=Plain())


def test_buckets_are_judged_by_what_they_hide() -> None:
    release = anonymize(people(), privacy=FrequencyLDiversity(4), method=Halves())
    assert [v.achieved for v in release.finding.verdicts] == [{"l": 4.0}]
    assert release.n_groups == 3
    assert release.hidden is not None
    with pytest.raises(BrokenPromiseError, match="does not keep frequency-l-diversity"):
        anonymize(people(), privacy=FrequencyLDiversity(3), method=Halves(6))


def test_a_promise_about_noise_is_priced_from_the_ledger_of_the_release() -> None:
    release = anonymize(people(), privacy=DifferentialPrivacy(1), method=Counted(0.5))
    (verdict,) = release.finding.verdicts
    assert verdict.achieved == {"epsilon": 0.5}
    assert verdict.basis.value == "ledger"
    with pytest.raises(BrokenPromiseError, match="does not keep differential-privacy"):
        anonymize(people(), privacy=DifferentialPrivacy("0.4"), method=Counted(0.5))


def test_what_a_masking_refuses_is_not_tried() -> None:
    with pytest.raises(
        UnsupportedError, match=r"counted cannot keep k-anonymity\(k=2\): it counts"
    ):
        anonymize(people(), privacy=KAnonymity(2), method=Counted())


@frozen
class Eager(Plain):
    """A masking that means nothing without a promise."""

    name: ClassVar[str] = "eager"
    needs_promise: ClassVar[bool] = True


def test_only_methods_that_work_towards_nothing_may_promise_nothing() -> None:
    assert anonymize(people(), method=Turned()).holds
    with pytest.raises(ParameterError, match="nothing is promised"):
        anonymize(people(), method=Eager())


def test_pseudonyms_stand_beside_the_records_that_they_belong_to() -> None:
    how = {"name": Pseudonymization(treatment="mask", keep_left=0, keep_right=2)}
    release = anonymize(people(), privacy=KAnonymity(4), method=Coarse(), identifiers=how)
    assert release.applied.frame["name"].to_list()[:2] == ["*11", "*10"]
    with pytest.raises(UnsupportedError, match=r"nobody to give pseudonyms to: drop 'name'"):
        anonymize(people(), privacy=DifferentialPrivacy(1), method=Counted(), identifiers=how)


def test_a_metric_that_makes_no_sense_is_refused_before_anything_is_published() -> None:
    with pytest.raises(UnsupportedError, match="cannot measure a perturbed release"):
        anonymize(people(), method=Turned(), metric="iloss")


def test_chance_is_repeatable_with_a_seed_and_different_without() -> None:
    @frozen
    class Drawn(Plain):
        name: ClassVar[str] = "drawn"

        def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
            return MaskedRecords(frame_of({"x": task.rng.random(3)}), None)

    def drawn(seed: int | None) -> list[float]:
        return anonymize(people(), method=Drawn(), seed=seed).applied.frame["x"].to_list()

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)
    assert drawn(None) != drawn(None)


def spoilt(**changes: object) -> type[Plain]:
    """Give a masking that publishes something else than it should."""

    @frozen
    class Spoilt(Halves):
        name: ClassVar[str] = "spoilt"

        def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
            masked = super().mask(table, privacy, task)
            renew: dict[str, Any] = {
                k: v(table, masked) if callable(v) else v for k, v in changes.items()
            }
            return evolve(masked, **renew)

    return Spoilt


def _named(table: Table, masked: MaskedRecords) -> object:
    return masked.frame.with_columns(table.frame["name"])


def _swapped(table: Table, masked: MaskedRecords) -> object:
    return masked.frame.with_columns(masked.frame["age"].reverse())


def _more(table: Table, masked: MaskedRecords) -> object:
    assert masked.buckets is not None
    return evolve(
        masked.buckets,
        hidden=masked.buckets.hidden.with_columns(ill=frame_of({"x": [*"abcdabcdabce"]})["x"]),
    )


def _twice(table: Table, masked: MaskedRecords) -> object:
    assert masked.buckets is not None
    hidden = masked.buckets.hidden
    return evolve(masked.buckets, hidden=hidden.with_columns(age=hidden["count"]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"frame": _named}, "has the column 'name', which names people"),
        ({"frame": _swapped}, "tells untruths in column 'age'"),
        ({"buckets": _more}, "tells other hidden values than its records have"),
        ({"buckets": _twice}, "tells 'age' both for records and for buckets"),
        ({"buckets": Buckets("no", frame_of({"no": [1], "count": [12]}))}, "in which bucket"),
        ({"counts": "n"}, "has no column 'n' of counts"),
        ({"n_suppressed": 1}, "leaves out 1 records, and 0 may be left out"),
        ({"rows": None}, "says that its records are true, and not whose they are"),
        ({"rows": np.zeros(12, np.int64)}, "does not say which record each published one is"),
        ({"rows": np.arange(12) + 1}, "does not say which record each published one is"),
        ({"rows": np.arange(3)}, "does not say which record each published one is"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_what_is_unfit_is_not_published(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BrokenPromiseError, match=message):
        anonymize(people(), privacy=DistinctLDiversity(2), method=spoilt(**changes)())


RELEASES = {
    "perturbed": (Coarse(), KAnonymity(4)),
    "nothing": (Turned(), None),
    "buckets": (Halves(), FrequencyLDiversity(4)),
    "noise": (Counted(), DifferentialPrivacy(1)),
}


@pytest.mark.parametrize("file_format", ["csv", "parquet"])
@pytest.mark.parametrize("kind", list(RELEASES))
def test_a_bundle_verifies_whole_and_from_its_public_half(
    kind: str, file_format: str, tmp_path: Path
) -> None:
    method, promise = RELEASES[kind]
    release = anonymize(people(), privacy=[promise] if promise else [], method=method, seed=1)
    folder = release.save(tmp_path / "out", format=file_format)  # type: ignore[arg-type]
    for place in (folder, folder / "public"):
        result = verify(place)
        assert result.holds, result.problems
        assert result.models == release.finding.to_json()
    manifest = open_bundle(folder).manifest
    assert manifest.format == 4
    assert manifest.records == release.n_records


@pytest.mark.parametrize(
    ("kind", "file", "old", "new"),
    [
        ("perturbed", "data.csv", "45", "44"),
        ("buckets", "sensitive.csv", "a,1", "b,1"),
        ("buckets", "quasi.csv", "20,f,0", "20,f,1"),
        ("noise", "release.json", '"scale": 2', '"scale": 9'),
    ],
)
def test_a_changed_byte_is_found(kind: str, file: str, old: str, new: str, tmp_path: Path) -> None:
    method, promise = RELEASES[kind]
    assert promise is not None
    folder = anonymize(people(), privacy=promise, method=method).save(tmp_path / "out")
    path = folder / "public" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert not verify(folder / "public").holds


def test_a_bundle_is_measured_as_its_release_is(tmp_path: Path) -> None:
    asked = QueryError(queries=50, seed=1)
    for method, promise in (RELEASES["perturbed"], RELEASES["buckets"]):
        assert promise is not None
        source = tmp_path / f"{method.name}.csv"
        people().frame.write_csv(source)
        table = Table(people().frame, people().schema, source=str(source))
        release = anonymize(table, privacy=promise, method=method)
        bundle = open_bundle(release.save(tmp_path / method.name))
        assert bundle.measure(asked) == pytest.approx(release.measure(asked))
        with pytest.raises(BundleError, match="is not generalized"):
            bundle.shown()


def test_nothing_that_noise_has_not_paid_for_is_told_of_a_promise_about_noise(
    tmp_path: Path,
) -> None:
    table, metric = people(), QueryError(queries=20, columns=["sex"], dimension=1)
    release = anonymize(table, privacy=DifferentialPrivacy(1), method=Counted(), metric=metric)
    assert release.measure() >= 0
    manifest = open_bundle(release.save(tmp_path / "out")).manifest
    assert manifest.metrics == {}
    assert [column.taxonomy for column in manifest.columns] == [None, None]


def test_what_needs_levels_and_groups_is_refused() -> None:
    release = anonymize(people(), method=Turned())
    with pytest.raises(UnsupportedError, match="turned does not generalize: there are no levels"):
        release.explain()
    with pytest.raises(UnsupportedError, match="says nothing of others"):
        release.recode({"age": [1]})
    with pytest.raises(ParameterError, match="say what to measure"):
        release.measure()
    assert "turned" in release._repr_html_()
    assert release.node is None


def test_maskings_are_compared_with_searches_by_what_both_can_be_measured_by() -> None:
    from unlinkable.tables.methods import Mondrian

    asked = QueryError(queries=20, seed=1)
    found = compare(
        people(),
        methods=[Mondrian(), Coarse()],
        privacy=[[KAnonymity(4)]],
        metrics=[ILoss(), asked],
    )
    assert [x.problem for x in found] == [None, None]
    assert list(found[0].metrics) == ["iloss", str(asked)]
    assert list(found[1].metrics) == [str(asked)]
    assert found[1].risk is not None
    assert found[1].risk.highest == 0.25


def test_exposure_in_buckets_is_that_of_records_and_of_hidden_values() -> None:
    release = anonymize(people(), privacy=FrequencyLDiversity(4), method=Halves())
    exposed = release.exposure()
    assert exposed is not None
    assert (exposed.highest, exposed.attribute) == (1.0, 0.25)
    assert anonymize(people(), method=Turned()).exposure() is None


def test_promises_about_who_people_were_look_at_what_they_were() -> None:
    table = people()
    release = anonymize(table, privacy=KAnonymity(4), method=Coarse())
    (promise,) = CTIsolation(1, 1, columns="age").bind(BindingContext.of(table.schema))
    evidence = evidence_of(table, release.masked, (promise,))
    assert evidence.hidden is not None
    assert evidence.hidden["age"].to_list() == [43, 42, 41, 40, 33, 32, 31, 30, 23, 22, 21, 20]


def test_a_promise_about_noise_that_names_another_ledger_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    file.write_text('{"events": []}', encoding="utf-8")
    with pytest.raises(UnsupportedError, match="does not have the noise of this release"):
        anonymize(people(), privacy=DifferentialPrivacy(1, ledger=str(file)), method=Counted())


def test_an_index_is_kept_only_where_every_record_is_in_its_place() -> None:
    pandas = pytest.importorskip("pandas")
    given = pandas.DataFrame(people().frame.to_dict(as_series=False))
    given.index = [f"i{n}" for n in range(12)]
    table = as_table(given, quasi=["age", "sex"], sensitive="ill", identifiers="name")
    assert list(anonymize(table, method=Turned()).frame.index) == list(given.index)  # type: ignore[attr-defined]
    reordered = anonymize(table, privacy=KAnonymity(4), method=Coarse())
    counted = anonymize(table, privacy=DifferentialPrivacy(1), method=Counted())
    buckets = anonymize(table, privacy=FrequencyLDiversity(4), method=Halves())
    for frame in (reordered.frame, counted.frame, buckets.hidden):
        assert list(frame.index) == list(range(len(frame)))  # type: ignore[attr-defined, arg-type]


@pytest.mark.parametrize("kind", ["lists", "polars", "lazy", "pyarrow"])
def test_made_up_records_come_in_the_kind_of_the_original(kind: str) -> None:
    frame = people().frame
    given: object = {
        "lists": frame.to_dict(as_series=False),
        "polars": frame,
        "lazy": frame.lazy(),
        "pyarrow": frame.to_arrow(),
    }[kind]
    table = as_table(given, quasi=["age", "sex"], sensitive="ill", identifiers="name")
    counted = anonymize(table, privacy=DifferentialPrivacy(1), method=Counted())
    assert type(counted.frame) is type(given)


def test_a_bundle_with_dates_is_measured(tmp_path: Path) -> None:
    days = [date(2020, 1, 1 + i) for i in range(12)]
    frame = people().frame.with_columns(frame_of({"day": days})["day"])
    source = tmp_path / "people.csv"
    frame.write_csv(source)
    schema = as_table(frame, quasi=["age", "day"], insensitive=["sex", "ill"], identifiers="name")
    table = Table(frame, schema.schema, source=str(source))
    release = anonymize(table, method=Turned())
    bundle = open_bundle(release.save(tmp_path / "out"))
    assert bundle.measure("reconstruction-error(sensitive=day)") == pytest.approx(
        release.measure("reconstruction-error(sensitive=day)")
    )


def test_several_tables_of_counts_are_not_measured_as_one() -> None:
    @frozen
    class Twice(Counted):
        name: ClassVar[str] = "twice"

        def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
            masked = super().mask(table, privacy, task)
            frame = frame_of({"sex": ["f", "m", "*"], "ill": ["*", "*", "a"], "count": [7, 5, 3]})
            return evolve(masked, frame=frame)

    release = anonymize(people(), privacy=DifferentialPrivacy(1), method=Twice())
    with pytest.raises(UnsupportedError, match="everybody is counted again"):
        release.measure("query-error")


def test_a_method_may_be_written() -> None:
    release = anonymize(people(), method="rank-swapping(p=20)", seed=1)
    assert str(release.method) == "rank-swapping(p=20)"
    with pytest.raises(ParameterError, match="anatomization is no method"):
        anonymize(people(), method=Anatomization())  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match="does not generalize: give it to anonymize"):
        recode(people(), [AdditiveNoise(1)])  # type: ignore[list-item]


def test_a_column_of_counts_may_stand_beside_buckets(tmp_path: Path) -> None:
    table = as_table(
        people().frame.rename({"age": "count"}), quasi=["count", "sex"], sensitive="ill",
        identifiers="name",
    )  # fmt: skip
    release = anonymize(table, privacy=FrequencyLDiversity(2), method="anatomize", seed=1)
    assert verify(release.save(tmp_path / "out")).holds


def test_generalized_values_among_perturbed_ones_are_read_as_ranges() -> None:
    table = as_table({"age": [20, 21, 60, 61]}, quasi="age", taxonomies={"age": Intervals(10)})
    shown = Perturbed(table, frame_of({"age": ["[20-30)", "[60-70)"]}), None)
    least, greatest = shown.spans("age")
    assert (least.tolist(), greatest.tolist()) == ([20.0, 60.0], [21.0, 61.0])
    with pytest.raises(UnsupportedError, match="they have no codes"):
        Perturbed(table, frame_of({"age": ["old"]}), None).spans("age")


def test_a_release_says_which_columns_were_replaced_and_which_stayed(tmp_path: Path) -> None:
    table = ul.as_table(
        {"age": [*range(20, 60)], "sex": ["f", "m"] * 20, "ill": ["a", "b", "c", "d"] * 10},
        quasi=["age", "sex"],
        sensitive="ill",
    )
    release = ul.anonymize(table, privacy=[], method="rank-swapping(columns=[age])", seed=1)
    assert isinstance(release, ul.MaskedRelease)
    assert release.replaced["age"] > 0.5
    assert release.replaced["sex"] == release.replaced["ill"] == 0
    assert release.untouched == ("sex",)
    with pytest.raises(UnsupportedError, match="stayed as they were: 'sex'"):
        release.explain()
    bundle = release.save(tmp_path / "bundle")
    public = (bundle / "public" / "report.html").read_text(encoding="utf-8")
    assert "Not replaced, though others may know it: sex." in public
    assert "may have been replaced" not in public
    assert "How many values of each column were replaced" not in public
    private = ul.open_bundle(bundle).report(holder=True).to_html()
    assert "How many values of each column were replaced" in private
    assert percent(release.replaced["age"]) in private


def test_noise_that_a_promise_rests_on_cannot_be_repeated() -> None:
    """Two runs are equal by chance in less than one of 10^60 cases."""
    sexes = ul.Tree({"any": ["f", "m"]})
    table = ul.as_table({"sex": ["f", "m"] * 100}, quasi="sex", taxonomies={"sex": sexes})
    promise = ul.DifferentialPrivacy(2)
    runs = [ul.anonymize(table, privacy=promise, method=ul.PRAM(), seed=5) for _ in range(2)]
    one, other = (run.applied.frame.get_column("sex").to_list() for run in runs)
    assert one != other
    places = ul.Tree([str(i) for i in range(400)])
    table = ul.as_table(
        {"place": [str(i) for i in range(200)]}, quasi="place", taxonomies={"place": places}
    )
    runs = [ul.anonymize(table, privacy=promise, method=ul.AlphaBeta(), seed=5) for _ in range(2)]
    sets = [set(run.applied.frame.get_column("place").to_list()) for run in runs]
    assert sets[0] != sets[1]
