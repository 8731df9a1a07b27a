"""Templates: which value nobody may be too sure of, knowing what.

``job, sex -> disease = HIV <= 10%`` says that of those who look alike on job and sex, at most one
in ten has the disease HIV. With nothing before the arrow, all quasi-identifying columns are known.
Names and values that hold one of the signs of this notation stand in double quotes.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import lru_cache

from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import as_columns, at_least, at_most, exact
from unlinkable.typing import Columns

__all__ = ["Template", "read_names", "read_share"]

_TOKEN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>->|→|<=|≤|=|,)|'
    r'(?P<plain>(?:(?!->|→|<=|≤)[^",=\s])(?:(?!->|→|<=|≤)[^",=])*))',
    re.DOTALL,
)
_SAME = {"→": "->", "≤": "<="}
_SHAPE = "write it like: job, sex -> disease = HIV <= 0.1"


@frozen
class Template:
    """Of those who look alike on some columns, at most a share has a value.

    Attributes
    ----------
    qid
        The columns that are known; none for the whole quasi-identifier.
    column, value
        The sensitive column, and the text of the value; the empty text for a missing value.
    h
        The largest share.

    Examples
    --------
    >>> template = Template.read('job, "zip, code" -> disease = HIV <= 10%')
    >>> template.qid, template.value, template.h
    (('job', 'zip, code'), 'HIV', Fraction(1, 10))
    >>> str(template)
    'job, "zip, code" -> disease = HIV <= 0.1'
    """

    qid: Columns = field(converter=as_columns)
    column: str
    value: str
    h: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))

    @staticmethod
    def read(text: str) -> Template:
        """Read a template as it is written.

        Raises
        ------
        ParameterError
            If it cannot be read so.
        """
        return _read(text)

    def __str__(self) -> str:
        known = ", ".join(map(_write, self.qid))
        rule = f"-> {_write(self.column)} = {_write(self.value)} <= {_number(self.h)}"
        return f"{known} {rule}" if known else rule


def read_names(text: str) -> Columns:
    """Read names that are separated by commas.

    Raises
    ------
    ParameterError
        If they cannot be read so.

    Examples
    --------
    >>> read_names('job, "zip, code"'), read_names("")
    (('job', 'zip, code'), ())
    """
    tokens = _tokens(text)
    return _names(text, tokens) if tokens else ()


def read_share(text: str) -> Fraction:
    """Read a share: a number, a fraction, or a percentage.

    Raises
    ------
    ParameterError
        If it is none of them.

    Examples
    --------
    >>> read_share("12.5%") == read_share("1/8") == read_share("0.125")
    True
    """
    text = text.strip()
    return exact(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)


@lru_cache(maxsize=1024)
def _read(text: str) -> Template:
    tokens = _tokens(text)
    marks = [token for kind, token in tokens if kind == "mark" and token != ","]
    if marks != ["->", "=", "<="]:
        raise ParameterError(f"cannot read the template {text!r}: {_SHAPE}")
    arrow, equals, most = (tokens.index(("mark", sign)) for sign in marks)
    return Template(
        _names(text, tokens[:arrow]) if arrow else (),
        _one(text, tokens[arrow + 1 : equals]),
        _one(text, tokens[equals + 1 : most]),
        read_share(_one(text, tokens[most + 1 :])),
    )


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise ParameterError(f"cannot read {text!r} from {text[at:]!r} on: close the quotes")
        kind = match.lastgroup or ""
        tokens.append((kind, _meant(text, kind, match.group(kind))))
        at = match.end()
    return tokens


def _meant(text: str, kind: str, token: str) -> str:
    if kind == "mark":
        return _SAME.get(token, token)
    if kind == "plain":
        return token.strip()
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise ParameterError(
            f"cannot read {text!r}: {token} is no text (write a backslash twice)"
        ) from None


def _names(text: str, tokens: list[tuple[str, str]]) -> Columns:
    """Take every other token; those between must be commas."""
    if len(tokens) % 2 == 0 or any(token != ("mark", ",") for token in tokens[1::2]):
        raise ParameterError(f"cannot read {text!r}: put a comma between the names of columns")
    return tuple(_one(text, [token]) for token in tokens[::2])


def _one(text: str, tokens: list[tuple[str, str]]) -> str:
    if len(tokens) != 1 or tokens[0][0] == "mark":
        raise ParameterError(
            f"cannot read {text!r}: {_SHAPE}, with double quotes around a name or value that has "
            "commas, quotes, arrows or signs of equality in it"
        )
    return tokens[0][1]


def _write(text: str) -> str:
    tokens = _TOKEN.fullmatch(text)
    is_plain = tokens is not None and tokens.lastgroup == "plain" and text == text.strip()
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _number(share: Fraction) -> str:
    if share.denominator == 1:
        return str(share)
    decimal = repr(float(share))
    return decimal if Fraction(decimal) == share else str(share)
