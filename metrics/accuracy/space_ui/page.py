# Vendored: edit metrics/_shared/space_ui/page.py and run `make vendor`.
"""The server of a Space: the page, its routes, and the endpoints for programs and language models.

Gradio serves the endpoints to its clients and by MCP; the page uses no Gradio components, so that no session stores
what a visitor sends. Nothing is fetched from the internet unless a visitor requests a dataset of the Hub.
"""

import functools
import importlib.util
import json
import logging
from collections.abc import Callable
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import Request
from fastapi import Response
from starlette.concurrency import run_in_threadpool

from .comparison_call import comparison_controls
from .comparison_call import comparison_inputs
from .comparison_call import describe_comparison
from .comparison_call import endpoint_name
from .comparison_schema import COMPARISON_SCHEMA
from .controls import build_endpoint
from .form import Form
from .guard import NoTracebacks
from .guard import RequestLimitMiddleware
from .guard import check_arguments
from .guard import redact_errors
from .hub import read_dataset
from .mcp_tools import Tool
from .mcp_tools import enrich_server
from .rows import InputError
from .space import KEY_HEADER
from .space import Space
from .space import log_exception
from .usage import form_page
from .workers import BusyError
from .workers import OverdueError
from .workers import WorkerPool

LIGHT_BYTES = 400_000  # larger requests go to a worker process without being parsed
LIGHT_SECONDS = 0.3
LIGHT_THREADS = 2  # concurrent computations in this process; contention for the GIL makes more of them slower
ASSETS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# Visitors' texts are never rendered as HTML; as a second line of defense, no inline script may run.
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)


class Service:
    """Handles calls: light ones in this process, heavy ones in worker processes that can be killed."""

    def __init__(self, space: Space, script: Path) -> None:
        self.space = space
        self.pool = WorkerPool(script)
        # A queue: calls run in order of arrival, which a semaphore does not guarantee.
        self._light = ThreadPoolExecutor(LIGHT_THREADS, "light")

    def score(self, body: bytes, key: str) -> Response:
        """Handle a request of the page."""
        space = self.space
        if key:
            return _reply(*space.respond(body, key))
        if len(body) > LIGHT_BYTES:
            return _reply(*self._in_process("score", body))

        def answer() -> dict[str, Any]:
            request = space.parse(body)
            return space.answer(request) if space.estimate(request) <= LIGHT_SECONDS else {}

        def reply() -> Response | None:
            status, content = space.guard(answer)
            return _reply(status, content) if content else None

        return self._light.submit(reply).result() or _reply(*self._in_process("score", body))

    def call(self, **arguments: Any) -> str:
        """Handle an API call.

        Raises:
            InputError: For bad input, with the metric's message.
        """
        return self._answer("call", self.space.call, self.space.estimate_call, arguments)

    def compare(self, **arguments: Any) -> str:
        """Handle an API call that compares two systems.

        Raises:
            InputError: For bad input, with the metric's message.
        """
        return self._answer("compare", self.space.compare, self.space.estimate_comparison, arguments)

    def _answer(
        self,
        operation: str,
        answer: Callable[..., str],
        estimate: Callable[[Mapping[str, Any]], float],
        arguments: Mapping[str, Any],
    ) -> str:
        if arguments.get(KEY_HEADER):
            return answer(**arguments)

        def answer_if_light() -> str | None:
            size = len(json.dumps(arguments, default=str))
            return answer(**arguments) if size < LIGHT_BYTES and estimate(arguments) < LIGHT_SECONDS else None

        text = self._light.submit(answer_if_light).result()
        if text is not None:
            return text
        status, content = self._in_process(operation, json.dumps(arguments).encode())
        if status != HTTPStatus.OK:
            raise InputError(content["error"])
        result: str = content["result"]
        return result

    def _in_process(self, operation: str, payload: bytes) -> tuple[int, dict[str, Any]]:
        try:
            answer = json.loads(self.pool.run(operation, payload))
        except (BusyError, OverdueError) as error:
            return HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(error)}
        return answer["status"], answer["content"]


def build(form: Form) -> gr.Server:
    """Build the server of a metric."""
    service = Service(form, form.script.parent / "app.py")
    header = (KEY_HEADER, gr.Header) if form.key_option else None

    scoring = build_endpoint(service.call, form.metric, form.inputs, form.api_controls, header)
    inputs, controls, name = comparison_inputs(form), comparison_controls(form), endpoint_name(form.name)
    comparing = build_endpoint(
        service.compare, form.metric, inputs, controls, name=name, description=describe_comparison(form)
    )
    tools = {
        form.name: Tool(form.title, form.api_controls, form.metric.outputs, is_open=form.key_option is not None),
        name: Tool(f"{form.title}: compare two systems", controls, result=COMPARISON_SCHEMA),
    }
    return build_server(service, form_page(form), [(shield(scoring), form.name), (shield(comparing), name)], tools)


def shield(endpoint: Callable[..., str]) -> Callable[..., str]:
    """Make an endpoint raise Gradio's error for bad input, which is not logged."""

    @functools.wraps(endpoint)
    def call(*args: Any, **kwargs: Any) -> str:
        try:
            return endpoint(*args, **kwargs)
        except InputError as error:
            raise gr.Error(str(error), print_exception=False) from None
        except Exception as error:  # noqa: BLE001  # its message may contain a visitor's texts or key
            log_exception(error)
            raise gr.Error(f"internal error ({type(error).__name__})", print_exception=False) from None

    return call


