"""Which k suits a table, as the command line tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROLES, Run


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
