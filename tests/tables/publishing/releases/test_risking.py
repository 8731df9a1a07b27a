"""The risk of releases and bundles, before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

import unlinkable as ul
from unlinkable.errors import BundleError, SchemaError
from unlinkable.tables.publishing import Bundle, Plan, open_bundle
from unlinkable.tables.publishing.anonymizing.planned import read_table
from unlinkable.tables.publishing.releases.risking import risk_of
from unlinkable.tables.risk import Assessment, assess

COLUMNS = {
    "age": [31, 33, 34, 36, 38, 39, 52, 53],
    "sex": ["f", "f", "f", "m", "m", "m", "f", "m"],
    "ill": ["flu", "hiv", "flu", "flu", "cold", "flu", "hiv", "flu"],
}


@pytest.fixture
def people() -> ul.Table:
    """Eight people."""
    return ul.as_table(
        COLUMNS, quasi=["age", "sex"], sensitive="ill", taxonomies={"age": ul.Intervals(5, 10, 20)}
    )


def test_a_release_is_told_before_and_after(people: ul.Table) -> None:
    release = ul.anonymize(people, privacy=ul.KAnonymity(2), suppression=0.25)
    report = risk_of(release)
    assert report.before is not None
    assert report.before.to_json() == assess(people).to_json()
    assert report.highest == release.exposure().highest
    assert report.highest <= 0.5 < report.before.highest == 1
    assert report.note == ""
    assert report.to_json()["before"] == report.before.to_json()
    assert ", before" in report._repr_html_()


def test_a_population_is_read_with_the_taxonomies_of_the_release(people: ul.Table) -> None:
    release = ul.anonymize(people, privacy=ul.KAnonymity(2), suppression=0.25)
    town = people.frame[[i for i in range(8) for _ in range(3)]]
    report = risk_of(release, population=town)
    found = report.re_identification
    assert found.basis.value == "counted"
    # Who was left out looks like nobody, or like some: groups have three times as many, or more.
    assert (found.journalist_risks <= found.risks / 3 + 1e-12).all()
    assert report.before is not None
    before = report.before.re_identification
    assert before.journalist_risks.tolist() == pytest.approx((before.risks / 3).tolist())


def test_owners_are_people_before_and_after() -> None:
    columns = {"age": [31, 31, 33, 34, 36, 38], "who": list("aabcde")}
    table = ul.as_table(columns, quasi="age", owner="who",
                        taxonomies={"age": ul.Intervals(5, 10)})  # fmt: skip
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    report = risk_of(release)
    assert report.n_records == 6
    assert report.n_people == 5
    assert report.before is not None
    assert report.before.n_people == 5
    people = report.re_identification.seen.people
    assert report.highest == 1 / people.min() <= 0.5


def test_published_weights_count(tmp_path: Path) -> None:
    columns = {"age": [31, 33, 34, 36], "w": [5.0, 10.5, 20.0, 5.0]}
    table = ul.as_table(columns, quasi="age", weight="w", taxonomies={"age": ul.Intervals(5, 10)})
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    saved = open_bundle(release.save(tmp_path / "weighted"))
    for report in (risk_of(release), risk_of(saved)):
        assert report.re_identification.basis.value == "weights"
        assert report.uniqueness.basis.value == "settled"


def test_the_private_half_knows_whose_records_are(tmp_path: Path) -> None:
    columns = {"age": [52, 31, 31, 33, 34, 36, 38], "who": list("zaabcde")}
    table = ul.as_table(columns, quasi="age", owner="who",
                        taxonomies={"age": ul.Intervals(5, 10)})  # fmt: skip
    release = ul.anonymize(table, privacy=ul.KAnonymity(2), suppression=0.2)
    saved = release.save(tmp_path / "owned")
    whole, public = risk_of(open_bundle(saved)), risk_of(open_bundle(saved / "public"))
    expected = risk_of(release)
    assert whole.before is None
    assert whole.n_people == expected.n_people == 5
    assert whole.re_identification.risks.tolist() == expected.re_identification.risks.tolist()
    assert public.n_people == public.n_records == 6


def test_owners_are_not_flagged(tmp_path: Path) -> None:
    columns = {"age": [30 + i % 5 for i in range(40)], "who": [f"person {i}" for i in range(40)]}
    table = ul.as_table(columns, quasi="age", owner="who", taxonomies={"age": ul.Intervals(5)})
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    file = tmp_path / "people.csv"
    table.frame.write_csv(file)
    bundle = open_bundle(release.save(tmp_path / "owned"))
    told = (risk_of(release), risk_of(bundle), risk_of(table))
    assert [report.flags for report in told] == [(), (), ()]
    assert [report.n_people for report in told] == [40, 40, 40]


@pytest.fixture
def bundle(people: ul.Table, tmp_path: Path) -> Path:
    """A bundle whose original is in a file."""
    file = tmp_path / "people.csv"
    people.frame.write_csv(file)
    plan = Plan.from_dict({
        "data": {"source": str(file)},
        "columns": {
            "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [5, 10, 20]}},
            "sex": {"role": "quasi-identifier"},
            "ill": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "method": {"name": "optimal", "suppression": 0.25},
    })  # fmt: skip
    plan.save(tmp_path / "plan.toml")
    release = ul.anonymize(
        read_table(plan), privacy=plan.models(), method=plan.method(), suppression=0.25
    )
    return release.save(tmp_path / "release", plan=plan)


def test_a_bundle_is_told_like_its_release(bundle: Path, tmp_path: Path) -> None:
    report = risk_of(open_bundle(bundle))
    assert report.before is not None
    plan = Plan.load(tmp_path / "plan.toml")
    assert report.before.re_identification.to_json() == risk_of(plan).re_identification.to_json()
    assert report.highest <= 0.5
    town = {"age": [31, 32, 33, 60] * 4, "sex": ["f", "f", "f", "m"] * 4}
    counted = risk_of(open_bundle(bundle), population=town)
    assert counted.re_identification.basis.value == "counted"


def test_without_the_original_only_the_release_is_told(bundle: Path, tmp_path: Path) -> None:
    whole = risk_of(open_bundle(bundle))
    for alone in (open_bundle(bundle / "public"), _without(bundle, tmp_path / "people.csv")):
        report = risk_of(alone)
        assert report.before is None
        assert report.re_identification.to_json() == whole.re_identification.to_json()


def _without(bundle: Path, original: Path) -> Bundle:
    original.rename(original.with_name("gone.csv"))
    return open_bundle(bundle)


def test_an_original_that_is_named_must_be_the_one(bundle: Path, tmp_path: Path) -> None:
    moved = (tmp_path / "people.csv").rename(tmp_path / "moved.csv")
    assert risk_of(open_bundle(bundle), original=moved).before is not None
    moved.write_text(moved.read_text("utf-8").replace("flu", "hiv", 1), "utf-8")
    with pytest.raises(BundleError, match="is not what"):
        risk_of(open_bundle(bundle), original=moved)


def test_buckets_and_replaced_values_have_a_note(people: ul.Table) -> None:
    anatomy = risk_of(ul.anonymize(people, privacy=ul.DistinctLDiversity(2), method=ul.Anatomize()))
    assert "hidden in buckets" in anatomy.note
    assert anatomy.before is not None
    assert anatomy.highest == anatomy.before.highest
    swapped = ul.anonymize(people, privacy=[], method=ul.DataSwapping(columns="age"), seed=1)
    assert "values were replaced" in risk_of(swapped).note


def test_what_is_asked_is_asked_of_both(people: ul.Table) -> None:
    release = ul.anonymize(people, privacy=ul.KAnonymity(2), suppression=0.25)
    report = risk_of(release, Assessment(threshold="1/2", fraction=0.5, largest=1))
    assert report.before is not None
    for told in (report, report.before):
        assert told.re_identification.threshold == 0.5
        assert told.uniqueness.fraction == 0.5
        assert told.special_uniques.largest == 1


def test_refuses_a_population_without_the_columns(people: ul.Table) -> None:
    release = ul.anonymize(people, privacy=ul.KAnonymity(2), suppression=0.25)
    with pytest.raises(SchemaError, match="no column 'sex'"):
        risk_of(release, population={"age": [3]})
