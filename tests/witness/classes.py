"""What a release tells of a class, and at what price, from the definitions.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: equations 4.5 to
4.11. Labels are the classes of all records of the original table. Of a record that was left out
nobody knows more than the whole table says.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from tests.witness.losses import Shown, groups_of

__all__ = [
    "anonymity",
    "class_entropy",
    "classification_metric",
    "gain_of_split",
    "igpl",
    "igpl_of_step",
    "ilpg",
    "ilpg_of_step",
    "information_gain",
    "information_lost",
    "loses_nothing",
    "raw_release",
]

Labels = Sequence[Hashable]


def class_entropy(labels: Labels) -> float:
    """E = - sum of p log2 p, in bits; of no records 0.

    >>> class_entropy("yynn"), class_entropy("yyyy"), class_entropy("")
    (1.0, 0.0, 0.0)
    """
    shares = [Fraction(n, len(labels)) for n in Counter(labels).values()]
    return math.fsum(-float(p) * math.log2(p) for p in shares)


def gain_of_split(children: Sequence[Labels]) -> float:
    """InfoGain(v) = E(T[v]) - sum of |T[c]| / |T[v]| E(T[c]) over the children c.

    >>> round(gain_of_split(["YYYYYN", "NNNNN", ""]), 6)  # example 6.6: ANY_Job
    0.639473
    """
    together = [label for child in children for label in child]
    return class_entropy(together) - math.fsum(
        len(child) / len(together) * class_entropy(child) for child in children if child
    )


def igpl_of_step(children: Sequence[Labels], losses: Sequence[int]) -> float:
    """IG / (PL + 1), where PL is the mean of what each QID with the attribute loses of anonymity.

    >>> round(igpl_of_step(["Y" * 20 + "N" * 4, "N" * 12, "N" * 4], [36]), 6)  # example 6.3
    0.016486
    """
    privacy_loss = Fraction(sum(losses), len(losses)) if losses else Fraction(0)
    return gain_of_split(children) / (float(privacy_loss) + 1)


def ilpg_of_step(children: Sequence[Labels], gains: Sequence[int]) -> float:
    """IL / PG of putting the children together again; endless if no anonymity is gained.

    >>> ilpg_of_step(["yy", "nn"], [2]), ilpg_of_step(["yy", "nn"], [0])
    (0.5, inf)
    """
    gain = Fraction(sum(gains), len(gains)) if gains else Fraction(0)
    return gain_of_split(children) / float(gain) if gain else math.inf


def classification_metric(release: Sequence[Shown], labels: Labels) -> Fraction:
    """Share of the records that are left out or not of the majority class of their group.

    >>> a, b = {"x": frozenset({1})}, {"x": frozenset({2})}
    >>> classification_metric([a, a, a, b, None], "yynnn")
    Fraction(2, 5)
    """
    penalties = 0
    for place, record in enumerate(release):
        if record is None:
            penalties += 1
            continue
        others = [labels[i] for i, other in enumerate(release) if other == record]
        # Of classes that tie for the majority, any one is taken: the first that occurs.
        majority = max(others, key=others.count)
        penalties += labels[place] != majority
    return Fraction(penalties, len(release)) if release else Fraction(0)


def information_gain(release: Sequence[Shown], labels: Labels) -> float:
    """InfoGain of the release, seen as one specialization of a table that shows nothing.

    A group is worth what is gained by knowing its classes in place of those of the table; all
    groups together, if nothing is left out, E(T) - sum of |g| / |T| E(g).

    >>> a, b = {"x": frozenset({1})}, {"x": frozenset({2})}
    >>> information_gain([a, a, b, b], "yynn"), information_gain([a, a, a, a], "yynn")
    (1.0, 0.0)
    >>> information_gain([a, a, None, None], "yynn")
    0.5
    """
    bits = []
    for group in groups_of(release):
        classes = [labels[place] for place in group]
        for label in classes:
            here = Fraction(classes.count(label), len(classes))
            anywhere = Fraction(list(labels).count(label), len(labels))
            bits.append(math.log2(here / anywhere))
    return math.fsum(bits) / len(labels)


def loses_nothing(
    original: Sequence[Mapping[str, Hashable]], release: Sequence[Shown], labels: Labels
) -> bool:
    """Whether the release tells as much of the class as the raw table does, exactly.

    By strict concavity of the entropy, that is so if all raw records of a group have the classes in
    the shares of the group, and those that are left out in the shares of the table.
    """
    raw = groups_of(raw_release(original))
    groups = groups_of(release)
    for members in raw:
        place = members[0]
        published = next((group for group in groups if place in group), range(len(labels)))
        if _shares(members, labels) != _shares(published, labels):
            return False
    return True


def igpl(gain: float, release: Sequence[Shown]) -> float:
    """Gain of the step from a table that shows nothing, over 1 + the anonymity it costs.

    >>> a, b = {"x": frozenset({1})}, {"x": frozenset({2})}
    >>> igpl(1.0, [a, a, b, b])  # 1 / (4 - 2 + 1)
    0.3333333333333333
    """
    nothing: list[Shown] = [{}] * len(release)
    return gain / (anonymity(nothing) - anonymity(release) + 1)


def ilpg(
    loss: float, original: Sequence[Mapping[str, Hashable]], release: Sequence[Shown]
) -> float:
    """Loss of the step from the raw table, over the anonymity it gains.

    Nothing lost is 0, also for nothing gained; anything lost for nothing is endless.

    >>> a = {"x": frozenset({1, 2})}
    >>> ilpg(1.0, [{"x": 1}, {"x": 1}, {"x": 2}, {"x": 2}], [a] * 4)  # 1 / (4 - 2)
    0.5
    """
    gain = anonymity(release) - anonymity(raw_release(original))
    if not loss:
        return 0.0
    return loss / gain if gain else math.inf


def information_lost(
    original: Sequence[Mapping[str, Hashable]], release: Sequence[Shown], labels: Labels
) -> float:
    """InfoGain of the raw table less that of the release."""
    if loses_nothing(original, release, labels):
        return 0.0
    return information_gain(raw_release(original), labels) - information_gain(release, labels)


def anonymity(release: Sequence[Shown]) -> int:
    """A(QID): the size of the smallest group; of a release of nobody the whole table."""
    return min(map(len, groups_of(release)), default=len(release))


def raw_release(original: Sequence[Mapping[str, Hashable]]) -> list[Shown]:
    """Publish every record as it is."""
    return [{a: frozenset([v]) for a, v in record.items()} for record in original]


def _shares(places: Sequence[int], labels: Labels) -> dict[Hashable, Fraction]:
    counts = Counter(labels[place] for place in places)
    return {label: Fraction(n, len(places)) for label, n in counts.items()}
