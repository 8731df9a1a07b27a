"""Methods and promises side by side, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


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

    monkeypatch.setattr("unlinkable.tables.methods.Optimal.search", never)
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
