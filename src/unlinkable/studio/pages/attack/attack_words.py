"""What attacks are called, and what came of them, in words."""

from __future__ import annotations

from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.pages.formatting import percent

__all__ = [
    "attack_verdict",
    "confidence_words",
    "exposed_words",
    "may_succeed",
    "name_of",
    "sentence",
    "share_of_limit",
    "skip_reason",
    "title_of",
    "verdict_word",
]

_BEYOND = {
    "skewness": "a value up to {} points more likely than for everybody",
    "membership": "up to {} points better than a blind guess",
    "singling-out": "up to {} points better than by chance",
}
"""Attacks whose strength is how much better somebody does, not how sure he is."""

_ON_TABLE = {
    "membership": "Not needed: the table as it stands is the records themselves.",
    "minimality": "There is no method to work back from: nothing was changed yet.",
    "singling-out": "Not needed: who has the table as it stands sees every single person.",
}
"""Why attacks are not tried on the table as it stands, where the library says it for programs."""

_OPTIONS = {
    "external=...": "--external on the command line",
    "as 'population'": "with --population on the command line",
}


def skip_reason(attack: str, why: str, *, is_table: bool) -> str:
    """Say why an attack was not tried."""
    if is_table and (known := _ON_TABLE.get(name_of(attack))) is not None:
        return known
    for given, words in _OPTIONS.items():
        why = why.replace(given, words)
    return sentence(why)


def sentence(text: str) -> str:
    """Make a sentence of words that stand in a document.

    Examples
    --------
    >>> sentence("no column holds numbers")
    'No column holds numbers.'
    """
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def name_of(attack: str) -> str:
    """Take the name out of a written form."""
    return attack.partition("(")[0]


def title_of(attack: str) -> str:
    """Write the name of an attack as a heading.

    Examples
    --------
    >>> title_of("corruption(n=1)"), title_of("record-linkage")
    ('Corruption', 'Record linkage')
    """
    return name_of(attack).replace("-", " ").capitalize()


def confidence_words(outcome: Document) -> str:
    """Say how far the adversary gets at most."""
    highest = float(outcome["highest_confidence"] or 0.0)
    beyond = _BEYOND.get(name_of(outcome["attack"]))
    if beyond is not None:
        return beyond.format(f"{highest * 100:.0f}")
    said = percent(highest)
    return f"{said} sure" if said.startswith("over") else f"up to {said} sure"


def exposed_words(outcome: Document) -> str:
    """Say how many people fall.

    Examples
    --------
    >>> exposed_words({"succeeded": 11, "attacked": 1576})
    '11 of 1,576 people'
    >>> exposed_words({"succeeded": 0, "attacked": 9})
    'nobody of 9 people'
    """
    count, tried = int(outcome["succeeded"]), int(outcome["attacked"])
    return f"{count:,} of {tried:,} people" if count else f"nobody of {tried:,} people"


def may_succeed(outcome: Document) -> bool:
    """Tell whether nobody falls for certain, and the estimate leaves it open that somebody does.

    Examples
    --------
    >>> may_succeed({"succeeded": 0, "interval": [0.4, 0.6], "limit": 0.5})
    True
    >>> may_succeed({"succeeded": 0, "interval": None, "limit": 0.5})
    False
    """
    interval, limit = outcome["interval"], outcome["limit"]
    return bool(not outcome["succeeded"] and interval and interval[1] > (limit or 0.0))


def verdict_word(outcome: Document) -> str:
    """Say in a word what came of an attack."""
    if outcome["succeeded"]:
        return "Succeeds"
    return "May succeed" if may_succeed(outcome) else "Withstood"


def share_of_limit(outcome: Document) -> tuple[float, float]:
    """Give how far the adversary gets and how far he may get, both from 0 to 1."""
    highest, limit = outcome["highest_confidence"] or 0.0, outcome["limit"] or 0.0
    return min(max(float(highest), 0.0), 1.0), min(max(float(limit), 0.0), 1.0)


def attack_verdict(suite: AttackSuite, whom: str) -> tuple[bool, str, str]:
    """Tell in a line and a sentence what came of all attacks; first whether anybody may fall."""
    tried = suite["attacks"]["attacks"]
    strong = [outcome for outcome in tried if outcome["succeeded"]]
    if not tried:
        return False, "No attack could be tried", f"On {whom}, nothing applied: see below why."
    n_open = sum(map(may_succeed, tried))
    if not strong:
        line = f"Withstood: {len(tried) - n_open} of {len(tried)} attacks"
        told = "no adversary gets beyond his limit with anybody"
        told += " for certain; those that may succeed are told below." if n_open else "."
        return bool(n_open), line, f"On {whom}, {told}"
    first = strong[0]
    return (
        True,
        f"{len(strong)} of {len(tried)} attacks succeed",
        f"On {whom}, the strongest is “{title_of(first['attack'])}”: {exposed_words(first)} "
        f"fall, {confidence_words(first)}.",
    )
