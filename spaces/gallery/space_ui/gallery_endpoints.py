# Vendored: edit metrics/_shared/space_ui/gallery_endpoints.py and run `make vendor`.
"""The endpoints of the gallery: functions with the names, types and descriptions that Gradio serves."""

from collections.abc import Callable


def scoring_endpoint(call: Callable[..., str]) -> Callable[..., str]:
    """Return the function that Gradio serves; `call` handles the call."""

    def gallery(
        predictions: list[str],
        references: list[str] | list[list[str]],
        questions: list[str] | None = None,
        retrieved_contexts: list[list[str]] | None = None,
        ground_truth_contexts: list[list[str]] | None = None,
    ) -> str:
        """Score the same answers with every applicable metric, with confidence intervals.

        Args:
            predictions: The answers to score.
            references: The reference for each, or a list of acceptable references for each.
            questions: The questions, which the judge needs.
            retrieved_contexts: The chunks that were retrieved for each question.
            ground_truth_contexts: The chunks that should have been retrieved for each.

        Returns:
            The scores by configuration, as JSON text.
        """
        return call(
            predictions=predictions,
            references=references,
            questions=questions,
            retrieved_contexts=retrieved_contexts,
            ground_truth_contexts=ground_truth_contexts,
        )

    return gallery


def comparison_endpoint(compare: Callable[..., str]) -> Callable[..., str]:
    """Return the function that Gradio serves; `compare` handles the call."""

    def gallery_compare(
        predictions: list[str],
        predictions_b: list[str],
        references: list[str] | list[list[str]],
        questions: list[str] | None = None,
        retrieved_contexts: list[list[str]] | None = None,
        retrieved_contexts_b: list[list[str]] | None = None,
        ground_truth_contexts: list[list[str]] | None = None,
        clusters: list[str] | list[int] | None = None,
        ids: list[str] | list[int] | None = None,
        ids_b: list[str] | list[int] | None = None,
    ) -> str:
        """Is system B better than system A? Compare both by every applicable metric, with a paired test each.

        Args:
            predictions: The answers of system A.
            predictions_b: The answers of system B.
            references: The reference for each, or a list of acceptable references for each.
            questions: The questions, which the judge needs.
            retrieved_contexts: The chunks that system A retrieved for each question.
            retrieved_contexts_b: The chunks that system B retrieved for each question.
            ground_truth_contexts: The chunks that should have been retrieved for each.
            clusters: What each row belongs to, such as its document, if rows depend on each other.
            ids: The id of each row, such as that of its question; all must differ.
            ids_b: The ids of the rows of system B if they are in a different order.

        Returns:
            The comparisons by configuration, as JSON text.
        """
        return compare(
            predictions=predictions,
            predictions_b=predictions_b,
            references=references,
            questions=questions,
            retrieved_contexts=retrieved_contexts,
            retrieved_contexts_b=retrieved_contexts_b,
            ground_truth_contexts=ground_truth_contexts,
            clusters=clusters,
            ids=ids,
            ids_b=ids_b,
        )

    return gallery_compare
