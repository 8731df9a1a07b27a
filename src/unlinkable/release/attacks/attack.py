"""What every attack has in common.

An attack has one shape: *I know something of you; that leaves me with a set of records; the set
tells me something.* The confidence is the probability, from 0 to 1, that the adversary assigns to
the conclusion. A person is exposed if it is above the limit of the attack; where it is an estimate,
if the whole interval is above. A guess above the limit counts whether or not it is right: people
act on what they believe.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from enum import Flag, auto
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, ClassVar

from attrs import define, field

from unlinkable.registry import Registered
from unlinkable.spelling import finite
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.release.attacks.attack_suite import AttackSuite

__all__ = ["MOST_SHOWN", "Adversary", "Attackable", "Outcome", "Threat", "Victim"]

MOST_SHOWN = 100
"""Outcomes list at most so many victims, in descending order of confidence."""


class Threat(Flag):
    """Which attacks a promise guards against."""

    RECORD = auto()
    """A victim is linked to a record."""
    ATTRIBUTE = auto()
    """A victim is linked to a sensitive value."""
    TABLE = auto()
    """A victim is found to be in the table."""
    PROBABILISTIC = auto()
    """What is believed of a victim changes much."""


@define(frozen=True)
class Victim:
    """A person the adversary claims to have learned about.

    Attributes
    ----------
    who
        What identifies the victim: a name in the adversary's list, or the published values.
    confidence
        The adversary's confidence.
    learned
        The inferred values, by column.
    records
        How many published records the victim could have.
    people
        How many people share all of this.
    """

    who: Mapping[str, str]
    confidence: float
    learned: Mapping[str, str] = field(factory=dict)
    records: int | None = None
    people: int = 1

    def to_json(self) -> dict[str, object]:
        """Give the victim as plain values."""
        return {
            "who": dict(self.who),
            "confidence": self.confidence,
            "learned": dict(self.learned),
            "records": self.records,
            "people": self.people,
        }


@define(eq=False, frozen=True, kw_only=True)
class Outcome:
    """What came of an attack.

    Attributes
    ----------
    attack
        The attack.
    n_attacked
        How many people were attacked.
    n_fallen
        How many of them are exposed: the confidence is above the limit.
    highest
        The highest confidence; 0 if there is nobody.
    victims
        The people with the highest confidence, at most `MOST_SHOWN`.
    found
        The finding in a sentence or two, for the data steward.
    interval, certainty
        Where the highest confidence lies, and how certainly, if it is an estimate; None if it was
        computed exactly, or as ``basis`` says.
    basis
        What the confidence rests on, if that is neither computed exactly nor an estimate with an
        interval.
    details
        The numbers behind the result.
    """

    attack: Adversary
    n_attacked: int
    n_fallen: int
    highest: float
    found: str
    victims: tuple[Victim, ...] = ()
    interval: tuple[float, float] | None = None
    certainty: str = "95 %"
    basis: str | None = None
    details: Mapping[str, int | float | str | None] = field(factory=dict)

    @property
    def succeeded(self) -> bool:
        """Whether anybody is exposed."""
        return self.n_fallen > 0

    @property
    def is_undecided(self) -> bool:
        """Whether nobody is certainly exposed, but the estimate does not rule it out."""
        high = 0.0 if self.interval is None else self.interval[1]
        return not self.succeeded and high > float(self.attack.limit)

    @property
    def verdict(self) -> str:
        """Whether the limit is passed, in words."""
        if self.succeeded:
            return "passes the limit"
        return "may pass the limit" if self.is_undecided else "within the limit"

    @property
    def sureness(self) -> str:
        """How confident the result itself is, in words."""
        if self.interval is None:
            return self.basis or "computed exactly from what is published"
        low, high = self.interval
        return f"an estimate: between {low:.3g} and {high:.3g} with {self.certainty} certainty"

    def to_json(self, *, with_victims: bool = True) -> dict[str, object]:
        """Give the outcome as it is printed with ``--json``.

        Without victims it names nobody, and may be shown to others.
        """
        told = [victim.to_json() for victim in self.victims] if with_victims else []
        return {
            "attack": str(self.attack),
            "succeeded": self.n_fallen,
            "undecided": self.is_undecided,
            "attacked": self.n_attacked,
            "highest_confidence": self.highest,
            "limit": float(self.attack.limit),
            "interval": None if self.interval is None else list(self.interval),
            "needs": self.attack.needs,
            "found": self.found,
            "sureness": self.sureness,
            "remedy": self.attack.remedy,
            "details": {
                name: finite(value) if isinstance(value, float) else value
                for name, value in self.details.items()
            },
            "victims": told,
        }

    def _repr_html_(self) -> str:
        """Show the outcome in a notebook. It names nobody; all texts are escaped."""
        rows = {
            "verdict": self.verdict,
            f"highest {self.attack.measured}": f"{self.highest:.3g}",
            "limit": f"{float(self.attack.limit):.3g}",
            "people who are exposed": f"{self.n_fallen:,} of {self.n_attacked:,}",
            "what was found": self.found,
            "what the adversary has": self.attack.needs,
            "basis": self.sureness,
            "what stops it": self.attack.remedy,
        }
        told = "".join(
            f"<tr><th scope=row>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in rows.items()
        )
        return f"<table><caption>{escape(str(self.attack))}</caption><tbody>{told}</tbody></table>"


class Adversary(Registered, abc.ABC):
    """An attack as a small frozen value: its fields are the adversary's knowledge and aim.

    Every attack has a parameter ``limit``: the highest confidence allowed.
    """

    entry_kind: ClassVar[str] = "attack"
    threat: ClassVar[Threat]
    """The threat that it belongs to."""
    needs: ClassVar[str]
    """What the adversary needs, in words: "a list of people with their quasi-identifiers"."""
    remedy: ClassVar[str]
    """What would have stopped the attack, in words: promises and methods by their names."""
    stopped_by: ClassVar[tuple[str, ...]]
    """The models and policies that bound the adversary's confidence, by name."""

    measured: ClassVar[str] = "confidence"
    """What the limit bounds, in a word or two."""

    limit: Fraction

    @classmethod
    def facts(cls) -> Mapping[str, object]:
        return {"needs": cls.needs, "remedy": cls.remedy, "stopped_by": cls.stopped_by}


class Attackable(abc.ABC):
    """A release as adversaries see it, with all that its holder can add."""

    names: ClassVar[tuple[str, ...]] = ()
    """The attacks that can be tried."""

    doubt: str | None = None
    """Why attacks may fail for another reason than that the release withstands them."""

    @abc.abstractmethod
    def attack(
        self,
        attack: object,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        """Try one attack; see `Release.attack`.

        Raises
        ------
        ParameterError
            If there is no such attack or parameter.
        UnsupportedError, SchemaError, DataError
            As the attack itself.
        """

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        seconds: float | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> AttackSuite:
        """Try every attack that applies; see `Release.attack_all`.

        Raises
        ------
        ParameterError
            If there is no attack with such a table.
        UnsupportedError
            If none can be tried.
        """
        from unlinkable.release.attacks.attack_suite import AttackSuite

        tried = [
            self.attack(name, limit=limit, seed=seed, progress=progress) for name in self.names
        ]
        return AttackSuite.of(tried, [], self.doubt)
