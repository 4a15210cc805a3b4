"""The options of l3score: invalid values, signatures, and pickles."""

import pickle
from typing import Any

import pytest

from metrics.l3score.l3score import L3Score
from tests.l3score_cases import TEXTS
from tests.l3score_cases import mock

pytestmark = [
    pytest.mark.filterwarnings("ignore:l3score. provider=.mock. is not a judge"),
    pytest.mark.usefixtures("fresh_judges"),
]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"questions": None}, "questions is missing"),
        ({"questions": ["q"]}, "got 1 questions, 3 predictions, 3 references"),
        ({"questions": "a bare string"}, "questions is a bare str"),
        ({"questions": ["q", 7, "q"]}, r"questions\[1\] is 7 \(int\)"),
        ({"predictions": ["p", None, "p"]}, r"predictions\[1\] is None"),
        ({"references": ["r", ["r"], "r"]}, r"references\[1\] is .*list"),
        ({"references": [["r"], [], ["r"]]}, r"references\[1\] is an empty list"),
        ({"questions": ["q", "\ud800", "q"]}, r"questions\[1\] contains a lone surrogate"),
        ({"on_error": "ignore"}, 'on_error must be one of "raise", "skip"'),
        ({"prompt": "mine"}, 'prompt must be one of "card", "spiqa"'),
        ({"provider": "acme"}, r"provider must be one of: 'openai', .*base_url="),
        ({"provider": "groq"}, "provider='groq' offers no log-probabilities"),
        ({"provider": None}, "provider must be a string"),
        ({"top_logprobs": 1}, "top_logprobs must be an integer of at least 2"),
        ({"provider": "openai", "model": "gpt-4o", "top_logprobs": 21}, "top_logprobs must be between 2 and 20"),
        ({"provider": "openai", "top_logprobs": 6}, "top_logprobs must be between 2 and 5 .* model='gpt-6-luna'"),
        ({"provider": "openai", "model": "gpt-5-mini"}, 'gives no log-probabilities; choose .*scoring="votes"'),
        ({"judges": []}, "judges must be a list of dictionaries"),
        ({"judges": [{"modle": "x"}]}, r"judges\[0\] has no setting 'modle'; did you mean 'model'\?; its settings "),
        ({"judges": [{"provider": "acme"}]}, "provider must be one of"),
        ({"scoring": "vote"}, 'scoring must be one of "logprobs", "votes"'),
        ({"provider": "xai", "top_logprobs": 9}, "top_logprobs must be between 2 and 8"),
        ({"provider": "openai", "model": "gpt-5.2", "top_logprobs": 6}, "top_logprobs must be between 2 and 5"),
        ({"top_logprobs": 1001}, "top_logprobs must be between 2 and 1000"),
        ({"provider": "transformers", "model": "m", "top_logprobs": 1001}, "top_logprobs must be between 2 and 1000"),
        ({"provider": "openai", "model": ("model", "tokenizer")}, "model must be a name"),
        ({"model": 3}, "model must be the name of a model"),
        ({"provider": "transformers"}, "needs model=: a Hub id"),
        ({"provider": "transformers", "return_signature": True}, "needs model=: a Hub id"),
        ({"provider": "openai-compatible"}, "needs base_url="),
        ({"base_url": "localhost:8000"}, "base_url must be an address"),
        ({"base_url": "//localhost:8000/v1"}, "base_url must be an address"),
        ({"base_url": "http:/localhost:8000/v1"}, "base_url must be an address"),
        ({"max_concurrency": 0}, "max_concurrency must be"),
        ({"request_timeout": 0}, "request_timeout must be"),
        ({"max_retries": -1}, "max_retries must be"),
        ({"price": 3}, "price must be a pair"),
        ({"price": (1, -1)}, "price must be a pair"),
        ({"price": (1, True)}, "price must be a pair"),
        ({"max_cost": 0}, "max_cost must be a positive number"),
        ({"provider": "openai", "model": "mine", "max_cost": 1}, "max_cost needs a price"),
        ({"judge_cache_dir": 3}, "judge_cache_dir must be a path"),
        ({"extra_body": {"x": object()}}, "extra_body must be a JSON-serializable dictionary"),
        ({"confidence_level": 1}, "confidence_level must be"),
        ({"provider": "openai"}, "needs a key: pass api_key= or set the environment variable OPENAI_API_KEY"),
    ],
)
def test_bad_input_is_one_clear_error(changes: dict[str, Any], message: str) -> None:
    metric = L3Score()
    with pytest.raises(ValueError, match=message) as caught:
        metric.compute(**{**TEXTS, "provider": "mock", **changes})
    assert "\n" not in str(caught.value)
    assert metric.compute(**TEXTS, provider="mock") == mock()


def test_unknown_option_is_rejected() -> None:
    with pytest.raises(TypeError, match="no option 'temperature'"):
        L3Score(temperature=0)
    with pytest.raises(TypeError, match="no option 'temperature'"):
        mock(temperature=0)


# ---- signature


def test_signature_contains_every_setting_that_changes_a_score() -> None:
    def signature(**options: Any) -> str:
        metric = L3Score(return_signature=True, **{"model": "gpt-4o-mini", **options})
        return metric._signature(metric.resolve_options({}))

    assert "|model:gpt-6-luna|host:api.openai.com/v1|" in signature(model=None)
    plain = signature(model="gpt-4o-mini")
    assert plain == (
        "l3score|provider:openai|model:gpt-4o-mini|host:api.openai.com/v1|prompt:card|top_logprobs:5|scoring:1|version:0.1.0"
    )
    different: list[dict[str, Any]] = [
        {"provider": "xai"},
        {"model": "gpt-4o"},
        {"base_url": "http://localhost:1/v1"},
        {"prompt": "spiqa"},
        {"top_logprobs": 6},
        {"extra_body": {"seed": 1}},
        {"provider": "mock"},
        {"prompt": "guarded"},
        {"scoring": "votes"},
        {"scoring": "votes", "samples": 3},
        {"references_in_prompt": "all"},
        {"judges": [{"model": "gpt-4o-mini"}, {"provider": "mock"}]},
        {"judges": [{"model": "gpt-4o"}, {"provider": "mock"}]},
    ]
    assert len({plain, *(signature(**options) for options in different)}) == 1 + len(different)
    same: list[dict[str, Any]] = [
        {"api_key": "sk-1"},
        {"max_concurrency": 3},
        {"judge_cache_dir": "/x"},
        {"max_cost": 1},
    ]
    assert {signature(**options) for options in same} == {plain}


@pytest.mark.parametrize(
    ("model", "signed"),
    [
        ("/models/of/mine/judge-7b", "judge-7b"),
        ("./judge-7b/", "judge-7b"),
        ("../judge-7b", "judge-7b"),
        ("~/models/judge-7b", "judge-7b"),
        ("acme/judge-7b", "acme/judge-7b"),
    ],
)
def test_signature_contains_no_path(model: str, signed: str) -> None:
    metric = L3Score(provider="openai-compatible", base_url="http://localhost:1/v1", model=model)
    assert f"|model:{signed}|" in metric._signature(metric.resolve_options({}))


def test_pickle_contains_no_key() -> None:
    metric = L3Score(provider="mock", api_key="sk-1", price=(1, 2))
    rebuilt = pickle.loads(pickle.dumps(metric))  # noqa: S301  # made here
    assert rebuilt._loaded_options == {"provider": "mock", "price": (1.0, 2.0)}
    assert rebuilt.compute(**TEXTS) == mock()
