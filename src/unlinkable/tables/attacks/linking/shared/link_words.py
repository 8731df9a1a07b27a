"""What a join of a list with a release tells, in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unlinkable.tables.attacks.linking.shared.links import Links
from unlinkable.tables.data import SideTable, keep_rows
from unlinkable.tables.models import number_of
from unlinkable.typing import BoolArray, Columns

__all__ = ["details_of", "doubts", "found_by", "known_shares", "learned", "names_of"]


def found_by(links: Links, certain: BoolArray) -> str:
    """Say what was found, in a few sentences."""
    n, single = len(links.people), int(links.is_singled_out.sum())
    have = "has" if single == 1 else "have"
    who = f"{single:,} of {number_of(n, 'person', 'people')} {have} exactly one matching record"
    words = [
        f"{who}: {'each is' if single != 1 else 'it is'} singled out." if single else f"{who}."
    ]
    met = links.n_records[links.is_met]
    if met.size and not single:
        words.append(
            f"Everybody who is found shares at least {number_of(int(met.min()), 'record')}."
        )
    if n_certain := int(certain.sum()):
        words.append(
            f"Of {number_of(n_certain, 'person', 'people')} something hidden is certain: all "
            "matching records say the same."
        )
    if not links.knows_values:
        words.append("Too many records match to look at what they hide.")
    if n_none := n - met.size:
        match = "matches" if n_none == 1 else "match"
        words.append(f"{number_of(n_none, 'person', 'people')} {match} no record.")
    n_records = links.n_candidates.size
    if n > n_records:
        words.append(
            f"The list names {n:,} people and the release has {number_of(n_records, 'record')}: "
            "not all of them are in the table. Each is looked at as if known to be in it."
        )
    return " ".join([*words, *doubts(links.little_known)])


def doubts(little_known: Mapping[str, float]) -> list[str]:
    """Say on which columns list and release may be written in different ways."""
    return [
        f"The release knows {_told(share)} of the values of {name} in the list: check that both "
        "are written alike, or people are missed."
        for name, share in little_known.items()
    ]


def _told(share: float) -> str:
    if share == 0:
        return "none"
    return f"only {share:.1%}" if share >= 0.001 else "less than 0.1%"


def known_shares(little_known: Mapping[str, float]) -> dict[str, int | float | str | None]:
    """Give the shares of the list that the release knows, where they are small."""
    return {f"known_values_of_{name}": share for name, share in little_known.items()}


def details_of(links: Links, certain: BoolArray) -> dict[str, int | float | str | None]:
    """Give the numbers behind a result."""
    candidates = links.n_candidates[links.n_candidates > 0]
    return {
        "columns": ", ".join(dict.fromkeys(name for names in links.choices for name in names)),
        "column_sets": len(links.choices),
        "assumption": "everybody on the list is known to be in the table",
        "people": len(links.people),
        "people_matched": int(links.is_met.sum()),
        "people_unmatched": int((~links.is_met).sum()),
        "people_singled_out": int(links.is_singled_out.sum()),
        "people_with_a_certain_value": int(certain.sum()),
        "right_guesses_expected": float(links.probability.sum()),
        "records": links.n_candidates.size,
        "records_unmatched": int((links.n_candidates == 0).sum()),
        "records_with_one_candidate": int((candidates == 1).sum()),
        "highest_certainty_of_a_record": float(1 / candidates.min()) if candidates.size else 0.0,
        "groups_with_known_owners": links.n_owned[0],
        "records_with_known_owners": links.n_owned[1],
        **known_shares(links.little_known),
    }


def learned(links: Links, column: str, person: int) -> str:
    """Say what is believed to be known of somebody."""
    guess, n = links.guesses[column], int(links.n_records[person])
    if guess.code[person] < 0:
        return "not looked at"
    text, amount = guess.text(person) or "no value", float(guess.amount[person])
    if amount == n:
        return text
    if amount.is_integer():
        return f"{text} ({int(amount):,} of {n:,})"
    return f"{text} ({amount / n:.0%})"


def names_of(
    people: SideTable, identity: str | None, columns: Columns, rows: Sequence[int]
) -> list[dict[str, str]]:
    """Name some people of a list, or say what it tells of them if it has no names."""
    told = (identity,) if identity is not None else columns
    some = SideTable(people.name, keep_rows(people.frame, np.array(rows, np.int64)))
    texts = [[text or "" for text in some.texts(name)] for name in told]
    return [dict(zip(told, row, strict=True)) for row in zip(*texts, strict=True)]
