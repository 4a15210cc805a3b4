"""Answers that name several candidates, deny one, take it back or ask; and answers that look alike and are right."""

import re
import time
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]  # private, and the only reader of patterns
from typing import Any

import pytest

from answer_metrics.matching import assertion
from answer_metrics.matching import commitment as rules
from answer_metrics.matching.commitment import denied, words_beside
from answer_metrics.matching.languages import MAYBE
from benchmarks.assertion import examples
from tests.grids import commitment


@pytest.mark.parametrize("preset", ["free_form", "strict"])
def test_fooling_answers_are_wrong_and_their_likes_right(preset: str) -> None:
    for kind, pairs, accepted, rejected in commitment.measure(preset=preset):
        assert accepted == 0, kind
        if preset == "free_form":
            assert rejected == 0, (kind, pairs)


TALK = {
    "none": "It would have been {r}. | I wish it were {r}. | Similar to {r}. | {r}? Nonsense. | {r} is partly correct. "
    "| Not true: {r} | I'm not sure it's {r}. | Rejected: {r}\nAccepted: {d} | {r}? Pfft. {d}. | {r} is not. "
    "| The theory that it is {r} is outdated. | Some think of {r}. In reality it is {d}. "
    "| While {r} is plausible, {d} is. | Runner-up: {r}. Winner: {d}. | Ranking: 1. {d} 2. {r} "
    "| # Wrong answers\n\n{r}\n\n# Right answer\n\n{d} "
    "| <wrong>{r}</wrong> <right>{d}</right> | {r} comes close, but {d} it is. | I pick {d}. {r} loses. "
    "| {d}. ({r} was yesterday's answer.) | a student of {r} | {r}? I doubt it. | {r} comes close, yet {d} it is. "
    "| {r}? I don't think so. | {r} would be my second guess. | Possible answers include {r}. "
    "| {r}: 20%, {d}: 65% | Two votes for {r}, five for {d}. | My brother says {r}, my sister says {d}.",
    "hedged": "{r}. Or is it {d}? Who knows. | {d} came first; {r} came second.",
    "recall": "{r}: 65%, {d}: 20% | Five votes for {r}, two for {d}. | My brother and my sister say {r}. "
    "| {d}: 20%, {r}: 65%. So: {r} "
    "| Votes for {d}: 1. Votes for {r}: 9. So we answer {r}. "
    "| {r} came first; {d} came second. | I wish I could say {d}, but it is {r}. | Rejected: {d}\nAccepted: {r} "
    "| I'd guess {r}. | {r}, unless I am mistaken. | There is no doubt: {r}. | He guessed {r}. He was right. "
    "| Runner-up: {d}. Winner: {r}. | Ranking: 1. {r} 2. {d} | # Wrong answers\n\n{d}\n\n# Right answer\n\n{r} "
    "| <wrong>{d}</wrong> <right>{r}</right> | {d} comes close, but {r} it is. | I pick {r}. {d} loses. "
    "| {r}. ({d} was yesterday's answer.) | {r}, no? | Why {r}? Because nothing else fits. | They'd be wrong: {r}. "
    "| It can't be anything other than {r}. | {r}, since nothing else would make sense. | {r}, even if some disagree. "
    "| {r}. You may not like it, but it's true. | My notes say {d}; newer ones say {r}. "
    "| {d} comes close, yet {r} it is. | {r}; {d} would be my second guess. | {r}. It has nothing to do with {d}.",
}


@pytest.mark.parametrize(("right", "other"), [("Oslo", "Madrid"), ("Rosa Diaz", "Karl Brandt"), ("Самара", "Казань")])
def test_answers_that_talk_about_answers_assert_one(accuracy: Any, right: str, other: str) -> None:
    for verdict, templates in TALK.items():
        texts = [template.format(r=right, d=other) for template in templates.split(" | ")]
        result = accuracy.compute(predictions=texts, references=[right] * len(texts), match="recall")
        assert dict(zip(texts, result["match_types"], strict=True)) == dict.fromkeys(texts, verdict)


