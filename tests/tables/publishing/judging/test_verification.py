"""Verification: change a byte, a row, a promise, and it is found; and what is found is said."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.publishing.saved_bundles import (
    Edit,
    change,
    release_of,
    rewrite_manifest,
    rewrite_provenance,
    rewrite_rows,
)
from unlinkable.errors import BundleError, DataError
from unlinkable.release.bundle import MANIFEST, PROVENANCE
from unlinkable.release.bundle.signing import new_signing_key, save_verifying_key
from unlinkable.release.verify import verify
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import CrowdEntropy, KAnonymity, TCloseness
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Tree

KEY = new_signing_key()
PUBLIC_KEY = KEY.public_key()


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same signed release in both formats. Nobody changes these."""
    folder = tmp_path_factory.mktemp("bundles")
    release = release_of()
    return {
        form: release.save(folder / form, format=form, signing_key=KEY)
        for form in ("csv", "parquet")
    }


@contextmanager
def copy_of(bundle: Path) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(shutil.copytree(bundle, Path(folder) / "release"))


@pytest.fixture
def bundle(saved: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved["csv"], tmp_path / "release"))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_untouched_bundle_holds(saved: dict[str, Path], form: str) -> None:
    for folder in (saved[form], saved[form] / "public"):
        result = verify(folder, public_key=PUBLIC_KEY)
        assert result.problems == ()
        assert result.holds
        assert [m["achieved"] for m in result.models] == [{"k": 2}, {"l": 2}]


def test_the_result_is_printed_as_json(saved: dict[str, Path]) -> None:
    told = verify(saved["csv"]).to_json()
    assert json.loads(json.dumps(told)) == told
    assert told == {
        "holds": True,
        "scope": "Consistency was checked, not origin: without the holder's public key, anybody "
        "could have made or changed this bundle.",
        "origin_checked": False,
        "records": 11,
        "suppressed": 1,
        "groups": 4,
        "models": told["models"],
        "metrics": told["metrics"],
        "method": "optimal",
        "optimal": True,
        "node": {"age": 2, "job": 0},
        "problems": [],
        "notes": told["notes"],
        "bundle": str(saved["csv"]),
    }


@pytest.mark.parametrize("form", ["csv", "parquet"])
@given(data=st.data())
def test_any_changed_byte_of_the_public_half_is_found(
    saved: dict[str, Path], form: str, data: st.DataObject
) -> None:
    with copy_of(saved[form]) as folder:
        name = data.draw(st.sampled_from([MANIFEST, f"data.{form}"]))
        file = folder / "public" / name
        content = bytearray(file.read_bytes())
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        file.write_bytes(content)
        for looked_at in (folder, folder / "public"):
            result = verify(looked_at)
            assert not result.holds
            assert name in result.problems[0]


@given(data=st.data())
def test_any_byte_that_is_cut_off_or_put_in_is_found(
    saved: dict[str, Path], data: st.DataObject
) -> None:
    with copy_of(saved["csv"]) as folder:
        name = data.draw(st.sampled_from([MANIFEST, "data.csv"]))
        file = folder / "public" / name
        content = file.read_bytes()
        at = data.draw(st.integers(0, len(content) - 1))
        is_cut = data.draw(st.booleans())
        file.write_bytes(content[:at] if is_cut else content[:at] + b" " + content[at:])
        assert not verify(folder / "public").holds


def test_a_missing_file_is_found(bundle: Path) -> None:
    (bundle / "public" / "data.csv").unlink()
    assert verify(bundle / "public").problems == (
        "data.csv is missing: it is listed in release.json and not there",
    )


def test_a_link_instead_of_a_file_is_found(bundle: Path) -> None:
    data = bundle / "public" / "data.csv"
    data.rename(bundle / "elsewhere.csv")
    data.symlink_to(bundle / "elsewhere.csv")
    assert "data.csv is missing" in verify(bundle / "public").problems[0]


def test_an_unlisted_file_or_folder_is_found(bundle: Path) -> None:
    (bundle / "public" / "names.csv").write_text("name\nAda\n", encoding="utf-8")
    (bundle / "public" / "more").mkdir()
    assert verify(bundle / "public").problems == (
        "more does not belong there: release.json has no such file",
        "names.csv does not belong there: release.json has no such file",
    )


