"""For each promise the adversaries that it guards against, and the most that they may reach.

Most promises bound how sure an attack can be: `guards` makes these attacks, with all that their
adversaries may know, and `ceiling` knows the bounds. Others bound something else: a mean, a gain, a
share of records, an error. `measures` says what that is, and how it is read from the outcome of an
attack, or from an adversary who does what the definition says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from attrs import define, field

from tests.tables.attacks import adversaries, near_values
from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.attacks import (
    AttributeLinkage,
    BackgroundKnowledge,
    Corruption,
    Minimality,
    Proximity,
    RecordLinkage,
    Skewness,
    TableLinkage,
)
from unlinkable.tables.attacks.base.attack import Attack, Outcome
from unlinkable.tables.attacks.shared.ceilings import ceiling
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.models.shared.templates import Template
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.releases.release import Release

CLOSE = 1e-8
"""Chances that are this much higher are the same: they are sums of floats."""

SOLVED = 1e-5
"""What a solver finds may be this far off."""

_NOT_TRIED = ("no record has", "some people fit several groups", "too few to say")
"""Why an attack cannot be tried on a release that it fits otherwise."""


@define(frozen=True)
class Measure:
    """Something that a promise bounds from above, and that is no confidence of an attack.

    Attributes
    ----------
    what
        What it is, in words, for the page on attacks and models.
    reached
        How far an adversary comes; None if he cannot be tried on this release.
    bound
        The most that is promised.
    close
        What is this much higher is the same.
    """

    what: str
    reached: Callable[[Attackable], float | None] = field(eq=False)
    bound: float | Fraction
    close: float = CLOSE


def guards(model: GroupModel) -> Iterator[Attack]:
    """Make the adversaries that a promise is about, as strong as it allows them to be."""
    m: Any = model
    qid, at_most = getattr(m, "qid", None) or getattr(m, "x", None), None
    about = getattr(m, "sensitive", None)
    values = getattr(m, "values", None)
    match model.name:
        case "k-anonymity" | "multirelational-k-anonymity" | "crowd-entropy" | "xy-anonymity":
            yield RecordLinkage(qid=qid)
        case "profitability" if m.population is None:
            yield RecordLinkage()
        case "xy-linkability" if m.values is not None:
            pass
        case "alpha-k-anonymity" | "kc-anonymity" | "lkc-privacy":
            at_most = m.l if model.name == "lkc-privacy" else None
            yield RecordLinkage(at_most=at_most)
            yield AttributeLinkage(about, values=values, at_most=at_most)
            if at_most is None and values is None:
                yield Corruption(about, n=1)
        case "distinct-l-diversity" | "ke-anonymity":
            yield RecordLinkage()
        case "frequency-l-diversity" | "entropy-l-diversity":
            yield RecordLinkage()
            yield AttributeLinkage(about)
        case "recursive-cl-diversity":
            yield RecordLinkage()
            yield AttributeLinkage(about)
            yield BackgroundKnowledge(sensitive=about, negations=max(m.l - 2, 0))
        case "t-closeness" if m.distance.value != "equal":
            pass
        case "t-closeness" | "hellinger-closeness" | "beta-likeness" | "delta-disclosure":
            yield Skewness(about)
            yield AttributeLinkage(about)
        case "d-gamma-privacy" if m.prior is None:
            yield Skewness(about)
            yield AttributeLinkage(about)
        case "confidence-bounding":
            for t in map(Template.read, m.templates):
                yield AttributeLinkage(t.column, qid=t.qid or None, values=(t.value,))
        case "xy-linkability" | "xy-privacy":
            if len(m.y) == 1:
                yield AttributeLinkage(m.y[0], qid=qid)
        case "ff-anonymity":
            for name, text in (pair.split("=") for pair in m.sensitive):
                yield AttributeLinkage(name, values=(text,), at_most=2)
        case "epsilon-m-anonymity" if m.interval.value == "relative":
            yield Proximity(about, epsilon=m.epsilon)
        case "epsilon-m-anonymity":
            yield Proximity(about, width=m.epsilon)
        case "squared-error-diversity" if m.v > 0:
            yield RecordLinkage()
            yield Proximity(about, width=0)
        case "delta-presence":
            yield TableLinkage(population=m.population)
        case "skyline-privacy":
            for negations, others, same, _ in m.points:
                if others:
                    yield Corruption(about, n=others)
                yield BackgroundKnowledge(
                    sensitive=about, negations=negations, others=others, same=same
                )
        case "r-robustness" | "delta-bounding":
            for prior in m.prior if values is None else ():
                is_joint = model.name == "r-robustness" and m.taken.value == "joint"
                yield BackgroundKnowledge(sensitive=about, prior=prior, joint=is_joint)
        case "privacy-maxent" if values is None:
            yield AttributeLinkage(about)
        case "m-confidentiality":
            if values is None:
                yield AttributeLinkage(about)
            elif len(values) == 1 and m.m * m.h == 1:
                yield Minimality(about, values=values, assumes="minimal")
        case _ if model.owner_ceiling() is not None:
            yield RecordLinkage(qid=qid)
        case _ if "share_ceiling" in vars(type(model)):
            yield AttributeLinkage(about, values=values)


def measures(model: GroupModel) -> Iterator[Measure]:
    """Say what else a promise bounds, and how that is seen."""
    m: Any = model
    match model.name:
        case "average-risk":
            what = "the mean confidence of `record-linkage`"
            yield Measure(what, _mean_confidence, m.risk)
        case "k-map":
            what = "how sure `record-linkage` with the population is of the owner of a record"
            yield Measure(what, partial(_certainty, m.population), Fraction(1, m.k))
        case "population-uniqueness" if m.population is not None:
            what = "the share of records with one owner for `record-linkage` with the population"
            yield Measure(what, partial(_share_of_unique, m.population), m.share)
        case "profitability":
            what = "what `record-linkage` earns, less what it costs or the publisher can bear"
            yield Measure(what, partial(_profit, m), 0)
        case "multirelational-k-anonymity":
            what = "how sure one is of the owner of a record, among the owners of all alike"
            yield Measure(what, partial(_of_owners, m.qid), Fraction(1, m.k))
        case "distinct-l-diversity":
            what = "1 if somebody who can rule out l - 2 values is certain of another"
            ruling = BackgroundKnowledge(sensitive=m.sensitive, negations=max(m.l - 2, 0))
            yield Measure(what, partial(_is_certain, ruling), 0)
        case "ke-anonymity" if m.e > 0:
            what = "1 if somebody is certain of a number to within less than e"
            near = Proximity(m.sensitive, width=m.e * Fraction(99, 100))
            yield Measure(what, partial(_is_certain, near), 0)
        case "delta-presence" if m.low > 0:
            what = "how sure `table-linkage` is that somebody is not there"
            yield Measure(what, partial(_absence, m.population), 1 - m.low)
        case "t-closeness" if m.distance.value == "hierarchical":
            what = "how much likelier a kind of value becomes: a child of the root of its taxonomy"
            yield _of_groups(what, m.t, near_values.gain_of_a_kind, m.sensitive)
        case "t-closeness" if m.distance.value == "ordered":
            what = "how far the mean rank of a number moves, of all ranks"
            yield _of_groups(what, m.t, near_values.shift_of_the_rank, m.sensitive)
        case "n-t-closeness":
            what = "how much likelier a value is than in the nearest crowd of n"
            yield _of_groups(what, m.t, adversaries.gain_over_a_crowd, m.sensitive, m.n)
        case "d-gamma-privacy":
            what = "how many times less likely a value becomes that was unlikely"
            yield Measure(what, partial(_ruled_out, m), m.gamma / m.d)
        case "squared-error-diversity":
            what = "how little a guess at the mean is off: less the mean squared error"
            yield Measure(what, partial(_less_error, m.sensitive), -m.v)
        case _:
            yield from _of_people(m)


def _of_people(m: Any) -> Iterator[Measure]:
    """Say what promises bound about adversaries who know people as they were."""
    match m.name:
        case "personalized-privacy":
            what = "the chance of what somebody guards"
            is_subtree = m.guards_against.value == "subtree"
            found = partial(adversaries.breach, subtree=is_subtree)
            yield _of_groups(what, m.p, found, m.sensitive, m.guard)
        case "bt-privacy" if m.distance.value == "equal":
            what = "how much likelier a value becomes for who knows people near by"
            yield _of_groups(what, m.t, adversaries.change_of_belief, m.sensitive, m.b)
        case "privacy-maxent" if m.values is None:
            what = "the chance of a value in the belief of the largest entropy"
            yield Measure(what, partial(_largest_entropy, m), m.p, SOLVED)
        case "ct-isolation" if m.points is None and not m.scaled:
            what = "one out of those who are about as near to a guess as the victim"
            yield _of_groups(what, Fraction(1, m.t), adversaries.isolation, m.columns, m.c)
        case "m-confidentiality":
            what = "the chance of a value in the worlds in which merging was needed"
            known = m.sensitive, m.h, m.values
            yield _of_groups(what, 1 / m.m, adversaries.needed_worlds, *known)


def _of_groups(
    what: str, bound: Fraction, find: Callable[..., float | None], *known: object
) -> Measure:
    """Read a bound from an adversary by definition, who needs to know who is in which group."""

    def reached(attacked: Attackable) -> float | None:
        is_known = attacked.truth is not None and attacked.truth.rows is not None
        return find(attacked, *known) if is_known and attacked.target.is_grouped else None

    return Measure(what, reached, bound)


def _mean_confidence(attacked: Attackable) -> float | None:
    outcome = _tried(attacked, RecordLinkage())
    if outcome is None:
        return None
    return _detail(outcome, "right_guesses_expected") / max(_detail(outcome, "people"), 1)


def _certainty(population: str, attacked: Attackable) -> float | None:
    outcome = _tried(attacked, RecordLinkage(external=population))
    return None if outcome is None else _detail(outcome, "highest_certainty_of_a_record")


def _is_certain(attack: Attack, attacked: Attackable) -> float | None:
    outcome = _tried(attacked, attack)
    return None if outcome is None else float(outcome.highest > 1 - CLOSE)


def _absence(population: str, attacked: Attackable) -> float | None:
    outcome = _tried(attacked, TableLinkage(population=population))
    if outcome is None or _detail(outcome, "people_estimated"):
        return None
    return 1 - _detail(outcome, "lowest_presence")


def _share_of_unique(population: str, attacked: Attackable) -> float | None:
    outcome = _tried(attacked, RecordLinkage(external=population))
    if outcome is None:
        return None
    n = _detail(outcome, "records_with_one_candidate") + _detail(outcome, "records_unmatched")
    return n / max(_detail(outcome, "records"), 1)


def _profit(m: Any, attacked: Attackable) -> float | None:
    """Give what an attack on the surest victim brings, or what it harms more than is gained."""
    if m.population is not None:
        sure = _certainty(m.population, attacked)
    else:
        outcome = _tried(attacked, RecordLinkage())
        sure = None if outcome is None else outcome.highest
    if sure is None:
        return None
    profit = sure * float(m.adversary_gain) - float(m.adversary_cost)
    harm = sure * float(m.publisher_loss) - float(m.publisher_benefit)
    return min(profit, harm) if m.attack else profit


def _of_owners(qid: Sequence[str] | None, attacked: Attackable) -> float | None:
    assert attacked.truth is not None
    owner = attacked.truth.table.schema.owner
    assert owner is not None
    return adversaries.fewest_owners(attacked, owner, qid)


def _ruled_out(m: Any, attacked: Attackable) -> float | None:
    before = None
    if m.prior is not None:
        told: Mapping[str, Any] = attacked.side.given[m.prior]
        before = dict(zip(told["value"], told["p"], strict=True))
    if not attacked.target.is_grouped:
        return None
    return adversaries.ruled_out(attacked, m.sensitive, m.d, before)


def _less_error(sensitive: str, attacked: Attackable) -> float | None:
    if not attacked.target.is_grouped:
        return None
    error = adversaries.error_of_the_mean(attacked, sensitive)
    return None if error is None else -error


def _largest_entropy(m: Any, attacked: Attackable) -> float | None:
    if not attacked.target.is_truthful:
        return None
    known: Mapping[str, Any] = attacked.side.given[m.constraints]
    return adversaries.largest_entropy(attacked, m.sensitive, known)


def _detail(outcome: Outcome, name: str) -> float:
    found = outcome.details[name]
    assert isinstance(found, int | float)
    return found


def assert_withstands(release: Release) -> int:
    """Assert that nobody who is guarded against reaches more than is promised; count attacks."""
    return assert_within_bounds(Attackable.of(release), release.models)


def assert_within_bounds(attacked: Attackable, models: Sequence[GroupModel]) -> int:
    """Assert that nobody reaches more than these promises allow; count the attacks."""
    tried = 0
    for model in models:
        for attack in guards(model):
            bound = ceiling(attack, [model], attacked.target)
            if attack.name == "record-linkage" and attacked.target.bucket is not None:
                assert bound is None, "buckets show what is known of people as it was"
                continue
            assert bound is not None, f"{model} says nothing of {attack}"
            found = _sureness(attacked, attack)
            assert found is None or found <= bound + CLOSE, (str(attack), str(model), found)
            tried += found is not None
        for measure in measures(model):
            reached = measure.reached(attacked)
            if reached is not None:
                assert reached <= measure.bound + measure.close, (measure.what, str(model), reached)
                tried += 1
    return tried


def _sureness(attacked: Attackable, attack: Attack) -> float | None:
    """Say how sure an adversary is at most; where values were replaced, by what records show."""
    outcome = _tried(attacked, attack)
    if outcome is not None:
        return outcome.highest if outcome.interval is None else outcome.interval[0]
    if isinstance(attack, RecordLinkage) and not attacked.target.is_truthful:
        return adversaries.one_of_a_crowd(attacked, attack.qid, attack.at_most)
    return None


def _tried(attacked: Attackable, attack: Attack) -> Outcome | None:
    """Attack a release; None if that cannot be tried there."""
    if attack.misfit(attacked.target, attacked.knowledge()) is not None:
        return None
    try:
        return attacked.attack(attack)
    except (DataError, UnsupportedError) as error:
        if any(why in str(error) for why in _NOT_TRIED):
            return None
        raise
