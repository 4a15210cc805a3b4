"""Common field names for the inputs of metrics."""

import re
from collections.abc import Iterable

SURE = {
    "ids": "ids id example_id question_id query_id sample_id instance_id custom_id row_id qid qas_id doc_id uuid uid "
    "_id idx index task_id",
    "questions": "questions question query problem prompt input user_input instruction origin_prompt",
    "predictions": "predictions prediction pred preds predicted predicted_answer predicted_text predicted_output "
    "predicted_label pred_label pred_answer pred_text hyp hypothesis response model_response completion generation "
    "generated generated_text generated_answer model_answer model_output model_prediction model_completion llm_answer "
    "llm_output llm_response system_output actual_output candidate candidate_answer filtered_resps resps",
    "references": "references reference reference_answer reference_answers reference_output reference_outputs ref "
    "refs gold golds gts gold_answer gold_answers gold_label true_label golden golden_answer golden_answers "
    "ground_truth ground_truths groundtruth gt gt_answer truth true_answer expected expected_output expected_answer "
    "expected_response ideal target targets target_answer answers.text correct_answer correct_answers right_answer "
    "standard_answer answer_key answerkey possible_answers",
    "choices": "choices options choices.text",
    "relevance": "relevance relevances relevance_grades relevance_scores grades gains qrels",
    "scores": "scores score correct is_correct passed success grade verdict acc reward rating",
}
"""Names of fields that people and tools use for an input, the likeliest first."""
LISTS = {
    "predictions": "retrieved_contexts retrieved_context retrieved_chunks retrieved_documents retrieved_ids retrieved "
    "predictions contexts chunks passages",
    "references": "ground_truth_contexts ground_truth_context reference_contexts gold_contexts relevant relevant_ids "
    "relevant_documents references",
}
"""The same for lists of chunks or ids."""
UNSURE = {
    "predictions": "output outputs answer text model 回答 回复 답변 antwort réponse respuesta resposta ответ",
    "references": "answers answer label solution output outputs text best_answer 答案 antwort réponse respuesta "
    "resposta ответ",
}
"""Names that fit predictions and references alike: they fill whichever is absent, predictions first."""
_NOUNS = (
    "answer answers choice choices completion generation label labels letter option output outputs response responses "
    "result sentence solution span spans string text texts value"
).split()


def _composed(qualifiers: str) -> str:
    """Join qualifiers with nouns in either order: "gold_text text_gold"."""
    pairs = [(qualifier, noun) for qualifier in qualifiers.split() for noun in _NOUNS]
    return " ".join(f"{a}_{b} {b}_{a}" for a, b in pairs)


QUALIFIERS = {
    "predictions": "agent ai assistant bot candidate extracted gen generated llm model pred predicted prediction "
    "student system",
    "references": "correct desired exact expected gold golden ground_truth gt ideal oracle ref reference right "
    "standard target true",
}
COMPOSED = {
    "predictions": f"y_pred responses {_composed(QUALIFIERS['predictions'])}",
    "references": f"label_text y_true {_composed(QUALIFIERS['references'])}",
}
"""Two-word names, of which the qualifier says which input it is; in either order."""
FOREIGN = {
    "questions": "问题 問題 質問 질문 frage question pregunta pergunta вопрос",
    "predictions": "预测 预测答案 预测结果 模型答案 模型回答 模型输出 生成答案 予測 モデル回答 モデル出力 예측 "
    "모델_답변 vorhersage modellantwort prédiction réponse_générée predicción respuesta_generada predição "
    "resposta_gerada предсказание ответ_модели",
    "references": "参考答案 标准答案 正确答案 真实答案 正解 模範解答 정답 referenz musterlösung richtige_antwort "
    "référence bonne_réponse réponse_attendue referencia respuesta_correcta respuesta_esperada referência "
    "resposta_correta resposta_esperada эталон правильный_ответ эталонный_ответ",
}
"""The commonest names in Chinese, Japanese, Korean, German, French, Spanish, Portuguese and Russian."""
LAST = {
    "predictions": "*_pred *_prediction actual actual_answer actual_response decoded rag_answer rag_response reply "
    "result submission",
    "references": "actual human_answer human_response labels oracle",
}
"""Names that are used where no other field fits."""
COMMON = (SURE, UNSURE)
"""The names to try first."""
TABLES = (SURE, COMPOSED, FOREIGN, UNSURE, LAST)
"""All names of texts, the likeliest first, for files in which the common ones are not enough."""


