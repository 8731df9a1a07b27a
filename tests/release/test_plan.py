"""Plans: what they say is what is done, and what they cannot mean is refused with the place."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, PlanError
from unlinkable.examples import hospital_plan
from unlinkable.methods import Mondrian
from unlinkable.privacy import EntropyLDiversity, GroundDistance, KAnonymity, TCloseness
from unlinkable.recoding import Pseudonymization, new_key, save_key
from unlinkable.release.plan import Plan
from unlinkable.release.plan_sections import Format, Others
from unlinkable.release.signing import new_signing_key, save_signing_key
from unlinkable.table import IdentifierTreatment, Role
from unlinkable.table.builders.csv_file import Csv
from unlinkable.table.builders.intervals import Intervals
from unlinkable.table.builders.mask import Mask
from unlinkable.utility import Discernibility, ILoss

DESIGNED = """
[data]
source = "adult.csv"                 # CSV, Parquet, Arrow, Excel, or a SQL address with a query

[columns.age]
role = "quasi-identifier"            # identifier · quasi-identifier · sensitive · target · ...
taxonomy = { intervals = [5, 10, 20] }

[columns.zip]
role = "quasi-identifier"
taxonomy = { mask = 5 }
weight = 2.0                         # importance for utility

[columns.occupation]
role = "sensitive"

[[privacy]]
model = "k-anonymity"
k = 5

[method]
name = "optimal"
suppression = 0.05                   # share of records that may be left out

