"""Write the table of all methods, from what the methods themselves say and do.

What a method needs is written here. Whether it proves an optimum and whether it leaves records out
is seen on a small table.
"""

from __future__ import annotations

from pathlib import Path

from unlinkable import LKCPrivacy, PersonalizedPrivacy, Tree, anonymize, as_table
from unlinkable.errors import UnsupportedError
from unlinkable.registry.entry import Entry
from unlinkable.registry.lookup import entries
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods.base.search import Method, Search
from unlinkable.tables.models import (
    DifferentialPrivacy,
    FrequencyLDiversity,
    KAnonymity,
    KEAnonymity,
    RRobustness,
    TCloseness,
)
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "methods" / "index.md"

HEAD = """\
# Methods

A method makes a release that keeps the promise and loses little. Most *search*: they generalize
values, see how many people share which values, never a record, and do not know which model they
serve. Others do something else to the records: they tell sensitive values for
[buckets](#buckets), replace values by others, or publish records that nobody has. Whether a release
keeps the promise is judged afterwards, on what is published.

[Which method should I use?](../../how-to/choose-a-method.md) leads from what you have to a method.
[What all of them lose, and how long they take](../../explanation/methods-table.md) is measured on
the same tables. Not every method serves every promise:
[a table](../methods-and-models.md) of all methods and models says which do. A method that does not
refuses the promise by name, with the reason, before it searches.

The tables are written from what the methods themselves say and do
(`python -m tools.methods_page`). *Recoding* is the [operation](../operations.md) that every
proposal of the method is held to. *Proves*: whether it can prove that no other release of its kind
loses less. *Leaves out*: whether it leaves records out, up to the share that `suppression` allows;
others publish everybody. *Stops*: whether it can be [stopped](#stopping) with what it has. *Needs*:
what the table must have, beside columns to generalize. Where *a class* stands in brackets, it
follows one if there is one.

For methods that do not generalize, *publishes* says what recipients get, *promises* which of some
usual promises the method can make ([all of them](../methods-and-models.md)), and *true* whether
published records are still true of the people they came from. Where nothing can be promised, the
section of the method says on what its protection rests instead. An
[operation](../operations.md) that replaces values can be given in place of a method, too:
`additive-noise`, `data-swapping`, `post-randomization`, `synthetic-data`.
"""

FOOT = """\
## Stopping

Methods that *stop* have a release at any time, and end with it when they are asked to:

| how | where |
| --- | --- |
| after so many steps | `steps`, a parameter of the method; what a step is stands in its section |
| after so many seconds | `time`, a parameter of the method |
| when you have had enough | Ctrl-C, once. A second one gives up, and nothing is written |

What comes of it is a release like any other: judged again on the published values, and written
whole. Only the claim is missing: nothing is called optimal that was not proved.

```pycon
>>> import unlinkable as ul
>>> people = ul.as_table({"age": [22, 24, 27, 31, 33, 38, 52, 57]}, quasi="age")
>>> for steps in (0, 1, 2, None):
...     method = ul.TopDownSpecialization(steps=steps)
...     release = ul.anonymize(people, privacy=ul.KAnonymity(2), method=method)
...     print(steps, release.n_groups, release.solution.is_complete, release.holds)
0 1 False True
1 2 False True
2 3 False True
None 4 True True

```

Steps are the same on every machine, and so is the release; seconds are not. Give `steps` where a
release must be repeatable.

## What a search tells

`release.solution` has what the search found, beside the release:

| | |
| --- | --- |
| `node` | the level of every column, if all values of a column go to the same level |
| `optimal` | whether nothing of its kind loses less; None if the method does not aim at that |
| `alternatives` | other nodes that would do, of methods that find several |
| `effort` | what it took: counts that do not depend on the machine |
| `trace` | what was done, step by step, and the score that decided; see below |
| `is_complete` | whether the search came to its own end, and was not stopped |
| `facts` | what else the holder should know, such as how much of the clusters is kept |
| `cells` | what sensitive columns show, if they are generalized, too |

A step of the trace has the `column`, the range of codes `[lo, hi)` that was replaced by its
`parts` or that took their place, and its `score`.

The trace, the effort and the facts may tell more of the original than the release does: they are in
the [private half](../bundle.md#provenancejson) of the bundle, and not published. With `--json`,
`anonymize` prints `complete`, `effort` and `facts`.

A method is held to its kind: if a proposal is not of the recoding that the method says, or does not
keep the promise, nothing is published.
"""

