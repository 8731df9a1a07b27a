"""What a join of a list with a release tells, in words and numbers.

What weighing people against records tells, in words and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unlinkable.release.attacks import MOST_SHOWN, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.attacks.linking.shared.fellegi_sunter import WeighedLinks
from unlinkable.tables.attacks.linking.shared.links import Hidden, Links
from unlinkable.tables.data import SideTable, keep_rows, texts_of
from unlinkable.typing import BoolArray, Columns

__all__ = [
    "details_of",
    "details_of_weights",
    "doubts",
    "found_by",
    "found_by_weight",
    "guess_hidden",
    "known_shares",
    "learned",
    "n_right",
    "names_of",
    "weighed_victims",
]


def found_by(links: Links, certain: BoolArray) -> str:
    """Say what was found, in a few sentences."""
    n, single = len(links.people), int(links.is_singled_out.sum())
    have = "has" if single == 1 else "have"
    who = f"{single:,} of {quantity(n, 'person', 'people')} {have} exactly one matching record"
    words = [
        f"{who}: {'each is' if single != 1 else 'it is'} singled out." if single else f"{who}."
    ]
    met = links.n_records[links.is_met]
    if met.size and not single:
        words.append(
            f"Everybody who is found shares at least {quantity(int(met.min()), 'record')}."
        )
    if n_certain := int(certain.sum()):
        words.append(
            f"Of {quantity(n_certain, 'person', 'people')} something hidden is certain: all "
            "matching records say the same."
        )
    if not links.knows_values:
        words.append("Too many records match to look at what they hide.")
    if n_none := n - met.size:
        match = "matches" if n_none == 1 else "match"
        words.append(f"{quantity(n_none, 'person', 'people')} {match} no record.")
    n_records = links.n_candidates.size
    if n > n_records:
        words.append(
            f"The list names {n:,} people and the release has {quantity(n_records, 'record')}: "
            "not all of them are in the table. Each is looked at as if known to be in it."
        )
    return " ".join([*words, *doubts(links.little_known)])


def doubts(little_known: Mapping[str, float]) -> list[str]:
    """Say on which columns list and release may be written in different ways."""
    return [
        f"The release knows {_in_words(share)} of the values of {name} in the list: check that "
        "both are written alike, or people are missed."
        for name, share in little_known.items()
    ]


def _in_words(share: float) -> str:
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
    """Write what was learned about a person."""
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


def guess_hidden(target: Target, found: WeighedLinks, sensitive: Columns) -> dict[str, Hidden]:
    """Count what the records with each look hide."""
    return {name: Hidden.of(target, name, found.matching) for name in sensitive}


def n_right(
    found: WeighedLinks,
    people: SideTable,
    identity: str | None,
    truth: Truth | None,
    which: BoolArray,
) -> int | None:
    """Count the people who are linked to their own record; None if nobody can say.

    That needs the original records, with the column that names people in the list.
    """
    if truth is None or truth.rows is None or identity is None:
        return None
    if identity not in truth.table.frame.columns:
        return None
    rows = np.flatnonzero(which & (found.record >= 0))
    owners = texts_of(keep_rows(truth.table.frame, truth.rows[found.record[rows]]), identity)
    names = texts_of(keep_rows(people.frame, rows), identity)
    return int((owners == names).sum())


def found_by_weight(found: WeighedLinks, has_fallen: BoolArray, right: int | None) -> str:
    """Say what was found, in a few sentences."""
    n, fallen = has_fallen.size, int(has_fallen.sum())
    words = [
        f"{fallen:,} of {quantity(n, 'person', 'people')} can be linked to a record, allowing for "
        "misspelt and missing values."
    ]
    if right is not None and fallen:
        words.append(f"{quantity(right, 'link')} of these {'is' if right == 1 else 'are'} right.")
    told = ", ".join(found.columns)
    if found.n_passes == 0:
        words = [
            f"Nobody was linked: {told} alone do not tell people apart well enough to weigh them."
        ]
    elif found.says_little:
        words.append(
            f"That says little: only {quantity(found.n_weighed, 'person', 'people')} of the list "
            f"came near enough to any record on {told} to be weighed. Values may be changed or "
            "written in another way; the others may have records as well."
        )
    elif found.is_short:
        words.append(
            f"That says little: {quantity(n, 'person', 'people')} of a list "
            f"{'is' if n == 1 else 'are'} too few to find out how often anybody agrees by chance. "
            "Give a longer list, or join without allowing for mistakes."
        )
    else:
        words.append(
            f"About {found.fit.present:.0%} of the list seem to have a record, judging by {told}."
        )
    return " ".join([*words, *doubts(found.matching.little_known)])


def details_of_weights(
    found: WeighedLinks, right: int | None
) -> dict[str, int | float | str | None]:
    """Give the numbers behind a result."""
    fit = found.fit
    chances: dict[str, int | float | str | None] = {
        f"{level}_on_{name}": float(fit.m[j, at])
        for j, name in enumerate(found.columns)
        for at, level in ((3, "agreement"), (2, "near_agreement"), (1, "difference"))
    }
    return {
        "columns": ", ".join(found.columns),
        "people": found.matching.kind.size,
        "records": found.matching.look.size,
        "share_with_a_record": fit.present,
        "pairs_weighed": found.n_pairs,
        "people_weighed": found.n_weighed,
        "joins": found.n_passes,
        "rounds": fit.n_rounds,
        "right_guesses_expected": float(found.confidence.sum()),
        "right_links": right,
        **chances,
        **known_shares(found.matching.little_known),
    }


def weighed_victims(
    found: WeighedLinks, people: SideTable, identity: str | None, hidden: Mapping[str, Hidden]
) -> tuple[Victim, ...]:
    """Describe the people with the highest confidence."""
    confidence = found.confidence
    rows = np.argsort(-confidence, kind="stable")[:MOST_SHOWN]
    rows = rows[confidence[rows] > 0]
    names = names_of(people, identity, found.columns, rows.tolist())
    victims = []
    for who, row in zip(names, rows.tolist(), strict=True):
        kind = int(found.matching.kind[row])
        look = found.look[kind : kind + 1]
        n = int(found.matching.look_sizes[look[0]])
        learned = {}
        for name, counts in hidden.items():
            text, amount = next(iter(counts.among(look).items()))
            learned[name] = (text or "no value") + ("" if amount == n else f" ({amount / n:.0%})")
        victims.append(
            Victim(
                who=who,
                confidence=float(confidence[row]),
                learned=learned,
                records=n,
                people=int(found.matching.kind_sizes[kind]),
            )
        )
    return tuple(victims)
