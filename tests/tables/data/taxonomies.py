"""Random taxonomies of every kind, over columns of every kind."""

from __future__ import annotations

import string
from datetime import date, datetime

import numpy as np
from hypothesis import strategies as st

from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import (
    Auto,
    Dates,
    Flat,
    Intervals,
    Mask,
    Observed,
    TaxonomyBuilder,
    Tree,
)
from unlinkable.typing import CodeArray

__all__ = ["boxes", "built", "columns", "texts", "upto"]

AWKWARD = [
    " ",
    "a b",
    "a, b",
    "{x}",
    '"',
    "\\",
    "é",
    "NA",
    "-",
    "[1-2)",
    "<3",
    "12",
    "",
    "\n",
    "x,",
]


def texts() -> st.SearchStrategy[str]:
    """Draw a text as careless people write them; never ``*``."""
    return st.one_of(
        st.sampled_from(AWKWARD), st.text("ab,{}\" '\\é;*", max_size=4), st.text(max_size=3)
    ).filter(lambda text: text != "*" and "\0" not in text)


@st.composite
def columns(draw: st.DrawFn, kind: str | None = None, min_size: int = 1) -> Observed:
    """Draw the values of a column: text, whole numbers, decimals, days or times, some missing."""
    kind = kind or draw(st.sampled_from(["text", "int", "float", "date", "time"]))
    value: st.SearchStrategy[object] = {
        "text": texts(),
        "int": st.one_of(st.integers(-50, 120), st.integers(-(2**60), 2**60)),
        "float": st.one_of(
            st.decimals(-50, 120, places=2).map(float),
            st.floats(-1e300, 1e300),
        ),
        "date": st.dates(date(1900, 1, 1), date(2100, 12, 31)),
        "time": st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)),
        "code": st.text(string.digits + "J. ", min_size=0, max_size=5),
    }[kind]
    values = draw(st.lists(value, min_size=min_size, max_size=12))
    if draw(st.booleans()):
        values.append(None)
    return observe("column", values)


@st.composite
def built(draw: st.DrawFn) -> tuple[Observed, TaxonomyBuilder, Taxonomy]:
    """Draw a column, a rule that fits it, and the taxonomy that the rule makes."""
    rule = draw(st.sampled_from(["flat", "auto", "hidden", "intervals", "mask", "dates", "tree"]))
    builder: TaxonomyBuilder
    match rule:
        case "flat":
            observed, builder = draw(columns()), Flat()
        case "auto":
            observed, builder = draw(columns()), Auto(draw(st.integers(2, 4)))
        case "hidden":
            observed, builder = draw(with_hidden()), Auto(draw(st.integers(2, 4)), by_hidden=True)
        case "intervals":
            observed, builder = draw(measured())
        case "mask":
            observed, builder = draw(masked())
        case "dates":
            observed = draw(columns(draw(st.sampled_from(["date", "time"]))))
            parts = draw(
                st.sampled_from(
                    [["month"], ["day", "week"], ["quarter", "year"], ["day", "month", "decade"]]
                )
            )
            builder = Dates(*parts)
        case _:
            observed, builder = draw(trees())
    return observed, builder, builder.build(observed)


@st.composite
def with_hidden(draw: st.DrawFn) -> Observed:
    observed = draw(columns("text"))
    n = observed.domain.n
    rows = [draw(st.lists(st.integers(1, 5), min_size=3, max_size=3)) for _ in range(n)]
    shares = np.array(rows, float).reshape(n, 3)
    shares /= shares.sum(axis=1, keepdims=True)
    return Observed(observed.name, observed.domain, observed.counts, shares)


@st.composite
def measured(draw: st.DrawFn) -> tuple[Observed, Intervals]:
    unit = draw(st.sampled_from([1, 2.5, 0.1, 7]))
    factors = draw(st.lists(st.integers(2, 4), max_size=2))
    widths: list[float] = [unit]
    for factor in factors:
        widths.append(round(widths[-1] * factor, 6))
    low = draw(st.none() | st.sampled_from([-20, 0, 0.3, 18]))
    high = draw(st.none() | st.sampled_from([20, 30.5, 80]))
    start = draw(st.none() | st.sampled_from([-7, 0, 0.05, 3]))
    whole = st.lists(st.integers(-50, 120) | st.none(), min_size=1, max_size=12)
    decimal = st.decimals(-50, 120, places=2).map(float)
    values = draw(whole | st.lists(decimal | st.none(), min_size=1, max_size=12))
    return observe("column", values), Intervals(*widths, start=start, low=low, high=high)


@st.composite
def masked(draw: st.DrawFn) -> tuple[Observed, Mask]:
    keep = draw(st.none() | st.sets(st.integers(0, 5)).map(lambda n: sorted(n, reverse=True)))
    if draw(st.booleans()):
        values = draw(st.lists(st.integers(0, 99999) | st.none(), min_size=1, max_size=12))
        return observe("column", values), Mask(5, keep=keep)
    return draw(columns("code")), Mask(5, left=draw(st.booleans()), keep=keep)


@st.composite
def trees(draw: st.DrawFn) -> tuple[Observed, Tree]:
    """Draw a column and a tree that has its values and some more."""
    observed = draw(columns())
    domain = observed.domain
    leaves = [domain.text(code) for code in range(domain.n_present)]
    if domain.kind.value == "category":
        leaves += [f"more{i}" for i in range(draw(st.integers(0 if leaves else 1, 3)))]
    leaves = draw(st.permutations(leaves)) if leaves else ["0"]
    height = draw(st.integers(1, 3))
    nested: list[object] = list(leaves)
    for level in range(height - 1):
        size = draw(st.integers(1, 3))
        nested = [{f"node{level}.{i}": nested[i : i + size]} for i in range(0, len(nested), size)]
    root = draw(st.sampled_from([None, "Any"]))
    return observed, Tree(nested if root is None else {root: nested}, pad=True)


@st.composite
def boxes(draw: st.DrawFn, taxonomy: Taxonomy) -> tuple[CodeArray, CodeArray]:
    """Draw ranges that can be published: any tight ones, and nodes of any level."""
    n, missing = taxonomy.n, taxonomy.domain.missing
    lo, hi = [], []
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            code = draw(st.integers(0, n - 1))
            level = draw(st.sampled_from(taxonomy.levels))
            one, other = int(level.lo[code]), int(level.hi[code])
        else:
            one, other = sorted((draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))))
            other += 1
            if missing >= 0 and other == n and other - one > 1:
                one = 0
        lo.append(one)
        hi.append(other)
    return np.array(lo, np.int32), np.array(hi, np.int32)


def upto(n: int) -> CodeArray:
    """Give the codes below ``n``."""
    return np.arange(n, dtype=np.int32)