def build_server(
    service: Service, page: str, endpoints: list[tuple[Callable[..., str], str]], tools: Mapping[str, Tool]
) -> gr.Server:
    """Build a server from a page, endpoints with their names, and their tool descriptions."""
    space = service.space
    server = gr.Server(title=space.title, openapi_url=None, docs_url=None, redoc_url=None)
    _add_page(server, service, page)
    server.add_middleware(RequestLimitMiddleware, endpoints={name: endpoint for endpoint, name in endpoints})
    for endpoint, name in endpoints:
        server.api(endpoint, name=name, concurrency_limit=16)
        server.post(f"/api/{name}")(_rest(endpoint))
    server.state.tools = tools
    return server


def _reply(status: int, content: dict[str, Any]) -> Response:
    return Response(json.dumps(content, ensure_ascii=False), status, media_type="application/json")


def _add_page(server: gr.Server, service: Service, page: str) -> None:
    """Add the page, its assets and its routes."""
    space = service.space
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}

    @server.get("/")
    def index() -> Response:
        return Response(page, media_type="text/html", headers=headers)

    @server.get("/assets/{name}")
    def asset(name: str) -> Response:
        path = next((path for path in Path(__file__).parent.iterdir() if path.name == name), None)
        if path is None or path.suffix not in ASSETS:
            return Response(status_code=HTTPStatus.NOT_FOUND)
        return Response(path.read_bytes(), media_type=ASSETS[path.suffix], headers={"Cache-Control": "no-cache"})

    @server.post("/space/score")
    async def score(request: Request) -> Response:
        key = request.headers.get("x-judge-key", "").strip()
        body = await request.body()
        return await run_in_threadpool(service.score, body, key)

    @server.post("/space/quote")
    async def quote(request: Request) -> Response:
        body = await request.body()
        return _reply(*await run_in_threadpool(space.guard, lambda: {"text": space.estimate_cost(space.parse(body))}))

    @server.post("/space/read")
    async def read(
        request: Request, name: str = "", columns: str = "", mapping: str = "", second: bool = False
    ) -> Response:
        content = await request.body()
        work = functools.partial(space.read, content, name, columns.split(","), _mapping(mapping), second=second)
        return _reply(*await run_in_threadpool(work))

    @server.post("/space/pair")
    async def pair(request: Request) -> Response:
        return _reply(*await run_in_threadpool(space.pair, await request.body()))

    @server.post("/space/hub")
    async def hub(request: Request, columns: str = "", mapping: str = "") -> Response:
        body = await request.body()
        return _reply(*await run_in_threadpool(read_dataset, space, body, columns.split(","), _mapping(mapping)))

    @server.post("/space/open")
    async def open_link(request: Request) -> Response:
        body = await request.body()
        return _reply(*await run_in_threadpool(_open_link, space, body))


def _open_link(space: Space, body: bytes) -> tuple[int, dict[str, Any]]:
    try:
        packed = str(json.loads(body)["packed"])
    except (ValueError, LookupError, TypeError, RecursionError):
        error = "The body must be a JSON object with the text of a link as packed."
        return HTTPStatus.UNPROCESSABLE_ENTITY, {"error": error}
    return space.open_link(packed)


def _mapping(text: str) -> dict[str, str] | None:
    try:
        value = json.loads(text) if text else None
    except ValueError:
        return None
    return {str(name): str(column) for name, column in value.items()} if isinstance(value, dict) else None


def _rest(endpoint: Callable[..., str]) -> Any:
    """Serve an endpoint as plain REST: JSON in, the result or a 422 with an error message out."""

    async def rest(request: Request) -> Response:
        body = await request.body()
        try:
            arguments = check_arguments(endpoint, body)
            if KEY_HEADER in arguments:
                arguments[KEY_HEADER] = request.headers.get("x-judge-key", "")
            text = await run_in_threadpool(lambda: endpoint(*arguments.values()))
        except InputError as error:
            return _reply(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error)})
        except gr.Error as error:
            return _reply(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error.message)})
        return Response(text, media_type="application/json")

    return rest


def launch(server: gr.Server, **options: Any) -> Any:
    """Launch the server with Gradio's history, monitoring, footer links and server-side rendering disabled."""
    # The server creates its Blocks itself, so the class must be patched.
    gr.Blocks.process_api = redact_errors(gr.Blocks.process_api)
    for name in ("uvicorn.error", "uvicorn", "gradio"):
        logging.getLogger(name).addFilter(NoTracebacks())
    if importlib.util.find_spec("mcp") is not None:
        _describe_tools(server.state.tools)
    return server.launch(
        run_history=False,
        footer_links=[],
        enable_monitoring=False,
        ssr_mode=False,
        max_file_size="1mb",
        state_session_capacity=32,
        mcp_server=importlib.util.find_spec("mcp") is not None,
        **options,
    )


def _describe_tools(tools: Mapping[str, Tool]) -> None:
    """Add the tool descriptions to the MCP server that Gradio creates at launch."""
    from gradio.mcp import GradioMCPServer  # noqa: PLC0415  # gradio's extra: a Space may run without

    create = GradioMCPServer.create_mcp_server

    def create_described(self: Any) -> Any:
        server = create(self)
        enrich_server(server, tools)
        return server

    GradioMCPServer.create_mcp_server = create_described
