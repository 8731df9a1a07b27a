"""PromiseList: the promises of the plan, and the models that can be promised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define

from unlinkable.studio.contracts import Document, Effect, PromiseText
from unlinkable.studio.workbench import Workbench

__all__ = [
    "COMMON",
    "THREATS",
    "THREAT_LABELS",
    "PromiseList",
    "filter_models",
]

COMMON = (
    "k-anonymity",
    "distinct-l-diversity",
    "frequency-l-diversity",
    "t-closeness",
    "entropy-l-diversity",
    "alpha-k-anonymity",
    "lkc-privacy",
    "average-risk",
)
"""The models that nearly everybody gets along with, the first to think of first."""

THREATS = {
    "record": "Finding somebody's record",
    "attribute": "Learning what somebody has to hide",
    "table": "Learning that somebody is in the data",
    "probabilistic": "Becoming much surer of somebody than before",
}
"""By the name of the threat, what an adversary is after."""

THREAT_LABELS = {
    "record": "Finding a record",
    "attribute": "Learning a secret",
    "table": "Being in the data",
    "probabilistic": "Becoming surer",
}
"""The same, in two or three words."""


def filter_models(
    cards: Sequence[Document], threat: str | None = None, words: str = ""
) -> tuple[list[Document], list[Document]]:
    """Give the common models and all others, out of those that are asked for.

    Parameters
    ----------
    threat
        Only models that stop it.
    words
        Only models in whose name or description all of these words occur.
    """
    wanted = words.lower().split()
    fitting = [
        card
        for card in cards
        if (threat is None or threat in card["threats"])
        and all(word in _text(card) for word in wanted)
    ]
    by_name = {card["name"]: card for card in fitting}
    common = [by_name[name] for name in COMMON if name in by_name]
    return common, [card for card in fitting if card["name"] not in COMMON]


def _text(card: Document) -> str:
    parts = [card["name"], card["name"].replace("-", " "), card["summary"]]
    return " ".join([*parts, card["stops"], card.get("reference") or ""]).lower()


@define(eq=False)
class PromiseList:
    """The promises of the plan, as one tab sees and changes them.

    Attributes
    ----------
    cards
        What is known of every model, by its name.
    """

    work: Workbench
    cards: dict[str, Document]

    @property
    def promises(self) -> list[Document]:
        """The promises as they stand in the plan."""
        return list((self.work.plan or {}).get("privacy", []))

    @property
    def suppression(self) -> float:
        """The share of records that may be left out."""
        said = (self.work.plan or {}).get("method", {}).get("suppression", 0)
        above, _, below = str(said).partition("/")
        return float(above) / float(below or 1)

    @property
    def records(self) -> int | None:
        """How many records there are, if that is known."""
        described = (self.work.description or {}).get("description") or {}
        found = described.get("records")
        return found if isinstance(found, int) else None

    async def add(self, model: str, values: Document) -> None:
        """Promise one thing more."""
        await self.work.set_promises([*self.promises, {"model": model, **values}])

    async def change(self, index: int, values: Document) -> None:
        """Give a promise other parameters."""
        promises = self.promises
        if index < len(promises):
            promises[index] = {"model": promises[index]["model"], **values}
            await self.work.set_promises(promises)

    async def remove(self, index: int) -> None:
        """Take a promise back."""
        await self.work.set_promises([p for i, p in enumerate(self.promises) if i != index])

    async def allow(self, share: float) -> None:
        """Say which share of the records may be left out."""
        await self.work.edit({"set": ["method", "suppression"], "to": round(share, 6)})

    async def effect(self, index: int, parameter: str, values: list[Any]) -> Effect:
        """Ask what values of a parameter would cost; a later question replaces an earlier one."""
        found: Effect = await self.work.ask(
            "effect",
            replaces=f"effect {index}",
            promise=index,
            parameter=parameter,
            values=values,
        )
        return found

    async def in_words(self) -> list[PromiseText]:
        """Ask what all promises mean, and whether each can be kept at all."""
        found: list[PromiseText] = await self.work.ask("promises", replaces="promises")
        return found
