"""Results of l3score: keys, details, the two steps, stored judgments, votes, panels, dry runs."""

import contextlib
import json
import math
import sqlite3
import warnings
from itertools import cycle
from pathlib import Path
from typing import Any

import datasets
import pytest

from answer_metrics.judge import judging
from answer_metrics.judge.engine import JudgeError
from answer_metrics.judge.judging import DRY_RUN_COUNTS
from metrics.l3score.l3score import L3Score, pairwise_agreement
from tests.judge_server import JudgeServer, Reply, completion, error
from tests.judges import SCORE, TEXTS, Answer, always, compute, judge

pytestmark = [
    pytest.mark.filterwarnings("ignore:l3score. provider=.mock. is not a judge"),
    pytest.mark.filterwarnings("ignore:l3score. the model"),
    pytest.mark.usefixtures("quick_judges"),
]


def by_answer(request: dict[str, Any], _number: int) -> Reply:
    """The prediction lists the candidates: alternating tokens and probabilities."""
    words = request["messages"][0]["content"].partition("Candidate answer: ")[2].partition("\n")[0].split()
    return Reply(completion([(words[i], math.log(float(words[i + 1]))) for i in range(0, len(words), 2)]))


def inputs(*predictions: str, references: list[Any] | None = None) -> dict[str, Any]:
    count = len(predictions)
    return {"questions": ["q"] * count, "predictions": predictions, "references": references or ["r"] * count}


def test_details_cover_every_kind_of_answer() -> None:
    predictions = ["Yes 0.6 No 0.2", "Yes 0.7 The 0.25", "The 0.9 A 0.1", "no 0.9 Yeah 0.1"]
    unsorted = "A 0.1 The 0.9"
    undecided = pytest.warns(
        UserWarning, match="1 of 4 judgments is undecided: .* less than 5% .*began with 'The'; it must be"
    )
    with JudgeServer(by_answer) as server, undecided:
        result = compute(**inputs(*predictions), base_url=server.url, return_details=True)
    with JudgeServer(by_answer) as server, pytest.warns(UserWarning, match="began with 'The'"):
        compute(**inputs(unsorted), base_url=server.url)
    assert result["individual_scores"] == pytest.approx([0.75, 0.7 / 0.75, 0.0, 1e-8 / 0.9], rel=1e-6)
    assert result["L3Score"] == math.fsum(result["individual_scores"]) / 4
    assert result["p_yes"] == pytest.approx([0.6, 0.7, 0.0, 1e-8], rel=1e-6)
    assert result["p_no"] == pytest.approx([0.2, 0.05, 0.0, 0.9])
    assert result["undecided"] == [False, False, True, False]
    assert result["top_tokens"][3] == ["no", "Yeah"]
    assert result["served_models"] == ["judge-2026-11-01"] * 4
    assert result["fingerprints"] == ["fp_1"] * 4
    assert (result["input_tokens"], result["output_tokens"]) == ([100] * 4, [1] * 4)


def test_references_are_judged_one_by_one_or_together() -> None:
    references = [["Lyon", "Paris"], ["Bonn", "Berlin"], ["red and white", "none"]]
    best = compute(provider="mock", references=references, return_details=True)
    assert best["individual_scores"] == pytest.approx([0.99, 0.01, 0.99])
    references = [["Paris", "Paname"], ["Berlin"], ["a", "b", "c"]]
    with JudgeServer() as server:
        compute(references=references, base_url=server.url, references_in_prompt="all")
        assert len(server.requests) == 3
        assert any("Ground-truth answer: any one of these:\n- Paris\n- Paname\n" in text for text in server.prompts())
        compute(references=references, base_url=server.url)
        assert len(server.requests) == 3 + 5  # the second question has one reference, whose prompt is stored
        planned = compute(references=references, base_url=server.url, dry_run=True)
        assert planned == {"calls": 0, "cached": 6, "input_tokens": 0, "output_tokens": 0, "Cost": 0.0}
        twice = [["Lyon", "Lyon"], ["Bonn"], ["a", "d", "a"]]
        result = compute(references=twice, base_url=server.url, price=(1, 1))
        assert result["Cost"] == pytest.approx((len(server.requests) - 8) * 101e-6) == pytest.approx(3 * 101e-6)


