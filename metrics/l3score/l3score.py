"""L3Score: the probability that a judge model assigns to an answer meaning the same as the reference."""

import math
from collections.abc import Mapping
from typing import Any

import evaluate

from ._agreement import summarize_panel
from ._budget import TEMPLATE_TOKENS as TEMPLATE_TOKENS
from ._buffering import positional_error as positional_error
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._garbage import collector_paused
from ._http import CONNECT_TIMEOUT as CONNECT_TIMEOUT
from ._http_body import MAX_BODY_BYTES as MAX_BODY_BYTES
from ._human_labels import MIN_LABELS as MIN_LABELS
from ._interruption import exit_on_sigterm as exit_on_sigterm
from ._intervals import Interval as Interval
from ._judge import JudgmentStore as JudgmentStore
from ._judge_interface import VOTES_VERSION as VOTES_VERSION
from ._judge_option_kinds import Key as Key
from ._judge_options import JudgeOptions
from ._judges import make_judge
from ._judges import scoring_fields
from ._judging import estimated_rows
from ._judging import judge_missing
from ._judging import judged_rows
from ._judging import juror_names
from ._judging import jurors_of
from ._judging import open_judges
from ._judging import score_name
from ._judging import stored_rows
from ._local_judge import local_judge as local_judge
from ._logprobs import SCORING_VERSION as SCORING_VERSION
from ._metric import ScoringMetric
from ._mock_judge import mock_top_tokens as mock_top_tokens
from ._models import ModelFamily as ModelFamily
from ._options import did_you_mean as did_you_mean
from ._outcomes import JudgeError
from ._pace import Pace as Pace
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._prices import Usage as Usage
from ._prompts import PROMPTS
from ._providers import Provider as Provider
from ._remote import LENGTH_FIELDS as LENGTH_FIELDS
from ._remote_judge import RemoteJudge as RemoteJudge
from ._replies import NO_LOGPROBS as NO_LOGPROBS
from ._result_rows import DRY_RUN_COLUMNS
from ._result_rows import LOGPROB_COLUMNS
from ._result_rows import PANEL_COLUMNS
from ._result_rows import VOTE_COLUMNS
from ._result_rows import Row
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._scored_reading import ScoredColumnReader as ScoredColumnReader
from ._statistics import Statistic
from ._statistics import mean_statistic
from ._store import STORE_VERSION as STORE_VERSION
from ._string_buffers import string_buffers as string_buffers
from ._strings import shorten as shorten
from ._tabular import LONG_LIST as LONG_LIST
from ._user_warnings import warn
from ._version import VERSION

_DESCRIPTION = """
L3Score asks a language model whether a predicted answer means the same as the reference, given the question, and takes
the probability of Yes against No from the log-probabilities of the model's first token. It is the mean over all
examples: 1 if the judge is sure that all answers are right, 0 if it is sure that none is.
"""

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
    l3score|provider:mock|prompt:card|top_logprobs:5|scoring:1
