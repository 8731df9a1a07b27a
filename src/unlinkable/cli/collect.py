"""``unlinkable collect``: data from people who do not trust the collector."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import number, print_json, print_table, say
from unlinkable.cli.output_files import require_place
from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.collection import Density, Estimate

__all__ = ["app"]

app = typer.Typer(
    help="Collect data from people who do not trust the collector, and learn from it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Column = Annotated[str, typer.Option("--column", "-c", help="The column that is randomized.")]
With = Annotated[
    str,
    typer.Option(
        "--with",
        help='How, like "randomized-response(values=[yes, no], epsilon=1)" or '
        '"bayes-reconstruction(scale=20, distribution=uniform)".',
    ),
]


@app.command()
@o.flat
def randomize(
    data: o.Data,
    *,
    column: Column,
    how: With,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the randomized table.")],
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="File for the noise ledger (JSON).")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Random seed, for rehearsals only."),
    ] = None,
    overwrite: o.Overwrite = False,
    reading: o.Reading,
    json: o.Json = False,
) -> None:
    """Randomize a column, as people do before they submit their values.

    Run it where the true values are: with the people, or with a party that they trust.

    Example: unlinkable collect randomize survey.csv --column smokes
    --with "randomized-response(values=[yes, no], truth=0.75)" --out handed-in.csv
    """
    from unlinkable.collection import randomize_column
    from unlinkable.noise import price, secure_generator
    from unlinkable.tables.data import write_frame

    way = _way(how)
    _require_places(data, [out] if ledger is None else [out, ledger], overwrite=overwrite)
    table = reading.table(data)
    made = randomize_column(table, column, way, secure_generator(seed))
    if ledger is not None and made.ledger is None:
        raise ParameterError(
            f"{how} has no price in differential privacy, so that there is no ledger to write: "
            "leave --ledger out, or use randomized-response"
        )
    epsilon = None if made.ledger is None else price(made.ledger).at(0)
    write_frame(made.frame, out)
    if ledger is not None and made.ledger is not None:
        _write_json(made.ledger.to_json(), ledger)
    if seed is not None:
        say("warning: with the seed, the noise can be removed: never use it for real data")
    if json:
        names = [str(out), None if ledger is None else str(ledger)]
        document = {"records": len(table), "column": column, "with": str(way), "epsilon": epsilon}
        print_json(document | {"out": names[0], "ledger": names[1]})
        return
    cost = "no differential privacy" if epsilon is None else f"epsilon = {epsilon:.4g} per person"
    say(f"{len(table):,} values of {column} randomized with {way}: {cost}")
    others = len(table.frame.columns) - 1
    if others:
        say(f"The other {'column is' if others == 1 else f'{others} columns are'} as before.")
    say(f"To hand in: {out}")


@app.command()
@o.flat
def reconstruct(
    data: o.Data,
    *,
    column: Column,
    how: With,
    reading: o.Reading,
    json: o.Json = False,
) -> None:
    """Estimate the distribution of the true values from a randomized column.

    Example: unlinkable collect reconstruct handed-in.csv --column age
    --with "bayes-reconstruction(scale=20, distribution=uniform, low=0, high=100)"
    """
    from unlinkable.collection import Estimate, learn_from

    way = _way(how)
    table = reading.table(data)
    found = learn_from(table, column, way)
    if json:
        print_json({"column": column, "with": str(way), **found.to_json()})
    elif isinstance(found, Estimate):
        _show_estimate(found, column)
    else:
        _show_density(found, column)


def _way(text: str) -> object:
    """Read how values are randomized."""
    from unlinkable.registry import entries, make
    from unlinkable.spelling import read_call

    name, _ = read_call(text)
    if name == "additive-noise":
        return make("operation", text)
    known = [entry.name for entry in entries("collection")]
    if name not in known:
        raise ParameterError(unknown("way to collect", name, [*known, "additive-noise"]))
    return make("collection", text)


def _require_places(data: str, files: list[Path], *, overwrite: bool) -> None:
    """Refuse to write over the true values, or over what is there, before anything is drawn."""
    for file in files:
        require_place(file, [data], overwrite=overwrite)
    if len({file.absolute() for file in files}) < len(files):
        raise ParameterError("--out and --ledger must be two files")


def _write_json(document: object, path: Path) -> None:
    from json import dumps

    from unlinkable.tables.data import replaced_whole

    with replaced_whole(path) as part:
        part.write_text(dumps(document, indent=2) + "\n", encoding="utf-8")


def _show_estimate(found: Estimate, column: str) -> None:
    columns = (found.values, found.counts, found.shares, found.errors, found.low, found.high)
    rows = [
        (value, f"{int(count):,}", *(f"{share:.1%}" for share in shares), f"{possible:.1%}")
        for value, count, *shares, possible in zip(*columns, found.projected, strict=True)
    ]
    header = ("value", "answered", "share", "error", "from", "to", "possible")
    print_table(f"Shares of {column}", header, rows, right="answered share error from to possible")
    say(
        f"{found.n:,} answers; each share is between 'from' and 'to' with {found.level:.0%} "
        "confidence"
    )


def _show_density(found: Density, column: str) -> None:
    from unlinkable.spelling import quantity

    ends = [number(float(edge)) for edge in found.edges]
    rows = [
        (f"{ends[i]} to {ends[i + 1]}", f"{share:.1%}", *_interval(found, i))
        for i, share in enumerate(found.probabilities)
    ]
    print_table(f"Distribution of {column}", ("interval", "share", "from", "to"), rows,
        right="share from to")  # fmt: skip
    say(f"{found.n:,} values; mean {number(found.mean)}; {found.rounds} rounds")
    if not found.converged:
        say(
            "warning: it did not converge: allow more rounds, take fewer bins, or check that the "
            "noise is what it is said to be"
        )
    if any(found.widened):
        say(
            f"warning: {quantity(sum(found.widened), 'interval')} had to be added to the range, "
            "because the noise does not explain values so far out"
        )


def _interval(found: Density, at: int) -> tuple[str, ...]:
    if found.low is None or found.high is None:
        return ("", "")
    return f"{found.low[at]:.1%}", f"{found.high[at]:.1%}"
