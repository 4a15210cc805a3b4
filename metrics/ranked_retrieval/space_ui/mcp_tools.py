# Vendored: edit metrics/_shared/space_ui/mcp_tools.py and run `make vendor`.
"""Descriptions of endpoints for language models beyond argument types: bounds, output schema, side effects."""

import json
import re
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from typing import Any

from .controls import Control

_TYPES = {"float": ["number", "null"], "int": "integer", "str": "string", "list": "array", "tuple": "array"}


@dataclass(frozen=True)
class Tool:
    """The description of an endpoint."""

    title: str
    controls: Sequence[Control] = ()
    outputs: Mapping[str, Any] = field(default_factory=dict)
    """The keys of the result, each with a type label and a help text."""
    is_open: bool = False
    """Whether a call may use a service outside the Space."""
    result: Mapping[str, Any] | None = None
    """The schema of the result if it cannot be derived from `outputs`."""

    def input_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Add the bounds of the options to a schema of the arguments."""
        properties = {name: dict(value) for name, value in schema.get("properties", {}).items()}
        for control in self.controls:
            names = ("exclusiveMinimum", "exclusiveMaximum") if control.exclusive else ("minimum", "maximum")
            for name, value in zip(names, (control.low, control.high), strict=True):
                if value is not None and control.name in properties:
                    properties[control.name][name] = value
        return {**schema, "properties": properties}

    def output_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the result."""
        if self.result is not None:
            return dict(self.result)
        properties = {name: output_schema(output.type_label, output.help) for name, output in self.outputs.items()}
        return {"type": "object", "properties": properties, "additionalProperties": True}


def output_schema(type_label: str, text: str) -> dict[str, Any]:
    """Return the JSON Schema of one key, from a type label such as "float, 0 to 1"."""
    kind = _TYPES.get(re.split(r"\W", type_label)[0])
    schema: dict[str, Any] = {"description": text} if kind is None else {"description": text, "type": kind}
    ends = re.search(r", (\d+) to (\d+)$", type_label)
    if ends and type_label.startswith(("float", "int")):
        schema |= {"minimum": int(ends[1]), "maximum": int(ends[2])}
    return schema


def enrich_server(server: Any, tools: Mapping[str, Tool]) -> None:
    """Make an MCP server list the full descriptions of its tools, and also return results as structured content.

    Arguments are not checked against the bounds here: the metric's errors are more helpful.
    """
    from mcp import types  # noqa: PLC0415  # an extra of gradio that may be missing

    listing = server.request_handlers[types.ListToolsRequest]
    calling = server.request_handlers[types.CallToolRequest]

    async def list_tools(request: Any) -> Any:
        result = (await listing(request)).root
        described = [_described(tool, tools[tool.name]) if tool.name in tools else tool for tool in result.tools]
        # A copy: the server validates calls by its original list.
        return types.ServerResult(result.model_copy(update={"tools": described}))

    def _described(tool: Any, known: Tool) -> Any:
        hints = types.ToolAnnotations(
            title=known.title,
            readOnlyHint=True,
            destructiveHint=False,
            idempotentHint=True,
            openWorldHint=known.is_open,
        )
        changes = {"title": known.title, "inputSchema": known.input_schema(tool.inputSchema), "annotations": hints}
        return tool.model_copy(update={**changes, "outputSchema": known.output_schema()})

    async def call_tool(request: Any) -> Any:
        answer = await calling(request)
        result = answer.root
        if request.params.name in tools and not result.isError and result.content:
            result.structuredContent = json.loads(result.content[0].text)
        return answer

    server.request_handlers[types.ListToolsRequest] = list_tools
    server.request_handlers[types.CallToolRequest] = call_tool
