"""What language models are told of an endpoint beyond its types: bounds, the result's schema, side effects."""

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
    """What is known of an endpoint."""

    title: str
    controls: Sequence[Control] = ()
    outputs: Mapping[str, Any] = field(default_factory=dict)
    """The keys of the result, with a type label and a help text each."""
    is_open: bool = False
    """Whether a call may reach a service outside of the Space."""
    result: Mapping[str, Any] | None = None
    """The schema of the result, where it does not follow from `outputs`."""

    def input_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Add the bounds of the options to a schema of the arguments."""
        properties = {name: dict(one) for name, one in schema.get("properties", {}).items()}
        for control in self.controls:
            names = ("exclusiveMinimum", "exclusiveMaximum") if control.exclusive else ("minimum", "maximum")
            for name, value in zip(names, (control.low, control.high), strict=True):
                if value is not None and control.name in properties:
                    properties[control.name][name] = value
        return {**schema, "properties": properties}

    def output_schema(self) -> dict[str, Any]:
        """Describe the result."""
        if self.result is not None:
            return dict(self.result)
        properties = {name: output_schema(one.type_label, one.help) for name, one in self.outputs.items()}
        return {"type": "object", "properties": properties, "additionalProperties": True}


def output_schema(type_label: str, text: str) -> dict[str, Any]:
    """Describe one key of a result, given a label such as "float, 0 to 1"."""
    kind = _TYPES.get(re.split(r"\W", type_label)[0])
    schema: dict[str, Any] = {"description": text} if kind is None else {"description": text, "type": kind}
    ends = re.search(r", (\d+) to (\d+)$", type_label)
    if ends and type_label.startswith(("float", "int")):
        schema |= {"minimum": int(ends[1]), "maximum": int(ends[2])}
    return schema


def enrich_server(server: Any, tools: Mapping[str, Tool]) -> None:
    """Have an MCP server list its tools with what is known of them, and return results as structured content, too.

    Arguments are not checked against the bounds here: the metric's own errors say how to fix them.
    """
    from mcp import types  # noqa: PLC0415  # gradio's extra: a Space may run without

    listing = server.request_handlers[types.ListToolsRequest]
    calling = server.request_handlers[types.CallToolRequest]

    async def list_tools(request: Any) -> Any:
        result = (await listing(request)).root
        described = [_described(one, tools[one.name]) if one.name in tools else one for one in result.tools]
        # A copy: the server checks calls by the tools that it has listed itself.
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