def test_failed_examples_are_excluded_from_the_mean_in_both_steps() -> None:
    def answer(request: dict[str, Any], number: int) -> Reply:
        if "capital of France" in str(request):  # the harmless question
            return Reply(completion(usage={"prompt_tokens": 0, "completion_tokens": 0}))
        return by_answer(request, number) if "good" in str(request) else error(400, "too long")

    texts = inputs(*["Yes 0.6 No 0.2"] * 3, references=[["a", "good"], ["good"], ["good", "good 2"]])
    with JudgeServer(answer) as server:
        metric = L3Score(base_url=server.url, on_error="skip", model="unpriced", price=(1, 1))
        result = metric.compute(**texts, return_details=True)
        assert result is not None
        assert (result["L3Score"], result["failed"]) == (pytest.approx(0.75), 1)
        assert result["individual_scores"] == [None, pytest.approx(0.75), pytest.approx(0.75)]
        assert (result["top_tokens"][0], result["failures"][1:]) == ([], ["", ""])
        json.dumps(result)
        rerun = {**result, "Cost": 0.0, "costs": [0.0] * 3, "cached": [False, True, True]}
        for size in (1, 3):  # the columns have one type, whatever fails
            scored = datasets.Dataset.from_dict(texts).map(metric.score_batch, batched=True, batch_size=size)
            assert metric.aggregate(scored, return_details=True) == rerun
        with pytest.raises(JudgeError, match='1 example was not judged; on_error="skip" leaves'):
            metric.aggregate(scored, on_error="raise")
        assert (metric.label_sample(scored, 2), metric.row_scores(scored)[0]) == ([1, 2], None)
        all_failed = metric.compute(**inputs("p", references=["bad"]))
        assert all_failed == {"L3Score": None, "Cost": 0.0, "failed": 1}
        with pytest.warns(UserWarning, match="1 of 2 judgments is undecided"):
            metric.compute(**inputs("The 0.9 A 0.1", "Yes 0.6 No 0.2", "p", references=["good", "good", "bad"]))


def test_panel_is_aggregated_to_what_compute_gives() -> None:
    options: dict[str, Any] = {"return_details": True, "return_confidence": True, "return_signature": True}
    metric = L3Score(judges=[{"provider": "mock"}, {"provider": "mock", "name": "another"}])
    scored = datasets.Dataset.from_dict(TEXTS).map(metric.score_batch, batched=True, batch_size=2)
    assert metric.aggregate(scored, **options) == metric.compute(**TEXTS, **options)


def test_rows_that_an_earlier_version_scored_are_aggregated() -> None:
    metric = L3Score(provider="mock")
    scored = metric.score_batch(TEXTS)
    earlier = {name: column for name, column in scored.items() if name not in {"l3score_asked", "l3score_lost_costs"}}
    assert len(earlier) == len(scored) - 2
    assert metric.aggregate(earlier, return_details=True) == metric.aggregate(scored, return_details=True)


def test_only_undecided_examples_are_asked() -> None:
    decided: list[Any] = [1.0, None, 0.25]
    with JudgeServer() as server:
        options: dict[str, Any] = {"base_url": server.url, "return_details": True, "return_confidence": True}
        result = compute(decided=decided, **options)
        assert len(server.requests) == 1
        assert "Moscow" in server.prompts()[0]
        assert result["individual_scores"] == [1.0, SCORE, 0.25]
        assert (result["asked"], result["cached"], result["costs"][0]) == (1, [False] * 3, 0.0)
        assert result["L3Score"] == math.fsum(result["individual_scores"]) / 3
        metric = L3Score(base_url=server.url, model="gpt-6-luna")
        scored = datasets.Dataset.from_dict(TEXTS | {"decided": decided}).map(metric.score_batch, batched=True)
        stored = {**result, "Cost": 0.0, "costs": [0.0] * 3, "cached": [False, True, False]}
        assert metric.aggregate(scored, return_details=True, return_confidence=True) == stored
        assert compute(decided=decided, base_url=server.url, dry_run=True)["cached"] == 1
        panel = compute(decided=decided, judges=[{"provider": "mock"}] * 2)
        assert panel["judge_agreement"] == {"mock and mock #2": {"agreement": 1.0, "kappa": None, "examples": 1}}
        assert "asked" not in compute(decided=[None] * 3, base_url=server.url)
        assert compute(decided=[1, 1, 0], base_url="http://127.0.0.1:9/v1")["L3Score"] == 2 / 3
        metric = L3Score(base_url=server.url)
        for index in range(3):
            metric.add_batch(**{name: [column[index]] for name, column in (TEXTS | {"decided": decided}).items()})
        assert (metric.compute() or {})["asked"] == 1
        with pytest.raises(ValueError, match=r"decided\[1\] is 2 \(int\), not a number between 0 and 1"):
            compute(decided=[1, 2, None], base_url=server.url)


