"""Plans: what they say is what is done, and they are read as they were written."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.tables.publishing.written_plans import DESIGNED, document, documents, plan, saved
from unlinkable.errors import DataError
from unlinkable.examples import hospital_plan
from unlinkable.release.bundle.signing import new_signing_key, save_signing_key
from unlinkable.tables.data import IdentifierTreatment, Role
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.models import EntropyLDiversity, GroundDistance, KAnonymity, TCloseness
from unlinkable.tables.operations import Pseudonymization, new_key, save_key
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.plans.plan_sections import Format, Others
from unlinkable.tables.taxonomies.builders.csv_file import Csv
from unlinkable.tables.taxonomies.builders.intervals import Intervals
from unlinkable.tables.taxonomies.builders.mask import Mask


def test_the_plan_of_the_design_says_what_it_says(tmp_path: Path) -> None:
    made = Plan.load(saved(tmp_path, DESIGNED))
    assert made.source == tmp_path / "adult.csv"
    assert made.schema().quasi == ("age", "zip")
    assert made.schema().sensitive == ("occupation",)
    assert made.schema()["age"].taxonomy == Intervals(5, 10, 20)
    assert made.schema()["zip"].taxonomy == Mask(5)
    assert made.schema()["zip"].importance == 2.0
    assert made.models() == (KAnonymity(5),)
    assert str(made.method()) == "optimal"
    assert made.suppression == Fraction(1, 20)
    assert made.metric() == ILoss()
    assert made.metrics() == ()
    assert (made.out, made.key(), made.signing_key()) == (None, None, None)


def test_the_plan_of_the_hospital_can_be_run() -> None:
    made = Plan.from_dict(hospital_plan("patients.csv"))
    assert made.models() == (KAnonymity(5), EntropyLDiversity(3, sensitive="diagnosis"))
    assert len(made.schema().columns) == 13
    assert Plan.from_dict(tomllib.loads(made.to_toml())) == made


def test_what_a_plan_leaves_out_has_a_default() -> None:
    made = plan(privacy=["k-anonymity(k=2)"])
    assert str(made.method()) == "optimal"
    assert made.suppression == 0
    assert made.metric() is None
    assert made.form.release.format is Format.CSV
    assert made.form.data.others is None


def test_models_methods_and_metrics_may_be_given_in_written_form() -> None:
    made = plan(
        privacy=["k-anonymity(k=2)", {"model": "t-closeness(t=0.2)", "distance": "ordered"}],
        method={"name": "mondrian(strict=false)", "suppression": "1/3"},
        utility={"metric": "discernibility", "metrics": ["iloss", "average-class-size(k=2)"]},
    )
    assert made.models() == (KAnonymity(2), TCloseness("1/5", distance=GroundDistance.ORDERED))
    assert made.method() == Mondrian(strict=False)
    assert made.suppression == Fraction(1, 3)
    assert made.metric() == Discernibility()
    assert [str(metric) for metric in made.metrics()] == ["iloss", "average-class-size(k=2)"]


def test_plans_that_mean_the_same_are_equal() -> None:
    one = plan(privacy=["k-anonymity(k=2)"], method={"suppression": 0.5})
    other = Plan.from_dict(
        document(privacy=[{"model": "k-anonymity", "k": 2}], method={"suppression": "1/2"}),
        folder="elsewhere",
    )
    assert one == other
    assert one != plan(privacy=["k-anonymity(k=3)"], method={"suppression": 0.5})


def test_identifiers_are_treated_as_the_plan_says() -> None:
    made = Plan.from_dict(
        {
            "data": {"source": "a.csv"},
            "columns": {
                "id": {"role": "identifier", "treatment": "pseudonym", "prefix": "P", "length": 20},
                "phone": {"role": "identifier", "treatment": "mask", "keep_right": 3},
                "name": {"role": "identifier"},
            },
            "pseudonyms": {"key": "key.txt"},
        }
    )
    pseudonym, masked = IdentifierTreatment.PSEUDONYM, IdentifierTreatment.MASK
    assert made.identifiers() == {
        "id": Pseudonymization(treatment=pseudonym, prefix="P", length=20),
        "phone": Pseudonymization(treatment=masked, keep_right=3),
    }
    assert [c.treatment for c in made.schema().columns] == [
        pseudonym,
        masked,
        IdentifierTreatment.DROP,
    ]


def test_keys_are_read_from_the_folder_of_the_plan(tmp_path: Path) -> None:
    key, signing = new_key(), new_signing_key()
    save_key(key, tmp_path / "key.txt")
    save_signing_key(signing, tmp_path / "sign.pem")
    told = document(pseudonyms={"key": "key.txt"}, release={"sign": "sign.pem", "out": "out"})
    made = Plan.from_dict(told, tmp_path)
    assert made.key() == key
    signing_key = made.signing_key()
    assert signing_key is not None
    assert signing_key.private_bytes_raw() == signing.private_bytes_raw()
    assert made.out == tmp_path / "out"
    with pytest.raises(DataError, match=r"no key file .*key\.txt"):
        Plan.from_dict(told, tmp_path / "elsewhere").key()


def test_other_columns_need_a_decision() -> None:
    present = ["age", "ill", "town"]
    assert plan().keep(present) == ("age", "ill", "town")
    assert plan().schema(present).names == ("age", "ill")
    dropping = plan(data={"source": "a.csv", "others": "drop"})
    assert dropping.form.data.others is Others.DROP
    assert dropping.keep(present) == ("age", "ill")
    assert dropping.schema(present).names == ("age", "ill")
    showing = plan(data={"source": "a.csv", "others": "insensitive"})
    assert showing.keep(present) == ("age", "ill", "town")
    assert showing.schema(present)["town"].role is Role.INSENSITIVE


def test_the_plan_says_how_to_read() -> None:
    data = {
        "source": "sqlite:///patients.db",
        "query": "select * from stays",
        "separator": ";",
        "encoding": "cp1252",
        "header": False,
        "infer": False,
        "sheet": 1,
        "types": {"zip": "text"},
        "missing": ["NA", "?"],
    }
    made = plan(data=data)
    options = made.reading()
    assert made.source == "sqlite:///patients.db"
    assert (options.separator, options.encoding, options.header) == (";", "cp1252", False)
    assert (options.infer, options.sheet, options.missing) == (False, 1, ("NA", "?"))
    assert (options.query, options.types["zip"]) == ("select * from stays", "text")
    assert made.to_dict()["data"] == data


def test_taxonomy_files_are_looked_for_beside_the_plan(tmp_path: Path) -> None:
    columns = {"job": {"role": "quasi-identifier", "taxonomy": {"csv": "job.csv"}}}
    made = Plan.from_dict(document(columns=columns), tmp_path)
    assert made.schema()["job"].taxonomy == Csv(tmp_path / "job.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples."""
    return tmp_path_factory.mktemp("plans")


