"""Bad input for every command: an exit code, a message, nothing half-written and nothing lost."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path

from tools.fuzz.bad_input import options, plan, table, value, written
from tools.fuzz.bundles import copied
from tools.fuzz.commands import Ended, call
from tools.fuzz.trial import Failure

__all__ = ["judge", "trial"]

_APART = 0.01
"""Share of commands that run in a process of their own."""


def trial(r: random.Random, folder: Path) -> str:
    """Give a command something odd, and look at how it ends and at what it leaves."""
    arguments = _drawn(r, folder)
    if r.random() < 0.2:
        arguments.append("--json")
    before = _files(folder)
    ended = _apart(arguments, folder) if r.random() < _APART else call(arguments, folder)
    judge(arguments, ended, before, _files(folder))
    return f"{arguments[0]} {ended.code}"


def _drawn(r: random.Random, folder: Path) -> list[str]:
    command = r.choice(list(_COMMANDS))
    return [command, *_COMMANDS[command](r, folder)]


def judge(
    arguments: list[str], ended: Ended, before: dict[str, str], after: dict[str, str]
) -> None:
    """Fail if a file of the user is gone or changed, or if a refusal left something behind."""
    about = f"{arguments}\n{ended.code} {ended.out[-1500:]}\n{ended.err[-1500:]}"
    lost = [name for name, digest in before.items() if after.get(name) != digest]
    if lost:
        raise Failure(f"lost or changed: {lost}\n{about}")
    new = sorted(set(after) - set(before))
    if new and (ended.code == 2 or any(".part" in name for name in new)):
        raise Failure(f"left behind: {new[:5]}\n{about}")
    if "--json" in arguments and arguments[0] != "key":
        try:
            json.loads(ended.out)
        except ValueError as error:
            raise Failure(f"no JSON document: {about}") from error


def _apart(arguments: list[str], folder: Path) -> Ended:
    ran = subprocess.run(
        [sys.executable, "-m", "unlinkable.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    if ran.returncode not in (0, 1, 2) or "Traceback" in ran.stderr:
        raise Failure(f"{arguments} ended with {ran.returncode}\n{ran.stderr}")
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _roles(r: random.Random) -> list[str]:
    quasi = r.choice(["age,zip", "age", "zip,age", "job,born,age", "age,age", "zzz", "", "ill"])
    return ["-q", quasi, "-s", r.choice(["ill", "ill", "pay", "ill,pay", "zzz", "age"])]


def _promises(r: random.Random) -> list[str]:
    drawn = r.choice(["k-anonymity(k=2)", written(r, "model"), written(r, "model")])
    return ["-p", drawn]


def _anonymize(r: random.Random, folder: Path) -> list[str]:
    source = table(r, folder)
    out = r.choice(["out", "out", "out", "data.csv", "", "a/b/c", "."])
    rest = ["--out", out, *(["--overwrite"] if r.random() < 0.2 else [])]
    if r.random() < 0.5:
        return [plan(r, folder, source), *rest]
    others = ["--others", r.choice(["drop", "insensitive"])] if r.random() < 0.8 else []
    return [source, *_roles(r), *_promises(r), *others, *options(r), *rest]


def _check(r: random.Random, folder: Path) -> list[str]:
    more = [part for part in options(r) if part not in ("--method", "--format")]
    source = table(r, folder)
    return [source, *_roles(r), *_promises(r), *(more if r.random() < 0.3 else [])]


def _describe(r: random.Random, folder: Path) -> list[str]:
    more = r.choice([[], ["--columns", "age,zip"], ["--size", value(r)], ["--plan", "new.toml"]])
    return [table(r, folder), *more]


def _risk(r: random.Random, folder: Path) -> list[str]:
    option = r.choice(
        ["--threshold", "--fraction", "--size", "--largest", "--limit", "--estimator"]
    )
    return [table(r, folder), "-q", r.choice(["age,zip", "age", "zzz"]), option, value(r)]


def _bundle(r: random.Random, folder: Path) -> str:
    kind = r.choice(["generalized", "buckets", "swapped", "parquet"])
    copied(kind, folder)
    return r.choice(["bundle"] * 6 + ["bundle/public", "bundle/private", "none", "."])


def _measure(r: random.Random, folder: Path) -> list[str]:
    return [_bundle(r, folder), "--metric", written(r, "metric")]


def _attack(r: random.Random, folder: Path) -> list[str]:
    name = written(r, "attack")
    given = r.choice([[], ["--limit", value(r)], ["--show", value(r)], ["--seed", value(r)]])
    if r.random() < 0.3:
        return [name, table(r, folder), *_roles(r), "--seconds", "1", *given]
    return [name, _bundle(r, folder), "--seconds", "1", *given]


def _explain(r: random.Random, folder: Path) -> list[str]:
    return [_bundle(r, folder), *r.choice([[], ["--data", table(r, folder)]])]


def _report(r: random.Random, folder: Path) -> list[str]:
    out = r.choice(["page.html", "page.md", "page.json", "page.zzz", "", "."])
    more = r.choice([[], ["--format", "zzz"], ["--holder"], ["--by", value(r)]])
    return [_bundle(r, folder), "--out", out, *more]


def _verify(r: random.Random, folder: Path) -> list[str]:
    return [_bundle(r, folder), *r.choice([[], ["--key", table(r, folder)], ["--key", "none"]])]


def _compare(r: random.Random, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    return [made, "--jobs", "1", "-m", written(r, "method"), "-p", written(r, "model")]


def _publish(r: random.Random, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    policy = r.choice([[], ["--policy", written(r, "release")]])
    history = r.choice(["h.db", "data.csv", "", "sqlite:///h.db", "zzz://x", "."])
    return [made, "--history", history, "--person", "name", "--out", "out", *policy]


def _history(r: random.Random, folder: Path) -> list[str]:
    return [r.choice([table(r, folder), "none.db", "zzz://"]), "--limit", value(r)]


def _choose(r: random.Random, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    return [made, "--jobs", "1", "--k", r.choice(["2..3", "3..2", "2,3", value(r)])]


def _list(r: random.Random, folder: Path) -> list[str]:
    return [value(r)]


def _collect(r: random.Random, folder: Path) -> list[str]:
    return [r.choice(["randomize", "reconstruct", "zzz"]), table(r, folder), value(r)]


_COMMANDS = {
    **{"anonymize": _anonymize, "check": _check, "describe": _describe, "risk": _risk},
    **{"measure": _measure, "attack": _attack, "explain": _explain, "report": _report},
    **{"verify": _verify, "compare": _compare, "publish": _publish, "history": _history},
    **{"choose-k": _choose, "list": _list, "collect": _collect},
}