def test_model_of_words_reads_symbols_and_adds_their_weights() -> None:
    text = "Half say Paris, the others 65% \u201cNew Rome\u201d. It isn't Quux in France!"
    symbols = assertion.read_symbols(text, [(9, 14)], {"which", "france"}, {"paris"})
    assert " ".join(symbols) == 'half say R , the others #65 % " new X " . it not X in Q .'
    assert assertion.read_symbols("It is 15%, not 20%, in 7 cases", [(6, 9)], (), ("15",))[2:6] == [
        "R",
        ",",
        "not",
        "X",
    ]
    features = assertion.features(symbols)
    assert {"l:say": 1.0, "ll:half": 1.0, "r:the": 1.0, "s:others": 1.0, "a:not": 1.0}.items() <= features.items()
    assert {"rival behind", "rival later", "first", "rivals 2", "has question"} <= features.keys()
    assert not {"last", "rivals 3", "bare", "asks", "less"} & features.keys()  # 65% is the rival's, and nothing is R's
    expected = sum(value * assertion.WEIGHTS.get(name, 0.0) for name, value in features.items())
    assert assertion.score(symbols) == pytest.approx(expected)
    assert assertion.features(["R", ":", "#20", "%", ",", "X", ":", "#65", "%"])["less"] == 1.0
    assert assertion.features(["two", "for", "R", ",", "one", "for", "X"])["more"] == 1.0
    assert len(assertion.WEIGHTS) > 2_000
    assert {symbol.partition(":")[0] for symbol in assertion.WEIGHTS if ":" in symbol} == set("l r ll rr s a b".split())


def test_model_of_words_overrules_the_rules_only_where_it_is_sure(accuracy: Any) -> None:
    sure = ("Oslo, can't be Madrid", "I'm certain that Oslo is correct and Madrid is incorrect.")  # rules see a denial
    open_ones = ("Oslo, or Madrid", "Madrid or Oslo", "Oslo: 50%, Madrid: 50%", "It may be Oslo; it might be Madrid")
    for texts, score in ((sure, 1.0), (open_ones, 0.0)):
        result = accuracy.compute(predictions=texts, references=["Oslo"] * len(texts), preset="free_form")
        assert result["individual_scores"] == [score] * len(texts)


def test_rivals_are_of_the_kind_of_the_whole_candidate() -> None:
    """A date has years and months as rivals, a title that begins with a number word has names."""
    for text, hits, symbols in (
        ("July 14, 2017, not May 2001, not 1912", [(0, 4), (5, 7), (9, 13)], "R , not X , not X"),
        ("Six Degrees or Jurassic Park", [(0, 3), (4, 11)], "R or X"),
        ("six or 7", [(0, 3)], "R or X"),
    ):
        own = {text[start:end].lower() for start, end in hits}
        assert " ".join(assertion.read_symbols(text, hits, (), own)) == symbols, text


def test_model_of_words_holds_on_pairs_of_other_writers() -> None:
    """As measured, 21% and 97%, with some points for other fillings."""
    accepted: dict[bool, list[bool]] = {False: [], True: []}
    for row in examples("test"):
        accepted[row.is_right].append(assertion.score(row.symbols()) > assertion.LEAST_SCORE)
    wrong, right = (sum(decisions) / len(decisions) for decisions in accepted.values())
    assert (len(accepted[True]), wrong < 0.24, right > 0.94) == (320, True, True), (wrong, right)


DENIED_CLAUSES = """It's a common myth that | It is false that | Nobody says | I doubt that | It is not true that
    | I don't think | It is a misconception that | People wrongly believe | Never say | There's no way
    | I refuse to say that | They pretend that | It would be a mistake to say that | We cannot say that"""
REPORTED_CLAUSES = "Some claim | You might think | My first guess was that | Some people say"
ASSERTED_CLAUSES = """I think | I am sure that | We conclude that | It follows that | There is no doubt that
    | I don't doubt that | I believe | If you ask me, | Contrary to the myth,
    | It's not Rome; | Not to worry: | Since x is not zero, |"""


@pytest.mark.parametrize("mark", ["the answer is", "the final answer is", "my answer is", "the correct answer is"])
def test_answer_line_in_a_denied_or_reported_clause_is_none(accuracy: Any, mark: str) -> None:
    for clauses, presets, right in (
        (DENIED_CLAUSES, ["free_form", "strict"], 0),
        (REPORTED_CLAUSES, ["strict"], 0),
        (ASSERTED_CLAUSES, ["free_form"], 1),
        ("After some thought | The method used suggests that | Having used the map,", ["free_form", "strict"], 1),
    ):
        pairs = [(clause.strip(), name) for clause in clauses.split("|") for name in ("Paris", "Самара", "1912")]
        texts = [f"{clause} {mark} {name}." for clause, name in pairs]
        references = [name for _, name in pairs]
        for preset in presets:
            scores = accuracy.compute(predictions=texts, references=references, preset=preset)["individual_scores"]
            assert [text for text, score in zip(texts, scores, strict=True) if score != right] == []