def test_prediction_that_was_cut_off_in_its_thinking_is_wrong_and_not_asked() -> None:
    texts = inputs("<think>Is it r?</think>r", "<think>Is it", "r")
    with JudgeServer() as server:
        with pytest.warns(UserWarning, match="1 prediction ended mid-reasoning and was scored wrong"):
            result = compute(**texts, base_url=server.url, return_details=True, return_confidence=True)
        assert (result["individual_scores"], result["asked"]) == ([SCORE, 0.0, SCORE], 2)
        assert result["L3Score_confidence_interval"][0] < 0.5
        assert len(server.prompts()) == 1  # the same, once the thinking is dropped
        assert "think" not in server.prompts()[0]
        with pytest.warns(UserWarning, match="mid-reasoning"):
            judged = compute(**texts, decided=[None, 0.75, None], base_url=server.url, return_details=True)
        assert judged["individual_scores"] == [SCORE, 0.75, SCORE]
        with_thinking = compute(**texts, base_url=server.url, reasoning="keep", return_signature=True)
        assert len(server.requests) == 3
        assert "|reasoning:keep|" in with_thinking["signature"]


VERIFIER = {"template": "Q: {question}\nR: {reference}\nA: {answer} {x}\nA, B or C?", "yes": ["A"], "no": ["B", "C"]}


