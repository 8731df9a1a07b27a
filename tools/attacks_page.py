"""Write the pages on attacks and models: who stops whom, and what each promise does not stop.

Both are found by running every attack on small published tables: what the promises that a table
keeps allow the adversary to reach, and what he reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import define

import unlinkable as ul
from tests.tables.attacks.guards import Measure, guards, measures
from tools.showcases import EXAMPLES, SHOWCASES, Showcase, keeps
from unlinkable.registry.lookup import entries
from unlinkable.tables.attacks.base.attack import Adversary, Attack, Outcome
from unlinkable.tables.attacks.shared.ceilings import ceiling
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.base import BindingContext, GroupModel
from unlinkable.tables.publishing.attacking.attackable import Attackable

DOCS = Path(__file__).parent.parent / "docs"
MATRIX = DOCS / "reference" / "attacks" / "attacks-and-models.md"
NOT_ENOUGH = DOCS / "explanation" / "not-enough.md"

NOISY = (ul.DifferentialPrivacy(1), ul.DistributionalPrivacy("0.9", "0.05", cells=4))
"""Promises about noise, which no table shows."""


_SURE = 0.8
"""So sure one becomes at least of artists, whatever the noise."""

_FEW = 20
"""Adversaries who go through all possible worlds are tried on tables of so many people at most."""

NOT_HERE = ("definetti", "membership", "minimality")
"""Attacks that these tables say nothing about."""


@define(frozen=True)
class Fall:
    """A promise that is kept, and an attack that succeeds nevertheless, with what it finds."""

    model: GroupModel
    title: str
    story: str
    attack: Adversary
    reached: str
    found: str


def main() -> None:
    """Write both pages."""
    MATRIX.write_text(matrix_page(), encoding="utf-8")
    NOT_ENOUGH.write_text(examples_page(), encoding="utf-8")


@cache
def outcomes(showcase: Showcase) -> Mapping[str, Outcome]:
    """Try all attacks on a table, with tables that the adversary has."""
    found = showcase.attackable().attack_all()
    return {outcome.attack.name: outcome for outcome in found.outcomes}


def noisy(model: GroupModel) -> Attackable:
    """Publish counts with noise: everybody knows afterwards which jobs go with which illness."""
    rows = [("artist", "hiv")] * 95_000 + [("artist", "flu")] * 5_000
    rows += [("clerk", "flu")] * 90_000 + [("clerk", "hiv")] * 10_000
    columns = {"job": [job for job, _ in rows], "ill": [ill for _, ill in rows]}
    listed = {
        "job": ul.Tree({"any": ["artist", "clerk"]}),
        "ill": ul.Tree({"any": ["flu", "hiv"]}),
    }
    table = ul.as_table(columns, quasi="job", sensitive="ill", taxonomies=listed)
    method = ul.DPHistogram(marginals=(("job", "ill"),))
    return Attackable.of(ul.anonymize(table, privacy=model, method=method))


def falls() -> Iterator[Fall]:
    """Find for every model a table that keeps it, and the attack that nobody expects."""
    for model, showcase, attack in EXAMPLES:
        assert keeps(showcase, model), model
        o = outcomes(showcase)[attack]
        assert o.succeeded, model
        yield Fall(model, showcase.title, showcase.story, o.attack, f"{o.highest:.2f}", o.found)
    for model in NOISY:
        outcome = noisy(model).attack('classifier(model="naive-bayes")')
        assert outcome.highest > _SURE, model
        yield Fall(
            model,
            "What is true of everybody",
            "Nearly all artists have HIV. Noise hides who is in the table, and not that.",
            outcome.attack,
            f"more than {_SURE}",
            "of every artist, whether or not he is in the table, it is as good as known.",
        )


def _bound_models(model: GroupModel, showcase: Showcase) -> tuple[GroupModel, ...]:
    return model.bind(BindingContext.of(showcase.table.schema, Side.of(dict(showcase.side))))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _reached(model: GroupModel, name: str) -> str:
    """Say what an attack reaches at most on the tables that keep a promise, and may reach."""
    bounds, guarded, highest = [], [], []
    for showcase in SHOWCASES:
        if not keeps(showcase, model):
            continue
        if name in outcomes(showcase):
            highest.append(outcomes(showcase)[name])
        attacked = showcase.attackable()
        for bound_model in _bound_models(model, showcase):
            for attack in guards(bound_model):
                if attack.name == name:
                    bounds.append(ceiling(attack, [bound_model], attacked.target))
                    guarded += _tried(attacked, attack)
    return _cell(bounds, guarded, highest)


def _tried(attacked: Attackable, attack: Attack) -> list[float]:
    knowledge = attacked.knowledge()
    if attack.misfit(attacked.target, knowledge) is not None:
        return []
    return [attack.attack(attacked.target, knowledge).highest]


def _cell(bounds: list[float | None], guarded: list[float], highest: list[Outcome]) -> str:
    most = max((b for b in bounds if b is not None), default=1.0)
    if most < 1:
        return f"**≤ {most:.2f}**" + (f" ({max(guarded):.2f})" if guarded else "")
    if not highest:
        return ""
    worst = max(highest, key=lambda outcome: outcome.highest)
    return f"{worst.highest:.2f}{' ✗' if any(o.succeeded for o in highest) else ''}"


def matrix_page() -> str:
    """Write who stops whom."""
    names = [
        entry.name
        for entry in entries("attack")
        if entry.name not in NOT_HERE and ".series." not in entry.make.__module__
    ]
    header = ["model", *(f"`{name}`" for name in names)]
    lines = [_line(header), _line(["---"] * len(header))]
    for model in sorted((m for m, _, _ in EXAMPLES), key=lambda m: m.name):
        cells = [_reached(model, name) for name in names]
        lines.append(_line([_linked_model(model), *cells]))
    return MATRIX_HEAD + "\n".join(lines) + "\n" + MEASURES_HEAD + "\n".join(_measured()) + "\n"


def _linked_model(model: GroupModel) -> str:
    return f"[`{model}`](../models/{model.name}.md)"


def _measured() -> Iterator[str]:
    """Say what else promises bound, and what was reached on the tables that keep them."""
    header = ["model", "what is bounded", "at most", "reached"]
    yield _line(header)
    yield _line(["---"] * len(header))
    for model in sorted((m for m, _, _ in EXAMPLES), key=lambda m: m.name):
        found: dict[Measure, list[float]] = {}
        for showcase in SHOWCASES:
            if len(showcase.table) <= _FEW and keeps(showcase, model):
                for bound_model in _bound_models(model, showcase):
                    for measure in measures(bound_model):
                        reached = measure.reached(showcase.attackable())
                        found.setdefault(measure, [])
                        found[measure] += [] if reached is None else [reached]
        for measure, levels in found.items():
            worst = f"{max(levels) + 0.0:.2f}" if levels else ""
            bound = f"{float(measure.bound):.2f}"
            yield _line([_linked_model(model), measure.what, bound, worst])


def examples_page() -> str:
    """Write what each promise does not stop."""
    sections = [_section(fall) for fall in falls()]
    tables = [f"### {s.title}\n\n{_shown(s)}\n" for s in SHOWCASES]
    return EXAMPLES_HEAD + "\n".join([*sections, "## The tables\n", *tables])


def _section(fall: Fall) -> str:
    return (
        f"## {fall.model.name}\n\n"
        f"**{fall.title}.** {fall.story}{_linked(fall.title)}\n\n"
        f"The table keeps [`{fall.model}`](../reference/models/{fall.model.name}.md). "
        f"`{fall.attack}` reaches a confidence of **{fall.reached}**: {fall.found}\n\n"
        f"What stops it: {fall.attack.remedy}.\n"
    )


def _linked(title: str) -> str:
    """Say where a table is shown."""
    if not any(showcase.title == title for showcase in SHOWCASES):
        return ""
    return f" ([The table](#{title.lower().replace(' ', '-').replace(',', '')}).)"


def _shown(showcase: Showcase) -> str:
    """Show a table, and how often each record is in it."""
    names = list(showcase.columns)
    counts = Counter(zip(*showcase.columns.values(), strict=True))
    lines = [_line([*names, "people"]), _line(["---"] * (len(names) + 1))]
    lines += [
        _line([*("" if v is None else str(v) for v in row), str(n)]) for row, n in counts.items()
    ]
    return "\n".join(lines)


MATRIX_HEAD = """\
# Attacks and models: who stops whom

