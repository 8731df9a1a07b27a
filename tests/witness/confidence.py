"""How sure an adversary gets of a value, and how many people he must choose between.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: definitions 2.1
and 2.3, sections 2.2.2 to 2.2.5 and 8.4; Byun et al., 2006, definition 1 for (k, c).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.witness.models import Row, groups, k_anonymity

__all__ = [
    "Template",
    "frequency_l",
    "highest_share",
    "is_alpha_k_anonymous",
    "is_frequency_l_diverse",
    "is_kc_anonymous",
    "is_xy_linkable",
    "is_xy_private",
    "joined",
    "keeps_templates",
    "multirelational_k",
    "template_confidence",
    "xy_anonymity",
    "xy_linkability",
]


@dataclass(frozen=True)
class Template:
    """No more than a share h of the records that look alike on ``qid`` may have this value."""

    qid: tuple[str, ...]
    column: str
    value: Hashable
    h: Fraction


def highest_share(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    values: Collection[Hashable] | None = None,
) -> Fraction | None:
    """Give the largest share that a value has in a group, among these values or all.

    >>> table = [{"q": 1, "s": "hiv"}, {"q": 1, "s": "flu"}, {"q": 1, "s": "flu"}]
    >>> highest_share(table, ["q"], "s"), highest_share(table, ["q"], "s", ["hiv"])
    (Fraction(2, 3), Fraction(1, 3))
    """
    return max(
        (
            Fraction(sum(row[sensitive] == value for row in group), len(group))
            for group in groups(rows, qid).values()
            for value in ({row[sensitive] for row in rows} if values is None else values)
        ),
        default=None,
    )


def frequency_l(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> Fraction | None:
    """Give the largest l such that no value has more than 1/l of a group.

    >>> frequency_l([{"q": 1, "s": "a"}, {"q": 1, "s": "b"}, {"q": 1, "s": "b"}], ["q"], "s")
    Fraction(3, 2)
    """
    share = highest_share(rows, qid, sensitive)
    return None if share is None else 1 / share


def is_frequency_l_diverse(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    l: Fraction | int,  # noqa: E741
) -> bool:
    """Whether every value has at most |group| / l records in every group."""
    return all(
        n <= len(group) / Fraction(l)
        for group in groups(rows, qid).values()
        for n in Counter(row[sensitive] for row in group).values()
    )


def template_confidence(rows: Sequence[Row], template: Template) -> Fraction | None:
    """Give Conf(qid -> value), the largest share of the value in a group.

    >>> table = [{"q": 1, "s": "hiv"}, {"q": 1, "s": "flu"}, {"q": 2, "s": "flu"}]
    >>> template_confidence(table, Template(("q",), "s", "hiv", Fraction(1, 2)))
    Fraction(1, 2)
    """
    return highest_share(rows, template.qid, template.column, [template.value])


def keeps_templates(rows: Sequence[Row], templates: Iterable[Template]) -> bool:
    """Whether no template is exceeded."""
    return all((template_confidence(rows, each) or 0) <= each.h for each in templates)


def xy_anonymity(rows: Sequence[Row], x: Sequence[str], y: Sequence[str]) -> int | None:
    """Give A_Y(X), the fewest different values on Y that go with a value on X.

    >>> table = [{"x": 1, "y": "a"}, {"x": 1, "y": "b"}, {"x": 1, "y": "b"}]
    >>> xy_anonymity(table, ["x"], ["y"])
    2
    """
    assert not {*x} & {*y}, "X and Y must have no column in common"
    return min(
        (len({tuple(row[c] for c in y) for row in group}) for group in groups(rows, x).values()),
        default=None,
    )


def xy_linkability(
    rows: Sequence[Row],
    x: Sequence[str],
    y: Sequence[str],
    values: Collection[tuple[Hashable, ...]] | None = None,
) -> Fraction | None:
    """Give L_Y(X), the largest share of a value on Y among the records with a value on X.

    >>> table = [{"x": 1, "y": "a"}, {"x": 1, "y": "b"}, {"x": 1, "y": "b"}]
    >>> xy_linkability(table, ["x"], ["y"]), xy_linkability(table, ["x"], ["y"], [("a",)])
    (Fraction(2, 3), Fraction(1, 3))
    """
    assert not {*x} & {*y}, "X and Y must have no column in common"
    linked = [{**row, "Y": tuple(row[c] for c in y)} for row in rows]
    return highest_share(linked, x, "Y", values)


def is_xy_linkable(
    rows: Sequence[Row],
    x: Sequence[str],
    y: Sequence[str],
    h: Fraction | Mapping[tuple[Hashable, ...], Fraction],
) -> bool:
    """Whether L_Y(X) is at most h, or for every listed value at most its own threshold.

    >>> table = [{"x": 1, "y": "a"}, {"x": 1, "y": "b"}, {"x": 1, "y": "b"}]
    >>> is_xy_linkable(table, ["x"], ["y"], {("a",): Fraction(1, 3), ("b",): Fraction(3, 5)})
    False
    """
    if isinstance(h, Mapping):
        return all((xy_linkability(rows, x, y, [value]) or 0) <= h[value] for value in h)
    return (xy_linkability(rows, x, y) or 0) <= h


def is_xy_private(
    rows: Sequence[Row],
    x: Sequence[str],
    y: Sequence[str],
    k: int,
    h: Fraction,
    *,
    values: Collection[tuple[Hashable, ...]] | None = None,
    distinct: bool = False,
) -> bool:
    """Whether every x has k records (or k different y) and links to no y by more than h.

    >>> table = [{"x": 1, "y": "a"}, {"x": 1, "y": "b"}, {"x": 1, "y": "b"}]
    >>> [is_xy_private(table, ["x"], ["y"], 3, Fraction(2, 3), distinct=d) for d in (False, True)]
    [True, False]
    """
    size = xy_anonymity(rows, x, y) if distinct else k_anonymity(rows, x)
    return (size is None or size >= k) and (xy_linkability(rows, x, y, values) or 0) <= h


def is_alpha_k_anonymous(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    alpha: Fraction,
    k: int,
    *,
    values: Collection[Hashable] | None = None,
) -> bool:
    """Whether every group has k records, and at most a share alpha of each (listed) value.

    >>> table = [{"q": 1, "s": "a"}, {"q": 1, "s": "b"}, {"q": 1, "s": "b"}]
    >>> is_alpha_k_anonymous(table, ["q"], "s", Fraction(1, 2), 3)
    False
    >>> is_alpha_k_anonymous(table, ["q"], "s", Fraction(1, 2), 3, values=["a"])
    True
    """
    return all(
        len(group) >= k and (highest_share(group, [], sensitive, values) or 0) <= alpha
        for group in groups(rows, qid).values()
    )


def is_kc_anonymous(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, k: int, c: Fraction
) -> bool:
    """Whether every class has k records, and every sensitive value a share of at most c."""
    for group in groups(rows, qid).values():
        counts = Counter(row[sensitive] for row in group)
        if counts.total() < k or any(Fraction(n, counts.total()) > c for n in counts.values()):
            return False
    return True


def joined(relations: Sequence[Sequence[Row]]) -> list[dict[str, Hashable]]:
    """Join relations on the columns that they have in common.

    >>> joined([[{"id": 1}, {"id": 2}], [{"id": 1, "a": "x"}, {"id": 1, "a": "y"}]])
    [{'id': 1, 'a': 'x'}, {'id': 1, 'a': 'y'}]
    """
    found: list[dict[str, Hashable]] = [{}]
    for relation in relations:
        found = [
            {**left, **right}
            for left in found
            for right in relation
            if all(left[column] == right[column] for column in {*left} & {*right})
        ]
    return found


def multirelational_k(
    relations: Sequence[Sequence[Row]], qid: Sequence[str], owner: str
) -> int | None:
    """Give the fewest different owners that share their quasi-identifier on the join.

    >>> people = [{"id": 1, "sex": "f"}, {"id": 2, "sex": "f"}]
    >>> visits = [{"id": 1, "zip": "a"}, {"id": 1, "zip": "a"}, {"id": 2, "zip": "a"}]
    >>> multirelational_k([people, visits], ["sex", "zip"], "id")
    2
    """
    found = groups(joined(relations), qid).values()
    return min((len({row[owner] for row in group}) for group in found), default=None)