def test_a_missing_manifest_is_found(bundle: Path) -> None:
    (bundle / "public" / MANIFEST).unlink()
    result = verify(bundle)
    assert not result.holds
    assert result.to_json() == {
        "holds": False,
        "scope": result.scope,
        "origin_checked": False,
        "problems": [f"no release.json in {bundle / 'public'}: name the public folder of a bundle"],
        "notes": [],
        "bundle": str(bundle),
    }


def test_a_folder_that_is_no_bundle_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="is no bundle"):
        verify(tmp_path)
    with pytest.raises(BundleError, match="no folder"):
        verify(tmp_path / "nothing")


def drop_last(lines: list[str]) -> list[str]:
    return lines[:-1]


def repeat_last(lines: list[str]) -> list[str]:
    return [*lines, lines[-1]]


def edit_last(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1].replace("Dancer", "Engineer")]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (drop_last, "there are 10 records, and the manifest says 11"),
        (repeat_last, "there are 12 records, and the manifest says 11"),
        (edit_last, r"k-anonymity\(k=2\) does not hold: 1 groups of records break it"),
    ],
)
def test_a_changed_row_is_found_though_all_digests_are_new(
    bundle: Path, edit: Callable[[list[str]], list[str]], message: str
) -> None:
    rewrite_rows(bundle / "public", edit)
    rewrite_manifest(bundle / "public")
    result = verify(bundle / "public")
    assert not result.holds
    assert any(re.search(message, said) for said in result.problems)
    signed = verify(bundle / "public", public_key=PUBLIC_KEY).problems
    assert "the signature does not fit: the manifest was changed after it was signed" in signed


def test_a_dropped_row_breaks_a_promise_even_if_the_numbers_are_adapted(bundle: Path) -> None:
    public = bundle / "public"
    rewrite_rows(
        public, lambda lines: [x for x in lines if "[40-50),Writer" not in x or "hiv" in x]
    )
    n = len((public / "data.csv").read_text(encoding="utf-8").splitlines()) - 1
    rewrite_manifest(
        public, change("records", to=n), change("files", 0, "rows", to=n), change("metrics", to={})
    )
    problems = verify(public).problems
    assert "k-anonymity(k=2) does not hold: 1 groups of records break it" in problems
    assert any(said.startswith("distinct-l-diversity") for said in problems)


def test_a_weakened_promise_is_found_by_its_signature_or_by_the_private_half(bundle: Path) -> None:
    """Without either, only the promise that is made is known to be kept."""
    public = bundle / "public"
    rewrite_manifest(public, change("models", 0, "model", to="k-anonymity(k=1)"))
    assert verify(public).holds
    assert verify(public, public_key=PUBLIC_KEY).problems == (
        "the signature does not fit: the manifest was changed after it was signed",
    )
    assert verify(bundle).problems == (
        "release.json is not the one that this private half was written with",
    )


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([change("models", 0, "model", to="k-anonymity(k=3)")], "does not hold: 1 groups"),
        ([change("models", 0, "achieved", to={"k": 3})], "reaches .*2.*, and the manifest says"),
        ([change("models", 0, "achieved", to={})], "reaches .*, and the manifest says {}"),
        ([change("models", 0, "holds", to=False)], r"the manifest says that k-anonymity\(k=2\)"),
        ([change("models", 0, "basis", to="ledger")], "rests on counted, and the manifest says"),
        ([change("models", 0, "model", to="k-anonymous(k=2)")], "cannot be judged: no model"),
        (
            [change("models", 0, "model", to='k-anonymity(k=2, qid=["ill"])')],
            "cannot be judged: no quasi-identifier 'ill'",
        ),
        (
            [change("models", 0, "model", to='distinct-l-diversity(l=2, sensitive="age!")')],
            "cannot be judged: no sensitive column 'age!' among 1",
        ),
        ([change("models", to=[])], "nothing is promised"),
        ([change("groups", to=5)], "the records form 4 groups, and the manifest says 5"),
        ([change("metrics", "discernibility", to=1)], "the metric discernibility is"),
        ([change("metrics", "average-class-size", to=1)], "the metric average-class-size is"),
        ([change("suppressed", to=0.5)], "the metric discernibility is"),
        ([change("files", 0, "rows", to=12)], "there are 11 records, and the manifest says 11 and"),
        ([change("files", 0, "rows", to=None)], "must list one table"),
        ([change("columns", 0, "name", to="Age")], "there is a column 'age' that is not listed"),
        ([change("columns", 0, "name", to="Age")], "the column 'Age' is listed and not there"),
        ([lambda told: told["columns"].pop()], "there is a column 'stay' that is not listed"),
        ([lambda told: told["columns"].reverse()], "not in the order in which they are listed"),
        (
            [change("columns", 1, "taxonomy", "values", 3, to="Wrtier")],
            "column 'job': no published value 'Writer'",
        ),
    ],
)
def test_a_false_statement_is_found_though_all_digests_are_new(
    bundle: Path, edits: list[Edit], message: str
) -> None:
    rewrite_manifest(bundle / "public", *edits)
    problems = verify(bundle / "public").problems
    assert problems
    assert any(re.search(message, said) for said in problems), problems