FAMILIES: dict[str, tuple[str, str, dict[str, str]]] = {
    "lattices.md": (
        "Lattices",
        "All values of a column go to the same level of its taxonomy.",
        {
            "optimal": "",
            "ola": "",
            "flash": "",
            "incognito": "",
            "samarati": "",
            "mingen": "",
            "datafly": "",
            "improved-greedy": "",
            "spalm": "(a population)",
        },
    ),
    "cuts.md": (
        "Cuts",
        "A value is shown in the same way in all records that hold it.",
        {
            "top-down-specialization": "(a class)",
            "hdtds": "(a class)",
            "top-down-disclosure": "(a class)",
            "top-down-refinement": "(a class)",
            "bottom-up-generalization": "taxonomies; (a class)",
            "genetic": "taxonomies; (a class)",
            "k-optimize": "taxonomies",
            "l-plus-optimize": "taxonomies",
            "mu-argus": "a promise about few columns at once",
            "cluster-framework": "the extra `ml`",
        },
    ),
    "regions.md": (
        "Regions",
        "Each record is as precise as its neighbours allow.",
        {
            "best": "",
            "mondrian": "",
            "infogain-mondrian": "a class",
            "lsd-mondrian": "a number to predict",
            "mpalm": "(a population)",
            "greedy-cell": "",
            "oka": "",
            "greedy-personalized": "a guard column; a taxonomy of the sensitive column",
        },
    ),
    "buckets.md": (
        "Buckets",
        "Values stay as they are; which sensitive value belongs to whom is not published.",
        {
            "anatomize": "a sensitive column",
            "ke-permutation": "a sensitive column of numbers",
            "r-robust-bucketization": "a table of what is believed beforehand",
        },
    ),
    "microaggregation.md": (
        "Microaggregation",
        "Records of a cluster show its centre, or are made up from its statistics.",
        {
            "mdav": "",
            "r-gather": "numbers",
            "condensation": "numbers",
        },
    ),
    "perturbation.md": (
        "Swapping and noise",
        "Values are replaced by others; what they say together is kept.",
        {
            "rank-swapping": "columns with an order",
            "pram": "categories",
            "alpha-beta": "few columns",
            "median-swapping": "a sensitive column",
            "perturbed-generalization": "a sensitive column",
        },
    ),
    "points.md": (
        "Points",
        "Records are points in space, and where they lie close together less is hidden.",
        {
            "recursive-histogram": "numbers",
            "density-perturbation": "numbers",
            "cross-training-round": "numbers",
            "drbt": "numbers",
        },
    ),
    "synthetic.md": (
        "Synthetic data",
        "Records that nobody has, from a model of those that there are.",
        {"synthetic": ""},
    ),
    "differential-privacy.md": (
        "Differential privacy",
        "Nothing is published but what noise has paid for.",
        {
            "dp-histogram": "the extra `dp`; listed values or bins",
            "dp-synthetic": "the extra `dp`; listed values or bins",
        },
    ),
}
"""The methods by page, and what each needs."""

PUBLISHES = {
    "anatomize": "two tables",
    "ke-permutation": "two tables",
    "r-robust-bucketization": "two tables",
    "mdav": "means of clusters",
    "r-gather": "centres of clusters",
    "condensation": "made-up records",
    "rank-swapping": "swapped values",
    "pram": "randomized values",
    "alpha-beta": "some records, and made-up ones",
    "median-swapping": "medians and drawn values",
    "perturbed-generalization": "one record of each group",
    "recursive-histogram": "boxes",
    "density-perturbation": "noisy points",
    "cross-training-round": "boxes and noisy points",
    "drbt": "other coordinates",
    "synthetic": "made-up records",
    "dp-histogram": "noisy counts",
    "dp-synthetic": "made-up records",
}
"""What methods publish that do not generalize."""

