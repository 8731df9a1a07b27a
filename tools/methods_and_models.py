"""Write the table of which method serves which model, from what the methods themselves say.

Every method is asked whether it refuses each model, with and without leaving records out, and with
all sorts of parameters. Methods that give the same answers share a column.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from tests.tables.models.samples import MODELS
from tools.methods_page import FAMILIES
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.registry.lookup import entries
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import All, GroupModel, Merging

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "methods-and-models.md"

HEAD = """\
# Which method serves which model

Written from what the methods themselves say (`python -m tools.methods_and_models`). Methods that
give the same answers share a column:

"""

LEGEND = """
**yes**: with and without leaving records out. **whole**: if no record may be left out
(`suppression = 0`). **some**: with some of its parameters; for example, about all quasi-identifying
columns, and not about some of them. **no**: refused by name, with the reason.

*Merging* is what putting groups together does to the promise: if it **absorbs**, a good group
stays good whatever joins it; if it is **safe**, good groups stay good together; if it is
**unsafe**, they may not. *Alone* tells whether a group can be judged without looking at the others.
Where parameters decide, the least tolerant ones are taken.

"""

FOOT = """
## Why

- `optimal` and `mingen` judge every node that they cannot rule out, and `datafly` goes up until the
  promise holds: they serve whatever can be seen in groups. So do `genetic`, which only compares
  releases, and `k-optimize`, which rules out by loss where the promise says nothing.
- `incognito`, `ola`, `flash`, `samarati` and `spalm` rule nodes out by their neighbours. That needs
  a promise that merging does not break and, if records may be left out, one that absorbs: else a
  node above a release may be none.
- `improved-greedy`, `bottom-up-generalization` and `l-plus-optimize` take a coarser table to be
  closer to the promise, or no worse. That needs a promise that merging does not break.
- `top-down-specialization`, `hdtds` and `top-down-refinement` start from all records alike and ask
  whether the promise survives each step. They serve what `optimal` serves, but refuse a table that
  breaks an unsafe promise as a whole, for that is where they start. `top-down-disclosure` hides
  values beside others that it tells: people of a population then look like several groups, and
  promises that compare with one are refused. The same goes for `top-down-refinement` where a
  column has no taxonomy.
- `cluster-framework` serves what its masking method serves.
- `mu-argus` looks at few columns together: the answers are for promises about no more columns than
  its `size`; it refuses others when it knows the table.
- `mondrian`, `infogain-mondrian` and `lsd-mondrian` cut as long as both halves keep the promise,
  starting from all records in one group. For an unsafe promise that is enough only if no two groups
  overlap or look alike, which is so with their defaults and for promises about all
  quasi-identifying columns. The last two compare cuts by what the halves are worth, and leave
  promises about all groups together to `mondrian`.
- `mpalm`, `greedy-cell` and `oka` judge one group at a time, and the last two make groups that
  overlap: they need promises that merging does not break and that a group keeps by itself.
- `best` serves what `mondrian` or `optimal` serves: where its own groups will not do, it takes the
  better of these two.
- `greedy-personalized` serves `personalized-privacy` alone, or beside promises about other columns:
  it generalizes the sensitive values themselves.
- `recursive-histogram` halves boxes and takes halves back that break the promise: it judges one
  group at a time.
- `anatomize` and `ke-permutation` publish all values but the sensitive ones as they were. They can
  promise what is only about the sensitive values of a bucket, the second one of a single column of
  numbers; and `r-robust-bucketization` what is about beliefs that somebody has beforehand.
- `mdav` and `r-gather` put records together that then show the same: what merging does not break,
  and a group keeps by itself, can be promised.
- `median-swapping` serves promises about sensitive values in groups, and
  `perturbed-generalization` those about the number of people in a group: it publishes one record of
  each, with another sensitive value.
- `pram` and `alpha-beta` are randomized responses, `dp-histogram` and `dp-synthetic` add noise to
  counts: these four keep promises about noise, which no choice of groups does.
- `rank-swapping`, `condensation`, `density-perturbation`, `cross-training-round`, `drbt` and
  `synthetic` promise nothing that could be seen in what they publish.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Ask every method about every model."""
    samples = sampled()
    columns = alike(samples)
    letters = [chr(ord("A") + i) for i in range(len(columns))]
    legend = [_line(["column", "methods"]), _line(["---"] * 2)]
    for letter, names in zip(letters, columns.values(), strict=True):
        legend.append(_line([letter, ", ".join(map(_linked, names))]))
    header = ["model", "merging", "alone", *letters]
    lines = [_line(header), _line(["---"] * len(header))]
    for i, (name, models) in enumerate(samples.items()):
        merging, alone = _facts(models)
        answers = [column[i] for column in columns]
        lines.append(_line([f"[`{name}`](models/{name}.md)", merging, alone, *answers]))
    return HEAD + "\n".join(legend) + "\n" + LEGEND + "\n".join(lines) + "\n" + FOOT


def sampled() -> dict[str, list[GroupModel]]:
    """Take all samples of every model that know their columns, in the order of their names."""
    found: dict[str, list[GroupModel]] = {}
    for model in sorted(MODELS, key=lambda model: model.name):
        with suppress(SchemaError):
            model.needs()
            found.setdefault(model.name, []).append(model)
    return found


def alike(samples: dict[str, list[GroupModel]]) -> dict[tuple[str, ...], list[str]]:
    """Put the methods together that give the same answers, in the order of the reference."""
    known = {entry.name: entry.make() for entry in entries("method")}
    found: dict[tuple[str, ...], list[str]] = {}
    for _, _, needs in FAMILIES.values():
        for name in needs:
            if name in known:
                answers = tuple(served(known[name], models) for models in samples.values())
                found.setdefault(answers, []).append(name)
    return found


def served(method: Method, models: list[GroupModel]) -> str:
    """Ask a method about a model with all sorts of parameters."""
    given = {
        (_accepts(method, m, may_suppress=False), _accepts(method, m, may_suppress=True))
        for m in models
    }
    if len(given) > 1:
        return "some"
    return {(True, True): "yes", (True, False): "whole"}.get(given.pop(), "no")


def _facts(models: list[GroupModel]) -> tuple[str, str]:
    """Say what merging does, and whether groups are judged alone, for the least tolerant one."""
    searchable = [model for model in models if not model.unsearchable]
    merging = min((model.merging for model in searchable), default=None)
    alone = {model.local for model in models}
    words = "none" if merging is None else Merging(merging).name.lower()
    return words, "no" if alone == {False} else "yes" if alone == {True} else "some"


def _linked(name: str) -> str:
    (file,) = [file for file, (_, _, needs) in FAMILIES.items() if name in needs]
    return f"[`{name}`](methods/{file}#{name})"


def _accepts(method: Method, model: GroupModel, *, may_suppress: bool) -> bool:
    try:
        method.require(All([model]), may_suppress=may_suppress)
    except UnsupportedError:
        return False
    return True


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
