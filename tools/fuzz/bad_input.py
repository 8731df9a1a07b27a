"""Bad tables, written forms, plans and options."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tools.fuzz.commands import call

__all__ = ["GOOD", "Draw", "options", "plan", "sections", "table", "value", "written"]


class Draw(random.Random):
    """Random choices of which a share is odd: few, because odd things hide each other."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.rate = self.choice([0.02, 0.05, 0.1, 0.3])

    def odd(self) -> bool:
        """Whether the next thing is to be odd."""
        return self.random() < self.rate


GOOD = (
    "name,age,zip,born,job,ill,pay\n"
    "ann,31,10115,2001-03-04,cook,flu,100\n"
    "bob,33,10117,2001-03-09,clerk,hiv,120\n"
    "cid,35,20095,1999-12-31,cook,cold,90\n"
    "dan,47,20097,1980-01-01,clerk,flu,100\n"
    "eva,48,80331,1981-02-02,cook,hiv,300\n"
    "fay,52,80333,1979-07-07,clerk,cold,80\n"
)

_NUMBERS = (
    *("0", "-1", "1", "2", "0.5", "1e308", "1e-308", "-0", "inf", "-inf", "nan", "1/3", "1/0"),
    *("9223372036854775807", "9223372036854775808", "18446744073709551616", "1" * 4000, "0x10"),
    *("1e99999", "-1e99999", "1_000", "٣", "1,5", "100000", "1e5", "0.1e-400", "2147483648"),
)
_TEXTS = (
    *("", " ", "age", "ill", "nobody", "*", "true", "null", "None", "[]", "[[]]", "{}", '""', "ä"),
    *("[age, age]", "[age, ill]", '["ill"]', "[1, 2, 3]", "[[1, 2], [3]]", "-> ill = flu <= 0.5"),
    *("../x", "/etc/passwd", "data.csv", "x" * 3000, "a=b", "(", ")", "\\", '"', "%s", "{0}", "\n"),
    *(
        "[[0, 0, 0, 0.5]]",
        "given",
        "ordered",
        "equal",
        "value",
        "leaf",
        '["age -> ill = flu <= 2"]',
    ),
)


def value(r: random.Random) -> str:
    """Draw something that may stand where a parameter is expected."""
    if r.random() < 0.5:
        return r.choice(_NUMBERS)
    if r.random() < 0.15:
        return "[" + ", ".join(value(r) for _ in range(r.randint(0, 4))) + "]"
    return r.choice(_TEXTS)


