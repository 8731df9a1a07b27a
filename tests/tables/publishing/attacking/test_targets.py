"""What an adversary sees of a release, and what only the holder can add."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables.publishing.maskings import Coarse, Counted, Halves, people
from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.writing import write_frame
from unlinkable.tables.methods import DPHistogram, Mondrian
from unlinkable.tables.models import DifferentialPrivacy, FrequencyLDiversity, KAnonymity
from unlinkable.tables.publishing import anonymize, open_bundle
from unlinkable.tables.publishing.attacking.bundle_targets import target_of_bundle, truth_of_bundle
from unlinkable.tables.publishing.attacking.targets import target_of, target_of_table, truth_of
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies.builders import Tree


def generalized() -> Release:
    return anonymize(people(), privacy=KAnonymity(4), method=Mondrian())


def test_of_a_generalized_release_everybody_sees_its_texts() -> None:
    release = generalized()
    target = target_of(release)
    assert target.frame is release.applied.frame
    assert (target.quasi, target.sensitive, target.bucket) == (("age", "sex"), ("ill",), None)
    assert target.is_truthful
    assert target.promises == release.models
    assert len(target.counted().finest) == release.n_groups


def test_every_published_record_is_somebody_s() -> None:
    for release in (
        generalized(),
        anonymize(people(), privacy=FrequencyLDiversity(4), method=Halves()),
        anonymize(people(), privacy=KAnonymity(4), method=Coarse()),
    ):
        target, truth = target_of(release), truth_of(release)
        assert truth.rows is not None
        assert sorted(truth.rows.tolist()) == list(range(12))
        if target.is_truthful and target.bucket is not None:
            ages = truth.table.frame["age"].to_numpy()[truth.rows]
            assert target.frame["age"].to_list() == ages.tolist()


def test_in_buckets_people_are_alike_whose_bucket_is() -> None:
    release = anonymize(people(), privacy=FrequencyLDiversity(4), method=Halves())
    target = target_of(release)
    assert (target.bucket, target.alike, target.quasi) == ("group", ("group",), ("age", "sex"))
    groups = target.counted([("ill",)]).finest
    assert groups.sizes.tolist() == [4, 4, 4]
    assert groups.histograms["ill",].peak.tolist() == [1, 1, 1]
    assert len(target.looks().finest) == 12


def test_records_that_stand_for_several_people_are_repeated() -> None:
    release = anonymize(people(), privacy=DifferentialPrivacy(1), method=Counted())
    target = target_of(release)
    assert target.frame["sex"].to_list() == ["f"] * 7 + ["m"] * 5
    assert not target.is_truthful
    assert truth_of(release).rows is None


def test_what_is_generalized_beside_counts_is_one_table() -> None:
    """Some records show ``*`` where others show a value, and everybody is counted once."""
    table = as_table(
        {
            "age": [20, 20, 20, 21, 21, 21],
            "sex": [*"fffffm"],
            "ill": ["flu", "hiv", "flu", "hiv", "flu", "flu"],
        },
        quasi=["age", "sex"],
        sensitive="ill",
    )
    release = anonymize(table, privacy=KAnonymity(3), method="perturbed-generalization", seed=0)
    shown = target_of(release).frame
    assert sorted(shown.select("age", "sex").rows(), key=str) == [
        *[(20, "f")] * 3,
        *[(21, "*")] * 3,
    ]


def test_several_tables_of_counts_show_no_records() -> None:
    table = as_table(
        {"sex": [*"fmfm"], "job": ["cook", "cook", "clerk", "clerk"]},
        quasi=["sex", "job"],
        taxonomies={"sex": Tree(["f", "m"]), "job": Tree(["clerk", "cook"])},
    )
    method = DPHistogram(marginals=(("sex",), ("job",)))
    release = anonymize(table, privacy=DifferentialPrivacy(5), method=method)
    with pytest.raises(UnsupportedError, match="several tables of counts"):
        target_of(release)


@pytest.mark.parametrize("kind", ["generalized", "buckets", "replaced"])
def test_a_bundle_shows_what_the_release_shows(kind: str, tmp_path: Path) -> None:
    release, file = published(kind, tmp_path)
    bundle = open_bundle(release.save(tmp_path / "bundle"))
    seen, told = target_of(release), target_of_bundle(bundle)
    assert (seen.quasi, seen.sensitive, seen.bucket) == (told.quasi, told.sensitive, told.bucket)
    assert seen.is_truthful == told.is_truthful
    assert [str(m) for m in seen.promises] == [str(m) for m in told.promises]
    for name in seen.quasi if kind == "generalized" else ():
        assert seen.taxonomies[name].n == told.taxonomies[name].n
    needs = [("ill",)]
    one, other = seen.counted(needs).finest, told.counted(needs).finest
    assert sorted(one.sizes.tolist()) == sorted(other.sizes.tolist())
    peaks = [sorted(g.histograms["ill",].peak.tolist()) for g in (one, other)]
    assert peaks[0] == peaks[1]
    truth = truth_of_bundle(bundle, file)
    assert truth.rows is not None
    assert sorted(truth.rows.tolist()) == list(range(12))
    if told.is_truthful and told.bucket is not None:
        ages = truth.table.frame["age"].to_numpy()[truth.rows]
        assert [int(text) for text in told.frame["age"].to_list()] == ages.tolist()


def published(kind: str, folder: Path) -> tuple[Release, Path]:
    file = folder / "people.csv"
    write_frame(people().frame, file)
    if kind == "generalized":
        return generalized(), file
    if kind == "buckets":
        return anonymize(people(), privacy=FrequencyLDiversity(2), method="anatomize"), file
    return anonymize(people(), privacy=KAnonymity(4), method="mdav"), file


def test_a_public_half_alone_has_no_truth(tmp_path: Path) -> None:
    folder = generalized().save(tmp_path / "bundle")
    bundle = open_bundle(folder / "public")
    assert len(target_of_bundle(bundle)) == 12
    with pytest.raises(BundleError, match="no private half"):
        truth_of_bundle(bundle)


def test_a_table_is_taken_as_it_stands() -> None:
    table: Table = as_table(
        {"job": ["Artist", "Artist", "Clerk"], "ill": ["flu", "hiv", "flu"]},
        quasi="job",
        sensitive="ill",
        taxonomies={"job": Tree({"Artist": ["Dancer", "Writer"], "Desk": ["Clerk"]})},
    )
    target = target_of_table(table)
    assert target.promises == ()
    assert target.counted().finest.sizes.tolist() == [2, 1]
    assert target.taxonomies["job"].domain.values.tolist() == ["Dancer", "Writer", "Clerk"]
