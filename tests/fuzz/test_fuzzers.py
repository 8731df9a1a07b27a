"""The fuzzers run, say how many were tried, and end as they should."""

from __future__ import annotations

import io

import pytest

from tools.fuzz.__main__ import main
from tools.fuzz.running import Count, fuzz
from tools.fuzz.trial import Result


@pytest.mark.parametrize(("name", "number"), [("releases", 12), ("tamperings", 8), ("inputs", 8)])
def test_a_fuzzer_tries_what_it_is_asked_for_and_nothing_fails(name: str, number: int) -> None:
    out = io.StringIO()
    count = fuzz(name, number=number, seed=7, seconds=600, workers=1, limit=300, out=out)
    assert (count.tried, out.getvalue()) == (number, "")


def test_a_killed_command_leaves_a_bundle_and_the_next_run_tidies_up() -> None:
    out = io.StringIO()
    count = fuzz("kills", number=1, seed=7, seconds=600, workers=1, limit=300, out=out)
    assert (count.tried, out.getvalue()) == (1, "")


def test_a_failure_is_told_with_the_seed_that_repeats_it() -> None:
    count = Count("releases")
    for result in (Result(3, "done", "x"), Result(4, "failed", "y"), Result(5, "refused", "z")):
        count.add(result)
    assert "3 tried, 1 done, 1 refused, 1 failed" in count.line()
    assert [result.seed for result in count.failures] == [4]


def test_a_fuzzer_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["relases"])
    assert "no fuzzer 'relases'" in capsys.readouterr().err


def test_no_time_is_no_tries(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["releases", "--seconds", "0", "--number", "5", "--workers", "1"]) == 0
    assert "0 tried in all, 0 failed" in capsys.readouterr().out
