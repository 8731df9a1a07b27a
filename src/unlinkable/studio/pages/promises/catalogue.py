"""Which models are offered, in which order, and how they are found."""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.studio.contracts import Document

__all__ = ["AIMS", "COMMON", "THREATS", "found", "gist"]

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

AIMS = {
    "record": "Finding a record",
    "attribute": "Learning a secret",
    "table": "Being in the data",
    "probabilistic": "Becoming surer",
}
"""The same, in two or three words."""

_GIST = {
    "k-anonymity": "Everybody looks like at least k people in the release.",
    "distinct-l-diversity": "Among people who look alike there are at least l different values.",
    "frequency-l-diversity": "Nobody's value can be guessed with a chance above one in l.",
    "t-closeness": "People who look alike are no different from everybody else.",
    "entropy-l-diversity": "The values of people who look alike are as mixed as l equal shares.",
    "alpha-k-anonymity": "k people look alike, and no value is shared by too many of them.",
    "lkc-privacy": "Holds off somebody who knows only a few values of a person, whichever.",
    "average-risk": "On average it is hard to tell whose record one has found.",
    "k-map": "Everybody looks like at least k people of a whole population.",
    "delta-presence": "Nobody can tell who of a population is in the data.",
    "differential-privacy": "The release would be nearly the same without any one person.",
    "crowd-entropy": "One stays unsure whose record it is, as in a crowd of a given size.",
    "personalized-privacy": "Everybody says what is to be guarded, and that is guarded.",
}


def gist(card: Document) -> str:
    """Say in a sentence what a model is about."""
    return _GIST.get(card["name"]) or str(card["summary"])


def found(
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
    parts = [card["name"], card["name"].replace("-", " "), card["summary"], gist(card)]
    return " ".join([*parts, card["stops"], card.get("reference") or ""]).lower()
