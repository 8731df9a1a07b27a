"""Assault: what came of all attacks on a release."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Self

from attrs import define

from unlinkable.attacks.base import Attack, Outcome

__all__ = ["Assault", "Skipped"]


@define(frozen=True)
class Skipped:
    """An attack that was not tried, and why.

    If a table of the adversary was refused, the reason may be about what is in it.
    """

    attack: Attack
    why: str
    is_refused: bool = False

    @property
    def reason(self) -> str:
        """Why, in words that tell nothing of what is in a table."""
        return "a table of the adversary does not fit" if self.is_refused else self.why


@define(eq=False, frozen=True)
class Assault:
    """What came of all attacks on a release, the strongest finding first.

    Attributes
    ----------
    outcomes
        What was tried. First those to which somebody falls, and of these the surest.
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
        ranked = sorted(outcomes, key=lambda o: (-o.succeeded, -o.highest, o.attack.name))
        return cls(tuple(ranked), tuple(skipped), doubt)

    @property
    def succeeded(self) -> bool:
        """Whether somebody falls to one of the attacks."""
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
            verdict = "PASSES THE LIMIT" if outcome.succeeded else "within the limit"
            lines += [
                f"### {outcome.attack.name}: {verdict}",
                "",
                outcome.found,
                "",
                f"- The adversary has: {outcome.attack.needs}.",
                f"- Highest confidence: {outcome.highest:.3g} (limit {_limit(outcome)}), "
                f"{outcome.sureness}.",
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
            f"<td>{'<b>passes the limit</b>' if o.succeeded else 'within the limit'}</td>"
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
        tried = f"{len(self.outcomes)} attacks were tried"
        if not fallen:
            return f"{tried}: none passes its limit.{self._but}"
        worst = fallen[0]
        return (
            f"{tried}: {len(fallen)} pass their limit. The strongest is {worst.attack.name}, with "
            f"a confidence of {worst.highest:.3g}; {worst.n_fallen:,} of {worst.n_attacked:,} "
            f"people fall to it.{self._but}"
        )

    @property
    def _but(self) -> str:
        return "" if self.doubt is None else f" But {self.doubt}."


_TITLES = (
    "attack",
    "verdict",
    "highest confidence",
    "limit",
    "people who fall",
    "what was found",
    "what the adversary has",
    "how sure",
    "what stops it",
)


def _limit(outcome: Outcome) -> str:
    return f"{float(outcome.attack.limit):.3g}"