@pytest.mark.parametrize(
    ("column", "old", "new", "message"),
    [
        ("job", "Writer", "Wrtier", "no published value 'Wrtier'"),
        ("age", "[40-50)", "[40-5o)", r"\[40-5o\)"),
    ],
)
def test_a_text_that_is_no_published_value_is_found(
    bundle: Path, column: str, old: str, new: str, message: str
) -> None:
    rewrite_rows(bundle / "public", lambda lines: [line.replace(old, new) for line in lines])
    rewrite_manifest(bundle / "public")
    problems = verify(bundle / "public").problems
    assert any(
        said.startswith(f"column {column!r}") and re.search(message, said) for said in problems
    ), problems


def test_an_extra_column_is_found(bundle: Path) -> None:
    rewrite_rows(bundle / "public", lambda lines: [f"{line},{i}" for i, line in enumerate(lines)])
    rewrite_manifest(bundle / "public")
    assert verify(bundle / "public").problems == ("there is a column '0' that is not listed",)


def test_a_table_that_is_no_table_is_found(bundle: Path) -> None:
    rewrite_rows(bundle / "public", lambda lines: [*lines, "one,two"])
    rewrite_manifest(bundle / "public")
    assert len(verify(bundle / "public").problems) == 1


def test_who_made_it_is_checked_with_the_key_alone(bundle: Path, tmp_path: Path) -> None:
    unchecked = verify(bundle / "public")
    assert unchecked.holds
    assert any("give the holder's public key" in note for note in unchecked.notes)
    save_verifying_key(KEY, tmp_path / "holder.pub")
    assert verify(bundle, public_key=tmp_path / "holder.pub").holds
    assert verify(bundle, public_key=str(tmp_path / "holder.pub")).holds
    other = verify(bundle, public_key=new_signing_key().public_key())
    assert [said.partition(" (")[0] for said in other.problems] == [
        "the release was signed with another key",
        "the private half was signed with another key",
    ]
    with pytest.raises(DataError, match="no key file"):
        verify(bundle, public_key=tmp_path / "nothing")


def test_an_unsigned_release_is_not_the_holders(tmp_path: Path) -> None:
    folder = release_of().save(tmp_path / "release")
    assert any("not signed: who made it was not checked" in n for n in verify(folder).notes)
    assert verify(folder, public_key=PUBLIC_KEY).problems == (
        "the release is not signed, so nothing shows that it comes from the holder of the key",
        "the private half is not signed, so nothing shows that it comes from the holder of the key",
    )


def test_the_public_half_alone_says_that_the_other_is_missing(bundle: Path) -> None:
    said = "the private half is not there: which record is which was not checked"
    assert said in verify(bundle / "public").notes
    assert said not in verify(bundle).notes
    shutil.rmtree(bundle / "private")
    assert verify(bundle).holds
    assert said in verify(bundle).notes


