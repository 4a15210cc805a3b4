"""The owner's key of this metric's Space: it judges for visitors, within L3SCORE_BUDGET.

L3SCORE_BUDGET, a variable of the Space, is the number of dollars that all visitors together may spend until the Space
restarts. Only the Space runs this file.
"""

import os
import threading
from collections.abc import Callable
from typing import Any

from answer_metrics.files.rows import InputError

SHARE = 0.05  # of the budget, per call
LOCK, SPENT = threading.Lock(), {"dollars": 0.0}


def authorize(compute: Callable[..., Any], options: dict[str, Any], key: str) -> Any:
    """Run a call with the mock judge, with the key of the call, or with the owner's key within the budget."""
    if options.get("provider") == "mock":
        return compute(options)
    if key:
        return compute({**options, "api_key": key})
    budget = float(os.environ.get("L3SCORE_BUDGET") or 0)
    with LOCK:
        share = min(SHARE * budget, budget - SPENT["dollars"], options.get("max_cost") or budget)
        if not share > 0:
            why = "The owner's budget is spent" if budget > 0 else "This judge needs a key"
            raise InputError(f"{why}: duplicate this Space to use your own, or choose the demo judge (mock).")
        SPENT["dollars"] += share
    spent = share  # unless the call says that it spent something else
    try:
        result = compute({**options, "max_cost": share})
        # Calls without an answer may have been billed, and count at their most.
        spent = share if result["Cost"] is None else result["Cost"] + result.get("lost_cost", 0.0)
    except RuntimeError as error:
        spent = share if getattr(error, "spent", None) is None else error.spent  # type: ignore[attr-defined]
        raise
    except (ValueError, TypeError):  # bad input, found before any call
        spent = 0.0
        raise
    finally:
        with LOCK:
            SPENT["dollars"] += spent - share
    return result