def _names_of(*tables: dict[str, str]) -> set[str]:
    return {name for table in tables for names in table.values() for name in names.split()}


NAMES = _names_of(*TABLES, LISTS)
"""Names that tell a header from titles and data."""
FIELDS = _names_of(*COMMON, LISTS)
"""Names that ids do not have, so that an object of them is a row."""
TEXTS = (
    "aliases",
    "text",
    "answer",
    "value",
    "content",
    "output",
    "answers",
    "generated_text",
    "completion",
    "continuation",
)
"""Names of the text within an object, the likeliest first."""
DOCUMENTS = ("id", "doc_id", "docid", "document_id", "pid")
"""Names of the id of a document that has no text."""
MEASURES = (
    r"acc|accuracy|bert_?score|bleu|coherence|correct(ness)?|cosine|em|f1|faithful(ness)?|groundedness|hits?|jaccard|"
    r"map|match|meteor|mrr|ndcg|pass(ed)?|precision|recall|relevan(t|ce|cy)|rouge\w*|rr|scores?|sim|similarity|success"
)
"""Words in the names of scores."""
NO_SCORES = "answered|abstain|declin|refus|error|expected|uncertain"
"""What the names of other verdicts have."""
MODELS = r"(chat)?gpt|claude|deepseek|gemini|gemma|llama|mistral|mixtral|qwen"
"""Words in the names of fields with the predictions of a model."""
SIDES = {
    "predictions": f"{QUALIFIERS['predictions']} {SURE['predictions']} retrieved",
    "references": f"{QUALIFIERS['references']} {SURE['references']}",
}
"""Words in the names of predictions and references."""
NEITHER = f"{SURE['questions']} queries prompts type types category categories number length"
SOURCES = "context contexts passage passages document documents doc docs chunk chunks citation citations source"
"""Words in the names of what is neither, unless the metric takes documents."""
_GROUPS = ("vars", "doc", "inputs", "example", "sample", "instance", "row", "data", "outputs", "expected")
"""Names of objects that group the fields of a row."""


def simplified(name: str) -> str:
    """Return the name of a field in lower case with underscores: `goldAnswer` and `Gold answer` are `gold_answer`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[^\w.]+", "_", words).rstrip("_").casefold()


def has_word(field: str, words: str) -> bool:
    """Return whether the name of a field has one of the words, given as a pattern or with spaces between them."""
    return bool(re.search(rf"(^|[._])({words.replace(' ', '|')})([._\d]|$)", simplified(field)))


def by_simple_name(fields: Iterable[str]) -> dict[str, str]:
    """Return fields by their simplified names; also by the names of objects around or within which they are.

    `gold.text` is also `gold`, and `vars.gold` is also `gold`, if no field has this name itself; `gpt_pred` is also
    `*_pred` if no other field ends in this way.
    """
    names: dict[str, str] = {}
    for field in fields:
        names.setdefault(simplified(field), field)
    paths = [(name.rpartition("."), field) for name, field in names.items() if "." in name]
    for text in TEXTS:
        for (outer, _, last), field in paths:
            if last == text:
                names.setdefault(outer, field)
    for group in _GROUPS:
        for name, field in list(names.items()):
            if name.startswith(f"{group}."):
                names.setdefault(name.removeprefix(f"{group}."), field)
    for ending in ("_pred", "_prediction"):
        if len(ended := {field for name, field in names.items() if name.endswith(ending)}) == 1:
            names[f"*{ending}"] = ended.pop()
    return names