@given(told=documents)
def test_a_plan_is_the_same_after_writing_and_reading(told: dict[str, Any], folder: Path) -> None:
    made = Plan.from_dict(told, folder)
    assert Plan.from_dict(made.to_dict()) == made
    assert Plan.from_dict(tomllib.loads(made.to_toml())) == made
    made.save(folder / "plan.toml", overwrite=True)
    again = Plan.load(folder / "plan.toml")
    assert again == made
    assert again.to_toml() == made.to_toml()
    assert (again.models() if again.form.privacy else ()) == (
        made.models() if made.form.privacy else ()
    )


def test_a_plan_is_written_as_a_person_would_write_it(tmp_path: Path) -> None:
    made = Plan.load(saved(tmp_path, DESIGNED))
    assert made.to_toml() == (
        '[data]\nsource = "adult.csv"\n\n'
        '[columns.age]\nrole = "quasi-identifier"\ntaxonomy = { intervals = [5, 10, 20] }\n\n'
        '[columns.zip]\nrole = "quasi-identifier"\ntaxonomy = { mask = 5 }\nweight = 2.0\n\n'
        '[columns.occupation]\nrole = "sensitive"\n\n'
        '[[privacy]]\nmodel = "k-anonymity"\nk = 5\n\n'
        '[method]\nname = "optimal"\nsuppression = 0.05\n\n'
        '[utility]\nmetric = "iloss"\n'
    )


def test_a_plan_that_moves_still_names_the_same_files(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new" / "deep"
    old.mkdir()
    new.mkdir(parents=True)
    columns = {"job": {"role": "quasi-identifier", "taxonomy": {"csv": "job.csv", "pad": True}}}
    told = document(
        columns=columns,
        pseudonyms={"key": str(tmp_path / "key.txt")},
        release={"out": "../out", "sign": "sign.pem"},
    )
    made = Plan.from_dict(told, old)
    made.save(new / "plan.toml")
    moved = Plan.load(new / "plan.toml")
    assert moved.form.data.source == "../../old/a.csv"
    assert moved.form.columns["job"].taxonomy == {"csv": "../../old/job.csv", "pad": True}
    assert moved.form.pseudonyms.key == str(tmp_path / "key.txt")
    assert moved.form.release.out == "../../out"
    assert moved.form.release.sign == "../../old/sign.pem"
    assert isinstance(moved.source, Path)
    assert moved.source.resolve() == (old / "a.csv").resolve()


def test_an_sql_address_does_not_move(tmp_path: Path) -> None:
    made = plan(data={"source": "postgresql://host/db", "query": "select 1"})
    made.save(tmp_path / "plan.toml")
    assert Plan.load(tmp_path / "plan.toml") == made


def test_a_plan_behind_a_symbolic_link_names_files_beside_its_real_folder(tmp_path: Path) -> None:
    (tmp_path / "real" / "plans").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "plans")
    (tmp_path / "real" / "d.csv").touch()
    plan = Plan.from_dict(document(data={"source": "../d.csv"}), tmp_path / "link")
    assert Path(plan.source).is_file()
