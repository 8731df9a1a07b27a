"""``unlinkable check`` with everything that a promise may refer to, from files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

FILES = {
    "data.csv": "job,sex,disease\n*,f,flu\n*,f,hiv\n*,m,flu\n*,m,cold\n",
    "original.csv": "job,sex,disease,wish\n"
    "cook,f,flu,\nclerk,f,hiv,hiv\ncook,m,flu,\ncook,m,cold,\n",
    "people.csv": "job,sex\n" + "cook,f\nclerk,f\ncook,m\n" * 2,
    "templates.csv": "qid,column,value,h\nsex,disease,hiv,0.5\n",
    "prior.csv": "sex,value,p\nf,hiv,0.2\nm,hiv,0.1\n",
    "known.csv": "sex,value,p\nf,hiv,0.5\n",
    "distances.csv": "from,to,distance\nflu,hiv,1\nflu,cold,0.2\nhiv,cold,1\n",
    "beliefs.csv": "value,p\nflu,0.5\nhiv,0.25\ncold,0.25\n",
    "ledger.json": '{"events": [{"mechanism": "laplace", "sensitivity": 1, "scale": 2}]}',
}
ORIGINAL = ["--original", "original.csv"]
CASES: list[tuple[str, list[str], int, dict[str, object]]] = [
    ('k-map(k=4, population="people.csv")', [], 1, {"k": 2}),
    ('k-map(k=2, population="people.csv")', [], 0, {"k": 2}),
    ('delta-presence(low=0, high=1, population="people.csv")', [], 0, {"high": 1.0, "low": 0.5}),
    ('confidence-bounding(file="templates.csv")', [], 0, {"h": 0.5}),
    ('personalized-privacy(p=0.4, guard="wish")', ORIGINAL, 1, {"p": 0.5}),
    ('r-robustness(r=2, prior="prior.csv", values=["hiv"])', [], 0, {"r": 2.0}),
    ('privacy-maxent(p=0.5, constraints="known.csv")', ORIGINAL, 0, {"p": 0.5}),
    ('m-confidentiality(m=2, h=0.5, values=["hiv"])', ORIGINAL, 0, {"m": 2.0}),
    ('t-closeness(t=1, distance="given", ground="distances.csv")', [], 0, {"t": 0.25}),
    ('d-gamma-privacy(d=0.5, gamma=1, prior="beliefs.csv")', [], 1, {"gamma": None}),
    ('differential-privacy(epsilon=0.4, ledger="ledger.json")', [], 1, {"epsilon": 0.5}),
]


@pytest.mark.parametrize(
    ("promise", "options", "code", "achieved"), CASES, ids=lambda x: str(x)[:40]
)
def test_a_promise_is_judged_with_its_files(
    run: Run,
    tmp_path: Path,
    promise: str,
    options: list[str],
    code: int,
    achieved: dict[str, object],
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    ran = run(
        "check", "data.csv", "-q", "job,sex", "-s", "disease", "-p", promise, *options, "--json"
    )
    assert ran.code == code
    assert ran.json["models"][0]["achieved"] == pytest.approx(achieved)
