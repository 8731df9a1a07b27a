"""Forty people, all methods, and promises with witnesses that see whether they are kept.

Methods are those that are exported, made without parameters, and some written forms of them.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars as pl
import pytest

import unlinkable as ul
from tests.witness import closeness
from tests.witness import promises as literal
from tests.witness.emd import emd_equal
from tests.witness.models import groups
from tests.witness.tree import Tree
from tests.witness.values import is_ff_anonymous, is_personalized
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.spelling import read_call
from unlinkable.tables.data import Table
from unlinkable.tables.methods import cuts, lattice, regions
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease

Row = Mapping[str, Hashable]
Judge = Callable[[Sequence[Row]], bool]

QUASI = ("age", "job", "zip", "sex")
ILL, STAY = "ill", "stay"
HALF = Fraction(1, 2)

JOBS = {
    "Professional": ["Engineer", "Lawyer"],
    "Artist": {"Stage": ["Dancer", "Singer"], "Desk": ["Writer"]},
}
JOB_LEAVES = {
    "Professional": {"Engineer", "Lawyer"},
    "Artist": {"Dancer", "Singer", "Writer"},
    "Stage": {"Dancer", "Singer"},
    "Desk": {"Writer"},
}
ILLNESSES = Tree.nested(
    {"*": {"virus": {"flu": {}, "hiv": {}}, "other": {"ulcer": {}, "none": {}}}}
)

VARIANTS = [
    "mondrian(strict=false)",
    'mondrian(labels="taxonomy")',
    'mondrian(split="best", along="taxonomy")',
    'infogain-mondrian(labels="taxonomy")',
    "infogain-mondrian(strict=false)",
    'greedy-cell(direction="top-down", labels="intervals")',
    'oka(variant="enhanced")',
    'best(labels="taxonomy")',
    'top-down-specialization(score="discernibility", numbers="taxonomy")',
    'top-down-refinement(score="loss")',
    'hdtds(score="discernibility")',
    "top-down-disclosure(steps=3)",
    'genetic(population=10, idle=10, guide="metric", numbers="order")',
    'k-optimize(boundaries="values", steps=30)',
    'bottom-up-generalization(guide="metric")',
    "mu-argus(rare=0)",
]
"""Written forms that are worth a look of their own, at some promises."""

MADE = {
    "lsd-mondrian": 'lsd-mondrian(targets="stay")',  # the target of the table is a class
    "genetic": "genetic(population=10, idle=5)",
    "greedy-personalized": "greedy-personalized(steps=4)",
    "k-optimize": "k-optimize(steps=10)",  # it looks at all cuts where merging may break promises
}
"""Methods that need parameters here."""

TIES_SEE_THE_ORDER = {"best", "cluster-framework", "mu-argus"}
"""Methods whose choice among equals depends on which record comes first."""


def known() -> dict[str, type[Search]]:
    """List all methods that are exported, by their names."""
    rooms = (lattice, cuts, regions)
    found = [getattr(room, name) for room in rooms for name in room.__all__]
    return {x.name: x for x in found if isinstance(x, type) and issubclass(x, Search)}


def made(texts: Iterable[str]) -> list[Search]:
    """Make the methods of these written forms that are there."""
    calls = [read_call(text) for text in sorted(texts)]
    return [known()[name](**given) for name, given in calls if name in known()]


NUMBERS_ONLY = {"recursive-histogram"}
"""Searches that refuse the categories of these people: see ``test_every_masking.py``."""

METHODS = made(MADE.get(name, name) for name in known().keys() - NUMBERS_ONLY)
OTHERS = made(VARIANTS)


@cache
def people() -> list[dict[str, Hashable]]:
    """Make up forty people, the same every time."""
    chance = random.Random(11)
    return [
        {
            "age": chance.randint(20, 59),
            "job": chance.choice(["Engineer", "Lawyer", "Dancer", "Singer", "Writer"]),
            "zip": chance.choice(["1010", "1012", "1140", "2010", "2025"]),
            "sex": chance.choice("fm"),
            ILL: chance.choice(["flu", "flu", "hiv", "ulcer", "none", "none"]),
            STAY: chance.randint(1, 9),
            "rich": chance.choice("yn"),
            "guard": chance.choice(["", "hiv", "", "virus"]),
        }
        for _ in range(40)
    ]


@cache
def population() -> list[dict[str, Hashable]]:
    """Make up the people among whom they live: themselves, and two that look alike for each."""
    shown = [{name: row[name] for name in QUASI} for row in people()]
    return [person for person in shown for _ in range(3)]


def table_of(rows: Sequence[Row], **roles: object) -> Table:
    given: dict[str, object] = {
        "quasi": QUASI,
        "sensitive": [ILL, STAY],
        "target": "rich",
        "guard": "guard",
        "taxonomies": {
            "age": ul.Intervals(5, 10, 20),
            "job": ul.Tree(JOBS, pad=True),
            "zip": ul.Mask(4),
            ILL: ul.Tree({"virus": ["flu", "hiv"], "other": ["ulcer", "none"]}),
        },
        **roles,
    }
    frame = pl.DataFrame({name: [row[name] for row in rows] for name in people()[0]})
    extra = {n: [r[n] for r in rows] for n in ("w", "who") if rows and n in rows[0]}
    return ul.as_table(frame.with_columns(**{n: pl.Series(v) for n, v in extra.items()}), **given)  # type: ignore[arg-type]


@cache
def patients() -> Table:
    return table_of(people())


def covers(text: Hashable, value: Hashable) -> bool:
    """Whether a published text may stand for a raw value."""
    said = str(text)
    if text is None or value is None:
        return text == value or text == "*"
    if said in ("*", str(value)) or value in JOB_LEAVES.get(said, ()):
        return True
    if bounds := re.fullmatch(r"\[(\d+)-(\d+)\)|<(\d+)|>=(\d+)", said):
        low, high, below, above = (None if b is None else int(b) for b in bounds.groups())
        low, high = (above, below) if low is None else (low, high)
        number = int(str(value))
        return (low is None or low <= number) and (high is None or number < high)
    if said.startswith("{"):
        return str(value) in said[1:-1].split(", ")
    return len(said) == len(str(value)) and all(
        shown in ("*", raw) for shown, raw in zip(said, str(value), strict=True)
    )


def who_matches(row: Row) -> int:
    """Count the people that a published record may be about."""
    return sum(all(covers(row[c], person[c]) for c in QUASI) for person in population())


def is_k_mapped(k: int) -> Judge:
    return lambda rows: all(who_matches(row) >= k for row in rows)


def is_presence_below(high: Fraction) -> Judge:
    return lambda rows: all(
        len(group) <= high * who_matches(group[0]) for group in groups(rows, QUASI).values()
    )


@dataclass(frozen=True)
class Case:
    """What is promised, and how the witnesses see whether it is kept."""

    name: str
    models: Sequence[GroupModel]
    judge: Judge
    side: Mapping[str, object] = field(default_factory=dict)


def case(models: GroupModel | Sequence[GroupModel], *promises: literal.Promise) -> Case:
    asked = [models] if isinstance(models, GroupModel) else list(models)
    name = " & ".join(map(str, asked))
    return Case(name, asked, lambda rows: literal.hold(promises, rows, QUASI))


PEOPLE = {"people": pl.DataFrame(population())}
CASES = [
    case(ul.KAnonymity(3), literal.k_anonymous(3)),
    case(
        [ul.KAnonymity(4, qid=("age", "sex")), ul.KAnonymity(3, qid=("job", "sex"))],
        literal.k_anonymous(4, qid=("age", "sex")),
        literal.k_anonymous(3, qid=("job", "sex")),
    ),
    case(ul.DistinctLDiversity(2, sensitive=ILL), literal.distinct_l_diverse(2, ILL)),
    case(
        ul.EntropyLDiversity("1.8"),
        literal.entropy_l_diverse(Fraction("1.8"), ILL),
        literal.entropy_l_diverse(Fraction("1.8"), STAY),
    ),
    case(ul.RecursiveCLDiversity(c=2, l=2, sensitive=ILL), literal.recursive_cl_diverse(2, 2, ILL)),
    case(ul.TCloseness("0.4", sensitive=ILL), literal.t_close(Fraction("0.4"), ILL, emd_equal)),
    case(
        [ul.KAnonymity(2), ul.TCloseness("0.5", sensitive=ILL)],
        literal.k_anonymous(2),
        literal.t_close(HALF, ILL, emd_equal),
    ),
    case(
        ul.FrequencyLDiversity("1.6", sensitive=ILL),
        literal.frequency_l_diverse(Fraction("1.6"), ILL),
    ),
    case(
        ul.ConfidenceBounding(["age, sex -> ill = hiv <= 0.4", "job -> ill = none <= 0.5"]),
        literal.confident_at_most(Fraction("0.4"), ILL, "hiv", qid=("age", "sex")),
        literal.confident_at_most(HALF, ILL, "none", qid=("job",)),
    ),
    case(ul.AlphaKAnonymity(0.5, 3, sensitive=ILL), literal.alpha_k_anonymous(HALF, 3, ILL)),
    case(ul.KCAnonymity(3, 0.5, sensitive=ILL), literal.alpha_k_anonymous(HALF, 3, ILL)),
    case(
        ul.LKCPrivacy(2, 4, 0.5, sensitive=ILL),
        *literal.lkc_private(QUASI, ILL, L=2, K=4, C=HALF),
    ),
    case(
        ul.LKCPrivacy(2, 3, 0.4, sensitive=ILL, values=["hiv"]),
        *literal.lkc_private(QUASI, ILL, L=2, K=3, C=Fraction("0.4"), values=["hiv"]),
    ),
    case(ul.XYAnonymity(2, y=ILL, x=QUASI[:2]), literal.xy_anonymous(2, [ILL], x=QUASI[:2])),
    case(ul.XYLinkability(0.5, y=ILL), literal.xy_linkable(HALF, [ILL])),
    case(
        ul.HellingerCloseness(0.8, sensitive=ILL),
        literal.nearly_close(0.8, ILL, closeness.hellinger),
    ),
    case(ul.BetaLikeness(4, sensitive=ILL), literal.beta_like(Fraction(4), ILL)),
    case(ul.DeltaDisclosure(3, sensitive=ILL), literal.delta_disclosing(3.0, ILL)),
    case(ul.KEAnonymity(2, 3, sensitive=STAY), literal.ke_anonymous(2, 3, STAY)),
    case(
        ul.EpsilonMAnonymity(1, "1.2", sensitive=STAY),
        literal.epsilon_m_anonymous(1, Fraction("1.2"), STAY),
    ),
    case(ul.SquaredErrorDiversity(2, sensitive=STAY), literal.variance_diverse(2, STAY)),
    case(ul.CrowdEntropy("1.5"), literal.crowded(Fraction("1.5"))),
    Case(
        "ff-anonymity",
        [ul.FFAnonymity(0.6, sensitive=["ill=hiv"], columns=[*QUASI, ILL])],
        lambda rows: is_ff_anonymous(rows, [*QUASI, ILL], [(ILL, "hiv")], Fraction("0.6")),
    ),
    Case(
        "personalized-privacy",
        [ul.PersonalizedPrivacy(0.6, sensitive=ILL)],
        lambda rows: is_personalized(rows, QUASI, ILL, "guard", ILLNESSES, Fraction("0.6")),
    ),
    Case("k-map", [ul.KMap(5, population="people")], is_k_mapped(5), PEOPLE),
    Case(
        "delta-presence",
        [ul.DeltaPresence(0, "0.4", population="people")],
        is_presence_below(Fraction("0.4")),
        PEOPLE,
    ),
]


def published(release: GeneralizedRelease, folder: Path) -> list[dict[str, Hashable]]:
    """Write the published table and read it again as text; beside it, what is not published."""
    file = folder / "data.csv"
    release.applied.frame.write_csv(file)
    originals = kept(release)
    with file.open(encoding="utf-8", newline="") as text:
        rows: list[dict[str, Hashable]] = [dict(row) for row in csv.DictReader(text)]
    assert len(rows) == len(originals) == release.n_records
    for row, raw in zip(rows, originals, strict=True):
        row.update({name: row[name] or None for name in QUASI if name in row})
        row[STAY] = int(str(row[STAY]))
        row["guard"] = raw["guard"] or None
        row["who"] = raw.get("who")
    return rows


def kept(release: GeneralizedRelease) -> list[dict[str, Hashable]]:
    """Give the original records of those that were published, in their order."""
    rows = release.table.frame.rows(named=True)
    return rows if release.applied.rows is None else [rows[i] for i in release.applied.rows]


def assert_true(
    rows: Sequence[Row], release: GeneralizedRelease, quasi: Sequence[str] = QUASI
) -> None:
    """Assert that every published value covers the value it stands for."""
    for row, raw in zip(rows, kept(release), strict=True):
        for name in quasi:
            assert covers(row[name], raw[name]), (name, row[name], raw[name])
        assert row[ILL] in ILLNESSES.paths[raw[ILL]], (row[ILL], raw[ILL])
        assert row[STAY] == raw[STAY]


def show_nothing(rows: Sequence[Row]) -> list[Row]:
    return [{**row, **dict.fromkeys(QUASI, "*"), "guard": row["guard"] or None} for row in rows]


@cache
def run(text: str, name: str, suppression: str) -> GeneralizedRelease | Exception:
    """Run a method for a promise, once; give what came of it."""
    (method,) = (method for method in [*METHODS, *OTHERS] if str(method) == text)
    (asked,) = (asked for asked in CASES if asked.name == name)
    return attempt(patients(), method, asked, suppression)


def attempt(
    table: Table, method: Search, asked: Case, suppression: str = "0"
) -> GeneralizedRelease | Exception:
    try:
        return ul.anonymize(
            table,
            privacy=asked.models,
            method=method,
            suppression=suppression,
            seed=1,
            side=asked.side,
        )
    except (UnsupportedError, InfeasibleError) as refusal:
        return refusal


def first_served(
    method: Search, table: Table, suppression: str = "0"
) -> tuple[GeneralizedRelease, Case]:
    """Run a method for the first promise that it serves, on a table of its own."""
    for asked in CASES:
        if not isinstance(run(str(method), asked.name, suppression), GeneralizedRelease):
            continue
        found = attempt(table, method, asked, suppression)
        if isinstance(found, GeneralizedRelease):
            return found, asked
    pytest.skip(f"nothing of the matrix is served by {method} here")


MATRIX = [
    *((method, asked, share) for method in METHODS for asked in CASES for share in ("0", "0.1")),
    *((method, asked, "0") for method in OTHERS for asked in CASES[::5]),
]
"""Which methods are tried for which promises, and what share they may leave out."""
