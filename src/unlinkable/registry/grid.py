"""Grid: a written form with several values for a parameter, as all the forms that it stands for.

``k-anonymity(k=[2, 5, 10])`` stands for three promises. A list that is itself what the parameter
wants, like the columns of ``k-anonymity(k=5, qid=[age, zip])``, stays as it is.
"""

from __future__ import annotations

from itertools import product

from unlinkable.errors import ParameterError
from unlinkable.registry.arguments import read_argument
from unlinkable.registry.entry import types_of
from unlinkable.registry.lookup import find
from unlinkable.spelling import read_call

__all__ = ["expanded"]


def expanded(kind: str, text: str) -> list[object]:
    """Make all things that a written form with lists of alternatives stands for.

    Raises
    ------
    ParameterError
        If the form cannot be read, or name or parameters mean nothing.

    Examples
    --------
    >>> [str(model) for model in expanded("model", "k-anonymity(k=[2, 5])")]
    ['k-anonymity(k=2)', 'k-anonymity(k=5)']
    >>> [str(model) for model in expanded("model", "k-anonymity(k=5, qid=[age, zip])")]
    ['k-anonymity(k=5, qid=["age", "zip"])']
    """
    name, arguments = read_call(text)
    entry = find(kind, name)
    hints = types_of(entry.make)
    choices = [
        value if isinstance(value, list) and not _is_wanted(argument, hints, value) else [value]
        for argument, value in arguments.items()
    ]
    if empty := [a for a, values in zip(arguments, choices, strict=True) if not values]:
        raise ParameterError(f"{name}: the list of values for {empty[0]!r} is empty")
    return [entry.build(dict(zip(arguments, chosen, strict=True))) for chosen in product(*choices)]


def _is_wanted(argument: str, hints: dict[str, object], value: object) -> bool:
    """Tell whether a parameter takes a list as it is; what is unknown is complained of later."""
    if argument not in hints:
        return True
    try:
        read_argument(argument, hints[argument], value)
    except ValueError:
        return False
    return True
