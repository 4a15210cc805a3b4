"""L3Score: the probability that a judge model assigns to an answer meaning the same as the reference."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from answer_metrics.columns.inputs import Labels, References, Strings
from answer_metrics.columns.reasoning import signature_of_reasoning
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.results import Output
from answer_metrics.judge.engine import JudgeError
from answer_metrics.judge.judges import VOTES_VERSION, make_judge
from answer_metrics.judge.judging import (
    DRY_RUN_COUNTS,
    LATER_COLUMNS,
    LOGPROB_COLUMNS,
    columns_of,
    judge_examples,
    juror_names,
    jurors_of,
    score_name,
    total_cost,
)
from answer_metrics.judge.logprobs import MIN_MASS, SCORING_VERSION, make_prompt
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.statistics.human_labels import cohens_kappa
from answer_metrics.statistics.statistic import Statistic, mean

_CITATION = """\
@article{pramanick2024spiqa,
  title = {SPIQA: A Dataset for Multimodal Question Answering on Scientific Papers},
  author = {Pramanick, Shraman and Chellappa, Rama and Venugopalan, Subhashini},
  journal = {arXiv preprint arXiv:2407.09413},
  year = {2024}
}
"""

_EXAMPLES = """
    These examples use the mock judge, which needs no key and compares words:

    >>> import evaluate
    >>> l3score = evaluate.load("./metrics/l3score", provider="mock")
    >>> questions = ["What is the capital of France?", "What is the capital of Germany?"]
    >>> result = l3score.compute(questions=questions, predictions=["Paris", "Moscow"], references=["Paris", "Berlin"])
    >>> print({key: round(value, 4) for key, value in result.items()})
    {'L3Score': 0.5, 'Cost': 0.0}

    >>> result = l3score.compute(questions=questions, predictions=["Paris", "Moscow"], references=["Paris", "Berlin"],
    ...                          return_details=True, return_signature=True)
    >>> print([round(score, 4) for score in result["individual_scores"]])
    [0.99, 0.01]
    >>> print(result["signature"].rpartition("|")[0])
    l3score|provider:mock|prompt:card|top_logprobs:5|scoring:2
