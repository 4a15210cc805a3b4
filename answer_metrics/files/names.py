"""Names of fields that people and tools use for the inputs of metrics."""

SURE = {
    "ids": "ids id example_id question_id query_id sample_id row_id qid doc_id uuid",
    "questions": "questions question query problem prompt input instruction doc.question doc.query vars.question",
    "predictions": "predictions prediction pred prediction_text hyp hypothesis response model_response completion "
    "generation generated generated_text generated_answer model_answer model_output llm_answer llm_output "
    "llm_response actual_output candidate response.output filtered_resps resps",
    "references": "references reference ref gold gold_answer gold_answers golden_answer golden_answers ground_truth "
    "ground_truths expected expected_output expected_answer target targets answers.text correct_answer correct_answers "
    "answer_key doc.answer vars.references",
    "choices": "choices options choices.text",
    "relevance": "relevance relevances relevance_grades relevance_scores grades gains qrels",
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
    "predictions": "output answer text model",
    "references": "answers answer label solution output text best_answer",
}

FIELDS = {name for table in (SURE, UNSURE) for names in table.values() for name in names.split()}
"""Names that ids do not have, so that an object of them is a row, not SQuAD's predictions by id."""
