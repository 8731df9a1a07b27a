"""k-anonymity: the book's examples, the definition, several quasi-identifiers, owners."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.witness import models
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All, BindingContext, Merging


def counted(rows: list[dict[str, object]], quasi: list[str], **roles: object) -> Groups:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return count(as_table(columns, quasi=quasi, **roles)).finest  # type: ignore[arg-type]


def test_example_2_2_is_3_anonymous_and_its_external_table_4_anonymous() -> None:
    case = cases.load("book-ch02-ex2.2-k-anonymity")
    expected, qid = case["expected"], case["input"]["qid"]
    for which, k in [
        ("anonymous", "k_of_anonymous"),
        ("anonymous_external", "k_of_anonymous_external"),
    ]:
        rows = [{a: row[a] for a in qid} for row in rows_of_case(expected[which])]
        assert KAnonymity(1).verdict(counted(rows, qid)).achieved == {"k": expected[k]}
    rows = [{a: row[a] for a in qid} for row in rows_of_case(expected["anonymous"])]
    assert KAnonymity(3).holds(counted(rows, qid))
    assert not KAnonymity(4).holds(counted(rows, qid))
    rows = [{a: row[a] for a in qid} for row in rows_of_case(case["input"]["original"])]
    assert KAnonymity(1).verdict(counted(rows, qid)).achieved == {"k": expected["k_of_original"]}


def test_example_2_3_two_quasi_identifiers_do_not_imply_their_union() -> None:
    case = cases.load("book-ch02-ex2.3-multiple-qids")
    given, expected = case["input"], case["expected"]
    rows = [{a: row[a] for a in given["union_qid"]} for row in rows_of_case(given["table"])]
    groups = counted(rows, given["union_qid"])
    for columns, k in expected["anonymity"].items():
        assert KAnonymity(1, qid=columns.split(",")).verdict(groups).level == k
    both = All(KAnonymity(given["k"], qid=qid) for qid in given["qids"])
    assert both.holds(groups) is expected["satisfies_multi_qid"]
    assert KAnonymity(given["k"]).holds(groups) is expected["satisfies_union"]


def test_table_20_3_is_3_anonymous() -> None:
    case = cases.load("aggarwal-table20-3-three-anonymous")["expected"]
    rows = [{a: row[a] for a in ("Age", "ZIP Code")} for row in rows_of_case(case["table"])]
    groups = counted(rows, ["Age", "ZIP Code"])
    assert KAnonymity(1).verdict(groups).achieved == {"k": case["k"]}
    assert KAnonymity(4).holds(groups) is case["is_4_anonymous"]


def test_example_2_4_six_records_of_two_patients_are_two() -> None:
    case = cases.load("book-ch02-ex2.4-2.5-xy-anonymity-inpatient")
    given, expected = case["input"], case["expected"]
    rows = [{a: row[a] for a in ["Pid", *given["X"]]} for row in rows_of_case(given["table"])]
    by_patient = counted(rows, given["X"], owner="Pid")
    by_record = counted(rows, given["X"], insensitive="Pid")
    assert KAnonymity(1).verdict(by_record).level == expected["record_anonymity"]
    assert KAnonymity(1).verdict(by_patient).level == expected["A_Pid(X)"]
    assert KAnonymity(2).holds(by_patient)
    assert not KAnonymity(3).holds(by_patient)


@given(tables(), st.integers(1, 5))
def test_says_what_the_definition_says(random: RandomTable, k: int) -> None:
    groups = finest_of(random)
    verdict = KAnonymity(k).verdict(groups)
    assert verdict.level == models.k_anonymity(random.rows, random.qid, random.owner)
    assert verdict.holds is models.is_k_anonymous(random.rows, [(random.qid, k)], random.owner)
    assert KAnonymity(k).holds(groups) is verdict.holds


@given(tables(max_qid=4), st.data())
def test_several_quasi_identifiers_each_keep_their_own_k(
    random: RandomTable, data: st.DataObject
) -> None:
    columns = st.lists(st.sampled_from(random.qid), min_size=1, unique=True)
    asked = data.draw(st.lists(st.tuples(columns, st.integers(1, 4)), min_size=1, max_size=3))
    groups = finest_of(random)
    promise = All(KAnonymity(k, qid=qid) for qid, k in asked)
    assert promise.holds(groups) is models.is_k_anonymous(random.rows, asked, random.owner)
    good = promise.good(groups)
    assert bool(good.all()) is promise.holds(groups)
    for qid, k in asked:
        sizes = {
            key: models.k_anonymity(rows, [], random.owner) or 0
            for key, rows in models.groups(random.rows, qid).items()
        }
        alone = KAnonymity(k, qid=qid).good(groups)
        n_good = int(groups.sizes[alone].sum())
        assert n_good == sum(sizes[tuple(row[a] for a in qid)] >= k for row in random.rows)


def test_a_group_is_judged_by_itself_unless_a_quasi_identifier_is_named() -> None:
    assert KAnonymity(2).local
    assert not KAnonymity(2, qid="age").local
    assert KAnonymity(2).merging is Merging.ABSORBS


def test_a_table_without_records_keeps_every_k() -> None:
    groups = groups_of([[1]]).select(groups_of([[1]]).sizes > 1)
    verdict = KAnonymity(7).verdict(groups)
    assert verdict.holds
    assert verdict.achieved == {"k": None}
    assert verdict.worst == -1


def test_asks_for_less_by_one_down_to_two() -> None:
    assert KAnonymity(3, qid="a").weaker() == KAnonymity(2, qid="a")
    assert KAnonymity(2).weaker() is None


def test_is_about_no_sensitive_column() -> None:
    assert KAnonymity(2).bind(BindingContext(sensitive=("disease",))) == (KAnonymity(2),)


@pytest.mark.parametrize(("owner", "n", "what"), [(None, 3, "records"), ("who", 2, "owners")])
def test_explains_that_there_are_too_few(owner: str | None, n: int, what: str) -> None:
    columns = {"a": ["x", "x", "y"]} | ({"who": ["p", "q", "p"]} if owner else {})
    groups = Partition.whole(count(as_table(columns, quasi="a", owner=owner)).finest).groups()
    assert KAnonymity(5).explain_failure(groups) == (
        f"k-anonymity(k=5) needs at least 5 {what}, and the table has {n}: "
        f"ask for k of at most {n}, or gather more data"
    )


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (0, "k must be at least 1, got 0"),
        (2.0, r"k must be a whole number, got 2\.0"),
        (True, "k must be a whole number, got True"),
    ],
)
def test_refuses_parameters_that_mean_nothing(k: int, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        KAnonymity(k)


def test_refuses_a_quasi_identifier_that_is_not_there() -> None:
    with pytest.raises(
        SchemaError, match=r"no quasi-identifier 'p' among 1 \(there are 'q'\) for k-"
    ):
        KAnonymity(2, qid="p").holds(groups_of([[1, 1]]))


def test_an_empty_quasi_identifier_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one column"):
        KAnonymity(2, qid=())
