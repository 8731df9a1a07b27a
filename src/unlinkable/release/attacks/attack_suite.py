"""Attack suite: what came of all attacks on a release."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Self

from attrs import define

from unlinkable.release.attacks.attack import Adversary, Outcome
from unlinkable.spelling import quantity

__all__ = ["AttackSuite", "Skipped"]


@define(frozen=True)
class Skipped:
    """An attack that was not tried, and why.

    If a table of the adversary was refused, the reason may be about what is in it.
    """

    attack: Adversary
    why: str
    is_refused: bool = False

    @property
    def reason(self) -> str:
        """Why, in words that tell nothing of what is in a table."""
        return "a table of the adversary does not fit" if self.is_refused else self.why


@define(eq=False, frozen=True)
class AttackSuite:
    """What came of all attacks on a release, the strongest finding first.

    Attributes
    ----------
    outcomes
        What was tried: first attacks that expose somebody, then those that may, and among them the
        highest confidence first.
    skipped
        What was not, and why.
    doubt
        Why attacks may fail for another reason than that the release withstands them.
    """

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    doubt: str | None = None

    @classmethod
    def of(
        cls, outcomes: Iterable[Outcome], skipped: Iterable[Skipped], doubt: str | None = None
    ) -> Self:
        """Put the strongest finding first."""

        def rank(o: Outcome) -> tuple[int, int, float, str]:
            return -o.succeeded, -o.is_undecided, -o.highest, o.attack.name

        return cls(tuple(sorted(outcomes, key=rank)), tuple(skipped), doubt)

    @property
    def succeeded(self) -> bool:
        """Whether one of the attacks exposes somebody."""
        return any(outcome.succeeded for outcome in self.outcomes)

    def to_json(self, *, with_victims: bool = True) -> dict[str, object]:
        """Give all outcomes as plain values; without victims, they name nobody."""
        return {
            "succeeded": self.succeeded,
            "doubt": self.doubt,
            "attacks": [o.to_json(with_victims=with_victims) for o in self.outcomes],
            "skipped": [
                {"attack": str(s.attack), "why": s.why if with_victims else s.reason}
                for s in self.skipped
            ],
        }

    def to_markdown(self) -> str:
        """Write the findings as a section of a report. It names nobody."""
        lines = ["## Attacks", "", self.summary, ""]
        for outcome in self.outcomes:
            verdict = outcome.verdict
            lines += [
                f"### {outcome.attack.name}: {verdict.upper() if outcome.succeeded else verdict}",
                "",
                outcome.found,
                "",
                f"- The adversary has: {outcome.attack.needs}.",
                f"- Highest {outcome.attack.measured}: {outcome.highest:.3g} "
                f"(limit {_limit(outcome)}), {outcome.sureness}.",
                f"- What stops it: {outcome.attack.remedy}.",
                "",
            ]
        if self.skipped:
            lines += ["### Not tried", ""]
            lines += [f"- {s.attack.name}: {s.reason}." for s in self.skipped]
        return "\n".join(lines).rstrip() + "\n"

    def to_html(self) -> str:
        """Write the findings as a section of a page. It names nobody; all texts are escaped."""
        rows = "".join(
            f"<tr><th scope=row>{escape(o.attack.name)}</th>"
            f"<td>{f'<b>{o.verdict}</b>' if o.succeeded else o.verdict}</td>"
            f"<td>{o.highest:.3g}</td><td>{_limit(o)}</td>"
            f"<td>{o.n_fallen:,} of {o.n_attacked:,}</td>"
            f"<td>{escape(o.found)}</td><td>{escape(o.attack.needs)}</td>"
            f"<td>{escape(o.sureness)}</td><td>{escape(o.attack.remedy)}</td></tr>"
            for o in self.outcomes
        )
        left = "".join(
            f"<li>{escape(s.attack.name)}: {escape(s.reason)}</li>" for s in self.skipped
        )
        head = "".join(f"<th scope=col>{escape(title)}</th>" for title in _TITLES)
        return (
            f"<section><h2>Attacks</h2><p>{escape(self.summary)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            + (f"<h3>Not tried</h3><ul>{left}</ul>" if left else "")
            + "</section>"
        )

    def _repr_html_(self) -> str:
        return self.to_html()

    @property
    def summary(self) -> str:
        """Say in a sentence what came of it."""
        fallen = [o for o in self.outcomes if o.succeeded]
        if not self.outcomes:
            return f"No attack could be tried: what can be found out is not known.{self._but}"
        tried = quantity(len(self.outcomes), "attack was tried", "attacks were tried")
        open_ones = [o.attack.name for o in self.outcomes if o.is_undecided]
        may = f", and {' and '.join(open_ones)} may" if open_ones else ""
        if not fallen:
            surely = " for certain" if may else ""
            return f"{tried}: none passes its limit{surely}{may}.{self._but}"
        worst = fallen[0]
        return (
            f"{tried}: {quantity(len(fallen), 'passes its', 'pass their')} limit{may}. The "
            f"strongest is {worst.attack.name}, with a {worst.attack.measured} of "
            f"{worst.highest:.3g}; {worst.n_fallen:,} of {worst.n_attacked:,} people are exposed."
            f"{self._but}"
        )

    @property
    def _but(self) -> str:
        return "" if self.doubt is None else f" But {self.doubt}."


_TITLES = (
    "attack",
    "verdict",
    "highest confidence",
    "limit",
    "people exposed",
    "what was found",
    "what the adversary has",
    "how sure",
    "what stops it",
)


def _limit(outcome: Outcome) -> str:
    return f"{float(outcome.attack.limit):.3g}"