Made by running every attack on small published tables (`python -m tools.attacks_page`).

- **≤ 0.50** (0.33): the promise bounds the confidence of this adversary. The bound, and in
  brackets what he reached on the tables that keep the promise. The tests hold all these bounds
  against tables made up by chance, published by every method that serves the promise.
- 1.00 ✗: the promise says nothing about him, and on one of the tables he passes his limit.
- 0.40: the promise says nothing about him, and he did not pass his limit here. That is no proof.
- empty: he could not be tried on a table that keeps the promise.

Bounds hold for adversaries who know no more than the promise assumes: `lkc-privacy` bounds those
who know at most L values of a victim. Three attacks are not tried here:
[`definetti`](beliefs.md#definetti) is for buckets, and no promise about single buckets stops it;
[`membership`](learning.md#membership) and [`minimality`](minimality.md) ask the method that made a
release. A promise about noise bounds the first of these. The second is bounded by
`m-confidentiality` for adversaries who know the share h that is allowed and that nothing is
generalized without need, and not for those who know the method. Attacks on several releases of the
same people are not tried on one.

"""

MEASURES_HEAD = """
## What else is bounded

Some promises do not bound how sure somebody is of a single person, but a mean, a gain, a share of
records or an error; and some are about adversaries who reason in a way that is their own. This is
what they bound, and what was reached on the tables that keep them. A profit is less what it costs,
and an error counts negative: for both, less is safer. The tests hold these bounds, too, against
tables made up by chance and published by every method that serves the promise. Nobody can see
`differential-privacy` and `distributional-privacy` in a table: for these two, methods publish again
and again, and an adversary who knows all others, or both tables that were possible, guesses which
one it was. He is right with a chance of at most (1 + tanh(ε/2)) / 2. `population-uniqueness` is
counted with a population; without one it is an estimate, which bounds nobody.

"""

EXAMPLES_HEAD = """\
# Why k-anonymity is not enough, and what else is not

No promise stops everybody. For each privacy model here is a small table that keeps it, and an
attack that succeeds nevertheless. The tables are so small that you see at once what happens; in
large tables it happens in some group. Everything on this page was made by running the attacks
(`python -m tools.attacks_page`).

Read it as a list of questions. Who might want to know? What does he know already? Then promise what
stops *him*, and attack the release before somebody else does:
[Break a release, then fix it](../tutorial/break-and-fix.md).

"""

if __name__ == "__main__":
    main()
