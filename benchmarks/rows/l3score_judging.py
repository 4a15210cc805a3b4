"""`l3score` on judgments of 150 ms, against arithmetic, SPIQA's loop and asyncio."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.judging import DELAY
from benchmarks.judging import IN_FLIGHT
from benchmarks.judging import empty_folder
from benchmarks.judging import start_judge
from benchmarks.judging import triplets
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree

OPENAI = ("openai==3.52.0",)
MODEL = "gpt-4o-mini"
PROMPT = (
    "You are given a question, ground-truth answer, and a candidate answer.\nQuestion: {}\nGround-truth answer: {}\n"
    "Candidate answer: {}\nIs the semantic meaning of the ground-truth and candidate answers similar?\n"
    "Answer in one word - Yes or No."
)


def ours(in_flight: int) -> Callable[[Columns], Callable[[], Any]]:
    """`compute` with its defaults: prices, and a new store on disk in every run."""

    def prepare(inputs: Columns) -> Callable[[], Any]:
        metric, url = load("l3score"), start_judge()

        def run() -> float:
            options = {"base_url": url, "judge_cache_dir": empty_folder(), "max_concurrency": in_flight}
            score: float = metric.compute(**inputs, **options)["L3Score"]
            return round(score, 9)

        return run

    return prepare


def requests(inputs: Columns) -> list[dict[str, Any]]:
    """The request of a custom script."""
    columns = zip(inputs["questions"], inputs["references"], inputs["predictions"], strict=True)
    return [
        {
            "model": MODEL,
            "messages": [{"role": "user", "content": PROMPT.format(*texts)}],
            "temperature": 0.0,
            "logprobs": True,
            "top_logprobs": 5,
        }
        for texts in columns
    ]


def score(completion: Any) -> float:
    """SPIQA's formula if both answers are listed, as they are here."""
    top = {item.token: item.logprob for item in completion.choices[0].logprobs.content[0].top_logprobs}
    return math.exp(top["Yes"]) / (math.exp(top["Yes"]) + math.exp(top["No"]))


def sequential(inputs: Columns) -> Callable[[], Any]:
    """SPIQA's script: sequential calls, no storage."""
    import openai  # a peer's library, needed in its worker only

    client = openai.OpenAI(api_key="none", base_url=start_judge())
    bodies = requests(inputs)
    return lambda: round(math.fsum(score(client.chat.completions.create(**body)) for body in bodies) / len(bodies), 9)


def asynchronous(inputs: Columns) -> Callable[[], Any]:
    """A script with asyncio and a semaphore, no storage."""
    import openai  # a peer's library, needed in its worker only

    url, bodies = start_judge(), requests(inputs)

    async def judge_all() -> list[float]:
        client = openai.AsyncOpenAI(api_key="none", base_url=url)
        free = asyncio.Semaphore(IN_FLIGHT)

        async def judge(body: dict[str, Any]) -> float:
            async with free:
                return score(await client.chat.completions.create(**body))

        return await asyncio.gather(*map(judge, bodies))

    return lambda: round(math.fsum(asyncio.run(judge_all())) / len(bodies), 9)


ROW = Row(
    metric="l3score",
    what=f"judgments of 150 ms each, {IN_FLIGHT} in flight",
    unit="judgments",
    inputs=triplets,
    sizes=(250, 1000),
    smoke=8,
    ours=Side("l3score", ours(IN_FLIGHT)),
    peers=(
        Side("lower bound", bound=lambda size: math.ceil(size / IN_FLIGHT) * DELAY, at_least=1 / 1.4),
        Side("asyncio, same concurrency", asynchronous, needs=OPENAI),
        Side("l3score, 16 in flight", ours(16)),
        Side("l3score, 1 in flight", ours(1), at_most=20),
        Side("sequential, as in SPIQA's script", sequential, needs=OPENAI, at_most=20),
    ),
    compare=agree,
)
