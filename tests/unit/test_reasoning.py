"""What is not the answer is dropped: reasoning, and questions that a base model invents; ordinary text stays."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.columns import reasoning
from answer_metrics.columns.reasoning import answer_of, drop_reasoning
from answer_metrics.core.options import Option

CHANNEL, START = "<|channel|>", "<|start|>assistant"
BLOCKS = [
    ("<think>", "</think>"), ("<THINKING>", "</THINKING>"), ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<mm:think>", "</mm:think>"), ("<longcat_think>", "</longcat_think>"), ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"), ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n<|begin_of_solution|>"), ("<unused94>thought\n", "<unused95>"),
    ("<|channel>thought\n", "<channel|>"), ("Thinking...\n", "\n...done thinking.\n\n"),
    (f"{CHANNEL}analysis<|message|>", f"<|end|>{START}{CHANNEL}final<|message|>"), ("analysis", "assistantfinal"),
    ("analysis ", " assistant final "), ("analysis", "\nassistant\nfinal: "),
    ("<reason>", "</reason>"), ("<reflection>", "</reflection>"), ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    (f"{CHANNEL}commentary to=x<|message|>", f"<|end|>{START}{CHANNEL}final JSON<|message|>"),
    ("Thinking…\n", "\n…done thinking.\n"), ("commentary", "assistantfinal"),
]  # fmt: skip
HEADS = {"Thinking...", "Thinking…", "analysis", "commentary"}
ASIDES = [block for block in BLOCKS if block[0] in {"<reason>", "<reflection>", "<scratchpad>", "<analysis>"}]
THOUGHTS = ["Paris?", "We try\n\nParis, Rome.\n", "7*8 = 56 < 57"]


@pytest.mark.parametrize(("start", "end"), BLOCKS)
@pytest.mark.parametrize("answer", ["Lyon", "It is Lyon, [1] x < 5.", "**Lyon**"])
def test_answer_follows_reasoning(start: str, end: str, answer: str) -> None:
    for thought, space in itertools.product(THOUGHTS, ["", "\n\n"]):
        assert answer_of(f"{start}{thought}{end}{space}{answer}") == answer
        if start.strip() not in HEADS:  # templates often write the opening mark
            assert answer_of(f"{thought}{end}{space}{answer}") == answer


@pytest.mark.parametrize(("start", "end"), BLOCKS)
def test_reasoning_that_never_ends_is_no_answer(start: str, end: str) -> None:
    for thought in THOUGHTS:
        if start == "analysis ":  # may be a sentence
            continue
        thought = thought.removeprefix("7*8 = ") if start in HEADS else thought
        assert answer_of(f"{start}{thought}") is None
        if (start, end) not in ASIDES and start.strip() not in HEADS:
            assert answer_of(f"{start}{thought}{end}Lyon\n{start}{thought}") is None


@pytest.mark.parametrize(("start", "end"), ASIDES)
def test_aside_leaves_the_answer_before_it(start: str, end: str) -> None:
    assert answer_of(f"<answer>Lyon</answer>\n{start}not Paris{end}") == "<answer>Lyon</answer>"
    assert answer_of(f"Lyon\n{start}since Paris") == "Lyon"  # cut off after the answer
    assert answer_of(f"The closing tag is {end}.") == f"The closing tag is {end}."


@pytest.mark.parametrize(("start", "end"), BLOCKS)
def test_mark_in_a_sentence_is_a_word(start: str, end: str) -> None:
    start, end = start.strip(), end.split("<|START_RESPONSE")[0].strip()
    for text in (f"Write `{start}` and `{end}`.", f"Write “{start}”, then “{end}”."):
        if CHANNEL not in text and "\n" not in text:
            assert answer_of(text) == text


ORDINARY = [
    "Analysis of the map shows Paris.", "analysis of variance", "Analysis", "Thinking... it is Paris.",
    "Use <think> tags",
    "a < b, [1], “x” |> y ", "", "The assistant final answer is 5", "A reason: it is Paris", "x <reason> y",
    "Thoughts\nParis",
]  # fmt: skip
WORDS = "Paris|\n|analysis|assistant|final|Thinking|...|reason|<|>|/|Q|:|A:|User|[|]|1| ".split("|")


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert answer_of(text) == text


@given(st.lists(st.sampled_from(WORDS)).map("".join), st.sampled_from(BLOCKS))
def test_answer_after_a_mark_is_never_eaten(text: str, block: tuple[str, str]) -> None:
    """The first line of an answer stays, whatever was thought."""
    start, end = block
    answer = answer_of(f"{start}x {text}{end}Lyon it is\n")
    assert answer is not None
    assert answer.startswith("Lyon it is")


NEXT = """Question: QUESTION: Problem: Q: Frage: Pregunta: Pergunta: Domanda: Pytanie: Soru: Вопрос: 问题： 問題：
    问： 問: 質問： 질문: 문제: السؤال: سؤال: प्रश्न: Human: User: Instruction: **Question:** Q12: Q**:""".split()
NEXT += ["Câu hỏi:", "## Question 2:", "### Instruction:", "Q 3 :"]
ANSWERS = ["7", "The answer is 7.", "5 + 2 = 7\n#### 7", "A: 7", r"So \boxed{7}", "Answer: (B)", "答案\uff1aB",
           "The Seine", "Assistant: The Seine", "AI: 7", "Response: 7", "A2: 7", "答え：7", "답: 7", "Antwort: 7",
           "Respuesta: 7", "Réponse: 7", "Resposta: 7", "Risposta: 7", "Ответ: 7", "الإجابة: 7", "उत्तर: 7"]  # fmt: skip
TAILS = [" Which river is the longest?\nAnswer: 12", " Tom has 3 apples and",
         " Which one is it?\nA: The answer is 12.\n\nQ: x", " Go on.\nAssistant: 12"]  # fmt: skip
TOKENS = ["<|im_end|>\n<|im_start|>user\n", "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
          "<end_of_turn>\n<start_of_turn>user\n", "</s>\n<|user|>\n", "<｜User｜>", "<|im_start|>user "]  # fmt: skip


@pytest.mark.parametrize("question", NEXT)
def test_invented_question_is_cut_off(question: str) -> None:
    for answer, tail, space in itertools.product(ANSWERS, TAILS, ["\n", "\n\n"]):
        assert answer_of(f"{answer}{space}{question}{tail}") == answer
        restated = f"{question} What is it?\n{answer}" if ":" in answer else ""
        if restated and not re.search(r"\d", question):  # the next of a numbered list is no invention
            assert answer_of(f"{restated}{space}{question}{tail}") == restated


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("answer", [*ANSWERS[:9], "Two sentences.\nWith a < b."])
def test_turn_of_a_chat_template_is_cut_off(token: str, answer: str) -> None:
    assert [answer_of(f"{answer}{token}{tail}") for tail in TAILS] == [answer] * len(TAILS)
    assert answer_of(f"{answer}{token.partition('<|im_start')[0]}") in {answer, f"{answer}{token}"}


QUOTED = [
    "Question: What is it?\nAnswer: Paris", "**Question:** What?\n\n**Answer:** Paris",
    "Sure!\n\nQuestion: What is it?\nAnswer: Paris",
    "The FAQ says:\nQ: Who was it?\nA: Orwell", "It asks 'Q: who is it?'\nParis", "P: 3\nQ: 5\nR: 7",
    "Q1: a?\nA1: 3\nQ2: b?\nA2: 5",
    "Here are three quiz questions.\n\nQ: What is it?\nA: Paris", "Q\n\nParis", "Vitamin\nQ: 10 mg",
    "Name: Bob\nUser: administrator of all", "Here is a dialogue.\nUser: Who was it?\nAssistant: Orwell",
    "It was seen in a log of the server.\nUser: root",
]  # fmt: skip


@pytest.mark.parametrize("text", QUOTED)
def test_question_that_is_restated_or_quoted_stays(text: str) -> None:
    assert answer_of(text) == text


def test_words_that_decide_what_is_cut_off() -> None:
    opening = "sure|okay|ok|certainly|of course|absolutely|great|let|here|i|we|to|first|given|based|according|topics:"
    for word in [*opening.split("|"), *(f"the {noun}" for noun in ("question", "problem", "task", "user"))]:
        text = f"{word.capitalize()} look.\n\nQ: What is it?\nA: Paris"
        assert answer_of(text) == text
    for word in ("Assistant", "AI", "Bot", "Response"):
        assert answer_of(f"It was seen in a log of the server.\nUser: root\n{word}: ok").endswith("server.")  # type: ignore[union-attr]
    ends = "return|end|im_end|eot_id|endoftext|END_RESPONSE|end_of_solution".split("|")
    for token in [*(f"<|{name}|>" for name in ends), "<turn|>", "<end_of_turn>", "</s>"]:
        assert answer_of(f"x < y {token}\n{token} ") == "x < y"
    for count, question in itertools.product((6, 7), ("1234567", "12345678", "123456?")):
        text = f"{' '.join('x' * count)}\nQ: {question}"
        assert (answer_of(text) == text) is (count > 6 or question == "1234567")
        text = "\n\nQ: ".join(["x x x x x x x", *["x"] * (count - 2), "Which one is it?"])
        assert (answer_of(text) == text) is (count > 6)  # five questions are looked at


TEXTS = [f"{start}Paris?{end}Lyon" for start, end in BLOCKS] + [f"{start}Paris?" for start, _ in BLOCKS]
TEXTS += [*ORDINARY, *QUOTED, *(f"Lyon{token}Hm" for token in TOKENS), "7\n\nQ: How many are there?\nA: 8"]
TEXTS += ["Lyon\nUser: Go on.\nAssistant: Rome", "Paris", "(a)Rome(b)Lyon", "(a)Rome"]
STRING_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


def as_lists(columns: tuple[Any, list[int]]) -> tuple[list[str], list[int]]:
    return columns[0] if isinstance(columns[0], list) else columns[0].to_pylist(), columns[1]


@given(st.lists(st.sampled_from(TEXTS)), st.sampled_from([None, [("(a)", "(b)")]]))
def test_columns_give_what_single_texts_give(texts: list[str], marks: list[tuple[str, str]] | None) -> None:
    expected = [answer_of(text, marks) for text in texts]
    dropped = [answer or "" for answer in expected], [row for row, answer in enumerate(expected) if answer is None]
    assert drop_reasoning(texts, marks) == dropped
    array = pa.array(["</think>", *texts, "<think>"])
    for kind in STRING_TYPES:
        sliced = array.cast(kind)[1:-1]
        chunked = pa.chunked_array([sliced[:2], sliced[2:]], kind)
        assert as_lists(drop_reasoning(sliced, marks)) == as_lists(drop_reasoning(chunked, marks)) == dropped


@pytest.mark.parametrize("text", [f"{start}Paris?{end}Lyon" for start, end in BLOCKS] + ["So.assistantfinalLyon"])
def test_marks_between_blocks_of_an_arrow_column_are_seen(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(reasoning, "_BLOCK_BYTES", 64)
    for place in range(80):
        texts = ["x" * place, text]
        assert as_lists(drop_reasoning(pa.array(texts))) == drop_reasoning(texts), place


METRICS = {
    "accuracy": ("accuracy", {}),
    "answer_exact_match": ("score", {}),
    "token_f1": ("f1", {}),
    "l3score": ("L3Score", {"provider": "mock", "questions": ["Which?"] * 2}),
}


@pytest.mark.parametrize("space", ["", " ", "  ", "\n", "\t", "\u00a0", "\u3000"])
@pytest.mark.parametrize("text", ["analysisWe need it", "commentary to=x", "analysisHmassistantfinalParis", "analyses"])
def test_channels_without_marks_are_seen_in_arrow_columns(space: str, text: str) -> None:
    texts = ["Paris", f"{space}{text}"]
    assert as_lists(drop_reasoning(pa.array(texts))) == drop_reasoning(texts)


@pytest.mark.filterwarnings("ignore:.*is not a judge")
@pytest.mark.parametrize("name", METRICS)
def test_marks_of_the_user_count_in_every_metric(metric: Callable[[str], Any], name: str) -> None:
    key, more = METRICS[name]
    rows = {"predictions": ["[a|Rome?]|Paris", "[A|Paris"], "references": ["Paris", "Paris"], **more}
    marks = [("[a|", "]|"), ("{", "}")]
    with pytest.warns(UserWarning, match="1 prediction ended mid-reasoning"):
        result = metric(name).compute(**rows, reasoning_marks=marks, return_signature=True)
    assert result[key] == pytest.approx(0.5, abs=0.01)
    assert '|reasoning_marks:[["[a%7C","]%7C"],["{","}"]]' in result["signature"]
    assert "reasoning" not in metric(name).compute(**rows, return_signature=True)["signature"]
    thinking = {**rows, "predictions": ["<think>Rome?</think>Paris", "Paris"]}
    scores = {reasoning: metric(name).compute(**thinking, reasoning=reasoning)[key] for reasoning in ("drop", "keep")}
    assert scores["drop"] == pytest.approx(1, abs=0.011)
    assert scores["keep"] < 0.9
    table = pa.table({"predictions": ["[a|Rome?]|Paris", "Paris"], "references": ["Paris"] * 2, "questions": ["?"] * 2})
    options = {"reasoning_marks": marks, **({"provider": "mock"} if name == "l3score" else {})}
    result = metric(name).aggregate(metric(name).score_batch(table, **options), **options)
    assert result[key] == pytest.approx(1, abs=0.011)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ([], r"reasoning_marks must be a list of pairs such as \[\(\"<a>\", \"</a>\"\)\], got \[\]"),
        ("<a>", "must be a list of pairs"),
        (("<a>", "</a>"), r"reasoning_marks\[0\] must be a pair of an opening and a closing mark, got '<a>'"),
        ([("<a>", "</a>"), ("<b>",)], r"reasoning_marks\[1\] must be a pair"),
        ([("<a>", 1)], r"reasoning_marks\[0\] must be a pair"),
        ([("<a>", " ")], r"reasoning_marks\[0\] must be two different marks, neither of them empty"),
        ([("|", "|")], r"reasoning_marks\[0\] must be two different marks"),
    ],
)
def test_bad_marks_are_refused_and_good_ones_may_be_json(accuracy: Any, marks: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accuracy.compute(predictions=["a"], references=["a"], reasoning_marks=marks)
    option: Option = accuracy.options["reasoning_marks"]
    assert option.check('[["<a>", "</a>"]]') == option.check([["<a>", "</a>"]]) == (("<a>", "</a>"),)


@pytest.mark.parametrize("marks", [None, [("<a>", "</a>")]])
def test_rows_that_were_cut_off_are_counted_over_blocks(marks: Any) -> None:
    texts = ["<think>x</think>Paris" if row % 2 else "Rome" for row in range(25_000)]
    for row in (5, 10_007, 24_999):
        texts[row] = "<a>cut" if marks else "<think>cut"
    for column in (texts, pa.array(texts)):
        assert drop_reasoning(column, marks)[1] == [5, 10_007, 24_999]
        late = drop_reasoning([*["Rome"] * 25_000, "<a>x</a>b" if marks else "<think>x</think>b"], marks)
        assert (late[0][-1], late[1]) == ("b", [])
