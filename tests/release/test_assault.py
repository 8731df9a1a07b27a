"""What came of all attacks, in order and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen

from unlinkable.attacks.base import Attack, Outcome, Victim
from unlinkable.attacks.target import Arms, Target
from unlinkable.params import exact
from unlinkable.privacy.base import Threat
from unlinkable.release.assault import Assault, Skipped


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

    def attack(self, target: Target, arms: Arms) -> Outcome:
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


def assault(*ps: str) -> Assault:
    return Assault.of([outcome(Guess(p)) for p in ps], [Skipped(Guess(), "there is no coin")])


def test_the_strongest_finding_comes_first() -> None:
    found = assault("0.2", "0.9", "1", "0.5")
    assert [o.highest for o in found.outcomes] == [1.0, 0.9, 0.5, 0.2]
    limits = Assault.of([outcome(Guess("0.9", limit=1)), outcome(Guess("0.6"))], [])
    assert [o.highest for o in limits.outcomes] == [0.6, 0.9], "whoever passes the limit is first"


def test_whether_anybody_falls_and_how_that_is_said() -> None:
    assert not assault("0.2", "0.5").succeeded
    assert assault("0.2", "0.5").summary == "2 attacks were tried: none passes its limit."
    found = assault("0.2", "0.9")
    assert found.succeeded
    assert found.summary == (
        "2 attacks were tried: 1 pass their limit. The strongest is guess, with a confidence of "
        "0.9; 3 of 10 people fall to it."
    )


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
    found = Assault.of([outcome(Guess("0.2"))], [], "the coin is bent")
    assert found.summary.endswith("none passes its limit. But the coin is bent.")
    for text in (found.to_markdown(), found.to_html(), str(found.to_json())):
        assert "the coin is bent" in text
