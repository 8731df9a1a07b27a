"""What came of all attacks, in order and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import exact
from unlinkable.release.attacks import AttackSuite, Outcome, Skipped, Threat, Victim
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target


@frozen
class Guess(Attack):
    """Guess."""

    name: ClassVar[str] = "guess"
    reference: ClassVar[str] = "a test"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[str] = "a <coin>"
    remedy: ClassVar[str] = "another coin"
    stopped_by: ClassVar[tuple[str, ...]] = ()

    p: Fraction = field(default=Fraction(1, 2), converter=exact)
    limit: Fraction = field(default=Fraction(1, 2), converter=exact)

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        return outcome(self)


def outcome(attack: Guess) -> Outcome:
    falls = attack.p > attack.limit
    return Outcome(
        attack=attack,
        n_attacked=10,
        n_fallen=3 if falls else 0,
        highest=float(attack.p),
        found=f"Guessed with {attack.p}.",
        victims=(Victim({"name": "Ann"}, float(attack.p), {"ill": "flu"}, records=2),),
        interval=(0.1, 0.9) if attack.p == Fraction(1, 5) else None,
    )


def assault(*ps: str) -> AttackSuite:
    return AttackSuite.of([outcome(Guess(p)) for p in ps], [Skipped(Guess(), "there is no coin")])


def test_the_strongest_finding_comes_first() -> None:
    found = assault("0.3", "0.9", "1", "0.5")
    assert [o.highest for o in found.outcomes] == [1.0, 0.9, 0.5, 0.3]
    limits = AttackSuite.of([outcome(Guess("0.9", limit=1)), outcome(Guess("0.6"))], [])
    assert [o.highest for o in limits.outcomes] == [0.6, 0.9], "whoever passes the limit is first"


def test_whether_anybody_falls_and_how_that_is_said() -> None:
    assert not assault("0.3", "0.5").succeeded
    assert assault("0.3", "0.5").summary == "2 attacks were tried: none passes its limit."
    found = assault("0.3", "0.9")
    assert found.succeeded
    assert found.summary == (
        "2 attacks were tried: 1 passes its limit. The strongest is guess, with a confidence of "
        "0.9; 3 of 10 people are exposed."
    )


def test_that_nothing_was_tried_is_no_good_news() -> None:
    assert assault().summary.startswith("No attack could be tried: what can be found")
    assert assault("0.3").summary == "1 attack was tried: none passes its limit."


def test_what_an_estimate_leaves_open_is_not_called_withstood() -> None:
    """0.2 is an estimate, between 0.1 and 0.9, and the limit is 0.5."""
    found = assault("0.2", "0.4")
    assert not found.succeeded
    assert [o.highest for o in found.outcomes] == [0.2, 0.4], "what is open is before what is not"
    assert [o.verdict for o in found.outcomes] == ["may pass the limit", "within the limit"]
    assert found.summary == (
        "2 attacks were tried: none passes its limit for certain, and guess may."
    )
    assert assault("0.2", "0.9").summary.startswith(
        "2 attacks were tried: 1 passes its limit, and guess may. The strongest is guess"
    )
    assert "### guess: may pass the limit" in found.to_markdown()
    assert "<td>may pass the limit</td>" in found.to_html()
    assert [o.to_json()["undecided"] for o in found.outcomes] == [True, False]


def test_what_is_computed_exactly_is_never_open() -> None:
    at_limit = outcome(Guess("0.1", limit="0.1"))
    assert (at_limit.highest, at_limit.verdict) == (0.1, "within the limit")


def test_what_others_may_read_names_nobody() -> None:
    found = assault("0.2", "0.9")
    for text in (found.to_markdown(), found.to_html(), str(found.to_json(with_victims=False))):
        assert "Ann" not in text
        assert "Guessed with 9/10." in text
        assert "there is no coin" in text
    assert "Ann" in str(found.to_json())


def test_texts_are_escaped_in_pages() -> None:
    assert "a &lt;coin&gt;" in assault("0.2").to_html()
    assert "<coin>" not in assault("0.2")._repr_html_()


def test_how_sure_a_result_is_is_said() -> None:
    exact_one, estimate = assault("0.9", "0.2").outcomes
    assert exact_one.sureness == "computed exactly from what is published"
    assert estimate.sureness == "an estimate: between 0.1 and 0.9 with 95 % certainty"
    told = estimate.to_json()
    assert told["interval"] == [0.1, 0.9]
    assert (told["attack"], told["succeeded"], told["limit"]) == ("guess(p=0.2)", 0, 0.5)


def test_a_doubt_is_told_wherever_findings_are() -> None:
    found = AttackSuite.of([outcome(Guess("0.3"))], [], "the coin is bent")
    assert found.summary.endswith("none passes its limit. But the coin is bent.")
    for text in (found.to_markdown(), found.to_html(), str(found.to_json())):
        assert "the coin is bent" in text


def test_a_single_outcome_shows_itself_and_names_nobody() -> None:
    shown = outcome(Guess("0.9"))._repr_html_()
    for text in ("guess(p=0.9)", "passes the limit", "3 of 10", "a &lt;coin&gt;", "another coin"):
        assert text in shown
    assert "Ann" not in shown