def test_label_of_another_answer_marks_none(accuracy: Any) -> None:
    others = (
        "Not the answer | The wrong final answer | A bad answer | Rejected answer | Old answer | Someone else's answer"
    )
    for labels, right in ((others, 0), ("Final answer | Short answer | So my answer | The correct answer | Answer", 1)):
        texts = [f"{label}: {name}" for label in labels.split(" | ") for name in ("Paris", "1912")]
        references = ["Paris", "1912"] * (len(texts) // 2)
        scores = accuracy.compute(predictions=texts, references=references, preset="strict")["individual_scores"]
        assert [text for text, score in zip(texts, scores, strict=True) if score != right] == []


NAMES = {"\u0400": ("Рим", "Париж"), "\u0600": ("روما", "باريس"), "\u0900": ("रोम", "पेरिस"), "\u4e00": ("罗马", "巴黎"),
         "\uac00": ("로마", "파리"), "": ("Roma", "Paris")}  # fmt: skip
"""Two cities by the first letter of a script."""


@pytest.mark.parametrize("phrase", MAYBE.split("|"))
def test_maybe_in_any_language_leaves_the_answer_open(accuracy: Any, phrase: str) -> None:
    names = NAMES[max((first for first in NAMES if phrase[0] >= first), default="")]
    gap = "" if phrase[0] >= "\u4e00" and phrase[0] < "\uac00" else " "
    texts = [f"{phrase}{gap}{a}{mark}{phrase}{gap}{b}." for a, b in (names, names[::-1]) for mark in (", ", ". ", "\n")]
    for name in names:
        result = accuracy.compute(predictions=texts, references=[name] * len(texts), preset="free_form")
        assert [text for text, score in zip(texts, result["individual_scores"], strict=True) if score] == []


@pytest.mark.parametrize(
    ("right", "reference"),
    [
        ("Esta vez Roma ganó a París.", "Roma"),
        ("Roma, tal como dice Plinio", "Roma"),
        ("Rome, qui peut être visitée depuis Paris", "Rome"),
        ("Le livre Être et Temps a été écrit par Heidegger", "Être et Temps"),
        ("Это Рим, и Париж не может быть столицей", "Рим"),
        ("Vielleicht lebte er in Paris, aber geboren wurde er in Rom.", "Rom"),
        ("Mikhail Tal, Boris Spassky's rival", "Mikhail Tal"),
        ("Maybe Baby", "Maybe Baby"),
    ],
)
def test_words_for_maybe_in_another_sense_leave_nothing_open(accuracy: Any, right: str, reference: str) -> None:
    result = accuracy.compute(predictions=[right], references=[reference], preset="free_form")
    assert result["accuracy"] == 1.0


OFFERS = (
    "It is either {0} or {1}.", "I am unsure whether it was {1} or {0}.", "One of these: {1}, {0}, {2}.",
    "It could be {2}, {1} or {0}.", "{0} and/or {1}", "{1}/{0}/{2}", "Options: {0}, {1}, {2}",
)  # fmt: skip
MIXED = ("1910-1939", "copper", "Oslo, Norway", "8 September 2010", "action utility vehicle")


@pytest.mark.parametrize("offer", OFFERS)
def test_offer_of_candidates_of_different_kinds_chooses_none(accuracy: Any, offer: str) -> None:
    names = [name for name in MIXED if "," not in name or not re.search("[,/]", offer)]  # its comma might be a joint
    for at, right in enumerate(names):
        others = (names[at + 1 :] + names[:at])[:2]
        result = accuracy.compute(
            predictions=[offer.format(right, *others)], references=[[right, f"{right} or so"]], match="recall"
        )
        assert (result["accuracy"], result["match_types"][0] in {"hedged", "none"}) == (0.0, True), (right, others)


def test_words_of_an_offer_in_another_sense_leave_nothing_open(accuracy: Any) -> None:
    answers = """Whether you like it or not, it's Paris. | It could be Paris, or so I read. | singer/songwriter Paris
    | One of the options is right: Paris. | My pick of the options: Paris, the capital | Paris and/or Paris
    | Both the capital and the largest city, Paris. | Either way, it is Paris, the capital.
    | It is Paris, either the city or the region. | Either way it is Paris. | whether big or small, Paris
    | Paris, capital/largest city | Paris w/ suburbs | https://en.wikipedia.org/wiki/Paris | Paris 24/7"""
    texts = [text.strip() for text in answers.split("|")]
    columns = {"references": ["Paris"] * len(texts), "questions": ["What is the capital of France?"] * len(texts)}
    result = accuracy.compute(predictions=texts, **columns, match="recall")
    assert dict(zip(texts, result["match_types"], strict=True)) == dict.fromkeys(texts, "recall")
    whole = accuracy.compute(
        predictions=["the breast or lower chest of a cow"], references=["breast or lower chest"], match="recall"
    )
    assert whole["accuracy"] == 1.0


@pytest.mark.parametrize(
    "answer",
    [
        "A) {0}\nB) {1}", "My guess is {0}; another guess is {1}.", "{0}, failing that {1}.",
        "Option 1: {0}. Option 2: {1}.",
        "It might be {0}, but it might also be {1}.", "Half of me says {0}, half of me says {1}.", "{0}. If not, {1}.",
    ],
)  # fmt: skip
def test_second_guess_leaves_the_answer_open(accuracy: Any, answer: str) -> None:
    texts = [answer.format(*pair) for pair in (("Rome", "Paris"), ("17", "23"), ("copper", "zinc"), ("Рим", "Париж"))]
    result = accuracy.compute(predictions=texts, references=["Rome", "17", "copper", "Рим"], preset="free_form")
    assert [text for text, score in zip(texts, result["individual_scores"], strict=True) if score] == []


def test_hedged_answers_are_counted_and_may_be_allowed(accuracy: Any) -> None:
    data = {"predictions": ["Paris or London", "Paris", "London"], "references": ["Paris"] * 3}
    result = accuracy.compute(**data, match="recall")
    assert result["match_types"] == ["hedged", "exact", "none"]
    assert (result["hedged"], result["correct"]) == (1, 1)
    allowed = accuracy.compute(**data, match="recall", hedged="right")
    assert allowed["match_types"] == ["recall", "exact", "none"]
    assert "hedged" not in allowed
    # Equality and phrases know nothing of it.
    assert accuracy.compute(**data, match="contains")["match_types"] == ["contains", "exact", "none"]
    rows = accuracy.score_batch(data, match="recall")
    assert accuracy.aggregate(rows, match="recall") == result
    with pytest.raises(ValueError, match="the rows were scored with hedged='wrong'; pass the same option to aggregate"):
        accuracy.aggregate(rows, match="recall", hedged="right")
    with pytest.raises(ValueError, match="the rows were scored with hedged='wrong'"):
        accuracy.compare({"a": rows, "b": rows})
    lenient = accuracy.score_batch(data, match="recall", hedged="right")
    assert accuracy.aggregate(lenient, match="recall", hedged="right")["correct"] == 2


STRICT = {
    "right": "Paris | It is Paris. | The answer is Paris! | **Paris** | Of course, it's Paris. "
    "| Answer: Paris | The capital is Paris."
    " | I believe it is Paris. | \\boxed{Paris} | <think>Rome? Oslo?</think>Paris | paris",
    "wrong": "Paris? | Is it Paris? | is it Paris | Paris (Rome) | Paris Rome | Paris, in lieu of Rome "
    "| Paris, nicht Rom | Paris 2"
    " | Paris \u274c | ~~Paris~~ | \u00acParis | Paris beats Rome | Perhaps Paris | anything but Paris "
    "| Paris\uff1f | Paris, Berlin",
}


def test_strict_accepts_neutral_words_only(accuracy: Any) -> None:
    for verdict, texts in STRICT.items():
        predictions = texts.split(" | ")
        columns = {"predictions": predictions, "references": ["Paris"] * len(predictions)}
        questions = ["What is the capital of France?"] * len(predictions)
        types = accuracy.compute(**columns, questions=questions, preset="strict")["match_types"]
        wrongly = [
            text for text, kind in zip(predictions, types, strict=True) if (kind == "none") is (verdict == "right")
        ]
        assert not wrongly


def test_strict_has_its_own_way_of_matching(accuracy: Any) -> None:
    data = {"predictions": ["in Paris", "Paris at night", "Paris?"] * 500, "references": ["Paris"] * 1500}
    types = accuracy.compute(**data, match="contains", beside="neutral")["match_types"]
    assert types == ["contains", "none", "none"] * 500
    assert accuracy.compute(**data, beside="neutral")["correct"] == 0  # also of long columns, on Arrow buffers
    message = "accuracy: preset='strict' needs match='recall', got match='contains'; leave out one of them"
    with pytest.raises(ValueError, match=message):
        accuracy.compute(predictions=["a"], references=["a"], preset="strict", match="contains")
    with pytest.raises(ValueError, match='accuracy: hedged must be one of "wrong", "right", got \'maybe\''):
        accuracy.compute(predictions=["a"], references=["a"], hedged="maybe")


def test_denied_parts_lie_within_the_text() -> None:
    for row in commitment.rows():
        for start, end in denied(row.prediction, (), (), frozenset(re.findall(r"\w+", row.prediction.lower()))):
            assert 0 <= start < end <= len(row.prediction)
        assert not words_beside(row.reference, [], row.question, [row.reference])


@pytest.mark.parametrize(
    "unit", ["Paris or ", "not ", "Is it Paris? ", "no, ", "Paris, ", "- Paris\n", "thought but ", "it is wrong "]
)
def test_long_answers_take_linear_time(accuracy: Any, unit: str) -> None:
    long = "Paris " + unit * (200_000 // len(unit))
    start = time.process_time()
    accuracy.compute(predictions=[long], references=["Paris"], preset="free_form")
    assert time.process_time() - start < 10  # about 0.5 s on an idle core


def branches(tree: Any) -> Iterator[str]:
    """Write a parsed pattern out, once for each of its alternatives; optional parts are left out."""
    texts = [""]
    for kind, value in tree:
        name = str(kind)
        if name == "LITERAL":
            pieces = [chr(value)]
        elif name == "BRANCH":
            pieces = [text for branch in value[1] for text in branches(branch)]
        elif name == "SUBPATTERN":
            pieces = [*branches(value[3])]
        elif name in {"MAX_REPEAT", "MIN_REPEAT"}:
            pieces = ["" if value[0] == 0 else text * value[0] for text in branches(value[2])]
        elif name == "IN":
            is_space = any("SPACE" in str(argument) for _, argument in value)
            pieces = [" " if is_space else chr(value[0][1]) if str(value[0][0]) == "LITERAL" else "x"]
        else:  # anchors, and what looks around
            pieces = [""]
        texts = [text + piece for text in texts for piece in dict.fromkeys(pieces)]
    yield from texts


RULES = [*rules._RULES, rules._Rule(rules._OFFER_CUES | {"both"}, rules._OFFERS, rules._Scopes.whole)]


@pytest.mark.parametrize("rule", RULES)
def test_pattern_never_matches_a_text_without_its_cues(rule: Any) -> None:
    """A cue that is missing from the set would switch a rule off in silence."""
    for text in branches(_parser.parse(rule.pattern.pattern, rule.pattern.flags)):
        words = re.findall(r"[^\W\d_]+|\W", re.sub("n['\u2019]t", " not", text.lower()))
        assert not rule.cues.isdisjoint(words), text


@pytest.mark.parametrize("right", ["Paris", "Rosa Diaz", "1912", "Самара"])
def test_not_necessarily_denies_a_candidate_behind_it_and_nothing_else(right: str, accuracy: Any) -> None:
    denied_texts = (
        "Not necessarily {0}. | It is not necessarily {0}. | It isn't necessarily {0}. | Oslo, not necessarily {0}."
    )
    stated_texts = """{0} isn't necessarily cheap, but it fits. | The answer is {0}. It's not necessarily well known.
    | {0} is not necessarily the largest. | {0}, not necessarily Oslo. | Not necessarily the oldest, {0} is the best."""
    for texts, score in ((denied_texts, 0.0), (stated_texts, 1.0)):
        answers = [text.strip().format(right) for text in texts.split("|")]
        scores = accuracy.compute(predictions=answers, references=[right] * len(answers), match="recall")
        assert dict(zip(answers, scores["individual_scores"], strict=True)) == dict.fromkeys(answers, score)
