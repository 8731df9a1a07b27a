"""Attacking releases, bundles and tables, one attack after the other or all that apply."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import unlinkable as ul
from unlinkable.errors import BundleError, ParameterError, UnsupportedError
from unlinkable.release import save
from unlinkable.tables.attacks import AttributeLinkage, Minimality
from unlinkable.tables.publishing import open_bundle
from unlinkable.tables.publishing.anonymizing.run import run
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.attacking.targets import listed_taxonomies
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.release import Release

JOBS = {"Artist": ["Dancer", "Writer"], "Office": ["Clerk", "Lawyer"]}


def patients() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [30, 31, 32, 45, 46, 47],
            "job": ["Dancer", "Writer", "Dancer", "Clerk", "Lawyer", "Clerk"],
            "ill": ["hiv", "hiv", "hiv", "flu", "cold", "none"],
        }
    )


def table() -> ul.Table:
    return ul.as_table(
        patients(),
        quasi=["age", "job"],
        sensitive="ill",
        taxonomies={"age": ul.Intervals(10), "job": ul.Tree(JOBS)},
    )


def release() -> Release:
    return ul.anonymize(table(), privacy=ul.KAnonymity(3))


def test_an_attack_may_be_named_written_or_made() -> None:
    for attack in ("attribute-linkage", 'attribute-linkage(sensitive="ill")', AttributeLinkage()):
        outcome = release().attack(attack)
        assert (outcome.highest, outcome.n_fallen) == (1.0, 3)
        assert outcome.victims[0].learned == {"ill": "hiv"}


def test_a_limit_decides_who_falls() -> None:
    assert release().attack("attribute-linkage", limit=1).n_fallen == 0
    assert release().attack(AttributeLinkage(), limit="0.3").n_fallen == 6
    assert release().attack("attribute-linkage(limit=1)").attack.limit == 1
    assert release().attack("attribute-linkage(limit=1)", limit="1/2").attack.limit == 1 / 2


def test_the_holder_plays_an_adversary_who_knows_everybody() -> None:
    outcome = release().attack("record-linkage")
    assert outcome.n_attacked == 6
    assert outcome.highest == pytest.approx(1 / 3)
    assert {v.who["record"] for v in outcome.victims} == {f"{i}" for i in range(1, 7)}


def test_a_list_of_people_may_be_given_in_any_kind_of_frame() -> None:
    voters = {"name": ["Ann", "Bob"], "age": [30, 99], "job": ["Dancer", "Clerk"]}
    for frame in (voters, pl.DataFrame(voters), pl.DataFrame(voters).to_pandas()):
        outcome = release().attack("record-linkage", external=frame)
        assert outcome.n_attacked == 2
        assert [v.who for v in outcome.victims if v.confidence] == [{"name": "Ann"}]


def test_parameters_go_to_the_attack() -> None:
    assert release().attack("corruption", n=2).attack.n == 2  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="no parameter 'm'"):
        release().attack("corruption", m=2)
    with pytest.raises(ParameterError, match="no attack 'linkage'"):
        release().attack("linkage")
    with pytest.raises(ParameterError, match="'n' is given twice"):
        release().attack("corruption(n=1)", n=2)


def test_what_makes_no_sense_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match="proximity cannot be tried here"):
        release().attack("proximity")


def test_all_that_apply_are_tried_and_the_others_named() -> None:
    found = release().attack_all()
    assert found.succeeded
    names = [o.attack.name for o in found.outcomes] + [s.attack.name for s in found.skipped]
    assert sorted(names) == sorted({*names})
    assert {"attribute-linkage", "record-linkage", "corruption", "minimality"} <= {*names}
    assert [o.succeeded for o in found.outcomes] == sorted(
        (o.succeeded for o in found.outcomes), reverse=True
    )
    skipped = {s.attack.name: s.why for s in found.skipped}
    assert "numbers" in skipped["proximity"]
    strict = release().attack_all(limit="0.01")
    assert all(o.attack.limit == Fraction(1, 100) for o in strict.outcomes)


def test_an_attack_that_could_go_on_for_ever_is_told_when_to_stop() -> None:
    found = release().attack_all(seconds=0.5)
    tried = [o.attack for o in found.outcomes] + [s.attack for s in found.skipped]
    (patient,) = [attack for attack in tried if isinstance(attack, Minimality)]
    assert patient.seconds == Fraction(1, 2)


def test_tables_that_nobody_could_use_are_refused() -> None:
    with pytest.raises(ParameterError, match="no table 'externals'"):
        release().attack_all(externals={"age": [1]})


def test_what_does_not_fit_is_told_and_does_not_end_the_others() -> None:
    found = release().attack_all(population={"town": ["Berlin"]}, seconds=1)
    why = {skipped.attack.name: skipped.why for skipped in found.skipped}
    assert "shares no column" in why["table-linkage"]
    assert any(o.attack.name == "attribute-linkage" for o in found.outcomes)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{"name": "Ann", "age": 30}], "external must be a table .* got a list$"),
        (5, "external must be a table .* got 5$"),
        ("nowhere.csv", "external: there is no table or file 'nowhere.csv'"),
    ],
)
def test_what_is_no_table_is_refused_and_not_shown(given: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said) as caught:
        release().attack("record-linkage", external=given)
    assert "Ann" not in str(caught.value)
    with pytest.raises(ParameterError, match=said):
        release().attack_all(external=given)


def test_progress_runs_from_start_to_end() -> None:
    told: list[float] = []
    release().attack_all(progress=lambda share, _: told.append(share))
    assert told == sorted(told)
    assert 0 <= told[0] < told[-1] == 1
    told.clear()
    release().attack("record-linkage", progress=lambda share, _: told.append(share))
    assert told[-1] == 1


def test_the_same_seed_finds_the_same() -> None:
    one, other = (release().attack_all(seed=5).to_json() for _ in range(2))
    assert one == other


def bundle(folder: Path) -> Path:
    patients().write_csv(folder / "patients.csv")
    plan = Plan.from_dict(
        {
            "data": {"source": "patients.csv"},
            "columns": {
                "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [10]}},
                "job": {"role": "quasi-identifier", "taxonomy": {"tree": JOBS}},
                "ill": {"role": "sensitive"},
            },
            "privacy": [{"model": "k-anonymity", "k": 3}],
            "release": {"out": "release"},
        },
        folder,
    )
    return save(run(plan), plan)


def test_a_bundle_is_attacked_like_the_release(tmp_path: Path) -> None:
    attacked = Attackable.of_bundle(open_bundle(bundle(tmp_path)))
    assert attacked.truth is not None
    assert attacked.oracle is not None
    assert "k-anonymity(k=3)" in attacked.oracle.algorithm
    for name in ("attribute-linkage", "record-linkage", "minimality"):
        one, other = attacked.attack(name), release().attack(name)
        assert (one.highest, one.n_fallen) == (other.highest, other.n_fallen)


def test_without_the_original_the_files_are_attacked(tmp_path: Path) -> None:
    folder = bundle(tmp_path)
    elsewhere = tmp_path / "elsewhere.csv"
    (tmp_path / "patients.csv").rename(elsewhere)
    attacked = Attackable.of_bundle(open_bundle(folder))
    assert attacked.truth is None
    assert attacked.attack("attribute-linkage").highest == 1
    assert Attackable.of_bundle(open_bundle(folder), elsewhere).truth is not None
    with pytest.raises(BundleError, match=r"wrong\.csv"):
        Attackable.of_bundle(open_bundle(folder), tmp_path / "wrong.csv")


def test_labels_of_a_public_half_are_read_with_the_adversary_s_taxonomy(tmp_path: Path) -> None:
    public = open_bundle(bundle(tmp_path) / "public")
    voters = {"name": ["Ann", "Bob"], "age": [30, 45], "job": ["Writer", "Nurse"]}
    attacked = Attackable.of_bundle(public, None, {"job": ul.Tree(JOBS)})
    outcome = attacked.attack("record-linkage", external=voters)
    assert [(v.who["name"], v.records) for v in outcome.victims if v.records] == [("Ann", 3)]
    assert listed_taxonomies({"age": ul.Intervals(5)}) == {}


def test_a_table_of_another_tool_is_attacked_as_it_stands() -> None:
    attacked = Attackable.of_table(ul.as_table(patients(), quasi=["age", "job"], sensitive="ill"))
    assert attacked.attack("attribute-linkage").n_fallen == 6
    with pytest.raises(UnsupportedError, match="external"):
        attacked.attack("record-linkage")


def test_a_bundle_without_its_original_says_so(tmp_path: Path) -> None:
    folder = bundle(tmp_path)
    assert Attackable.of_bundle(open_bundle(folder)).doubt is None
    assert Attackable.of_bundle(open_bundle(folder / "public")).doubt is None
    (tmp_path / "patients.csv").unlink()
    doubt = Attackable.of_bundle(open_bundle(folder)).doubt
    assert doubt is not None
    assert doubt.startswith("the original records are not where they were")
    assert "patients.csv" not in doubt, "where they were is nobody else's business"


def test_that_people_have_several_records_is_told(tmp_path: Path) -> None:
    visits = patients().with_columns(who=pl.Series([*"aabbcc"]))
    table = ul.as_table(visits, quasi=["age", "job"], sensitive="ill", owner="who")
    made = ul.anonymize(table, privacy=ul.KAnonymity(2))
    visits.write_csv(tmp_path / "visits.csv")
    opened = open_bundle(made.save(tmp_path / "bundle"))
    for attacked in (
        Attackable.of(made),
        Attackable.of_bundle(opened, tmp_path / "visits.csv"),
    ):
        assert "people have several records here" in (attacked.doubt or "")
    assert Attackable.of(release()).doubt is None


def test_that_nothing_could_be_tried_is_no_success() -> None:
    nothing_hidden = ul.as_table(patients().drop("ill"), quasi=["age", "job"])
    with pytest.raises(
        UnsupportedError, match="no attack can be tried here: no column is sensitive"
    ) as refused:
        Attackable.of_table(nothing_hidden).attack_all()
    said = str(refused.value)
    assert said.count("no column is sensitive") == 1
    assert "give the list of people with external=..." in said


def test_what_is_in_a_table_that_does_not_fit_is_told_to_the_holder_alone() -> None:
    known = {"age": [30], "job": ["Dancer"], "ill": ["plague of Smith"]}
    found = release().attack_all(known=known, seconds=1)
    (refused,) = [s for s in found.skipped if s.attack.name == "corruption"]
    assert refused.is_refused
    for text in (found.to_markdown(), found.to_html(), str(found.to_json(with_victims=False))):
        assert "a table of the adversary does not fit" in text
        assert refused.why not in text


def test_what_is_no_attack_is_refused() -> None:
    for wrong in (AttributeLinkage, 3, None):
        with pytest.raises(ParameterError, match="is no attack: give one, like RecordLinkage"):
            release().attack(wrong)
    with pytest.raises(ParameterError, match="no parameter 'foo'"):
        release().attack(AttributeLinkage(), foo=1)


@pytest.mark.parametrize("seed", [-1, "x", 1.5, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(ParameterError, match="seed must be a whole number"):
        release().attack("attribute-linkage", seed=seed)  # type: ignore[arg-type]


def test_a_list_of_people_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "voters.csv"
    pl.DataFrame({"name": ["Ann"], "age": [30], "job": ["Dancer"]}).write_csv(file)
    for given in (file, str(file)):
        assert release().attack("record-linkage", external=given).n_attacked == 1
        tried = release().attack_all(external=given, seconds=1).outcomes
        assert {o.n_attacked for o in tried if o.attack.name == "record-linkage"} == {1}


def test_people_who_are_put_together_are_attacked_together(tmp_path: Path) -> None:
    numbers = ul.as_table(
        {"age": [30, 31, 32, 50, 51, 52], "pay": [1, 2, 3, 7, 8, 9], "ill": [*"aaabbb"]},
        quasi=["age", "pay"],
        sensitive="ill",
    )
    made = ul.anonymize(numbers, privacy=ul.KAnonymity(3), method="mdav")
    opened = Attackable.of_bundle(open_bundle(made.save(tmp_path / "bundle")))
    for attacked in (Attackable.of(made), opened):
        assert attacked.attack("attribute-linkage").n_fallen == 6
        with pytest.raises(UnsupportedError, match="what people show was replaced"):
            attacked.attack("minimality", external={"name": ["Ann"], "age": [30], "pay": [1]})
    swapped = ul.anonymize(numbers, method="rank-swapping")
    with pytest.raises(UnsupportedError, match="values were replaced"):
        swapped.attack("attribute-linkage")


def test_numbers_in_the_files_of_a_bundle_are_numbers(tmp_path: Path) -> None:
    paid = patients().with_columns(ill=pl.Series([10, 11, 12, 50, 60, 90]))
    table = ul.as_table(paid, quasi=["age", "job"], sensitive="ill")
    made = ul.anonymize(table, privacy=ul.KAnonymity(3))
    opened = Attackable.of_bundle(open_bundle(made.save(tmp_path / "bundle")))
    one, other = made.attack("proximity"), opened.attack("proximity")
    assert (one.highest, one.n_fallen) == (other.highest, other.n_fallen)
    codes = paid.with_columns(ill=pl.Series(["007", "008", "009", "1", "2", "3"]))
    coded = ul.as_table(codes, quasi=["age", "job"], sensitive="ill")
    made = ul.anonymize(coded, privacy=ul.KAnonymity(3))
    opened = Attackable.of_bundle(open_bundle(made.save(tmp_path / "codes")))
    with pytest.raises(UnsupportedError, match="no sensitive column holds numbers"):
        opened.attack("proximity")


def test_each_attack_has_a_chance_of_its_own() -> None:
    some = {o.attack.name: o.to_json() for o in release().attack_all(seed=3, seconds=1).outcomes}
    more = {o.attack.name: o.to_json() for o in release().attack_all(seed=3, seconds=2).outcomes}
    del some["minimality"], more["minimality"]
    # Its time is a parameter; it looks at all six worlds, which takes none of it.
    assert some["definetti"].pop("attack") == "definetti(seconds=1)"
    assert more["definetti"].pop("attack") == "definetti(seconds=2)"
    assert some == more
