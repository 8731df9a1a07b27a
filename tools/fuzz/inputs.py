"""Bad input for every command: an exit code, a message, nothing half-written and nothing lost."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tools.fuzz.bad_input import GOOD, Draw, options, plan, sections, table, value, written
from tools.fuzz.bundles import copied
from tools.fuzz.commands import Ended, call
from tools.fuzz.trial import FailureError

__all__ = ["judge", "trial"]

_APART = 0.01
"""Share of commands that run in a process of their own."""


def trial(seeded: random.Random, folder: Path) -> str:
    """Give a command something odd, and look at how it ends and at what it leaves."""
    r = Draw(seeded.randrange(2**32))
    arguments = _drawn(r, folder)
    if r.random() < 0.2:
        arguments.append("--json")
    before = _files(folder)
    ended = _apart(arguments, folder) if r.random() < _APART else call(arguments, folder)
    judge(arguments, ended, before, _files(folder))
    return f"{arguments[0]} {ended.code}"


def _drawn(r: Draw, folder: Path) -> list[str]:
    command = r.choice(list(_COMMANDS))
    return [command, *_COMMANDS[command](r, folder)]


def judge(
    arguments: list[str], ended: Ended, before: dict[str, str], after: dict[str, str]
) -> None:
    """Fail if a file of the user is gone or changed, or if a refusal left something behind."""
    about = f"{arguments}\n{ended.code} {ended.out[-1500:]}\n{ended.err[-1500:]}"
    lost = [name for name, digest in before.items() if after.get(name) != digest]
    if lost:
        raise FailureError(f"lost or changed: {lost}\n{about}")
    new = sorted(set(after) - set(before))
    if new and (ended.code == 2 or any(".part" in name for name in new)):
        raise FailureError(f"left behind: {new[:5]}\n{about}")
    if "--json" in arguments and arguments[0] != "key":
        try:
            json.loads(ended.out)
        except ValueError as error:
            raise FailureError(f"no JSON document: {about}") from error


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
        raise FailureError(f"{arguments} ended with {ran.returncode}\n{ran.stderr}")
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _roles(r: Draw) -> list[str]:
    odd = ["age,age", "zzz", "", "ill", "age,ill", "name"]
    quasi = r.choice(odd if r.odd() else ["age,zip", "age", "zip,age", "job,born,age", "job"])
    return ["-q", quasi, "-s", r.choice(odd if r.odd() else ["ill", "ill", "pay", "ill,pay"])]


def _promises(r: Draw) -> list[str]:
    return ["-p", r.choice(["k-anonymity(k=2)", written(r, "model"), written(r, "model")])]


def _anonymize(r: Draw, folder: Path) -> list[str]:
    source = table(r, folder)
    out = r.choice(["data.csv", "", "a/b/c", "."]) if r.odd() else "out"
    rest = ["--out", out, *(["--overwrite"] if r.random() < 0.2 else [])]
    if r.random() < 0.5:
        return [plan(r, folder, source), *rest]
    others = [] if r.odd() else ["--others", r.choice(["drop", "insensitive"])]
    method = ["-m", written(r, "method")] if r.random() < 0.5 else []
    limit = ["--suppression", "0.5"] if r.random() < 0.3 else []
    return [source, *_roles(r), *_promises(r), *others, *method, *limit, *options(r), *rest]


def _check(r: Draw, folder: Path) -> list[str]:
    source = table(r, folder)
    owner = ["--owner", "name"] if r.random() < 0.2 else []
    return [source, *_roles(r), *_promises(r), *owner, *(options(r) if r.odd() else [])]


def _describe(r: Draw, folder: Path) -> list[str]:
    more = r.choice([[], ["--columns", "age,zip"], ["--size", value(r)], ["--plan", "new.toml"]])
    return [table(r, folder), *more]


def _risk(r: Draw, folder: Path) -> list[str]:
    given = {"--threshold": "0.2", "--fraction": "0.5", "--largest": "2", "--limit": "0.5"}
    given |= {"--size": "100", "--estimator": "zayatz"}
    option = r.choice(list(given))
    quasi = "zzz" if r.odd() else r.choice(["age,zip", "age", "job"])
    odd = value(r) if r.odd() or r.random() < 0.3 else given[option]
    return [table(r, folder), "-q", quasi, option, odd]


@cache
def _planned() -> Path:
    """A bundle that was made from a plan, once for all."""
    folder = Path(tempfile.mkdtemp())
    (folder / "data.csv").write_text(GOOD, encoding="utf-8")
    (folder / "plan.toml").write_text(sections("data.csv"), encoding="utf-8")
    made = call(["anonymize", "plan.toml", "--out", "bundle"], folder)
    if made.code != 0:
        raise FailureError(f"a good plan was refused: {made.err}")
    return folder


def _bundle(r: Draw, folder: Path) -> str:
    if r.random() < 0.5:
        copied(r.choice(["generalized", "buckets", "swapped", "parquet", "noisy"]), folder)
    else:
        shutil.copytree(_planned(), folder, dirs_exist_ok=True)
    odd = ["bundle/public", "bundle/private", "none", "."]
    return r.choice(odd) if r.odd() else "bundle"


def _measure(r: Draw, folder: Path) -> list[str]:
    return [_bundle(r, folder), "--metric", written(r, "metric")]


def _attack(r: Draw, folder: Path) -> list[str]:
    name = written(r, "attack")
    option = r.choice(["--limit", "--show", "--seed"])
    given = [option, value(r)] if r.odd() else []
    if r.random() < 0.3:
        return [name, table(r, folder), *_roles(r), "--seconds", "1", *given]
    return [name, _bundle(r, folder), "--seconds", "1", *given]


def _explain(r: Draw, folder: Path) -> list[str]:
    return [_bundle(r, folder), *(["--data", table(r, folder)] if r.odd() else [])]


def _report(r: Draw, folder: Path) -> list[str]:
    out = r.choice(["page.zzz", "", "."] if r.odd() else ["page.html", "page.md", "page.json"])
    more = r.choice([["--format", "zzz"], ["--by", value(r)]] if r.odd() else [[], ["--holder"]])
    return [_bundle(r, folder), "--out", out, *more]


def _verify(r: Draw, folder: Path) -> list[str]:
    odd = r.choice([["--key", table(r, folder)], ["--key", "none"]]) if r.odd() else []
    return [_bundle(r, folder), *odd]


def _compare(r: Draw, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    return [made, "--jobs", "1", "-m", written(r, "method"), "-p", written(r, "model")]


def _publish(r: Draw, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    policy = ["--policy", written(r, "release") if r.random() < 0.5 else "incremental"]
    history = r.choice(["data.csv", "", "sqlite:///h.db", "zzz://x", "."]) if r.odd() else "h.db"
    return [made, "--history", history, "--person", "name", "--out", "out", *policy]


def _history(r: Draw, folder: Path) -> list[str]:
    return [r.choice([table(r, folder), "none.db", "zzz://"]), "--limit", value(r)]


def _choose(r: Draw, folder: Path) -> list[str]:
    made = plan(r, folder, table(r, folder))
    return [made, "--jobs", "1", "--k", value(r) if r.odd() else r.choice(["2..3", "2,3"])]


def _list(r: Draw, folder: Path) -> list[str]:
    return [value(r) if r.random() < 0.5 else r.choice(["model", "method", "metric"])]


def _collect(r: Draw, folder: Path) -> list[str]:
    return [r.choice(["randomize", "reconstruct", "zzz"]), table(r, folder), value(r)]


_COMMANDS = {
    "anonymize": _anonymize,
    "check": _check,
    "describe": _describe,
    "risk": _risk,
    "measure": _measure,
    "attack": _attack,
    "explain": _explain,
    "report": _report,
    "verify": _verify,
    "compare": _compare,
    "publish": _publish,
    "history": _history,
    "choose-k": _choose,
    "list": _list,
    "collect": _collect,
}
