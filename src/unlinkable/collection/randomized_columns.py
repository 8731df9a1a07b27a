"""Columns that people hand in: made from true ones, and understood afterwards."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from unlinkable.collection.bayes_reconstruction import BayesReconstruction
from unlinkable.collection.density import Density
from unlinkable.collection.estimate import Estimate
from unlinkable.collection.randomized_response import RandomizedResponse
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.noise import Ledger
from unlinkable.tables.data import Frame, Table, as_table, numbers_of, with_column, with_numbers
from unlinkable.tables.operations import AdditiveNoise
from unlinkable.tables.taxonomies import Kind

__all__ = ["RandomizedColumn", "learn_from", "randomize_column"]


@frozen(eq=False)
class RandomizedColumn:
    """A table in which one column is what people hand in.

    Attributes
    ----------
    frame
        All columns; the others are as they were.
    ledger
        What the answers of a person cost; None if they are not differentially private.
    """

    frame: Frame
    ledger: Ledger | None


def randomize_column(
    table: Table, column: str, how: object, rng: np.random.Generator
) -> RandomizedColumn:
    """Replace a column by what each person hands in, on their own and knowing nobody else's value.

    Raises
    ------
    SchemaError, DataError
        If there is no such column, or its values cannot be randomized like this.
    ParameterError
        If this needs the values of several people, or is no way to hand in values.

    Examples
    --------
    >>> survey = as_table({"smokes": ["yes", "no"]}, sensitive="smokes")
    >>> ask = RandomizedResponse(["yes", "no"], epsilon=1)
    >>> made = randomize_column(survey, "smokes", ask, np.random.default_rng(1))
    >>> made.frame["smokes"].to_list(), len(made.ledger.events)
    (['yes', 'yes'], 1)
    """
    frame = table.frame
    _require(table, column, is_number=isinstance(how, BayesReconstruction | AdditiveNoise))
    match how:
        case RandomizedResponse():
            told = how.randomize(frame.get_column(column), rng)
            return RandomizedColumn(
                with_column(frame, column, told.tolist()), how.ledger(what=column)
            )
        case BayesReconstruction():
            noisy = how.randomize(numbers_of(frame, column), rng)
            return RandomizedColumn(with_numbers(frame, column, noisy), None)
        case AdditiveNoise():
            if how.relative or how.correlated or how.keep_moments:
                raise ParameterError(
                    "noise that is relative, correlated or keeps moments depends on everybody's "
                    "values, and a person knows only one: give a scale in the unit of the column"
                )
            alone = as_table(frame.select(column), sensitive=column)
            mine = evolve(how, columns=(column,))
            made = mine.apply(alone, rng).get_column(column)
            return RandomizedColumn(frame.with_columns(made), mine.ledger(alone))
    raise ParameterError(
        f"{how} is no way to hand in values: use randomized-response, bayes-reconstruction or "
        "additive-noise"
    )


def learn_from(table: Table, column: str, how: object) -> Estimate | Density:
    """Estimate what is true of all people together, from the column that they handed in.

    Raises
    ------
    SchemaError, DataError
        If there is no such column, or its values cannot have been handed in like this.
    ParameterError
        If this is no way to understand what was handed in.
    """
    _require(table, column, is_number=isinstance(how, BayesReconstruction | AdditiveNoise))
    match how:
        case RandomizedResponse():
            return how.estimate(table.frame.get_column(column))
        case BayesReconstruction():
            return how.reconstruct(numbers_of(table.frame, column))
    raise ParameterError(
        f"{how} does not say how to take noise away: use randomized-response, or "
        "bayes-reconstruction with the scale and distribution of the noise"
    )


def _require(table: Table, column: str, *, is_number: bool) -> None:
    if column not in table.frame.columns:
        raise SchemaError(unknown("column", column, table.frame.columns))
    if is_number and table.numbered(column).observed.domain.kind is Kind.CATEGORY:
        raise UnsupportedError(
            f"column {column!r} holds categories, to which no noise can be added: use "
            "randomized-response"
        )