"""


class L3Score(ScoringMetric[JudgeOptions], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://arxiv.org/abs/2407.09413", "https://github.com/google/spiqa"]
    options_type = JudgeOptions
    secrets = frozenset({"api_key"})
    inputs = {
        "questions": StringColumn("The questions."),
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn(
            "The reference for each, or a list of acceptable references, of which the best score counts."
        ),
    }
    outputs = {
        "L3Score": Output(
            "float, 0 to 1",
            'Mean of the individual scores; None if every judgment failed (`on_error="skip"`).',
        ),
        "vote_share": Output(
            "float, 0 to 1", 'With `scoring="votes"` instead of L3Score: the mean share of Yes among sampled answers.'
        ),
        "Cost": Output("float", "Dollars that this call spent; None if the price is unknown."),
        "failed": Output("int", 'Number of examples without a judgment; with `on_error="skip"` only.'),
        "judges": Output(
            "list of dict", "Of a panel: `name`, score, `failed` and `Cost` of each judge; with `judges` only."
        ),
        "agreement": Output(
            "dict of dict",
            "Of each pair of a panel: `agreement` (a share), Cohen's `kappa`, `examples`; with `judges` only.",
        ),
        "calls": Output("int", "Number of calls that would be made; with `dry_run` only."),
        "L3Score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_scores": Output(
            "list of float, 0 to 1", "p(yes) / (p(yes) + p(no)) of each example; None if judging failed."
        ),
        "p_yes": Output("list of float", "Probability of Yes; 0.0 if undecided."),
        "p_no": Output("list of float", "Probability of No; 0.0 if undecided."),
        "undecided": Output("list of bool", "Whether neither Yes nor No was among the candidates, which scores 0."),
        "top_tokens": Output("list of lists of str", "The candidates for the first token."),
        "top_logprobs": Output("list of lists of float", "Their log-probabilities."),
        "votes_yes": Output("list of int", 'Number of sampled answers that are Yes; with `scoring="votes"` only.'),
        "votes_no": Output("list of int", 'Number of sampled answers that are No; with `scoring="votes"` only.'),
        "juror_scores": Output("list of lists of float", "Score of each judge of a panel; None if it failed."),
        "juror_costs": Output("list of lists of float", "Cost of each judge of a panel in dollars."),
        "cached": Output("list of bool", "Whether the judgment was already stored, and cost nothing."),
        "costs": Output("list of float", "Dollars spent on each example."),
        "input_tokens": Output("list of int", "Input tokens of the prompt with the best reference."),
        "output_tokens": Output("list of int", "Output tokens for the prompt with the best reference."),
        "served_models": Output("list of str", "The model that the server reports."),
        "fingerprints": Output("list of str", "The fingerprint that the server reports."),
        "failures": Output("list of str", 'The reason why judging failed; "" if it did not.'),
        **COMMON_OUTPUTS,
    }
    main_score = "L3Score"
    compared_columns = ("individual_scores",)

    def check_options(self, options: JudgeOptions) -> None:
        """Check combinations of options."""
        for juror in jurors_of(options):
            try:
                make_judge(juror).check()
            except ValueError as error:
                raise ValueError(f"{self.label}: {error}") from None

    def column_types(self, options: JudgeOptions) -> dict[str, ColumnType]:
        if options.dry_run:
            return DRY_RUN_COLUMNS
        if options.judges is not None:
            return PANEL_COLUMNS
        return VOTE_COLUMNS if options.scoring == "votes" else LOGPROB_COLUMNS

    def score_columns(self, inputs: Mapping[str, list[Any]], options: JudgeOptions) -> dict[str, list[Any]]:
        count = len(inputs["predictions"])
        columns: dict[str, list[Any]] = {name: [None] * count for name in self.column_types(options)}
        if not count:
            return columns

        def put(index: int, row: Row) -> None:
            for name, column in columns.items():
                column[index] = row[name]

        judges = open_judges(options)
        unjudged: dict[int, list[str]] = {}
        with collector_paused():
            if options.dry_run:
                for index, row in enumerate(estimated_rows(inputs, judges, options)):
                    put(index, row)
                return columns
            for index, (prompts, stored) in enumerate(stored_rows(inputs, judges, options)):
                if stored is None:
                    unjudged[index] = prompts
                else:
                    put(index, stored)
        judged = judge_missing(judges, options)
        with collector_paused():
            for (index, _), row in zip(unjudged.items(), judged_rows(unjudged.values(), judged, options), strict=True):
                put(index, row)
        return columns

    def statistics(self, columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Statistic]:
        return {} if options.dry_run else {score_name(options): mean_statistic(columns["individual_scores"])}

    def summarize(self, columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
        cost = None if any(columns["unpriced"]) else math.fsum(columns["costs"])
        if options.dry_run:
            counts = ("calls", "cached", "input_tokens", "output_tokens")
            return {name: sum(columns[name]) for name in counts} | {"Cost": cost}
        scores = [score for score in columns["individual_scores"] if score is not None]
        failed = len(columns["individual_scores"]) - len(scores)
        if failed and options.on_error == "raise":
            examples = "1 example was" if failed == 1 else f"{failed} examples were"
            raise JudgeError(f'{examples} not judged; on_error="skip" leaves them out of the mean.')
        mean = math.fsum(scores) / len(scores) if scores else None if failed else 0.0
        undecided = sum(map(bool, columns.get("undecided", ())))
        if undecided:
            are, score = ("is", "scores") if undecided == 1 else ("are", "score")
            warn(
                f"l3score: {undecided} of {len(scores)} judgments {are} undecided, with neither Yes nor No among the "
                f"candidates, and {score} 0; the judge must be a model that answers in one word, without thinking aloud"
            )
        result: dict[str, Any] = {score_name(options): mean, "Cost": cost}
        if options.judges is not None:
            result |= summarize_panel(columns, juror_names(options), score_name(options))
        return result | {"failed": failed} if options.on_error == "skip" else result

    def details(self, columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
        if options.dry_run:
            return {}
        priced = zip(columns["costs"], columns["unpriced"], strict=True)
        costs = {"costs": [None if unpriced else cost for cost, unpriced in priced]}
        return {name: column for name, column in columns.items() if name != "unpriced"} | costs

    def signature_fields(self, options: JudgeOptions) -> dict[str, Any]:
        judges = []
        for juror in jurors_of(options):
            candidates = (
                {"top_logprobs": juror.top_logprobs} if options.judges and options.scoring == "logprobs" else {}
            )
            judges.append({"provider": juror.provider, **make_judge(juror).signature_fields(), **candidates})
        if options.judges is None:
            fields = judges[0]
        else:
            described = (",".join(f"{name}={value}" for name, value in judge.items()) for judge in judges)
            fields = {"judges": "+".join(described)}
        version = PROMPTS[options.prompt].version
        fields |= {"prompt": f"{options.prompt}-{version}" if version else options.prompt}
        if options.references_in_prompt == "all":
            fields["references"] = "all"
        return fields | scoring_fields(options)
