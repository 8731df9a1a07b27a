"""Contracts: what workers answer, as plain values.

Every answer can be written as JSON: it is kept in files, sent to the browser and given to programs
as it is. Numbers that are not finite are None.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict

__all__ = [
    "AttackSuite",
    "AttributeOutcome",
    "ColumnWarning",
    "Document",
    "Effect",
    "LatticeMap",
    "LatticeNode",
    "MethodFit",
    "NodeDetails",
    "Outcome",
    "Preview",
    "PromiseText",
    "Published",
    "Rule",
    "SampleTable",
    "SizeBand",
    "Suggestion",
    "TaxonomyView",
    "TreeNode",
    "TrialPreview",
    "ValuePreview",
    "WholeTree",
]

Document: TypeAlias = dict[str, Any]
"""A table of JSON, or a plan as nested tables: see the reference of plan files."""

Rule: TypeAlias = dict[str, Any]
"""A taxonomy as it stands in a plan: ``{"intervals": [5, 10]}``, ``{"mask": 5}``, ..."""


class Preview(TypedDict):
    """The first records, as texts."""

    columns: list[str]
    types: list[str]
    """``category``, ``number`` or ``date``, for each column."""
    rows: list[list[str | None]]
    """None is a missing value."""
    records: int
    """Number of all records."""


class TrialPreview(TypedDict):
    """A file as it would be read."""

    preview: Preview
    """Its first records; ``records`` counts those that were looked at."""
    is_whole: bool
    """Whether that is all of the file."""


class SampleTable(TypedDict):
    """A table about people who do not exist."""

    file: str
    """Its name in ``uploads/``."""
    columns: Document
    """The table ``[columns]`` of a plan that fits it."""


class ColumnWarning(TypedDict):
    """Something about a column that its holder should look at."""

    column: str
    kind: str
    """``identifier``, ``owner``, ``unique``, ``missing``, ``constant`` or ``safe-harbor``."""
    text: str
    """A sentence."""


class Suggestion(TypedDict):
    """A look at a table: ``describe --json``, warnings, and a plan to begin with."""

    description: Document
    """As `unlinkable describe --json` prints it: records, columns (name, type, distinct, missing,
    entropy, unique, role, reason, taxonomy), sets, smallest, safe_harbor."""
    warnings: list[ColumnWarning]
    plan: Document
    """The suggested plan."""
    toml: str


class TreeNode(TypedDict):
    """A node of a taxonomy."""

    label: str
    """What is published in its place."""
    level: int
    """0: a value."""
    records: int
    """How many records have a value below it."""
    values: int
    """How many values of the taxonomy are below it."""
    children: list[TreeNode]
    """At most some; see ``more``."""
    more: int
    """How many further children are not listed."""


class ValuePreview(TypedDict):
    """A value that occurs, on every level."""

    records: int
    levels: list[str]
    """What is published of it on level 0, 1, ... up to the root."""


class TaxonomyView(TypedDict):
    """The taxonomy of a column, as a rule makes it."""

    column: str
    type: str
    rule: Rule
    """The rule that made it."""
    height: int
    """The level of the root."""
    nodes: list[int]
    """How many nodes each level has, from the values to the root."""
    tree: TreeNode
    preview: list[ValuePreview]
    """Some values that occur, spread over the domain, the rarest and the most frequent among
    them."""


class WholeTree(TypedDict):
    """A taxonomy with all its values, to be arranged by hand."""

    root: str
    """What the root is called."""
    values: int
    """How many values there are, without the missing one."""
    missing: int
    """How many records have no value: they always are a node of their own under the root."""
    nested: list[Any] | None
    """What is under the root, as in a rule ``tree``; None if there are too many values."""
    records: dict[str, int]
    """How many records every value has."""


class Effect(TypedDict):
    """What a parameter of a promise would cost, for several values of it."""

    model: str
    """The promise in written form, with the value that it has in the plan."""
    parameter: str
    values: list[float | int | str]
    raw: list[float | None]
    """Share of the records that would be suppressed if values stayed as they are; None where it was
    not computed in time."""
    coarse: list[float | None]
    """The same at the levels below."""
    levels: dict[str, int]
    """The full-domain levels that ``coarse`` is about: those of the run that was named, or those
    that lose the least for the plan as it is."""
    groups: int
    """How many different records there are, as values stand."""
    words: list[str]
    """A sentence for every value: "at k=10 about 4 % of the records would be suppressed"."""


class PromiseText(TypedDict):
    """A promise of the plan, for people."""

    model: str
    """In written form."""
    promised: str
    """A sentence."""
    not_promised: list[str]
    """Sentences, the gravest gap first."""
    problem: str | None
    """Why it cannot be kept, whatever is done; None if nothing stands in the way."""


class MethodFit(TypedDict):
    """Whether a method can keep the promises of the plan."""

    method: str
    refusal: str | None
    """Why not; None if it can."""


class AttributeOutcome(TypedDict):
    """What became of one quasi-identifier."""

    name: str
    loss: float | None
    """Share that was lost, from 0 to 1."""
    level: int | None
    """Its level, if all its values are on one."""
    height: int
    distinct_before: int
    distinct_after: int
    before: list[tuple[str, float]]
    """The distribution of values before: label and share, on the finest level with few nodes."""
    after: list[tuple[str, float]]
    """The same for the published records, where values are spread evenly over what they cover."""
    examples: list[tuple[str, int]]
    """The most frequent published values, and how many records show each."""


class SizeBand(TypedDict):
    """How many groups have a size from ``low`` to ``high``, and their records."""

    low: int
    high: int
    groups: int
    records: int


class Outcome(TypedDict):
    """A run: ``anonymize --json``, and what the studio shows besides."""

    run: int
    """Its number: the folder ``runs/001`` and so on."""
    title: str
    created: str
    """ISO time."""
    release: Document
    """As `unlinkable anonymize --json` prints it: holds, records, suppressed, groups, models (each
    with model, holds, basis, achieved, violating_groups, worst), metrics, method, optimal, node,
    effort, complete, facts, seconds, bundle."""
    kind: str
    """``generalized``, ``bucketized`` or ``perturbed``."""
    plan: Document
    """The plan that it was made from."""
    metric: str | None
    """What guided the search."""
    loss: float | None
    """The release by that metric."""
    suppression: float
    """Share of suppressed records."""
    attributes: list[AttributeOutcome]
    """Empty if values were not generalized."""
    sizes: list[SizeBand]
    exposure: Document | None
    """``highest``, ``average``, ``attribute``: the risks of the published groups."""
    exposure_before: Document | None
    """The same for the original records."""
    is_stale: NotRequired[bool]
    """Added by the workbench: whether data, roles, taxonomies or promises have changed since."""


class LatticeNode(TypedDict):
    """One way to give every quasi-identifier a level."""

    levels: list[int]
    """In the order of ``LatticeMap.columns``."""
    state: str
    """``valid``: a release; ``invalid``: too much would be suppressed; ``pruned``: known to be no
    release without being looked at; ``unknown``: not decided in time."""
    loss: float | None
    """By the metric of the plan; None unless valid."""
    suppressed: int | None
    """Suppressed records; None unless it was examined and valid."""
    groups: int | None


class LatticeMap(TypedDict):
    """All nodes of the lattice."""

    columns: list[str]
    heights: list[int]
    nodes: list[LatticeNode]
    """Only the best that were found, if there are too many: see ``n_nodes``."""
    n_nodes: int
    best: list[int] | None
    """The valid node that loses the least."""
    metric: str
    records: int
    limit: int
    """Maximum number of suppressed records."""
    complete: bool
    """Whether every node was decided."""


class NodeDetails(TypedDict):
    """A node of the lattice, looked at more closely."""

    levels: list[int]
    state: str
    loss: float | None
    losses: dict[str, float]
    """By attribute."""
    suppressed: int
    groups: int
    smallest: int
    """Size of the smallest group, before suppression."""
    average: float
    examples: dict[str, list[str]]
    """Some published values of every attribute at this level."""


class AttackSuite(TypedDict):
    """All attacks on a release: ``attack --all --json``, and a summary in words."""

    run: int | None
    """The run that was attacked; None for the table as it stands."""
    plan: NotRequired[Document]
    """The part of the plan that says what the table is: data and columns."""
    attacks: Document
    """succeeded, doubt, attacks (each: attack, succeeded, undecided, attacked, highest_confidence,
    limit, interval, needs, found, sureness, remedy, details, victims), skipped (attack, why)."""
    summary: str


class Published(TypedDict):
    """A bundle that was published."""

    name: str
    """Its folder below ``bundles/``."""
    run: int | None
    verified: bool
    document: Document
    """As `verify --json` or `publish --json` prints it."""