def test_a_promise_about_people_needs_the_private_half(tmp_path: Path) -> None:
    visits = {"sex": ["f", "f", "m", "m", "m"], "person": ["a", "b", "c", "d", "d"]}
    table = as_table(visits, quasi="sex", owner="person")
    folder = anonymize(table, privacy=KAnonymity(2)).save(tmp_path / "release")
    whole, public = verify(folder), verify(folder / "public")
    assert (whole.holds, public.holds) == (True, True)
    assert not any("counts people" in note for note in whole.notes)
    assert any("k-anonymity(k=2) counts people" in note for note in public.notes)

    rows = folder / "private" / "rows.parquet"
    pl.read_parquet(rows).with_columns(owner=pl.lit("d")).write_parquet(rows)
    rewrite_provenance(folder / "private")
    assert verify(folder).problems == (
        "k-anonymity(k=2) does not hold: 2 groups of records break it",
    )


@pytest.mark.parametrize("stated", [1, 4])
def test_a_false_number_of_people_is_found_as_far_as_records_can_tell(
    tmp_path: Path, stated: int
) -> None:
    visits = {"sex": ["f", "f", "m", "m", "m"], "person": ["a", "b", "c", "d", "d"]}
    table = as_table(visits, quasi="sex", owner="person")
    folder = anonymize(table, privacy=KAnonymity(2)).save(tmp_path / "release")
    rewrite_manifest(folder / "public", change("models", 0, "achieved", to={"k": stated}))
    said = verify(folder / "public").problems
    assert len(said) == 1
    assert f"and the manifest says {{'k': {stated}}}" in said[0]


def test_an_entropy_of_people_that_meets_the_bound_verifies_without_them(tmp_path: Path) -> None:
    """Of shares of a quarter and an eighth it is 2.5 bits, or a float a hair below."""
    owners = ["a", "a", "b", "b", "c", "d", "e", "f"]
    table = as_table({"sex": ["f"] * 8, "person": owners}, quasi="sex", owner="person")
    folder = anonymize(table, privacy=CrowdEntropy("5/2")).save(tmp_path / "release")
    assert verify(folder).problems == verify(folder / "public").problems == ()
    rewrite_manifest(folder / "public", change("models", 0, "achieved", to={"bits": 2.499}))
    assert "{'bits': 2.499}" in verify(folder / "public").problems[0]


def test_a_value_outside_the_taxonomy_that_a_promise_rests_on_is_found(tmp_path: Path) -> None:
    tree = Tree({"Virus": ["flu", "hiv", "cold"], "Rare": ["unheard-of", "kuru"]})
    table = as_table(
        {"sex": ["f", "f", "m", "m"], "ill": ["flu", "kuru", "flu", "kuru"]},
        quasi="sex",
        sensitive="ill",
        taxonomies={"ill": tree},
    )
    release = anonymize(table, privacy=TCloseness("0.1", distance="hierarchical"))
    public = release.save(tmp_path / "release") / "public"
    rewrite_rows(public, lambda lines: [line.replace("kuru", "gout") for line in lines])
    rewrite_manifest(public)
    assert verify(public).problems == (
        "the promises cannot be judged: column 'ill' holds 1 value(s) that the taxonomy it is to "
        "be read with does not have",
    )


def test_numbers_that_are_none_are_found(tmp_path: Path) -> None:
    table = as_table({"sex": ["f", "f"], "pay": [9, 10]}, quasi="sex", sensitive="pay")
    release = anonymize(table, privacy=TCloseness("0.1", distance="ordered"))
    public = release.save(tmp_path / "release") / "public"
    rewrite_rows(public, lambda lines: [line.replace("10", "ten") for line in lines])
    rewrite_manifest(public)
    assert verify(public).problems == (
        "the promises cannot be judged: column 'pay' holds texts that are no numbers",
    )


