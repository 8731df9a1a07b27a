"""Python as people write it: frames with roles, written forms, and bad arguments told in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unlinkable as ul
from unlinkable.errors import ParameterError, SchemaError, UnlinkableError

PEOPLE: dict[str, list[Any]] = {
    "age": [30, 31, 45, 46] * 5,
    "job": ["cook", "clerk"] * 10,
    "ill": ["flu", "hiv", "cold", "flu"] * 5,
}
ROLES: dict[str, Any] = {"quasi": ["age", "job"], "sensitive": "ill"}

FRAMES = {
    "pandas": (pd.DataFrame, pd.DataFrame(PEOPLE)),
    "polars": (pl.DataFrame, pl.DataFrame(PEOPLE)),
    "lazy": (pl.LazyFrame, pl.LazyFrame(PEOPLE)),
    "pyarrow": (pa.Table, pa.table(PEOPLE)),
    "lists": (dict, PEOPLE),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_goes_in_with_its_roles_and_comes_out_in_kind(kind: str) -> None:
    expected, frame = FRAMES[kind]
    release = ul.anonymize(
        frame,
        **ROLES,
        taxonomies={"age": ul.Intervals(5, 10)},
        privacy=[ul.KAnonymity(2), "distinct-l-diversity(l=2)"],
    )
    assert release.holds
    assert isinstance(release.frame, expected)
    table = ul.as_table(frame, **ROLES, taxonomies={"age": ul.Intervals(5, 10)})
    assert ul.anonymize(table, privacy=[ul.KAnonymity(2), ul.DistinctLDiversity(2)]).models == (
        release.models
    )


def test_a_file_goes_in_too(tmp_path: Path) -> None:
    pl.DataFrame(PEOPLE).write_csv(tmp_path / "people.csv")
    assert ul.anonymize(tmp_path / "people.csv", **ROLES, privacy="k-anonymity(k=2)").holds
    assert ul.describe(str(tmp_path / "people.csv")).n_records == 20


@pytest.mark.parametrize(
    "privacy",
    [
        "k-anonymity(k=3)",
        ["k-anonymity(k=3)"],
        ("k-anonymity(k=3)", ul.DistinctLDiversity(2)),
        ul.KAnonymity(3),
    ],
)
@pytest.mark.parametrize("method", ["mondrian(strict=true)", "optimal", ul.Mondrian(), None])
def test_promises_and_methods_may_be_written(privacy: Any, method: Any) -> None:
    release: ul.Release = ul.anonymize(PEOPLE, **ROLES, privacy=privacy, method=method)
    assert release.holds
    assert str(release.models[0]) == "k-anonymity(k=3)"


def test_taxonomies_may_be_written() -> None:
    given: dict[str, Any] = {
        "age": "intervals:5,10",
        "job": {"tree": {"any job": ["cook", "clerk"]}},
    }
    table = ul.as_table(PEOPLE, **ROLES, taxonomies=given)
    assert table.schema["age"].taxonomy == ul.Intervals(5, 10)
    assert table.schema["job"].taxonomy == ul.Tree({"any job": ["cook", "clerk"]})


def test_everything_else_takes_frames_and_written_forms() -> None:
    found = ul.check(PEOPLE, ["k-anonymity(k=2)", "distinct-l-diversity(l=1)"], **ROLES)
    assert [v.holds for v in found.verdicts] == [True, True]
    compared = ul.compare(
        PEOPLE,
        methods=["mondrian", ul.Optimal()],
        privacy=["k-anonymity(k=2)", ["k-anonymity(k=3)", "distinct-l-diversity(l=2)"]],
        metrics="iloss",
        **ROLES,
    )
    assert len(compared) == 4
    assert {o.problem for o in compared} == {None}
    chosen = ul.choose_k(
        PEOPLE,
        ks=[2, 5],
        method="mondrian",
        privacy="distinct-l-diversity(l=2)",
        utility="iloss",
        hides="privacy-percentage",
        **ROLES,
    )
    assert chosen.ks == (2, 5)
    assert ul.assess(PEOPLE, **ROLES).highest == 0.2
    assert ul.describe(PEOPLE).n_records == 20


def test_a_release_takes_written_forms() -> None:
    release = ul.anonymize(PEOPLE, **ROLES, privacy="k-anonymity(k=2)", metric="discernibility")
    assert release.measure("iloss") == release.measure(ul.ILoss())
    assert release.attack("attribute-linkage(values=[hiv])").attack.name == "attribute-linkage"


def test_identifiers_of_a_frame_are_named_or_treated() -> None:
    people = {**PEOPLE, "name": [f"Ann {i}" for i in range(20)]}
    dropped = ul.anonymize(people, **ROLES, identifiers="name", privacy="k-anonymity(k=2)")
    assert "name" not in dropped.frame
    how = {"name": ul.Pseudonymization(treatment="pseudonym", prefix="P")}
    kept = ul.anonymize(
        people, **ROLES, identifiers=how, key=ul.new_key(), privacy="k-anonymity(k=2)"
    )
    assert kept.frame["name"][0].startswith("P")


def test_a_history_takes_frames_and_written_forms(tmp_path: Path) -> None:
    people = {**PEOPLE, "pid": [f"p{i}" for i in range(20)]}
    history = ul.History(tmp_path / "history.db")
    made = history.publish(
        people, **ROLES, identifiers="pid", privacy="kc-anonymity(k=2, c=0.5)", dry_run=True
    )
    assert made.release.holds


def test_ordered_categories_keep_their_order() -> None:
    grades = ["low", "mid", "high"]
    column = pd.Categorical(["high", "low", "mid", None] * 5, categories=grades, ordered=True)
    for frame in (pd.DataFrame({"grade": column}), pa.table({"grade": pa.array(column)})):
        table = ul.as_table(frame, quasi="grade")
        assert table.taxonomy("grade").domain.values.tolist() == grades
    enum = pl.DataFrame({"grade": pl.Series(["high", "low", "mid"], dtype=pl.Enum(grades))})
    assert ul.as_table(enum, quasi="grade").taxonomy("grade").domain.values.tolist() == grades


def test_ordered_distances_follow_the_order_of_categories() -> None:
    grades = ["low", "mid", "high"]
    frame = pd.DataFrame(
        {
            "sex": ["f"] * 3 + ["m"] * 3,
            "grade": pd.Categorical(
                ["low", "low", "mid", "mid", "high", "high"], categories=grades, ordered=True
            ),
        }
    )
    promise = "t-closeness(t=1, distance=ordered)"
    found = ul.check(frame, promise, quasi="sex", sensitive="grade")
    # All have 1/3 each; of women 2/3, 1/3, 0: the steps carry 1/3 and 1/3 over two steps.
    assert found.verdicts[0].achieved["t"] == pytest.approx(1 / 3)


def test_categories_that_are_numbers_stay_categories() -> None:
    frame = pd.DataFrame({"code": pd.Categorical([3, 10, 2, 3])})
    for given in (frame, pa.Table.from_pandas(frame)):
        domain = ul.as_table(given, quasi="code").taxonomy("code").domain
        assert domain.kind.value == "category"
        assert domain.values.tolist() == ["2", "3", "10"]
    release = ul.anonymize(frame, quasi="code", privacy="k-anonymity(k=2)", suppression=0.5)
    assert release.frame["code"].astype(str).tolist() == ["3", "3"]  # type: ignore[index]


def test_roles_are_not_given_twice() -> None:
    table = ul.as_table(PEOPLE, **ROLES)
    with pytest.raises(ParameterError, match="the table has roles, and quasi would give it others"):
        ul.anonymize(table, quasi="age", privacy="k-anonymity(k=2)")


def test_a_misspelt_argument_is_told() -> None:
    with pytest.raises(TypeError, match=r"no argument 'quasy' among 10 \(did you mean 'quasi'\?\)"):
        ul.anonymize(PEOPLE, quasy="age", privacy="k-anonymity(k=2)")  # type: ignore[call-overload]


def test_a_frame_without_roles_is_told() -> None:
    with pytest.raises(SchemaError, match="no role for 'age', 'job', 'ill'"):
        ul.anonymize(PEOPLE, privacy="k-anonymity(k=2)")


def test_something_else_in_place_of_a_promise_is_told() -> None:
    with pytest.raises(ParameterError, match="5 is no promise: give a model, like KAnonymity"):
        ul.anonymize(PEOPLE, **ROLES, privacy=[5])


BAD = [
    None, 5, -1, 1.5, True, "nonsense", b"x", [], [1], [None], {}, {"a": 1}, object(),
    ul.KAnonymity, ul.KAnonymity(2), ul.as_table({"a": [1]}, quasi="a"), float("nan"), ("a",),
]  # fmt: skip


def functions(folder: Path) -> dict[str, tuple[Any, dict[str, Any], str]]:
    """Give every public function with good arguments, and those that are to be bad."""
    table = ul.as_table(PEOPLE, **ROLES)
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    framed = {"table": PEOPLE, "privacy": "k-anonymity(k=2)", **ROLES}
    grid = {"methods": "mondrian", "privacy": "k-anonymity(k=2)", "metrics": "iloss"}
    roles = "quasi sensitive identifiers target insensitive owner guard weight"
    history = ul.History(folder / "history.db")
    return {
        "anonymize": (
            ul.anonymize,
            {"table": table, "privacy": ul.KAnonymity(2)},
            "table privacy method metric suppression identifiers key seed side",
        ),
        "anonymize a frame": (ul.anonymize, framed, f"table taxonomies importance {roles}"),
        "as_table": (ul.as_table, {"data": PEOPLE, **ROLES}, f"data taxonomies importance {roles}"),
        "check": (ul.check, {"table": table, "privacy": "k-anonymity(k=1)"}, "table privacy side"),
        "compare": (
            ul.compare,
            {"table": table, **grid},
            "table methods privacy metrics suppression seed side jobs",
        ),
        "choose_k": (
            ul.choose_k,
            {"table": table, "ks": [2]},
            "table ks method privacy hides utility suppression seed side jobs",
        ),
        "describe": (ul.describe, {"table": table}, "table sets search"),
        "assess": (
            ul.assess,
            {"table": table},
            "table columns threshold population fraction size estimator largest",
        ),
        "recode": (ul.recode, {"table": table, "operations": []}, "table operations"),
        "overlaps": (ul.overlaps, {}, "recoding"),
        "save_key": (ul.save_key, {"path": folder / "no" / "key"}, "key"),
        "measure": (release.measure, {}, "metric"),
        "attack": (release.attack, {"attack": "attribute-linkage"}, "attack limit seed"),
        "risk": (release.risk, {}, "threshold population fraction size estimator largest"),
        "report": (release.report, {}, "statement"),
        "publish": (
            history.publish,
            {"table": table, "privacy": "kc-anonymity(k=2, c=0.5)", "dry_run": True},
            "table policy privacy method person suppression identifiers key seed side",
        ),
    }


@pytest.mark.filterwarnings("ignore")
def test_bad_arguments_of_every_function_are_told_in_words(tmp_path: Path) -> None:
    raw = []
    for name, (function, good, arguments) in functions(tmp_path).items():
        for argument in arguments.split():
            for bad in BAD:
                try:
                    function(**{**good, argument: bad})
                except UnlinkableError:
                    continue
                except Exception as error:
                    raw.append(f"{name}({argument}={bad!r}): {error!r}")
    assert not raw
