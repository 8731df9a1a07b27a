"""What was guessed of people, in words."""

from __future__ import annotations

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.attacks.base.attack import Victim
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.surest import pick_surest
from unlinkable.tables.attacks.learned.shared.guessing import Guesses
from unlinkable.tables.attacks.learned.shared.kinds import Hidden, Kinds
from unlinkable.tables.data import SideTable, texts_of
from unlinkable.tables.models import number_of
from unlinkable.typing import Columns

__all__ = ["found_by_guessing", "guessed_victims", "naming_columns"]


def found_by_guessing(
    column: str, n_fallen: int, n_people: int, limit: float, highest: float
) -> str:
    """Say for how many people a column is guessed with more confidence than is borne."""
    return (
        f"For {n_fallen:,} of {number_of(n_people, 'person', 'people')} {column!r} is inferred "
        f"with a confidence above {limit:.3g}; the surest guess has {highest:.3g}."
    )


def guessed_victims(
    target: Target, kinds: Kinds, hidden: Hidden, guesses: Guesses, shown: Columns
) -> tuple[Victim, ...]:
    """Tell of the people whose values are guessed with the greatest confidence.

    ``shown`` are the columns that they are named by.
    """
    frame = target.frame if kinds.people is None else kinds.people.frame
    surest = pick_surest(guesses.confidence)
    surest = surest[guesses.codes[surest] >= 0]
    rows = kinds.first[surest]
    texts = {name: texts_of(frame, name)[rows].to_list() for name in shown}
    return tuple(
        Victim(
            {name: texts[name][i] or "" for name in shown},
            float(guesses.confidence[at]),
            {hidden.column: hidden.domain.text(int(guesses.codes[at]))},
            int(kinds.n_records[at]),
            int(kinds.sizes[at]),
        )
        for i, at in enumerate(surest.tolist())
    )


def naming_columns(
    people: SideTable, identity: str | None, shared: Columns, target: Target
) -> Columns:
    """Say by what people of a list are named: the first column that the release does not have.

    Raises
    ------
    SchemaError
        If the column that is asked for is not there.
    """
    if identity is not None:
        if identity not in people.columns:
            raise SchemaError(f"{unknown('column', identity, people.columns)} in {people.name!r}")
        return (identity,)
    others = [name for name in people.columns if name not in target.frame.columns]
    return (others[0],) if others else shared