def swap_rows(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(row=pl.Series([1, 0, *range(2, 11), None]))


def without_a_group(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(group=pl.col("group").replace(0, None))


def to_another_group(frame: pl.DataFrame) -> pl.DataFrame:
    group = frame["group"].to_list()
    return frame.with_columns(group=pl.Series([group[1], *group[1:]], dtype=pl.Int32))


def to_no_group(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(group=pl.col("group").replace(0, 77))


def with_a_row_twice(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(row=pl.col("row").replace(0, 1))


def with_a_record_more(frame: pl.DataFrame) -> pl.DataFrame:
    more = pl.DataFrame({"record": [12], "row": [None], "group": [None]}, schema=frame.schema)
    return pl.concat([frame, more])


def with_owners(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(owner=pl.col("record"))


def in_another_order(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.reverse()


def something_else(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.rename({"row": "line"})


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (swap_rows, "values that are not those of their groups"),
        (with_a_row_twice, "does not map each published row to one record"),
        (without_a_group, "a row and no group"),
        (to_another_group, "the sizes of the groups are not those that the holder has noted"),
        (to_another_group, "values that are not those of their groups"),
        (to_no_group, "records belong to groups beyond the 4 that there are"),
        (with_a_record_more, "2 of 13 records were left out, and the manifest says"),
        (with_owners, "does not have the owners that it speaks of"),
        (in_another_order, "the records are not in their order"),
        (something_else, "this is no list of records"),
    ],
)
def test_a_changed_list_of_records_is_found_though_all_digests_are_new(
    bundle: Path, edit: Callable[[pl.DataFrame], pl.DataFrame], message: str
) -> None:
    file = bundle / "private" / "rows.parquet"
    edit(pl.read_parquet(file)).write_parquet(file)
    assert verify(bundle).problems[0].startswith("rows.parquet was changed")
    rewrite_provenance(bundle / "private")
    assert any(message in said for said in verify(bundle).problems), verify(bundle).problems


def test_changed_boxes_and_figures_are_found(bundle: Path) -> None:
    file = bundle / "private" / "groups.parquet"
    frame = pl.read_parquet(file)
    frame.with_columns((pl.col("lo 0") + 1).alias("lo 0")).write_parquet(file)
    rewrite_provenance(bundle / "private")
    problems = verify(bundle).problems
    assert any(
        "column 'age' shows 5 values that are not those" in said for said in problems
    ) or any("values that are not those of their groups" in said for said in problems)
    assert any(said.startswith("the metric iloss is") for said in problems)


def test_the_private_half_of_another_release_is_found(bundle: Path, tmp_path: Path) -> None:
    other = release_of(method=Mondrian()).save(tmp_path / "other")
    shutil.rmtree(bundle / "private")
    shutil.copytree(other / "private", bundle / "private")
    assert verify(bundle).problems == (
        "release.json is not the one that this private half was written with",
        "provenance.json is not signed with the key that release.json is signed with",
    )


def test_a_damaged_private_half_is_found(bundle: Path) -> None:
    (bundle / "private" / PROVENANCE).write_text("{}", encoding="utf-8")
    assert "provenance.json is damaged" in verify(bundle).problems[0]


def test_a_private_half_that_others_can_read_is_noted(bundle: Path) -> None:
    (bundle / "private").chmod(0o755)
    assert any("others can look into" in note for note in verify(bundle).notes)


def test_nothing_is_judged_that_may_not_be_what_was_published(bundle: Path) -> None:
    (bundle / "public" / "data.csv").write_text("age\n1\n", encoding="utf-8")
    result = verify(bundle)
    assert result.finding is None
    assert result.models == []
    assert any("the records were not judged" in note for note in result.notes)


def test_figures_of_a_release_with_nothing_in_it_are_not_compared(bundle: Path) -> None:
    rewrite_manifest(bundle / "public", change("suppressed", to=1.0))
    assert verify(bundle / "public").to_json()["suppressed"] is None


def test_records_are_counted_by_people_in_any_number_of_rows() -> None:
    """Many owners, many records: the private half keeps them in the order of the rows."""
    rng = np.random.default_rng(0)
    people = rng.integers(0, 40, 200)
    data = {"age": rng.integers(20, 60, 200).tolist(), "person": people.tolist()}
    table = as_table(data, quasi="age", owner="person")
    release = anonymize(table, privacy=KAnonymity(5), method=Mondrian())
    with TemporaryDirectory() as folder:
        assert verify(release.save(Path(folder) / "release")).problems == ()
