"""Board: what the parts of the page on privacy share."""

from __future__ import annotations

from typing import Any

from attrs import define

from unlinkable.studio.contracts import Document, Effect, PromiseInWords
from unlinkable.studio.workbench import Workbench

__all__ = ["Board"]


@define(eq=False)
class Board:
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

    async def in_words(self) -> list[PromiseInWords]:
        """Ask what all promises mean, and whether each can be kept at all."""
        found: list[PromiseInWords] = await self.work.ask("promises", replaces="promises")
        return found
