"""A kind of data of its own: words, each of which is published only if many people used it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from unlinkable.containment import find_file
from unlinkable.registry import Registered
from unlinkable.release import Kind, Measurement, Release, SimpleFinding, SimpleVerdict
from unlinkable.release.attacks import Adversary, Attackable, Outcome, Threat, Victim
from unlinkable.release.bundle import Bundle, Draft, KindManifest, PrivateHalf, Promise, PublicTexts
from unlinkable.release.plan import Plan
from unlinkable.release.promise import PrivacyModel
from unlinkable.release.verify import Judgement

__all__ = ["KIND", "DropRare", "KeptShare", "ManyUsers", "WordGuess", "Words"]

Words = tuple[str, ...]


@frozen
class ManyUsers(PrivacyModel):
    """Every published word occurs at least ``k`` times."""

    name: ClassVar[str] = "many-users"
    reference: ClassVar[str] = "a test of the centre"
    threats: ClassVar[Threat] = Threat.RECORD
    parameter: ClassVar[str] = "k"
    in_words: ClassVar[str] = "Every word was used at least {k} times."
    does_not_promise: ClassVar[tuple[str, ...]] = ("It does not say who used a word.",)

    k: int

    def verdict(self, words: Words) -> SimpleVerdict:
        counts = Counter(words)
        least = min(counts.values(), default=self.k)
        rare = sum(n < self.k for n in counts.values())
        return SimpleVerdict(self, not rare, {"k": least}, rare)


@frozen
class DropRare(Registered):
    """Leave out words that occur too rarely."""

    entry_kind: ClassVar[str] = "method"
    name: ClassVar[str] = "drop-rare"
    reference: ClassVar[str] = "a test of the centre"

    def keep(self, words: Words, models: Sequence[ManyUsers]) -> Words:
        counts, k = Counter(words), max((model.k for model in models), default=1)
        return tuple(sorted(word for word in words if counts[word] >= k))


@frozen
class KeptShare(Registered):
    """Share of the words that are published."""

    entry_kind: ClassVar[str] = "metric"
    name: ClassVar[str] = "kept-share"
    reference: ClassVar[str] = "a test of the centre"


@frozen
class WordGuess(Adversary):
    """The adversary knows a word that the victim used, and takes a record for theirs."""

    name: ClassVar[str] = "word-guess"
    reference: ClassVar[str] = "a test of the centre"
    threat: ClassVar[Threat] = Threat.RECORD
    needs: ClassVar[str] = "a word that the victim used"
    remedy: ClassVar[str] = "many-users"
    stopped_by: ClassVar[tuple[str, ...]] = ("many-users",)

    limit: Fraction = Fraction(1, 2)


@frozen
class Seen(Attackable):
    names: ClassVar[tuple[str, ...]] = ("word-guess",)

    words: Words

    def attack(self, attack: object, *, limit: Any = None, **given: object) -> Outcome:
        guess = WordGuess.read(str(attack), None if limit is None else {"limit": limit})
        counts = Counter(self.words)
        rare = {word: n for word, n in counts.items() if Fraction(1, n) > guess.limit}
        return Outcome(
            attack=guess,
            n_attacked=len(self.words),
            n_fallen=sum(rare.values()),
            highest=max((1 / n for n in counts.values()), default=0.0),
            found=f"{len(rare)} words are rare.",
            victims=tuple(Victim({"word": word}, 1 / n) for word, n in rare.items()),
        )


class WordBundle(Bundle):
    @property
    def words(self) -> Words:
        return tuple(find_file(self.public, "words.txt").read_text("utf-8").splitlines())

    def usual_metrics(self) -> tuple[str, ...]:
        return ("kept-share",)

    def evaluate(self, metric: str, original: Any = None, progress: Any = None) -> Measurement:
        return Measurement(float(self.manifest.metrics[str(KeptShare.read(metric))] or 0))

    def attackable(self, original: Path | None = None) -> Seen:
        return Seen(self.words)


@frozen
class WordRelease(Release):
    data_kind: ClassVar[str] = "words"
    made_by: ClassVar[str] = "drop-rare"
    seed: ClassVar[int] = 0  # type: ignore[misc]
    seconds: ClassVar[Mapping[str, float]] = {}  # type: ignore[misc]

    words: Words
    promises: tuple[ManyUsers, ...]
    finding: SimpleFinding
    n_suppressed: int
    source: str | None

    @property
    def n_records(self) -> int:
        return len(self.words)

    def verify(self) -> SimpleFinding:
        return judged(self.words, self.promises)

    def evaluate(self, metric: str, progress: Any = None) -> Measurement:
        KeptShare.read(metric)
        return Measurement(self.n_records / max(self.n_records + self.n_suppressed, 1))

    def attackable(self) -> Seen:
        return Seen(self.words)

    def draft(self, plan: Any = None, statement: Any = None, data_format: Any = None) -> Draft:
        manifest = KindManifest(
            kind="words",
            records=self.n_records,
            groups=self.finding.n_groups,
            suppressed=1 - self.measure("kept-share"),
            models=Promise.all_of(self.finding, "all published words"),
            method=self.made_by,
            metrics={"kept-share": self.measure("kept-share")},
            files=(),
        )
        text = "".join(f"{word}\n" for word in self.words)
        return Draft(PublicTexts(manifest, {"words.txt": text}))


def judged(words: Words, models: Sequence[ManyUsers]) -> SimpleFinding:
    verdicts = tuple(model.verdict(words) for model in models)
    return SimpleFinding(verdicts, len(words), len(set(words)))


class WordKind(Kind):
    name = "words"
    summary = "Words that people used, one per line."
    endings = (".words",)
    packages = dict.fromkeys(("model", "method", "metric", "attack"), "words")
    plan = Plan
    manifests = (KindManifest,)
    private_half = PrivateHalf

    def takes(self, data: object) -> bool:
        return isinstance(data, tuple) and all(isinstance(word, str) for word in data)

    def anonymize(self, data: Any, **asked: Any) -> Release:
        models = tuple(ManyUsers.read(str(model)) for model in asked["privacy"])
        kept = DropRare().keep(data, models)
        finding = judged(kept, models)
        return WordRelease(kept, models, finding, len(data) - len(kept), asked.get("source"))

    def run(self, plan: Plan, progress: Any = None) -> Release:
        words = tuple(Path(plan.source).read_text("utf-8").split())
        models = [call.make() for call in plan.form.privacy]
        return self.anonymize(words, privacy=models, source=str(plan.source))

    def open(self, folder: Path, public: Path, manifest: Any, private: Any) -> WordBundle:
        return WordBundle(folder, public, manifest, private)

    def judge(self, public: Path, manifest: Any, private: Any) -> Judgement:
        models = [ManyUsers.read(promise.model) for promise in manifest.models]
        finding = judged(WordBundle(public, public, manifest, None).words, models)
        stated = [promise.achieved for promise in manifest.models]
        wrong = [v.achieved for v in finding.verdicts] != stated or not finding.holds
        return Judgement(finding, ["the words do not keep what is stated"] if wrong else [], [])


KIND = WordKind()
