# Vendored: edit metrics/_shared/space_ui/comparison_usage.py and run `make vendor`.
"""Usage of the comparison endpoint: code to copy, and tables of arguments and results. No Gradio here."""

import json
import shlex
from typing import TYPE_CHECKING
from typing import Any

from .comparison_call import MARGIN
from .comparison_call import comparison_controls
from .comparison_call import comparison_inputs
from .comparison_call import endpoint_name
from .comparison_schema import COMPARISON_TABLE
from .pairing import SECOND
from .rows import to_inputs

if TYPE_CHECKING:
    from .form import Form

_TITLE = "Comparison"


def comparison_code(form: "Form") -> dict[str, str]:
    """Write the code of the usage tab by heading; the page replaces ORIGIN with its address."""
    name = endpoint_name(form.name)
    payload = _example(form)
    sent = json.dumps(payload, ensure_ascii=False)
    headers = '{ "Content-Type": "application/json" }'
    curl = f"curl -s ORIGIN/api/{name} -H 'Content-Type: application/json'"
    return {
        f"{_TITLE}: Python": _python(form),
        f"{_TITLE}: REST": f"{curl} \\\n  -d {shlex.quote(sent)}",
        f"{_TITLE}: JavaScript": f'const answer = await fetch("ORIGIN/api/{name}", {{\n'
        f'  method: "POST", headers: {headers},\n  body: JSON.stringify({sent}),\n}});\n'
        "console.log((await answer.json()).sentence);",
        f"{_TITLE}: gradio_client": _client(form, payload),
        f"{_TITLE}: MCP": f"The server above has a second tool, {name}. Ask, for example:\n"
        f"Is system B better than system A? Compare them with {name}.",
    }


def comparison_tables(form: "Form") -> list[tuple[str, list[dict[str, str]]]]:
    """Describe the endpoint's arguments beyond those of the metric, and its result."""
    shared = {} if form.judged_column else form.inputs
    arguments = [
        {
            "name": name,
            "type": column.type_label,
            "text": column.help,
            "note": "optional" if column.optional else "",
        }
        for name, column in comparison_inputs(form).items()
        if name not in shared or name == form.compared_columns[0]
    ]
    arguments.append({"name": MARGIN.name, "type": "float or None", "text": MARGIN.help, "note": "optional"})
    others = [name for name in shared if name != form.compared_columns[0]]
    others += [control.name for control in comparison_controls(form) if control is not MARGIN]
    text = "As above."
    if form.judged_column:
        text = f"As above. No judge is called: score each system with `{form.name}` first, which needs the key."
    arguments.append({"name": ", ".join(others), "type": "", "text": text, "note": ""})
    return [(f"Arguments of {endpoint_name(form.name)}", arguments), ("Result of a comparison", COMPARISON_TABLE)]


def _example(form: "Form") -> dict[str, Any]:
    """Return example arguments for the endpoint."""
    scores = form.judged_column
    if scores:
        return {scores: [0.9, 0.2, 0.8], f"{scores}{SECOND}": [0.95, 0.9, 0.7]}
    index = [column.name for column in form.columns].index(form.compared_columns[0])
    rows = form.examples[0]["rows"][:2]
    inputs = {name: values for name, values in to_inputs(rows, form.columns).items() if not form.inputs[name].optional}
    second = [[*row[:index], form.examples[0]["rows"][-1][index], *row[index + 1 :]] for row in rows]
    values_b = to_inputs(second, form.columns)[form.compared_columns[0]]
    return {**inputs, f"{form.compared_columns[0]}{SECOND}": values_b}


def _python(form: "Form") -> str:
    load = f'import evaluate\n\n{form.name} = evaluate.load("{form.address}")\n'
    compare = 'on="id", clusters="document")  # both optional\nprint(result)'
    if form.judged_column:
        return (
            f"{load}# Each system is judged once; the comparison uses the scores.\n"
            f"a, b = ({form.name}.score_batch(rows) for rows in (rows_a, rows_b))\n"
            f'result = {form.name}.compare({{"A": a, "B": b}})\nprint(result)'
        )
    return (
        f"{load}# Columns, a Dataset, a data frame, or the output of score_batch.\n"
        f'result = {form.name}.compare({{"A": rows_a, "B": rows_b}}, {compare}'
    )


def _client(form: "Form", payload: dict[str, Any]) -> str:
    name = endpoint_name(form.name)
    scores = form.judged_column
    if scores is None:
        given = ",\n    ".join(f"{argument}={value!r}" for argument, value in payload.items())
        return (
            f'from gradio_client import Client\n\nclient = Client("ORIGIN")\n'
            f'print(client.predict(\n    {given},\n    api_name="/{name}",\n))'
        )
    option, values = form.key_visible_if or ("", ())
    return (
        "import json\n\nfrom gradio_client import Client\n\n"
        'client = Client("ORIGIN", headers={"x-judge-key": "..."})\n'
        "a, b = (\n    json.loads(client.predict(questions=questions, predictions=answers, references=references,\n"
        f'        {option}={values[0]!r}, return_details=True, api_name="/{form.name}"))["{scores}"]\n'
        "    for answers in (answers_a, answers_b)\n)\n"
        f'print(client.predict({scores}=a, {scores}{SECOND}=b, api_name="/{name}"))'
    )