(_PRIOR,) = RRobustness(2, prior="prior", sensitive="ill").bind(
    BindingContext(
        quasi=("sex",),
        sensitive=("ill",),
        side=Side.of({"prior": {"sex": ["f"], "value": ["flu"], "p": [0.5]}}),
    )
)

USUAL: dict[str, GroupModel] = {
    "k-anonymity": KAnonymity(2),
    "l-diversity": FrequencyLDiversity(2, sensitive="ill"),
    "t-closeness": TCloseness("0.5", sensitive="ill"),
    "(k,e)-anonymity": KEAnonymity(2, 1, sensitive="stay"),
    "r-robustness": _PRIOR,
    "differential privacy": DifferentialPrivacy(1),
}
"""What methods that do not generalize are asked for."""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """List all methods by family."""
    known = {entry.name: entry for entry in entries("method")}
    header = ["name", "does", "recoding", "proves", "leaves out", "stops", "needs"]
    masked_header = ["name", "does", "publishes", "promises", "true", "needs"]
    parts = [HEAD.rstrip()]
    for file, (title, words, needs) in FAMILIES.items():
        is_masked = any(name in PUBLISHES for name in needs)
        columns = masked_header if is_masked else header
        cells = _masked_cells if is_masked else _cells
        lines = [_line(columns), _line(["---"] * len(columns))]
        lines += [_line(cells(known[name], file, needs[name])) for name in needs if name in known]
        parts.append(f"## {title}\n\n{words} [More]({file})\n\n" + "\n".join(lines))
    return "\n\n".join([*parts, FOOT])


def _cells(entry: Entry, file: str, needs: str) -> list[str]:
    method = entry.make()
    assert isinstance(method, Search)
    whole, part = tried(method, "0"), tried(method, "0.2")
    return [
        f"[`{entry.name}`]({file}#{entry.name})",
        entry.summary,
        _recoding(method),
        "yes" if whole.solution.optimal else "",
        "yes" if part.n_suppressed else "",
        "yes" if method.stoppable else "",
        needs,
    ]


def _masked_cells(entry: Entry, file: str, needs: str) -> list[str]:
    method = entry.make()
    assert isinstance(method, Method)
    return [
        f"[`{entry.name}`]({file}#{entry.name})",
        entry.summary,
        PUBLISHES[entry.name],
        ", ".join(said for said, model in USUAL.items() if _accepts(method, model)) or "nothing",
        "yes" if method.truthful else "",
        needs,
    ]


def _accepts(method: Method, model: GroupModel) -> bool:
    try:
        method.require(All([model]), may_suppress=False)
    except UnsupportedError:
        return False
    return True


def _recoding(method: Search) -> str:
    if hasattr(method, "masking"):
        return "as `masking`"
    if method.scheme is MultidimensionalGeneralization:
        return "regions"
    return method.scheme.name.replace("-generalization", "").replace("-", " ")


def tried(method: Search, suppression: str) -> GeneralizedRelease:
    """Run a method on a table with one record that is like no other."""
    people = as_table(
        {
            "a": [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3],
            "b": [*"xxyyyxxyyyz"],
            "ill": [*"pqrspqrspqr"],
            "minds": ["p", *[None] * 10],
            "income": [*range(11)],
        },
        quasi=["a", "b"],
        sensitive="ill",
        target="income",
        guard="minds",
        taxonomies={"ill": Tree({"low": ["p", "q"], "high": ["r", "s"]})},
    )
    promise = PROMISES.get(method.name, KAnonymity(2))
    return anonymize(people, privacy=promise, method=method, suppression=suppression, seed=0)


PROMISES: dict[str, GroupModel] = {
    "mu-argus": LKCPrivacy(l=1, k=2, c=1),
    "greedy-personalized": PersonalizedPrivacy("0.5"),
}
"""What methods are asked for that do not serve k-anonymity."""


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    main()
