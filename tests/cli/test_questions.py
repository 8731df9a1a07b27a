"""What can be asked of a bundle and of a plan: measure, explain, compare, choose-k."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run


def test_measures_a_bundle(run: Run, released: Ran) -> None:
    ran = run("measure", "release", "--metric", "iloss", "--metric", "discernibility", "--json")
    assert ran.code == 0, ran.err
    expected = {name: released.json["metrics"][name] for name in ("iloss", "discernibility")}
    assert ran.json["metrics"] == pytest.approx(expected)


def test_measures_a_table_before_and_after(run: Run, patients: Path, released: Ran) -> None:
    described = run("describe", patients, "--plan", "plan.toml")
    assert described.code == 0, described.err
    plan = tomllib.loads(Path("plan.toml").read_text(encoding="utf-8"))
    assert plan["columns"]["disease"]["role"] == "sensitive"
    Path("roles.toml").write_text(
        'data = {source = "patients.csv"}\n[columns]\nage = {role = "quasi-identifier", '
        'taxonomy = {intervals = [5, 10, 20]}}\nsex = {role = "quasi-identifier"}\n'
        'zip = {role = "quasi-identifier", taxonomy = {mask = 5}}\n'
        'disease = {role = "sensitive"}\n',
        encoding="utf-8",
    )
    ran = run(
        "measure", "--original", patients, "--released", "release/public/data.csv",
        "--plan", "roles.toml", "--metric", "iloss", "--metric", "discernibility", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    expected = {name: released.json["metrics"][name] for name in ("iloss", "discernibility")}
    assert ran.json["metrics"] == pytest.approx(expected)


def test_a_changed_or_missing_table_explains_nothing(
    run: Run, released: Ran, patients: Path
) -> None:
    original = patients.read_text(encoding="utf-8")
    Path("kept.csv").write_text(original, encoding="utf-8")
    patients.write_text(original.replace("flu", "cold", 1), encoding="utf-8")
    ran = run("explain", "release")
    assert ran.code == 2
    assert "is not what the bundle was made from" in ran.err
    assert run("explain", "release", "--data", "kept.csv").code == 0
    patients.unlink()
    assert "no such file" in run("explain", "release").err


def test_a_plan_with_the_address_of_a_database_is_for_its_owner_alone(run: Run) -> None:
    with closing(sqlite3.connect("people.db")) as database:
        database.executescript("create table t(age); insert into t values (1), (1), (2), (2);")
    address = "sqlite:///people.db"
    described = run("describe", address, "--query", "select * from t", "--plan", "p.toml")
    assert described.code == 0, described.err
    assert Path("p.toml").stat().st_mode & 0o777 == 0o600
    made = run("anonymize", address, "--query", "select age from t", "-q", "age", "-p",
               "k-anonymity(k=2)", "-o", "release")  # fmt: skip
    assert made.code == 0, made.err
    assert run("explain", "release").code == 0
    assert run("explain", "release", "--data", address).code == 0


def test_figures_of_a_damaged_private_half_are_refused(run: Run, released: Ran) -> None:
    Path("release/private/taxonomies.json").write_text("{}", encoding="utf-8")
    ran = run("measure", "release", "--json")
    assert ran.code == 2
    assert "taxonomies.json was changed" in ran.json["error"]


def test_explains_a_bundle(run: Run, released: Ran) -> None:
    ran = run("explain", "release", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["loss"] == pytest.approx(released.json["metrics"]["iloss"])
    assert {a["name"] for a in ran.json["attributes"]} == {"age", "sex", "zip"}
    assert ran.json["what_if"]


def test_compares_methods(run: Run, patients: Path) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run(
        "compare", "plan.toml", "-m", "optimal", "-m", "mondrian", "-p", "k-anonymity(k=3)",
        "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert [o["method"] for o in ran.json["outcomes"]] == ["optimal", "mondrian"]
    people = run("compare", "plan.toml", "-m", "mondrian", "-p", "k-anonymity(k=3)")
    assert "mondrian" in people.err


def test_nothing_that_can_be_compared_ends_with_1(run: Run, patients: Path) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("compare", "plan.toml", "-p", "k-anonymity(k=41)", "--json")
    assert ran.code == 1
    assert "at most 40" in ran.json["outcomes"][0]["problem"]


@pytest.mark.parametrize(
    ("plan", "privacy", "message"),
    [
        ("plan.toml", 'distinct-l-diversity(l=2, sensitive="this and that")', "'this and that'"),
        ("plan.toml", "k-anonymity(k=2) and", "cannot read"),
        ("patients.csv", "k-anonymity(k=2)", "is no plan"),
    ],
)
def test_comparing_what_means_nothing_ends_with_2(
    run: Run, patients: Path, plan: str, privacy: str, message: str
) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("compare", plan, "-p", privacy)
    assert ran.code == 2
    assert message in ran.err


ROLES = """
data = {source = "patients.csv"}
[columns]
age = {role = "quasi-identifier", taxonomy = {intervals = [5, 10, 20]}}
sex = {role = "quasi-identifier"}
zip = {role = "quasi-identifier", taxonomy = {mask = 5}}
disease = {role = "sensitive"}
[[privacy]]
model = "k-anonymity"
k = 4
[method]
suppression = 0.025
"""


@pytest.fixture
def roles(patients: Path) -> str:
    """Write a plan for the patients."""
    (patients.parent / "roles.toml").write_text(ROLES, encoding="utf-8")
    return "roles.toml"


TABLES = ["--original", "patients.csv", "--released", "release/public/data.csv", "--plan"]


def test_metrics_are_told_with_their_parts(run: Run, released: Ran) -> None:
    ran = run("measure", "release", "--metric", "iloss", "--metric", "discernibility", "--json")
    assert ran.code == 0, ran.err
    assert set(ran.json["details"]) == {"iloss"}
    parts = ran.json["details"]["iloss"]
    assert list(parts) == ["age", "sex", "zip"]
    assert sum(parts.values()) / 3 == pytest.approx(ran.json["metrics"]["iloss"])
    people = run("measure", "release", "--metric", "iloss")
    assert people.out == ""
    lines = [line.split() for line in people.err.splitlines()]
    assert ["iloss", f"{ran.json['metrics']['iloss']:.4g}"] in lines
    assert ["age", f"{parts['age']:.4g}"] in lines


def test_all_usual_metrics_are_told_without_their_parts(run: Run, released: Ran) -> None:
    people = run("measure", "release")
    assert people.code == 0, people.err
    words = people.err.split()
    assert {"iloss", "discernibility"} <= set(words)
    assert "age" not in words
    assert run("measure", "release", "--json").json["metrics"] == pytest.approx(
        released.json["metrics"]
    )


def test_metrics_that_need_the_records_find_them_or_are_told_where(
    run: Run, released: Ran, patients: Path
) -> None:
    ask = "measure", "release", "--metric", "nonuniform-entropy", "--json"
    there = run(*ask)
    assert there.code == 0, there.err
    patients.rename("moved.csv")
    gone = run(*ask)
    assert gone.code == 2
    assert "say where they are with --original" in gone.json["error"]
    moved = run(*ask, "--original", "moved.csv", "--charts", "drawn")
    assert moved.json == there.json
    assert len(list(Path("drawn").iterdir())) == 3
    changed = Path("moved.csv").read_text(encoding="utf-8").replace("20,f", "59,f", 1)
    Path("moved.csv").write_text(changed, encoding="utf-8")
    refused = run(*ask, "--original", "moved.csv")
    assert refused.code == 2
    assert "is not what the release was made from" in refused.json["error"]


def test_perturbed_tables_are_measured_as_such(run: Run, patients: Path, roles: str) -> None:
    noisy = [line.replace("flu", "cold") for line in patients.read_text("utf-8").splitlines()]
    Path("noisy.csv").write_text("\n".join(noisy) + "\n", encoding="utf-8")
    ask = ["measure", "--original", patients, "--released", "noisy.csv", "--plan", roles, "--json"]
    ran = run(*ask, "--metric", "kl-divergence", "--treatment", "perturbed")
    assert ran.code == 0, ran.err
    assert ran.json["metrics"]["kl-divergence"] >= 0
    drawn = run(*ask, "--metric", "propensity", "--treatment", "perturbed", "--charts", "drawn")
    assert drawn.code == 0, drawn.err
    assert [file.name for file in Path("drawn").iterdir()] == ["before-after.svg"]
    refused = run(*ask, "--metric", "iloss", "--treatment", "perturbed")
    assert refused.code == 2
    assert "iloss cannot measure a perturbed release" in refused.json["error"]
    unknown = run(*ask, "--metric", "iloss", "--treatment", "noisy")
    assert unknown.code == 2
    assert "no treatment 'noisy' among 2" in unknown.json["error"]


def test_charts_of_a_bundle_and_of_tables_go_into_a_folder(
    run: Run, released: Ran, roles: str
) -> None:
    names = ["before-after.svg", "group-sizes.svg", "loss.svg"]
    ran = run("measure", "release", "--metric", "iloss", "--charts", "drawn")
    assert ran.code == 0, ran.err
    assert sorted(file.name for file in Path("drawn").iterdir()) == names
    assert "They stay with the holder." in ran.err
    ran = run("measure", *TABLES, roles, "--metric", "iloss", "--charts", "again", "--json")
    assert ran.code == 0, ran.err
    assert sorted(file.name for file in Path("again").iterdir()) == names
    assert set(ran.json) == {"metrics", "details"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["release", "--plan", "roles.toml"],
            "give a bundle, or --original, --released and --plan",
        ),
        (["release", "--released", "x.csv"], "give a bundle, or --original, --released and --plan"),
        (["release", "--treatment", "perturbed"], "--treatment is for tables"),
        (["--original", "patients.csv"], "all of --original, --released and --plan"),
        ([], "all of --original, --released and --plan"),
        (["release", "--metric", "ilos"], "did you mean 'iloss'"),
        (["release", "--metric", "iloss", "--charts", "patients.csv"], "cannot write charts here"),
        (["nowhere"], "no folder nowhere"),
    ],
)
def test_measuring_what_means_nothing_ends_with_2(
    run: Run, released: Ran, arguments: list[str], message: str
) -> None:
    ran = run("measure", *arguments)
    assert ran.code == 2
    assert message in ran.err


GRID = ["-m", "optimal", "-m", "mondrian", "-p", "k-anonymity(k=[2, 4, 41])", "--jobs", "1"]


def test_compares_a_grid(run: Run, roles: str) -> None:
    ran = run("compare", roles, *GRID, "--suppression", "0", "--suppression", "0.05", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["weighed"] == {"risk": "highest", "metric": "iloss"}
    outcomes = ran.json["outcomes"]
    assert [(o["suppression"], o["privacy"], o["method"]) for o in outcomes] == [
        (share, f"k-anonymity(k={k})", method)
        for share in ("0", "0.05")
        for k in (2, 4, 41)
        for method in ("optimal", "mondrian")
    ]
    assert [o["holds"] for o in outcomes] == [True, True, True, True, False, False] * 2
    for outcome in outcomes:
        if outcome["holds"]:
            assert 0 < outcome["risk"]["highest"] <= 1 / int(outcome["privacy"][-2])
        else:
            assert outcome["dominated"]
    assert any(not o["dominated"] for o in outcomes)
    assert any(o["dominated"] for o in outcomes if o["holds"])


def test_people_see_which_settings_no_other_one_beats(run: Run, roles: str) -> None:
    *lines, last = run("compare", roles, *GRID).err.splitlines()
    told = run("compare", roles, *GRID, "--json").json["outcomes"]
    starred = [line.split()[1:3] for line in lines if line.split()[:1] == ["*"]]
    assert starred == [[o["method"], o["privacy"]] for o in told if not o["dominated"]]
    assert last == "* no other setting has both less highest risk and less iloss"
    gain = run("compare", roles, *GRID, "--metric", "distinctive-attribute").err
    assert gain.splitlines()[-1].endswith("less highest risk and more distinctive-attribute")


def test_promises_that_belong_together_are_combined_with_all_others(run: Run, roles: str) -> None:
    asked = "k-anonymity(k=[2, 4]) and distinct-l-diversity(l=[1, 2])"
    ran = run("compare", roles, "-m", "mondrian", "-p", asked, "--jobs", "1", "--json")
    assert ran.code == 0, ran.err
    assert [o["privacy"] for o in ran.json["outcomes"]] == [
        f"k-anonymity(k={k}) and distinct-l-diversity(l={n})" for k in (2, 4) for n in (1, 2)
    ]


def test_what_the_plan_says_is_compared_if_nothing_else_is_asked_for(run: Run, roles: str) -> None:
    ran = run("compare", roles, "--jobs", "1", "--json")
    assert ran.code == 0, ran.err
    (only,) = ran.json["outcomes"]
    assert (only["method"], only["privacy"]) == ("optimal", "k-anonymity(k=4)")
    assert only["suppression"] == "0.025"
    assert set(only["metrics"]) == {"iloss"}
    none = run("compare", roles, "--suppression", "0", "--jobs", "1", "--json")
    assert none.json["outcomes"][0]["suppression"] == "0"


def test_a_comparison_is_kept_and_goes_on(run: Run, roles: str) -> None:
    first = run("compare", roles, *GRID, "--keep", "kept.jsonl", "--json")
    assert first.code == 0, first.err
    lines = Path("kept.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    Path("kept.jsonl").write_text("\n".join(lines[:4]) + "\n", encoding="utf-8")
    again = run("compare", roles, *GRID, "--keep", "kept.jsonl", "--json")
    assert again.code == 0, again.err
    assert len(Path("kept.jsonl").read_text(encoding="utf-8").splitlines()) == 7
    # Those that were kept have the very times of the first run.
    assert again.json["outcomes"][:3] == first.json["outcomes"][:3]
    other = run("compare", roles, *GRID, "--metric", "discernibility", "--keep", "kept.jsonl")
    assert other.code == 2
    assert "holds outcomes for other records, roles or metrics" in other.err


def test_a_frontier_is_drawn(run: Run, roles: str) -> None:
    ran = run("compare", roles, *GRID, "--risk", "average", "--chart", "frontier.json")
    assert ran.code == 0, ran.err
    assert "The chart is in frontier.json." in ran.err
    spec = json.loads(Path("frontier.json").read_text(encoding="utf-8"))
    assert len(spec["data"]["values"]) == 4
    told = run("compare", roles, *GRID, "--risk", "average", "--json").json["outcomes"]
    shown = sorted(value["risk"] for value in spec["data"]["values"])
    assert shown == sorted(o["risk"]["average"] for o in told if o["holds"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--risk", "higest"], "no risk 'higest' among 3 (did you mean 'highest'?)"),
        (["--chart", "frontier.pdf"], "no format of charts '.pdf' among 4"),
        (["--chart", "nowhere/frontier.svg"], "there is no folder nowhere"),
        (["--keep", "nowhere/kept.jsonl"], "cannot keep outcomes here"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
        (["--suppression", "1"], "suppression must lie in [0, 1), got 1"),
        (["-m", "optimal(steps=[])"], "the list of values for 'steps' is empty"),
        (["--metric", "classification-error"], "can measure a release, but not guide"),
    ],
)
def test_comparing_in_vain_ends_with_2_before_anything_is_searched(
    run: Run, roles: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    def never(*given: object, **named: object) -> None:
        raise AssertionError("a search was started")

    monkeypatch.setattr("unlinkable.methods.Optimal.search", never)
    ran = run("compare", roles, "--json", *arguments)
    assert ran.code == 2
    assert message in ran.json["error"]


def test_the_seed_of_the_plan_belongs_to_what_is_kept(run: Run, roles: str) -> None:
    assert run("compare", roles, "--keep", "kept.jsonl", "--jobs", "1").code == 0
    plan = Path(roles)
    plan.write_text(plan.read_text(encoding="utf-8") + "\n[release]\nseed = 5\n", encoding="utf-8")
    ran = run("compare", roles, "--keep", "kept.jsonl", "--jobs", "1")
    assert ran.code == 2
    assert "holds outcomes for other" in ran.err


def test_values_of_k_that_have_no_release_are_told_and_too_many_refused(
    run: Run, roles: str
) -> None:
    asked = ("choose-k", roles, "--k", "2,41", "--jobs", "1")
    assert run(*asked, "--json").json["without"] == [41]
    assert "There is no release for k = 41." in run(*asked).err
    ran = run("choose-k", roles, "--k", "2..100000000")
    assert ran.code == 2
    assert "--k names more than 1,000 values" in ran.err


def test_chooses_k_over_a_span_and_a_list(run: Run, roles: str) -> None:
    ran = run("choose-k", roles, "--k", "2..10", "--jobs", "1", "--json")
    assert ran.code == 0, ran.err
    assert [point["k"] for point in ran.json["curve"]] == list(range(2, 11))
    low, high = ran.json["between"]
    assert low <= ran.json["point"] <= high == ran.json["k"]
    some = run("choose-k", roles, "--k", " 10, 2,5 ", "--jobs", "1", "--json")
    assert some.code == 0, some.err
    by_k = {point["k"]: point for point in ran.json["curve"]}
    assert some.json["curve"] == [by_k[2], by_k[5], by_k[10]]


def test_k_is_chosen_under_all_that_the_plan_says(run: Run, roles: str, patients: Path) -> None:
    """One record may be left out, and another promise has to be kept."""
    lines = patients.read_text(encoding="utf-8").splitlines()
    patients.write_text("\n".join([*lines[:-1], "99,x,99999,flu"]) + "\n", encoding="utf-8")
    ask = ["choose-k", roles, "--k", "2", "--method", "optimal", "--jobs", "1", "--json"]
    curves = []
    for plan in (
        ROLES,
        ROLES.replace("suppression = 0.025", ""),
        ROLES + '[[privacy]]\nmodel = "distinct-l-diversity"\nl = 4\n',
    ):
        Path(roles).write_text(plan, encoding="utf-8")
        ran = run(*ask)
        assert ran.code == 0, ran.err
        curves.append(ran.json["curve"][0]["utility"])
    assert curves[1] < curves[0]
    assert curves[2] < curves[0]


def test_the_choice_of_k_is_told_and_drawn(run: Run, roles: str) -> None:
    ran = run("choose-k", roles, "--k", "2,5,10,40", "--jobs", "1", "--chart", "curve.json")
    assert ran.code == 0, ran.err
    assert "The chart is in curve.json." in ran.err
    assert "% useful." in ran.err
    told = run("choose-k", roles, "--k", "2,5,10,40", "--jobs", "1", "--json").json
    low, high = told["between"]
    said = f"between k = {low} and k = {high}" if low < high else f"at k = {low}"
    assert said in ran.err
    assert str(told["point"]) in Path("curve.json").read_text(encoding="utf-8")


def test_curves_that_never_meet_are_said_not_to(run: Run, roles: str) -> None:
    ran = run("choose-k", roles, "--k", "2", "--jobs", "1")
    assert ran.code == 0, ran.err
    assert "The curves do not meet; they come closest at k = 2" in ran.err


def test_another_method_and_metric_may_be_chosen_by(run: Run, roles: str) -> None:
    ask = ["choose-k", roles, "--k", "4", "--jobs", "1", "--json"]
    ran = run(*ask, "--method", "optimal", "--metric", "normalized-certainty-penalty")
    assert ran.code == 0, ran.err
    made = run("compare", roles, "--metric", "iloss", "--metric", "normalized-certainty-penalty",
               "--jobs", "1", "--json")  # fmt: skip
    loss = made.json["outcomes"][0]["metrics"]["normalized-certainty-penalty"]
    assert ran.json["curve"][0]["utility"] == pytest.approx(100 * (1 - loss))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--k", "5..2"], 2, "--k takes values like 2..20 or 2,5,10, got '5..2'"),
        (["--k", "0..3"], 2, "--k takes values like"),
        (["--k", "2,x"], 2, "--k takes values like"),
        (["--k", "2,,3"], 2, "--k takes values like"),
        (["--k", "-2"], 2, "--k takes values like"),
        (["--k", ""], 2, "--k takes values like"),
        (["--k", "2.5"], 2, "--k takes values like"),
        (["--k", "41,50"], 1, "k-anonymity(k=41)"),
        (["--metric", "discernibility"], 2, "discernibility does not go from 0 to 1"),
        (["--chart", "curve.pdf"], 2, "no format of charts '.pdf' among 4"),
        (["--jobs", "0"], 2, "Invalid value for '--jobs'"),
    ],
)
def test_choosing_in_vain_ends_with_what_is_wrong(
    run: Run, roles: str, arguments: list[str], code: int, message: str
) -> None:
    ran = run("choose-k", roles, "--json", *arguments)
    assert ran.code == code
    assert message in ran.json["error"]


def test_a_table_is_no_plan_to_choose_by(run: Run, patients: Path) -> None:
    ran = run("choose-k", patients)
    assert ran.code == 2
    assert "is no plan" in ran.err
