"""The judges can fail: what is broken, untrue or disclosed on purpose is caught."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

import unlinkable as ul
from tools.fuzz.bundles import copied, public_key
from tools.fuzz.commands import Ended
from tools.fuzz.disclosure import check_canaries
from tools.fuzz.files import read_csv
from tools.fuzz.inputs import judge as judge_input
from tools.fuzz.lattice import check_infeasible, check_optimal
from tools.fuzz.methods import Method
from tools.fuzz.promises import Promise
from tools.fuzz.releases import Job, judge
from tools.fuzz.rules import flat, intervals, tree
from tools.fuzz.tables import Column, People
from tools.fuzz.tamperings import notices
from tools.fuzz.trial import FailureError
from tools.fuzz.values import Value, covers, interval, members
from tools.fuzz.view import View

_AGES = (31, 33, 47, 48)


def _people(**more: Column) -> People:
    return People(
        (
            Column("age", "quasi", "int", _AGES, intervals([5, 10], _AGES, None)),
            Column("ill", "sensitive", "text", ("flu", "hiv", "flu", "flu"), flat()),
            Column("nr", "insensitive", "int", (0, 1, 2, 3), flat()),
            *more.values(),
        ),
        ("age",),
    )


def _job(promise: Promise, *, suppression: str = "0") -> Job:
    return Job(_people(), [promise], Method("optimal", "generalize"), suppression, 0)


def _rows(*ages: str | None) -> list[dict[str, str | None]]:
    ills = _people()["ill"].values
    return [
        {"age": age, "ill": str(ill), "nr": str(at)}
        for at, (age, ill) in enumerate(zip(ages, ills, strict=True))
    ]


def test_a_release_that_keeps_its_promise_passes() -> None:
    job = _job(Promise("KAnonymity", {"k": 2}))
    assert judge(job, _rows("[30-35)", "[30-35)", "[45-50)", "[45-50)")) == {0, 1, 2, 3}


def test_a_group_that_is_too_small_is_caught() -> None:
    job = _job(Promise("KAnonymity", {"k": 2}))
    with pytest.raises(FailureError, match="BROKEN"):
        judge(job, _rows("[30-35)", "[30-35)", "[45-50)", "48"))


@pytest.mark.parametrize("shown", ["[35-40)", "32", "{32, 33}", "Left", None, "<31"])
def test_an_untrue_value_is_caught(shown: str | None) -> None:
    with pytest.raises(FailureError, match="UNTRUE"):
        judge(_job(Promise("KAnonymity", {"k": 1})), _rows(shown, "33", "47", "48"))


@pytest.mark.parametrize("shown", ["31", "[30-35)", "[30-40)", "*", "<32", ">=31", "{31, 33}"])
def test_a_true_value_passes(shown: str) -> None:
    assert judge(_job(Promise("KAnonymity", {"k": 1})), _rows(shown, "33", "47", "48"))


@pytest.mark.parametrize(
    "promise",
    [
        Promise("DistinctLDiversity", {"l": 2, "sensitive": "ill"}),
        Promise("EntropyLDiversity", {"l": Fraction(3, 2), "sensitive": "ill"}),
        Promise("RecursiveCLDiversity", {"c": Fraction(2), "l": 2, "sensitive": "ill"}),
        Promise("FrequencyLDiversity", {"l": Fraction(2), "sensitive": "ill"}),
        Promise("AlphaKAnonymity", {"alpha": Fraction(1, 2), "k": 2, "sensitive": "ill"}),
        Promise("KCAnonymity", {"c": Fraction(1, 2), "k": 2, "sensitive": "ill"}),
        Promise("LKCPrivacy", {"l": 1, "k": 2, "c": Fraction(1, 2), "sensitive": "ill"}),
        Promise("XYAnonymity", {"k": 2, "y": ["ill"]}),
        Promise("XYLinkability", {"h": Fraction(1, 2), "y": ["ill"]}),
        Promise("XYPrivacy", {"k": 2, "h": Fraction(1, 2), "y": ["ill"]}),
        Promise("TCloseness", {"t": Fraction(1, 5), "sensitive": "ill"}),
        Promise("TCloseness", {"t": Fraction(1, 9), "sensitive": "ill", "distance": "kl"}),
        Promise("HellingerCloseness", {"t": Fraction(1, 5), "sensitive": "ill"}),
        Promise("NTCloseness", {"n": 3, "t": Fraction(1, 5), "sensitive": "ill"}),
        Promise("BetaLikeness", {"beta": Fraction(1, 5), "sensitive": "ill"}),
        Promise("DeltaDisclosure", {"delta": Fraction(1, 5), "sensitive": "ill"}),
        Promise("DGammaPrivacy", {"d": Fraction(1), "gamma": Fraction(1), "sensitive": "ill"}),
        Promise("AverageRisk", {"risk": Fraction(1, 3)}),
        Promise("CrowdEntropy", {"bits": Fraction(3, 2)}),
        Promise("SkylinePrivacy", {"sensitive": "ill"}, {"points": [(0, 0, 0, Fraction(1))]}),
        Promise("MConfidentiality", {"m": 2, "h": Fraction(1), "sensitive": "ill"}),
        Promise(
            "FFAnonymity",
            {"h": Fraction(1, 2), "columns": ["age", "ill"]},
            {"pairs": [("ill", "flu")]},
        ),
        Promise("ConfidenceBounding", {}, {"parts": [([], "ill", "flu", Fraction(1, 2))]}),
        Promise(
            "KMap", {"k": 3}, {"population": [{"age": 31}, {"age": 33}, {"age": 47}, {"age": 49}]}
        ),
    ],
    ids=lambda promise: promise.name,
)
def test_every_broken_promise_is_caught(promise: Promise) -> None:
    """Two groups, of which one has the flu alone."""
    with pytest.raises(FailureError, match="BROKEN"):
        judge(_job(promise), _rows("[30-35)", "[30-35)", "[45-50)", "[45-50)"))


def test_numbers_are_judged_as_numbers() -> None:
    view = View(("g",), [{"g": "a", "pay": pay} for pay in ("10", "12.5", None)])
    kept = [
        Promise("KEAnonymity", {"k": 3, "e": Fraction(5, 2), "sensitive": "pay"}),
        Promise("EpsilonMAnonymity", {"epsilon": 2, "m": 3, "sensitive": "pay"}),
        Promise("SquaredErrorDiversity", {"v": 1, "sensitive": "pay"}),
    ]
    broken = [
        Promise("KEAnonymity", {"k": 3, "e": 3, "sensitive": "pay"}),
        Promise("EpsilonMAnonymity", {"epsilon": 3, "m": 3, "sensitive": "pay"}),
        Promise("SquaredErrorDiversity", {"v": 2, "sensitive": "pay"}),
    ]
    assert [promise.kept(view) for promise in (*kept, *broken)] == [True] * 3 + [False] * 3


@pytest.mark.parametrize(("texts", "kept"), [(frozenset(), True), (frozenset({"s"}), False)])
def test_texts_are_in_the_order_of_texts(texts: frozenset[str], kept: bool) -> None:
    """9 is between the others as a number, and the last of the texts."""
    rows: list[dict[str, str | None]] = [
        {"g": group, "s": s}
        for group, held in (("a", ("9", "9")), ("b", ("10", "2")))
        for s in held
    ]
    view = View(("g",), rows, rules={"s": flat()}, texts=texts)
    promise = {"t": Fraction(3, 10), "sensitive": "s", "distance": "ordered"}
    assert Promise("TCloseness", promise).kept(view) == kept


def test_guards_are_judged_by_what_is_under_them() -> None:
    rule = tree({"infection": ["hiv", "sars"], "injury": ["cut", "burn"]})
    rows: list[dict[str, str | None]] = [
        {"g": "x", "ill": ill} for ill in ("infection", "sars", "cut", "burn")
    ]
    minds: list[Value] = ["infection", None, None, None]
    originals = [{"minds": node} for node in minds]
    view = View(("g",), rows, originals, None, {"ill": rule})
    given = {"sensitive": "ill", "guard": "minds"}
    assert not Promise("PersonalizedPrivacy", {"p": Fraction("0.37"), **given}).kept(view)
    assert Promise("PersonalizedPrivacy", {"p": Fraction("0.375"), **given}).kept(view)


def test_a_release_that_could_be_better_is_caught() -> None:
    people = _people()
    release = ul.anonymize(people.table(), privacy=ul.KAnonymity(4))
    promise = Promise("KAnonymity", {"k": 2})
    with pytest.raises(FailureError, match="said to be optimal"):
        check_optimal(release, people, [promise], Method("optimal", "generalize"), "0", "")


def test_a_release_that_there_is_is_caught() -> None:
    promise = Promise("KAnonymity", {"k": 2})
    with pytest.raises(FailureError, match="said to be infeasible"):
        check_infeasible(_people(), [promise], Method("optimal", "generalize"), "0", "")


def test_what_only_a_left_out_record_has_is_caught(tmp_path: Path) -> None:
    people = _people(x=Column("x", "insensitive", "text", ("a", "b", "c", "ZZRARE71"), flat()))
    (tmp_path / "report.html").write_text("<p>ZZRARE71</p>", encoding="utf-8")
    with pytest.raises(FailureError, match="only left-out records have"):
        check_canaries(tmp_path, people, {0, 1, 2}, stated="", about="")
    check_canaries(tmp_path, people, {0, 1, 2, 3}, stated="", about="")


def test_a_bundle_as_it_was_is_not_said_to_be_changed(tmp_path: Path) -> None:
    bundle = copied("generalized", tmp_path)
    assert not notices(bundle, public_key())
    (bundle / "public" / "data.csv").write_text("age\n", encoding="utf-8")
    assert notices(bundle, public_key())


def test_a_lost_file_and_a_left_over_are_caught() -> None:
    ended = Ended(2, "", "error")
    with pytest.raises(FailureError, match="lost or changed"):
        judge_input(["check"], ended, {"data.csv": "1"}, {})
    with pytest.raises(FailureError, match="left behind"):
        judge_input(["check"], ended, {}, {".out.1.part/x": "1"})
    with pytest.raises(FailureError, match="no JSON"):
        judge_input(["check", "--json"], Ended(0, "table", ""), {}, {})


def test_published_texts_are_read_as_the_page_says() -> None:
    assert interval("[30-35)") == (Fraction(30), Fraction(35))
    assert interval("[-10--5)") == (Fraction(-10), Fraction(-5))
    assert interval(">=0.5") == (Fraction(1, 2), None)
    assert interval("a") is None
    assert members('{Dancer, "Writer, \\"retired\\""}') == ["Dancer", 'Writer, "retired"']
    assert covers("{a, b}", "b", None)
    assert not covers("{a, b}", "c", None)
    assert covers("NaN", math.nan, None)
    assert not covers("NaN", None, None)
    assert read_csv('a,b\n,""\n"x,\ny",\n') == [{"a": None, "b": ""}, {"a": "x,\ny", "b": None}]