"""


class L3Score(Module):
    """L3Score asks a language model whether a predicted answer means the same as the reference, given the question, and
    takes the probability of Yes against No from the log-probabilities of the model's first token. It is the mean over
    all examples: 1 if the judge is sure that all answers are right, 0 if it is sure that none is.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://arxiv.org/abs/2407.09413", "https://github.com/google/spiqa"]
    options_type = JudgeOptions
    secrets = frozenset({"api_key"})
    inputs = {
        "questions": Strings("The questions."),
        "predictions": Strings("The answers to score."),
        "references": References("The reference for each, or a list of acceptable references."),
        "decided": Labels(
            "Known scores, 0 to 1, such as accuracy's verdicts; None where the judge should be asked.",
            optional=True,
        ),
    }
    outputs = {
        "L3Score": Output(
            "float, 0 to 1", 'Mean of the individual scores; None if every judgment failed (`on_error="skip"`).'
        ),
        "vote_share": Output(
            "float, 0 to 1", 'Replaces L3Score with `scoring="votes"`: the mean share of Yes among sampled replies.'
        ),
        "Cost": Output("float", "Dollars spent by this call; None if the price is unknown."),
        "lost_cost": Output(
            "float", "Maximum dollars that calls without a reply may have cost beyond `Cost`; only if there were any."
        ),
        "asked": Output("int", "Number of examples judged; only if some were `decided` or cut off mid-reasoning."),
        "failed": Output("int", 'Number of examples without a judgment; with `on_error="skip"` only.'),
        "judges": Output("list of dict", "Per-judge `name`, score, `failed` and `Cost`; panels only."),
        "judge_agreement": Output(
            "dict of dict", "Per-pair `agreement` (a share), Cohen's `kappa` and `examples`; panels only."
        ),
        "calls": Output("int", "Number of distinct prompts to ask; with `dry_run` only."),
        "L3Score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_scores": Output("list of float, 0 to 1", "Score of each example; None if judging failed."),
        **dict.fromkeys(
            ("p_yes", "p_no"), Output("list of float", "Probabilities of Yes and No; 0.0 if neither was a candidate.")
        ),
        "undecided": Output("list of bool", "Whether Yes and No together had less than 5% of the probability."),
        "top_tokens": Output("list of lists of str", "The first-token candidates."),
        "top_logprobs": Output("list of lists of float", "Their log-probabilities."),
        **dict.fromkeys(
            ("votes_yes", "votes_no"),
            Output("list of int", 'Numbers of sampled replies that are Yes and No; with `scoring="votes"` only.'),
        ),
        "juror_scores": Output("list of lists of float", "Score by each judge of a panel; None if it failed."),
        "juror_costs": Output("list of lists of float", "Dollars spent on each judge of a panel."),
        "cached": Output(
            "list of bool",
            "Whether the judgment was already stored; with `dry_run`, the number of distinct prompts for which it was.",
        ),
        "costs": Output("list of float", "Dollars spent on each example."),
        **dict.fromkeys(
            ("input_tokens", "output_tokens"),
            Output("list of int", "Tokens in and out for the prompt with the best reference."),
        ),
        **dict.fromkeys(
            ("served_models", "fingerprints"),
            Output("list of str", "The model and fingerprint that the server reports."),
        ),
        "failures": Output("list of str", 'Why judging failed; "" if it did not.'),
    }
    main_score = "L3Score"
    columns = LOGPROB_COLUMNS
    later_columns = LATER_COLUMNS
    internal = ("asked", "lost_costs", "unpriced")
    compared_columns = ("individual_scores",)

    def check_options(self, options: JudgeOptions) -> None:
        for juror in jurors_of(options):
            make_judge(juror).check()

    def worst_inputs(self, options: JudgeOptions) -> dict[str, Any]:
        return {**super().worst_inputs(options), "decided": 0.0}  # without a call to the judge

    def columns_of(self, options: JudgeOptions) -> dict[str, Any]:
        return columns_of(options)

    def score(self, inputs: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
        return judge_examples(inputs, options)

    def statistics(self, columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Statistic]:
        return {} if options.dry_run else {score_name(options): mean(columns["individual_scores"])}

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: JudgeOptions
    ) -> dict[str, Any]:
        cost = None if any(columns["unpriced"]) else math.fsum(columns["costs"])
        if options.dry_run:
            return {name: sum(columns[name]) for name in DRY_RUN_COUNTS} | {"Cost": cost}
        scores = columns["individual_scores"]
        failed = sum(score is None for score in scores)
        if failed and options.on_error == "raise":
            examples = "1 example was" if failed == 1 else f"{failed} examples were"
            raise JudgeError(f'{examples} not judged; on_error="skip" leaves them out of the mean.')
        asked, lost = sum(map(bool, columns["asked"])), math.fsum(columns["lost_costs"])
        if undecided := sum(map(bool, columns.get("undecided", ()))):
            are = "is" if undecided == 1 else "are"
            why = (
                f"{undecided} of {asked - failed} judgments {are} undecided: Yes and No together had less than "
                f"{MIN_MASS:.0%} of the probability, and the judge began with {_usual_token(columns)!r}; it must "
                "be a model that answers in one word, without thinking aloud"
            )
            self.warn([why])
        name = score_name(options)
        unjudged = failed and failed == len(scores)
        result: dict[str, Any] = {name: None if unjudged else statistics[name].value, "Cost": cost}
        result |= {"lost_cost": lost} if lost else {}
        result |= {"asked": asked} if asked < len(columns["asked"]) else {}
        if options.judges is not None:
            result |= _summarize_panel(columns, options)
        return result | {"failed": failed} if options.on_error == "skip" else result

    def details(self, columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
        if options.dry_run:
            return {}
        priced = zip(columns["costs"], columns["unpriced"], strict=True)
        costs = [None if unpriced else cost for cost, unpriced in priced]
        return {**super().details(columns, options), "costs": costs}

    def signature_fields(self, options: JudgeOptions) -> dict[str, Any]:
        judges = [{"provider": juror.provider, **make_judge(juror).signature_fields()} for juror in jurors_of(options)]
        fields: dict[str, Any] = judges[0]
        if options.judges is not None:
            for judge, juror in zip(judges, jurors_of(options), strict=True):
                judge |= {"top_logprobs": juror.top_logprobs} if options.scoring == "logprobs" else {}
            described = (",".join(f"{name}={value}" for name, value in judge.items()) for judge in judges)
            fields = {"judges": "+".join(described)}
        name = options.prompt if isinstance(options.prompt, str) else "own"
        version = make_prompt(options.prompt).version
        fields["prompt"] = f"{name}-{version}" if version else name
        if options.references_in_prompt == "all":
            fields["references"] = "all"
        fields |= signature_of_reasoning(options)
        if options.scoring == "votes":
            return fields | {"scoring": VOTES_VERSION, "samples": options.samples}
        return fields | {"top_logprobs": options.top_logprobs, "scoring": SCORING_VERSION}


def _usual_token(columns: Mapping[str, Any]) -> str:
    """Return the most probable first token of most undecided rows."""
    rows = zip(columns["undecided"], columns["top_tokens"], columns["top_logprobs"], strict=True)
    tops = [max(zip(logprobs, tokens, strict=True)) for undecided, tokens, logprobs in rows if undecided and tokens]
    return str(Counter(token for _, token in tops).most_common(1)[0][0])


# ---- panels

_RIGHT = 0.5  # a score above it is a Yes


def _summarize_panel(columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
    """Return every judge's mean score and cost in dollars, and the agreement between judges, from the columns."""
    names = juror_names(options)
    judges = []
    for index, name in enumerate(names):
        scores = [row[index] for row in columns["juror_scores"]]
        known = [score for score in scores if score is not None]
        mean = math.fsum(known) / len(known) if known else None
        cost = total_cost([row[index] for row in columns["juror_costs"]])
        judges.append({"name": name, score_name(options): mean, "failed": len(scores) - len(known), "Cost": cost})
    asked = [row for row, was_asked in zip(columns["juror_scores"], columns["asked"], strict=True) if was_asked]
    return {"judges": judges, "judge_agreement": pairwise_agreement(asked, names)}


def pairwise_agreement(scores: Sequence[Sequence[float | None]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Compare every pair of judges on the examples that both judged; a score above 0.5 is a Yes.

    Return for each pair, by "name and name": "agreement", the share of examples with the same verdict, 0 to 1; "kappa",
    Cohen's, -1 to 1, None if chance agreement is 1; "examples", their number, without which the others are None.
    """
    agreements: dict[str, dict[str, Any]] = {}
    for i, j in combinations(range(len(names)), 2):
        pairs = [(row[i], row[j]) for row in scores]
        verdicts = [(a > _RIGHT, b > _RIGHT) for a, b in pairs if a is not None and b is not None]
        total = len(verdicts)
        same = sum(a == b for a, b in verdicts)
        first, second = (sum(verdict[side] for verdict in verdicts) for side in (0, 1))
        agreements[f"{names[i]} and {names[j]}"] = {
            "agreement": same / total if total else None,
            "kappa": cohens_kappa(same, first, second, total) if total else None,
            "examples": total,
        }
    return agreements
