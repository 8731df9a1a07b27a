"""Join promise: what a policy means by its columns, and what earlier releases promised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from unlinkable.errors import SchemaError, unknown
from unlinkable.registry import make
from unlinkable.tables.attacks.series import read_rules, read_targets
from unlinkable.tables.data import Frame, frame_of, texts_of
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.atoms import UNPUBLISHED, JoinPromise

if TYPE_CHECKING:
    from unlinkable.tables.series.sequential.sequential import Sequential

__all__ = ["earlier_promises", "join_promise_of", "remembered"]

_PROMISED = "promised"
"""What earlier promises are remembered as."""


def join_promise_of(policy: Sequential, request: Request, past: Past) -> JoinPromise:
    """Say which columns are meant.

    Raises
    ------
    SchemaError
        If one is in no release, or nothing is known.
    """
    schema, targets = request.table.schema, [e.target for e in past.editions]
    told = [c.name for c in schema.columns if c.role not in UNPUBLISHED]
    there = list(dict.fromkeys([*(n for t in targets for n in t.frame.columns), *told]))
    hidden = dict.fromkeys([*(n for t in targets for n in t.sensitive), *schema.sensitive])
    texts = policy.y or tuple(hidden)
    asked = read_targets(texts) if texts else ()
    kept = {item.column for item in asked}
    quasi = dict.fromkeys([*(n for t in targets for n in t.quasi), *schema.quasi])
    x = policy.x or tuple(name for name in quasi if name not in kept)
    for name in (*x, *kept):
        if name not in there:
            raise SchemaError(
                f"{unknown('column', name, there)} of this table or an earlier release"
            )
    if not x:
        raise SchemaError("no column is known to others: name what is known with x=...")
    return JoinPromise(
        x, asked, policy.h, policy.k, read_rules(policy.inconsistent), policy.numbers
    )


def remembered(policies: Iterable[Sequential]) -> Mapping[str, Frame]:
    """Write down what was promised."""
    said = list(dict.fromkeys(map(str, policies)))
    return {_PROMISED: frame_of({"policy": said})} if said else {}


def earlier_promises(past: Past) -> list[Sequential]:
    """Give what was promised when earlier releases were published."""
    told = past.memory.get(_PROMISED)
    texts = [] if told is None else texts_of(told, "policy").to_list()
    return [cast("Sequential", make("policy", str(text))) for text in texts]
