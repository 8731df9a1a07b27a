"""What weighing people against records tells, in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.attacks.linking.shared.fellegi_sunter import WeighedLinks
from unlinkable.tables.attacks.linking.shared.link_words import doubts, known_shares, names_of
from unlinkable.tables.attacks.linking.shared.links import Hidden
from unlinkable.tables.data import SideTable, keep_rows, texts_of
from unlinkable.tables.models import number_of
from unlinkable.typing import BoolArray, Columns

__all__ = ["details_of_weights", "found_by_weight", "guess_hidden", "n_right", "weighed_victims"]


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
        f"{fallen:,} of {number_of(n, 'person', 'people')} can be linked to a record, allowing for "
        "misspelt and missing values."
    ]
    if right is not None and fallen:
        words.append(f"{number_of(right, 'link')} of these {'is' if right == 1 else 'are'} right.")
    told = ", ".join(found.columns)
    if found.n_passes == 0:
        words = [
            f"Nobody was linked: {told} alone do not tell people apart well enough to weigh them."
        ]
    elif found.says_little:
        words.append(
            f"That says little: only {number_of(found.n_weighed, 'person', 'people')} of the list "
            f"came near enough to any record on {told} to be weighed. Values may be changed or "
            "written in another way; the others may have records as well."
        )
    elif found.is_short:
        words.append(
            f"That says little: {number_of(n, 'person', 'people')} of a list "
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
    """Tell of the people whose records are surest."""
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