[utility]
metric = "iloss"
"""


def document(**tables: object) -> dict[str, object]:
    """Give the least that a plan can say, and more."""
    columns = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
    return {"data": {"source": "a.csv"}, "columns": columns, **tables}


def plan(**tables: object) -> Plan:
    return Plan.from_dict(document(**tables))


def saved(folder: Path, text: str) -> Path:
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


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


names = st.text(min_size=1, max_size=6)
shares = st.fractions(0, Fraction(99, 100), max_denominator=1000)
taxonomies = st.one_of(
    st.just({"flat": True}),
    st.builds(lambda n: {"mask": n}, st.integers(1, 9)),
    st.builds(lambda csv: {"csv": csv}, names),
    st.builds(lambda w: {"intervals": [w, 2 * w]}, st.integers(1, 1000) | st.just(0.5)),
    st.dictionaries(names, st.lists(names, min_size=1, max_size=30, unique=True), min_size=1).map(
        lambda tree: {"tree": tree}
    ),
)
columns = st.one_of(
    st.fixed_dictionaries(
        {"role": st.just("quasi-identifier")},
        optional={"taxonomy": taxonomies, "weight": st.floats(0.001, 1e9)},
    ),
    st.fixed_dictionaries({"role": st.just("sensitive")}, optional={"taxonomy": taxonomies}),
    st.fixed_dictionaries({"role": st.sampled_from(["identifier", "target", "insensitive"])}),
    st.fixed_dictionaries(
        {"role": st.just("identifier"), "treatment": st.just("mask")},
        optional={"keep_left": st.integers(0, 3), "fill": st.just("#")},
    ),
    st.fixed_dictionaries(
        {"role": st.just("identifier"), "treatment": st.just("pseudonym")},
        optional={"prefix": names, "length": st.integers(8, 48)},
    ),
)
models = st.one_of(
    st.builds(lambda k: {"model": "k-anonymity", "k": k}, st.integers(1, 10**6)),
    st.builds(
        lambda k, qid: {"model": "k-anonymity", "k": k, "qid": qid},
        st.integers(1, 9),
        st.lists(names, min_size=1),
    ),
    st.builds(
        lambda t, s: {"model": "t-closeness", "t": t, "sensitive": s, "distance": "ordered"},
        shares.map(str),
        names,
    ),
)
documents = st.fixed_dictionaries(
    {
        "data": st.fixed_dictionaries(
            {"source": names},
            optional={
                "query": st.text(),
                "separator": st.sampled_from(",;|"),
                "encoding": names,
                "header": st.booleans(),
                "infer": st.booleans(),
                "sheet": names | st.integers(0, 9),
                "missing": st.lists(st.text()),
                "types": st.dictionaries(names, st.sampled_from(["text", "%d/%m/%Y"])),
                "others": st.sampled_from(["drop", "insensitive"]),
            },
        ),
        "columns": st.dictionaries(names, columns, max_size=4),
        "pseudonyms": st.fixed_dictionaries({"key": names}),
    },
    optional={
        "privacy": st.lists(models, max_size=3),
        "method": st.fixed_dictionaries(
            {"name": st.sampled_from(["mondrian", "mondrian(strict=false)"])},
            optional={"suppression": shares | shares.map(float)},
        ),
        "utility": st.fixed_dictionaries(
            {"metric": st.sampled_from(["iloss", "discernibility"])},
            optional={"metrics": st.just(["average-class-size(k=3)"])},
        ),
        "release": st.fixed_dictionaries(
            {},
            optional={
                "out": names,
                "format": st.sampled_from(["csv", "parquet"]),
                "seed": st.integers(0),
                "sign": names,
            },
        ),
    },
)


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


def test_a_plan_without_a_promise_promises_nothing() -> None:
    with pytest.raises(PlanError, match=r"the plan: nothing is promised: write \[\[privacy\]\]"):
        plan().models()


QUASI = {"role": "quasi-identifier"}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"privcy": []}, r"no table 'privcy' among 7 \(did you mean 'privacy'\?\)"),
        ({"data": {}}, r"\[data\]: key 'source' is missing: name the file"),
        ({"data": {"source": ""}}, r"\[data\] source: must not be empty"),
        ({"data": {"sorce": "a"}}, r"\[data\]: no key 'sorce' among \d+ \(did you mean 'source'"),
        ({"data": "a.csv"}, r"\[data\]: must be a table, got 'a.csv'"),
        ({"data": {"source": 5}}, r"\[data\] source: must be text, got 5"),
        ({"data": {"source": "a", "header": 1}}, r"\[data\] header: must be true or false, got 1"),
        ({"data": {"source": "a", "missing": "NA"}}, r"\[data\] missing: must be a list, got 'NA'"),
        ({"data": {"source": "a", "missing": [1]}}, r"missing number 1: must be text, got 1"),
        ({"data": {"source": "a", "sheet": 1.5}}, "sheet: must be the name of a sheet or its"),
        ({"data": {"source": "a", "separator": ";;"}}, r"\[data\] separator must be one character"),
        ({"data": {"source": "a", "types": {"z": "txt"}}}, r"no type 'txt' .*did you mean 'text'"),
        ({"data": {"source": "a", "others": "keep"}}, r"others: no way with other columns 'keep'"),
        ({"columns": []}, r"\[columns\]: must be a table"),
        ({"columns": {"age": {}}}, r"\[columns\.age\]: key 'role' is missing: write one of ident"),
        ({"columns": {"age": "quasi"}}, r"\[columns\.age\]: must be a table, got 'quasi'"),
        (
            {"columns": {"age": {"role": "quasi-identifer"}}},
            r"\[columns\.age\] role: no role .* among 8 \(did you mean 'quasi-identifier'",
        ),
        ({"columns": {"age": {"role": 5}}}, "role: no role '5' among 8"),
        ({"columns": {"age": {**QUASI, "wieght": 2}}}, r"'wieght' .*did you mean 'weight'"),
        ({"columns": {"age": {**QUASI, "weight": 0}}}, r"weight: must be greater than 0"),
        ({"columns": {"age": {**QUASI, "weight": "2"}}}, r"weight: must be a number, got '2'"),
        ({"columns": {"age": {**QUASI, "weight": float("inf")}}}, "weight: must be a finite num"),
        (
            {"columns": {"a": {"role": "target", "taxonomy": {"flat": True}}}},
            r"\[columns\.a\]: a taxonomy has no effect on a column that is target",
        ),
        ({"columns": {"a": {"role": "target", "weight": 2}}}, "on quasi-identifiers alone"),
        (
            {"columns": {"age": {**QUASI, "taxonomy": {"masks": 5}}}},
            r"\[columns\.age\] taxonomy: a taxonomy is made by one of",
        ),
        ({"columns": {"age": {**QUASI, "taxonomy": "flat"}}}, "taxonomy: must be a table"),
        ({"columns": {"a": {"role": "owner"}, "b": {"role": "owner"}}}, "there can be one owner"),
        ({"columns": {"a": {**QUASI, "treatment": "drop"}}}, "'treatment' is for identifiers al"),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "hash"}}},
            "no treatment 'hash' among 3",
        ),
        (
            {"columns": {"a": {"role": "identifier", "keep_left": 1}}},
            "'keep_left' has an effect with treatment = 'mask' alone",
        ),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "mask", "keep_left": -1}}},
            r"\[columns\.a\] pseudonymization: keep_left must be at least 0, got -1",
        ),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "pseudonym"}}},
            r"column 'a' is to get pseudonyms, which need a key: write \[pseudonyms\]",
        ),
        ({"privacy": {"model": "k-anonymity"}}, r"\[privacy\]: write \[\[privacy\]\], in double"),
        ({"privacy": [5]}, r"\[\[privacy\]\] number 1: must be a table with a key 'model'"),
        ({"privacy": [{"k": 5}]}, r"number 1: key 'model' is missing: write model = \"k-anon"),
        (
            {"privacy": ["k-anonymity(k=2)", {"model": "k-anonymty", "k": 5}]},
            r"\[\[privacy\]\] number 2: no model 'k-anonymty' among \d+ \(did you mean",
        ),
        ({"privacy": [{"model": "k-anonymity"}]}, "k-anonymity needs a value for 'k'"),
        ({"privacy": [{"model": "k-anonymity", "k": "5"}]}, "k must be a whole number, got '5'"),
        ({"privacy": [{"model": "k-anonymity(k=2)", "k": 5}]}, "k-anonymity: 'k' is given twice"),
        ({"method": {"name": "mondrain"}}, r"\[method\]: no method 'mondrain' .*'mondrian'"),
        ({"method": {"name": "mondrian", "strickt": 1}}, "no parameter 'strickt'"),
        ({"method": {"suppression": 1}}, r"\[method\]: suppression must lie in \[0, 1\), got 1"),
        ({"method": {"suppression": "5%"}}, r"\[method\] suppression: expected a number"),
        ({"method": "mondrian"}, r"\[method\]: must be a table, got 'mondrian'"),
        ({"utility": {"metric": "loss"}}, r"\[utility\]: no metric 'loss'"),
        ({"utility": {"metrics": "iloss"}}, r"\[utility\] metrics: must be a list"),
        ({"utility": {"metrics": ["iloss", "x"]}}, r"\[utility\] metrics number 2: no metric 'x'"),
        ({"release": {"format": "xlsx"}}, r"\[release\] format: no format 'xlsx' among 2"),
        ({"release": {"seed": -1}}, r"\[release\] seed: must be at least 0, got -1"),
        ({"release": {"sign": True}}, r"\[release\] sign: must be text, got True"),
    ],
)
def test_what_a_plan_cannot_mean_is_refused_with_the_place(
    tables: dict[str, object], message: str
) -> None:
    with pytest.raises(PlanError, match=f"^the plan: .*{message}"):
        plan(**tables)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(PlanError) as caught:
        plan(data={"source": 5}, columns={"a": {"role": "x"}}, privacy=["k-anonymity"])
    assert len(str(caught.value).splitlines()) == 3


def test_messages_name_the_file(tmp_path: Path) -> None:
    file = saved(tmp_path, DESIGNED.replace('role = "sensitive"', 'rolle = "sensitive"'))
    with pytest.raises(PlanError, match=r"plan\.toml: \[columns\.occupation\]: no key 'rolle'"):
        Plan.load(file)


@pytest.mark.parametrize("table", ["data", "columns"])
def test_a_plan_needs_data_and_columns(table: str) -> None:
    told = document()
    del told[table]
    with pytest.raises(PlanError, match=rf"the plan: table '{table}' is missing: write \[{table}"):
        Plan.from_dict(told)


def test_something_else_is_no_plan() -> None:
    with pytest.raises(PlanError, match="the plan: must be a table, got 5"):
        Plan.from_dict(5)  # type: ignore[arg-type]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.dates()
    | st.sampled_from(["k-anonymity", "mondrian", "quasi-identifier", "iloss", "identifier"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(told=documents, data=st.data())
def test_whatever_stands_in_a_plan_it_is_read_or_refused(
    told: dict[str, Any], data: st.DataObject
) -> None:
    told = deepcopy(told)
    place: Any = told
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    if isinstance(place, dict) and data.draw(st.booleans()):
        key = data.draw(st.text(max_size=5) | st.sampled_from(["role", "model", "k", "taxonomy"]))
    place[key] = data.draw(values)
    try:
        made = Plan.from_dict(told)
    except PlanError as error:
        assert str(error).startswith("the plan: ")  # noqa: PT017
        return
    assert Plan.from_dict(tomllib.loads(made.to_toml())) == made


@given(told=values)
def test_any_value_is_no_plan(told: Any) -> None:
    with pytest.raises(PlanError, match="the plan: "):
        Plan.from_dict(told)


def test_a_plan_behind_a_symbolic_link_names_files_beside_its_real_folder(tmp_path: Path) -> None:
    (tmp_path / "real" / "plans").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "plans")
    (tmp_path / "real" / "d.csv").touch()
    plan = Plan.from_dict(document(data={"source": "../d.csv"}), tmp_path / "link")
    assert Path(plan.source).is_file()