@cache
def _registry() -> dict[str, list[tuple[str, list[str]]]]:
    """Every name there is, with the names of its parameters."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for entry in json.loads(call(["list", "--json"], Path.cwd()).out):
        parameters = [parameter["name"] for parameter in entry["parameters"]]
        found.setdefault(entry["kind"], []).append((entry["name"], parameters))
    return found


def written(r: Draw, kind: str) -> str:
    """Draw a written form: a name that there is, with parameters of which few are odd."""
    name, parameters = r.choice(_registry()[kind])
    if r.odd():
        return r.choice(["", "(", f"{name}(", f"{name})", f"{name}(k)", name.upper(), name[:-1]])
    wanted = {
        parameter: value(r) if r.odd() else _PLAIN.get(parameter, value(r))
        for parameter in parameters
        if parameter in _PLAIN or r.odd()
    }
    if r.odd():
        wanted[r.choice(["k", "zzz", "", "k k", "ä"])] = value(r)
    inside = ", ".join(f"{parameter}={shown}" for parameter, shown in wanted.items())
    return f"{name}({inside})" if inside else name


_PLAIN = {
    "k": "2",
    "l": "2",
    "t": "0.5",
    "alpha": "0.5",
    "h": "0.5",
    "c": "0.5",
    "m": "2",
    "r": "2",
    "beta": "0.5",
    "delta": "1",
    "risk": "0.5",
    "bits": "1",
    "d": "0.5",
    "gamma": "0.5",
    "epsilon": "1",
    "p": "0.5",
    "b": "0.5",
    "v": "1",
    "e": "1",
    "n": "2",
    "share": "0.5",
    "low": "0",
    "high": "1",
    "population": "data.csv",
    "y": "[ill]",
    "time": "0.2",
    "points": "[[0, 0, 0, 0.9]]",
    "templates": '["age -> ill = flu <= 0.5"]',
    "steps": "5",
    "publisher_benefit": "1",
    "publisher_loss": "1",
    "adversary_gain": "1",
    "idle": "5",
    "adversary_cost": "1",
}
"""What parameters mostly are: most of what is read is good, so that the odd rest is reached."""


def table(r: Draw, folder: Path) -> str:
    """Write a table, often a broken one, and give its name."""
    name, content = "data.csv", GOOD.encode()
    if r.odd():
        name = r.choice(["data.parquet", "data.xlsx", "data.csv.gz", "data.sav", "data.arrow"])
    if r.odd() or r.random() < 0.3:
        content = r.choice(_BREAKS)(r, content)
    (folder / name).write_bytes(content)
    return name


def _cells(r: random.Random, content: bytes) -> bytes:
    """Put odd things into random cells."""
    lines = [line.split(",") for line in content.decode().splitlines()]
    for _ in range(r.randint(1, 6)):
        line = r.choice(lines)
        line[r.randrange(len(line))] = r.choice(_NUMBERS + _TEXTS)
    return "\n".join(",".join(line) for line in lines).encode()


def _shape(r: random.Random, content: bytes) -> bytes:
    """Give a file of another shape altogether."""
    return r.choice(
        [
            b"",
            b"\n",
            b"a\n",
            b"a,b\n",
            b"a,a\n1,2\n",
            b",\n,\n",
            b"\0" * 100,
            b"\xff\xfe" + content,
            b"\xef\xbb\xbf" + content,
            content.replace(b",", b";"),
            content.replace(b"\n", b"\r"),
            content.replace(b"\n", b"\r\n"),
            content.replace(b"ann", b'"ann'),
            content.replace(b"cook", b"c\xf6ok"),
            content.splitlines()[0],
            b",".join(b"c%d" % i for i in range(3000)) + b"\n" + b",".join([b"1"] * 3000) + b"\n",
            b"a,b\n" + b"x" * 200_000 + b",1\n",
            content + content.splitlines()[1][:9] + b"\n",
            content + b"," * 50 + b"\n",
            b"PAR1" + r.randbytes(50) + b"PAR1",
            b"PK\x03\x04" + r.randbytes(50),
            b"\x1f\x8b" + r.randbytes(50),
        ]
    )


def _bytes(r: random.Random, content: bytes) -> bytes:
    """Change some bytes."""
    changed = bytearray(content)
    for _ in range(r.randint(1, 10)):
        changed[r.randrange(len(changed))] = r.randrange(256)
    return bytes(changed)


_BREAKS: tuple[Callable[[random.Random, bytes], bytes], ...] = (_cells, _cells, _shape, _bytes)


def plan(r: Draw, folder: Path, source: str) -> str:
    """Write a plan with some odd things in it, and give its name."""
    lines = ["[data]", f'source = "{source}"']
    if r.odd():
        keys = ["separator", "encoding", "header", "missing", "types", "others", "zzz", "join"]
        lines.append(f"{r.choice(keys)} = {_toml(r)}")
    for name, role in _ROLES.items():
        lines += [f"[columns.{name}]", f'role = "{role}"']
        if role == "quasi-identifier" and r.odd():
            rules = ["intervals", "mask", "dates", "flat", "auto", "tree", "csv", "zzz", "groups"]
            lines.append(f"taxonomy = {{ {r.choice(rules)} = {_toml(r)} }}")
        if r.odd():
            lines.append(f"{r.choice(['weight', 'treatment', 'prefix', 'zzz'])} = {_toml(r)}")
    lines += ["[[privacy]]", 'model = "k-anonymity"', f"k = {_toml(r) if r.odd() else 2}"]
    for section, kind, key in (("[[privacy]]", "model", "model"), ("[method]", "method", "name")):
        if r.random() < 0.3:
            lines += [section, *_named(r, kind, key)]
            if kind == "method" and r.random() < 0.5:
                lines.append(f"suppression = {_toml(r) if r.odd() else 0.5}")
    if r.odd():
        lines += ["[release]", f"{r.choice(['out', 'sign', 'format', 'zzz'])} = {_toml(r)}"]
    text = "\n".join(lines) + "\n"
    if r.odd():
        at = r.randrange(len(text))
        text = text[:at] + r.choice(["[", '"', "=", "\0", "é", "\n"]) + text[at + 1 :]
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    return "plan.toml"


def sections(source: str) -> str:
    """A plan with nothing odd in it."""
    columns = "".join(f'[columns.{name}]\nrole = "{role}"\n' for name, role in _ROLES.items())
    promise = '[[privacy]]\nmodel = "k-anonymity"\nk = 2\n'
    return f'[data]\nsource = "{source}"\n{columns}{promise}'


_ROLES = {
    "name": "identifier",
    "age": "quasi-identifier",
    "zip": "quasi-identifier",
    "born": "quasi-identifier",
    "job": "quasi-identifier",
    "ill": "sensitive",
    "pay": "insensitive",
}


def _named(r: Draw, kind: str, key: str) -> list[str]:
    """A model or a method with its parameters, a line each."""
    name, parameters = r.choice(_registry()[kind])
    return [
        f'{key} = "{name}"',
        *(
            f"{parameter} = {_toml(r) if r.odd() else _plain(parameter)}"
            for parameter in parameters
            if parameter in _PLAIN or r.odd()
        ),
    ]


def _plain(key: str) -> str:
    """The usual value of a parameter, as TOML writes it."""
    shown = _PLAIN.get(key, '"x"')
    bare = shown[0].isalpha() and shown not in ("true", "false")
    return f'"{shown}"' if bare else shown.replace("[ill]", '["ill"]')


def _toml(r: random.Random) -> str:
    """Draw a value as TOML writes it."""
    return r.choice(
        [
            *("0", "1", "2", "-1", "0.5", "1e308", "inf", "nan", "-inf", "true", "false", '""'),
            *('"x"', '"age"', '"ill"', "[]", "{}", "[1, 2]", "[5, 10]", "[0]", "[-5]", "[5, 7]"),
            *('["age", "age"]', '["month", "year"]', '["year", "month"]', "1979-05-27", "[[1]]"),
            *("9223372036854775807", "9223372036854775808", "1" * 400, '"1/3"', "{ a = 1 }"),
            *(
                '{ Left = ["cook"], Right = ["clerk"] }',
                '"../x"',
                "07:32:00",
                '"\\u0000"',
                "1e-300",
            ),
        ]
    )


def options(r: Draw) -> list[str]:
    """Draw some options with odd values."""
    drawn: list[str] = []
    for name, draw in _OPTIONS:
        if r.odd():
            drawn += [name, draw(r)]
    return drawn


_OPTIONS: tuple[tuple[str, Callable[[Draw], str]], ...] = (
    ("--suppression", value),
    ("--metric", lambda r: written(r, "metric")),
    ("--method", lambda r: written(r, "method")),
    ("--privacy", lambda r: written(r, "model")),
    ("--taxonomy", lambda r: f"{r.choice(['age', 'zip', 'x', ''])}={r.choice(_HOW)}"),
    ("--separator", lambda r: r.choice([";", ",", "", "ab", "\t", "\n", '"'])),
    ("--encoding", lambda r: r.choice(["utf-8", "cp1252", "zzz", "utf-16", ""])),
    ("--missing", lambda r: r.choice(["NA", "", "cook"])),
    (
        "--as",
        lambda r: (
            f"{r.choice(['age', 'ill', 'x'])}={r.choice(['text', 'integer', '%d', 'zzz', ''])}"
        ),
    ),
    ("--owner", lambda r: r.choice(["name", "age", "zzz"])),
    ("--weight", lambda r: r.choice(["pay", "ill", "zzz"])),
    ("--format", lambda r: r.choice(["csv", "parquet", "zzz"])),
    ("--seed", value),
    ("--others", lambda r: r.choice(["drop", "insensitive", "zzz"])),
    ("--sheet", value),
    ("--sign", lambda r: r.choice(["data.csv", "none.pem", "."])),
)
_HOW: tuple[str, ...] = (
    *(
        "intervals:5,10",
        "intervals:0",
        "intervals:-1",
        "intervals:",
        "intervals:1e400",
        "intervals:5,7",
    ),
    *("mask:5", "mask:0", "mask:9223372036854775808", "mask:x", "dates:month", "dates:zzz", "flat"),
    *("auto", "auto:1", "zzz.csv", "data.csv", "", "intervals:0.1", "mask:1", "flat:3"),
)
