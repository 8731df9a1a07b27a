"""Which methods are offered first, and what is said of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from unlinkable.spelling import read_call
from unlinkable.studio.contracts import Document, Serving

__all__ = ["Offer", "called", "gist", "offered", "parameters_of", "suggested"]

Offer = tuple[Document, str | None]
"""The card of a method, and why it cannot be used here; None if it can."""

_GIST = {
    "optimal": "All values of a column are told equally precisely. Of all such releases it finds "
    "the one that loses the least. Easy to read and to explain.",
    "best": "Every record is told as precisely as its neighbours allow. Mostly loses the least of "
    "all, and takes the time that it is given.",
    "mondrian": "Cuts people into ever smaller regions, as long as everybody stays hidden. Fast, "
    "and loses little.",
    "top-down-specialization": "Begins with everything hidden and tells more, the most telling "
    "values first. Good if something is to be predicted from the data.",
    "k-optimize": "Chooses for every column what is told apart, and leaves out records that do not "
    "fit.",
    "greedy-cell": "Puts records together with those that are most alike. Slow on large tables.",
    "mdav": "Puts people who are alike into small groups and shows their average: good for "
    "numbers.",
    "datafly": "A quick classic: makes the column with the most different values coarser, again "
    "and again.",
    "anatomize": "Leaves all values as they are, but does not tell which sensitive value belongs "
    "to whom.",
    "dp-synthetic": "Publishes made-up records that resemble the true ones, protected by noise.",
    "dp-histogram": "Publishes counts with noise instead of records.",
    "pram": "Replaces some categories by others at random, by known chances.",
    "r-robust-bucketization": "Mixes people whose values are about as likely beforehand.",
    "greedy-personalized": "Blurs the sensitive values that people asked to have guarded.",
}

_FIRST = (
    "optimal",
    "mondrian",
    "best",
    "top-down-specialization",
    "anatomize",
    "mdav",
    "dp-synthetic",
    "dp-histogram",
    "pram",
    "r-robust-bucketization",
    "greedy-personalized",
)
_MOST_RECOMMENDED = 4
_MOST_SUGGESTED = 2


def gist(card: Document) -> str:
    """Say in a sentence or two what a method does."""
    return _GIST.get(card["name"]) or str(card["summary"])


def offered(
    cards: Sequence[Document], serving: Sequence[Serving]
) -> tuple[list[Offer], list[Offer]]:
    """Give the recommended methods, and all others: those that can be used before the rest."""
    refusals = {entry["method"]: entry["refusal"] for entry in serving}
    offers: dict[str, Offer] = {c["name"]: (c, refusals.get(c["name"])) for c in cards}
    usable = [name for name in _FIRST if name in offers and offers[name][1] is None]
    first = usable[:_MOST_RECOMMENDED]
    rest = sorted(
        (name for name in offers if name not in first),
        key=lambda name: (offers[name][1] is not None, name not in _FIRST, name),
    )
    return [offers[name] for name in first], [offers[name] for name in rest]


def suggested(recommended: Sequence[Offer]) -> list[str]:
    """Name the methods that are ticked before anybody has chosen."""
    return [card["name"] for card, _ in recommended[:_MOST_SUGGESTED]]


def called(name: str, parameters: Mapping[str, object]) -> str:
    """Write a method with its parameters, as in plans and on the command line.

    Examples
    --------
    >>> called("mondrian", {"strict": False, "labels": "taxonomy"}), called("optimal", {})
    ('mondrian(strict=false, labels="taxonomy")', 'optimal')
    """
    given = [
        f"{key}={json.dumps(value, ensure_ascii=False)}"
        for key, value in parameters.items()
        if value is not None
    ]
    return f"{name}({', '.join(given)})" if given else name


def parameters_of(written: Sequence[str]) -> dict[str, dict[str, object]]:
    """Take written methods apart: by name, the parameters."""
    taken = (read_call(text) for text in written)
    return {name: dict(arguments) for name, arguments in taken}