def test_template_of_a_verifier_is_filled_scored_and_signed() -> None:
    top = [("A", math.log(0.4)), (" a", math.log(0.1)), ("B", math.log(0.3)), ("C", math.log(0.1)), ("D", -9.0)]
    with JudgeServer(always(Reply(completion(top)))) as server:
        options = {"base_url": server.url, "return_signature": True, "return_details": True, "price": (0, 0)}
        options["questions"] = ["{answer}?", "2", "3"]
        result = compute(**options, prompt=VERIFIER, predictions=["{reference}", "b", "c"])
        assert "Q: {answer}?\nR: Paris\nA: {reference} {x}\nA, B or C?" in server.prompts()
        assert (result["p_yes"][0], result["p_no"][0]) == (pytest.approx(0.4), pytest.approx(0.4))
        assert result["individual_scores"] == [pytest.approx(0.5)] * 3
        assert "|prompt:own-" in result["signature"]
        other = compute(**options, prompt={**VERIFIER, "no": "B"}, predictions=["{reference}", "b", "c"])
        assert len(server.requests) == 3, "candidates are stored, and scored by any answers"
        assert other["individual_scores"] == [pytest.approx(4 / 7)] * 3
        assert other["signature"] != result["signature"]
        panel = compute(**options, prompt=VERIFIER, judges=[{"base_url": server.url, "name": n} for n in "ab"])
        assert panel["L3Score"] == pytest.approx(0.5)
    with JudgeServer(lambda request, _number: votes(*["A", "C"] * (request["n"] // 2))) as server:
        assert vote(server, prompt=VERIFIER)["vote_share"] == 0.5
        schema = server.requests[0]["response_format"]["json_schema"]["schema"]
        assert schema["properties"]["verdict"]["enum"] == ["A", "B", "C"]
        vote(server, prompt={**VERIFIER, "yes": ["A", "C"], "no": ["B"]})
        assert len(server.requests) == 6, "votes are counted by their answers"
    with JudgeServer(always(error(400, "no"))) as server:
        with pytest.raises(JudgeError, match="HTTP 400"):
            compute(base_url=server.url, prompt=VERIFIER)
        assert server.prompts()[1:] == ["Q: What is the capital of France?\nR: Paris\nA: Paris {x}\nA, B or C?"]
    for scoring in ("logprobs", "votes"):
        by_mock = compute(provider="mock", prompt=VERIFIER, scoring=scoring, return_details=True)
        assert len(set(by_mock["individual_scores"])) > 1


def test_stored_judgments_need_no_key_and_cost_nothing(tmp_path: Path) -> None:
    with JudgeServer() as server:
        first = compute(base_url=server.url)
        assert (tmp_path / "l3score" / "judgments.sqlite").is_file()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert compute(base_url=server.url, max_cost=0.01) == {"L3Score": first["L3Score"], "Cost": 0.0}
        assert len(server.requests) == 3
        unpriced = {"base_url": server.url, "provider": "openai-compatible"}
        with pytest.warns(UserWarning, match="Cost is None: the price of 'default' is unknown"):
            compute(**unpriced)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert compute(**unpriced, dry_run=True) == dict.fromkeys(DRY_RUN_COUNTS, 0) | {"cached": 3, "Cost": 0.0}
        server.requests.clear()
        for _ in range(2):
            compute(base_url=server.url, use_cache=False)
        assert len(server.requests) == 6


def test_whatever_can_change_a_judgment_is_judged_again() -> None:
    changes: list[dict[str, Any]] = [
        {}, {"provider": "openai-compatible"}, {"model": "another"}, {"top_logprobs": 4}, {"prompt": "guarded"},
        {"extra_body": {"seed": 1}}, {"extra_body": {"seed": 2}},
    ]  # fmt: skip
    with JudgeServer() as server:
        for number, change in enumerate(changes, 1):
            for _ in range(2):
                judge(server, 1, price=(0, 0), **change)
            assert len(server.requests) == number, change
    with JudgeServer(always(votes("Yes"))) as server:
        for number, samples in enumerate((1, 2), 1):
            judge(server, 1, scoring="votes", samples=samples, price=(0, 0))
            assert len(server.requests) == 1 + 2 * (number - 1)


GOOD = {"top": [["Yes", -0.1]], "usage": [1, 0, 1], "model": "m", "fingerprint": None}
POISON: list[Any] = [
    None, {**GOOD, "top": []}, {**GOOD, "top": [["Yes", "-0.1"]]}, {**GOOD, "top": [[{"html": "<b>"}, -0.1]]},
    {**GOOD, "top": [["Yes", math.nan]]}, {**GOOD, "model": 5}, {"top": [["Yes", -0.1]]}, b"\xff", b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("poison", POISON, ids=range(len(POISON)))
def test_stored_value_that_cannot_be_scored_is_judged_again(poison: Any, tmp_path: Path) -> None:
    with JudgeServer() as server:
        options = {"base_url": server.url, "price": (0, 0), "judge_cache_dir": tmp_path}
        first = compute(**options)
        with contextlib.closing(sqlite3.connect(tmp_path / "judgments.sqlite", isolation_level=None)) as connection:
            stored = poison if isinstance(poison, bytes) else json.dumps(poison)
            connection.execute("UPDATE judgments SET judgment = ?", (stored,))
        assert compute(**options) == compute(**options) == first
        assert len(server.requests) == 6


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_examples_with_and_without_stored_judgments_keep_order(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run judges only what the first did not; an example waits if one of its references does."""
    monkeypatch.setattr(judging, "_CHUNK", chunk)

    def answer(request: dict[str, Any], _number: int) -> Reply:
        prompt = request["messages"][0]["content"]
        known = next(number for number in range(20) if f"answer: r{number}\n" in prompt)
        return Reply(completion([("Yes", -0.1 * (known + 1)), ("No", -2.0)]))

    def texts(*numbers: int) -> dict[str, Any]:
        return inputs(*["p"] * len(numbers), references=[[f"r{number}", f"r{number + 1}"] for number in numbers])

    with JudgeServer(answer) as server:
        options = {"base_url": server.url, "return_details": True, "price": (10_000, 0)}
        compute(**texts(2, 5), **options)
        first = compute(**texts(5, 4, 2, 0, 4, 5), **options)
        assert len(server.requests) == 4 + 3, "r2, r3, r5, r6; r4, r0, r1, each once"
        assert first["cached"] == [True, False, True, False, True, True]
        assert first["costs"] == [0.0, pytest.approx(1.0), 0.0, pytest.approx(2.0), 0.0, 0.0]
        assert compute(**texts(5, 4, 2, 0, 4, 5), **options)["individual_scores"] == first["individual_scores"]
        assert len(set(first["individual_scores"])) == 4
        panel = [{"model": name, "base_url": server.url, "price": (0, 0)} for name in "ab"]
        together = compute(**texts(5, 0), **options, judges=panel)
        assert together["juror_scores"] == [[first["individual_scores"][index]] * 2 for index in (0, 3)]


def votes(*answers: str | None, finish_reason: str = "stop") -> Reply:
    contents = [None if answer is None else json.dumps({"verdict": answer}) for answer in answers]
    choices = [{"finish_reason": finish_reason, "message": {"content": content}} for content in contents]
    usage = {"prompt_tokens": 100, "completion_tokens": 50 * len(answers), "total_tokens": 100 + 250 * len(answers)}
    return Reply(completion(choices=choices, usage=usage))


def vote(server: JudgeServer, **options: Any) -> dict[str, Any]:
    defaults = {"base_url": server.url, "price": (1, 1), "scoring": "votes", "return_details": True}
    return compute(**{**defaults, **options})


def test_share_of_votes_is_the_score() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        yes = 6 if "Paris" in str(request) else 1
        return votes(*["Yes"] * yes, *["No"] * (request["n"] - yes))

    with JudgeServer(answer) as server:
        result = vote(server, return_signature=True)
        assert "L3Score" not in result
        assert result["vote_share"] == math.fsum([6 / 8, 1 / 8, 1 / 8]) / 3
        assert (result["votes_yes"], result["votes_no"]) == ([6, 1, 1], [2, 7, 7])
        # Tokens that a provider omits from the completion tokens are in the total, and are billed.
        assert result["output_tokens"] == [2000] * 3
        assert result["Cost"] == pytest.approx(3 * 2100e-6)
        assert "|scoring:votes-2|samples:8|" in result["signature"]
        request = server.requests[0]
        schema = request["response_format"]["json_schema"]["schema"]
        assert request["response_format"]["type"] == "json_schema"
        assert [field["enum"] for field in schema["properties"].values()] == [["Yes", "No"]]
        assert not {"logprobs", "top_logprobs", "temperature"} & set(request)
        assert vote(server)["cached"] == [True] * 3
        server.answer = lambda request, _number: votes(*["No"] * request["n"])
        assert vote(server, model="gpt-6-astra")["vote_share"] == 0.0  # it has no log-probabilities


def without_n(request: dict[str, Any], _number: int) -> Reply:
    return error(400, "Unsupported parameter: 'n'", param="n") if "n" in request else votes("Yes")


NEITHER = "the judge answered neither Yes nor No"
YES, FAILED = {"message": {"content": "Yes"}}, {"error": {"code": 502, "message": "gone"}}
BLOCKED = Reply(completion(choices=[{"message": {"refusal": "I cannot"}}]))
CUT_OFF = "the judge hit its token limit before it answered"


def cut(answer: Reply) -> Reply:
    for choice in answer.body["choices"]:
        if choice["message"]["content"] is None:
            choice["finish_reason"] = "length"
    return answer


def one_by_one(*answers: str | None) -> Answer:
    contents = cycle(answers)
    return lambda request, number: without_n(request, number) if "n" in request else cut(votes(next(contents)))


def without_format(request: dict[str, Any], _number: int) -> Reply:
    refused = error(400, "This response_format type is unavailable now", code="invalid_request_error")
    return refused if "response_format" in request else Reply(completion(choices=[{"message": {"content": "no."}}] * 3))


# The server's answer to a request for three votes with one retry, the votes for Yes and for No or the failure, and the
# calls per example. What is cut off counts as given.
VOTES: list[tuple[Answer, tuple[int, int] | str, int]] = [
    (without_n, (3, 0), 3), (without_format, (0, 3), 1), (one_by_one(None, None, "No"), (0, 1), 3),
    (one_by_one(None), CUT_OFF, 3),
    (lambda request, _number: votes(*["Yes", "Maybe", "Yes"][: request["n"]]), (3, 0), 2),
    (always(Reply(completion(choices=[{"message": {"content": "**Yes.**"}}] * 3))), (3, 0), 1),
    (always(votes("Yes", None)), NEITHER, 2), (always(cut(votes(None, None, None))), CUT_OFF, 1),
    (always(BLOCKED), "the provider's content filter refused the prompt", 1),
    (lambda request, _number: Reply(completion(choices=[YES, YES, FAILED][: request["n"]])), (3, 0), 2),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:l3score. 127.0.0.1 did not accept the request")
@pytest.mark.parametrize(("answer", "expected", "calls"), VOTES, ids=range(len(VOTES)))
def test_votes_are_completed_or_the_example_fails(answer: Answer, expected: tuple[int, int] | str, calls: int) -> None:
    asked = []

    def serve(request: dict[str, Any], number: int) -> Reply:
        reply = answer(request, number)
        if reply.status == 200 and "What is the capital of France?" in str(request):  # the harmless question
            return votes(*["Yes"] * request.get("n", 1))
        asked.append(reply.status)
        return reply

    with JudgeServer(serve) as server:
        result = vote(server, samples=3, max_retries=1, max_concurrency=1, on_error="skip")
    assert asked.count(200) == 3 * calls
    if isinstance(expected, str):
        assert (result["vote_share"], result["failures"]) == (None, [expected] * 3)
    else:
        assert (result["votes_yes"], result["votes_no"]) == ([expected[0]] * 3, [expected[1]] * 3)
        assert result["vote_share"] == expected[0] / sum(expected)
        assert result["input_tokens"] == [100 * calls] * 3
        assert result["Cost"] == pytest.approx(sum(result["costs"]))


def test_panel_returns_each_judge_their_mean_and_agreement() -> None:
    with JudgeServer() as server:
        judges = [{"provider": "mock"}, {"base_url": server.url, "name": "mine", "price": (1, 1)}]
        with pytest.warns(UserWarning, match="only 3 human labels"):
            result = compute(judges=judges, return_details=True, return_confidence=True, human_labels=[1, 0, 1])
        again = compute(judges=judges, return_details=True)
        assert (again["cached"], again["juror_costs"]) == ([False] * 3, [[0.0, 0.0]] * 3)  # the mock stores nothing
        assert compute(judges=judges[1:], return_details=True)["cached"] == [True] * 3
    by_mock, mine = result["judges"]
    assert (by_mock["name"], mine["name"], mine["L3Score"]) == ("mock", "mine", SCORE)
    assert by_mock["L3Score"] == pytest.approx((0.99 + 0.01 + 0.85) / 3)
    assert result["L3Score"] == pytest.approx((by_mock["L3Score"] + mine["L3Score"]) / 2)
    assert result["individual_scores"] == [pytest.approx(math.fsum(row) / 2) for row in result["juror_scores"]]
    assert result["judge_agreement"] == {"mock and mine": {"agreement": 2 / 3, "kappa": 0.0, "examples": 3}}
    assert result["agreement"] == 1.0  # with people
    assert (by_mock["Cost"], mine["Cost"], result["Cost"]) == (0.0, pytest.approx(303e-6), pytest.approx(303e-6))
    json.dumps(result)


def test_panel_shares_one_budget_and_asks_nobody_without_all_keys() -> None:
    with JudgeServer() as server:
        judges: list[dict[str, Any]] = [{"base_url": server.url, "price": (1, 1), "model": model} for model in "ab"]
        with pytest.raises(ValueError, match=r"^l3score: provider='openai' needs a key"):
            compute(judges=[*judges, {"provider": "openai"}])
        assert server.requests == []
        many = {name: [f"{text} {n}" for n in range(20) for text in column] for name, column in TEXTS.items()}
        with pytest.warns(UserWarning, match="the judge . of the panel failed: Judging stopped: the next call could"):
            result = compute(**many, judges=judges, max_cost=0.009, on_error="skip")
        assert 0.008 < len(server.requests) * 101e-6 <= 0.009
        assert 30 < sum(judge_["failed"] for judge_ in result["judges"]) < 50


def test_panel_asks_side_by_side_and_pays_nobody_if_one_judge_is_dead() -> None:
    many = {name: [f"{text} {n}" for n in range(20) for text in column] for name, column in TEXTS.items()}
    with JudgeServer() as slow, JudgeServer() as dead, JudgeServer() as alive:
        refused = Reply(error(401, "no").body, 401, until=lambda: bool(slow.requests and alive.requests))
        dead.answer = always(refused)
        slow.answer = always(Reply(completion(), until=lambda: bool(dead.requests)))
        judges = [{"base_url": server.url, "name": name} for server, name in ((slow, "a"), (alive, "b"), (dead, "c"))]
        with pytest.raises(JudgeError, match="60 x c: Judging stopped: the key was refused"):
            compute(**many, judges=judges)
        assert [len(server.requests) for server in (slow, alive, dead)] == [1, 1, 1]
        dead.answer = lambda _request, number: Reply(completion()) if number <= 10 else refused
        at_first = len(slow.requests) + 1
        together = Reply(completion(), until=lambda: slow.most_at_once >= 8)
        slow.answer = lambda _request, number: together if number > at_first else Reply(completion())
        with pytest.warns(UserWarning, match="the judge c of the panel failed: .* key was refused"):
            result = compute(**many, judges=judges, max_concurrency=8, on_error="skip")
        assert [judge_["failed"] for judge_ in result["judges"]][:2] == [0, 0]
        assert 40 < result["judges"][2]["failed"] < 60
        assert slow.most_at_once == 8


def test_agreement_and_kappa_of_known_verdicts() -> None:
    scores: list[list[float | None]] = [[0.9, 0.8], [0.9, 0.1], [0.5, 0.1], [0.1, 0.5], [None, 0.3]]
    assert pairwise_agreement(scores, "ab") == {"a and b": {"agreement": 0.75, "kappa": 0.5, "examples": 4}}
    assert pairwise_agreement([[None, 0.3]], "ab")["a and b"]["agreement"] is None
    assert pairwise_agreement([[0.9, 0.9]], "ab")["a and b"]["kappa"] is None


@pytest.mark.parametrize("options", [{}, {"dry_run": True}, {"judges": [{"provider": "openai"}]}])
def test_no_connection_to_the_store_is_left_open(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    opened, connect = dict[int, Any](), sqlite3.connect
    monkeypatch.setattr("sqlite3.connect", lambda *args, **more: opened.setdefault(len(opened), connect(*args, **more)))
    with JudgeServer() as server, contextlib.suppress(ValueError):  # a key is missing
        compute(base_url=server.url, **options)
    assert opened
    for connection in opened.values():
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            connection.execute("SELECT 1")


def test_dry_run_makes_no_call_and_counts_distinct_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with JudgeServer() as server:
        judge(server, 2)
        # One stored prompt three times, two others twice: duplicates are neither calls nor cached.
        texts = {"questions": [f"question {n}" for n in (0, 0, 0, 7, 7)], "predictions": ["prediction"] * 5}
        references = [["reference"], ["reference"], ["reference"], ["reference", "other"], ["reference", "other"]]
        result = judge(server, 5, **texts, references=references, price=(1, 1), dry_run=True)
        assert len(server.requests) == 2
    assert list(result) == ["calls", "cached", "input_tokens", "output_tokens", "Cost"]
    assert (result["calls"], result["cached"], result["output_tokens"]) == (2, 1, 2)
    assert 2 * 40 < result["input_tokens"] < 2 * 100
    assert result["Cost"] == pytest.approx((result["input_tokens"] + result["output_tokens"]) / 1e6)
    own: dict[str, Any] = {"questions": ["q" * 40], "predictions": ["x"], "references": ["x"], "dry_run": True}
    tokens = [compute(**own | {"questions": [text]})["input_tokens"] for text in ("q" * 40, "é" * 40, "問" * 40)]
    assert [tokens[1] - tokens[0], tokens[2] - tokens[1]] == [10, 10]  # 4 bytes a token
    # Without a key; gpt-4o-mini: $0.15 and $0.60 per million.
    listed = compute(dry_run=True, model="gpt-4o-mini", return_confidence=True)
    assert listed["Cost"] == pytest.approx((0.15 * listed["input_tokens"] + 0.6 * listed["output_tokens"]) / 1e6)
    with pytest.warns(UserWarning, match="l3score: Cost is None: the price of 'unheard-of' is unknown"):
        assert compute(dry_run=True, model="unheard-of", max_cost=1.0)["Cost"] is None
        unknown = [{"model": "unheard-of"}, {"model": "gpt-4o-mini"}]
        assert compute(dry_run=True, judges=unknown)["Cost"] is None
    mock = compute(dry_run=True, judges=[{"provider": "mock"}, {"model": "gpt-4o-mini"}])
    assert (mock["calls"], mock["cached"]) == (3, 0)
