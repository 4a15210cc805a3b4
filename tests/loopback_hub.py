"""A Hugging Face Hub on 127.0.0.1, kept in memory, for tests that publish and load without the internet.

It answers the requests that huggingface_hub and evaluate make (according to their source code), for Spaces: look up,
create, list, validate the card, commit, tag, download; and for the Parquet files of datasets.
"""

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, NamedTuple, Self

from aiohttp import web

# A made-up token, the only one that this Hub accepts. Tests search every output for it.
TOKEN = "hf_loopback_token_that_must_never_be_shown"  # not a secret: it opens nothing but this server
# The file that the real Hub creates in every new repository, next to the card.
GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
SPACE = r"/api/spaces/{name:[\w.-]+/[\w.-]+}"
FILES = r"/api/datasets/{name:[\w.-]+/[\w.-]+}"
"""A dataset whose files are read; they are stored as those of a Space are."""
DATASET = FILES + "/parquet"


class Request(NamedTuple):
    """One line of the server's log. The token is not stored, only whether one was sent."""

    method: str
    path: str
    status: int
    with_token: bool


class Refusal(Exception):  # an answer that ends the handling of a request, not a fault
    """An HTTP error answer, in the headers and body that huggingface_hub reads."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.headers = {"X-Error-Message": message, "X-Error-Code": code}
        self.body = {"error": message, "errors": [{"message": message}]}


def sha1(text: bytes) -> str:
    return hashlib.sha1(text).hexdigest()  # git's own choice


def blob_id(content: bytes) -> str:
    """Return git's name of a file's content, which the Hub calls its oid and sends as its ETag."""
    return sha1(b"blob %d\0" % len(content) + content)


class Commit(NamedTuple):
    """One state of a Space: all its files, by path."""

    oid: str
    files: Mapping[str, bytes]
    message: str = ""


@dataclass
class Space:
    """A Space's history, oldest commit first, and its tags (name to commit id)."""

    sdk: str
    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        return self.commits[-1]

    def add(self, files: Mapping[str, bytes], message: str = "") -> Commit:
        """Append a commit whose state is exactly `files`."""
        state = [len(self.commits), sorted((path, blob_id(content)) for path, content in files.items())]
        self.commits.append(Commit(sha1(repr(state).encode()), dict(files), message))
        return self.head


class LoopbackHub:
    """The server and its state.

    `free_account` refuses to create Gradio Spaces but for ZeroGPU, `refusals` are the errors with which an operation, a
    method below, is answered, `runtimes` the answers for the runtime of a Space, of which the last one stays.
    """

    def __init__(self, *, org: str = "org") -> None:
        self.writable = ("tester", org)
        self.free_account = False
        self.spaces: dict[str, Space] = {}
        self.datasets: dict[str, dict[str, dict[str, bytes]]] = {}
        self.runtimes: dict[str, list[dict[str, object]]] = {}
        self.log: list[Request] = []
        self.url = ""  # for HF_ENDPOINT
        self.refusals: dict[str, Refusal] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result()

    async def _start(self) -> None:
        app = web.Application(middlewares=[self._answer], client_max_size=2**30)
        app.add_routes([
            web.get("/api/whoami-v2", self.whoami),
            web.post("/api/repos/create", self.create),
            web.post("/api/validate-yaml", self.validate),
            web.get(SPACE, self.info),
            web.get(SPACE + "/revision/{revision}", self.info),
            web.get(SPACE + "/runtime", self.runtime),
            web.get(SPACE + "/refs", self.refs),
            web.get(SPACE + "/tree/{revision}", self.tree),
            web.post(SPACE + "/preupload/main", self.preupload),
            web.post(SPACE + "/commit/main", self.commit),
            web.post(SPACE + "/tag/{revision}", self.tag),
            web.get(SPACE.removeprefix("/api") + "/resolve/{revision}/{file:.+}", self.resolve),
            web.get(DATASET, self.parquet),
            web.get(FILES, self.info),
            web.get(FILES + "/revision/{revision}", self.info),
            web.get(FILES + "/tree/{revision}{path:.*}", self.tree),
            web.get(FILES.removeprefix("/api") + "/resolve/{revision}/{file:.+}", self.resolve),
            web.get(DATASET + "/{config}/{split}/0.parquet", self.parquet_file),
            web.route("*", "/{path:.*}", self.unknown),
        ])  # fmt: skip
        self._runner = web.AppRunner(app, shutdown_timeout=0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0]
        self.url = f"http://{host}:{port}"

    # Direct access to the state, for tests

    def add(self, name: str, files: Mapping[str, bytes], *, sdk: str = "gradio") -> Commit:
        """Commit files to a Space like another user, without checks; the Space is created if necessary."""
        if name not in self.spaces:
            card = f"---\ntitle: {name.partition('/')[2]}\nsdk: {sdk}\n---\n"
            self.spaces[name] = Space(sdk)
            self.spaces[name].add({".gitattributes": GITATTRIBUTES, "README.md": card.encode()})
        space = self.spaces[name]
        return space.add({**space.head.files, **files}) if files else space.head

    def requests(self, method: str, ending: str) -> list[Request]:
        """Return the logged requests by this method whose path, without the query, matches `ending` at its end."""
        wanted = re.compile(f"{method} .*(?:{ending})$")
        return [request for request in self.log if wanted.match(f"{request.method} {request.path.partition('?')[0]}")]

    # The endpoints

    @web.middleware
    async def _answer(self, request: web.Request, handler: Any) -> web.Response:
        """Answer a request with what its method returns, a file or JSON, and log it."""
        try:
            self._check(request)
            body, status, headers = await handler(request), 200, {}
        except Refusal as refusal:
            body, status, headers = refusal.body, refusal.status, refusal.headers
        response = body if isinstance(body, web.Response) else web.json_response(body, status=status, headers=headers)
        self.log.append(Request(request.method, request.path_qs, status, "Authorization" in request.headers))
        return response

    def _check(self, request: web.Request) -> None:
        authorization = request.headers.get("Authorization")
        operation = request.match_info.handler.__name__
        # A wrong token is rejected even for public data.
        if authorization not in {None, f"Bearer {TOKEN}"}:
            raise Refusal(401, "Invalid credentials in Authorization header")
        if authorization is None and (operation == "whoami" or request.method == "POST"):
            raise Refusal(401, "Invalid username or password.")
        if operation in self.refusals:
            raise self.refusals[operation]

    def _space(self, request: web.Request) -> Space:
        name = request.match_info["name"]
        if request.method == "POST" and name.partition("/")[0] not in self.writable:
            raise Refusal(403, f"You don't have the rights to write to {name}.")
        if name not in self.spaces:
            raise Refusal(404, "Repository not found", "RepoNotFound")
        return self.spaces[name]

    def _commit_of(self, request: web.Request) -> Commit:
        space, revision = self._space(request), request.match_info.get("revision", "main")
        if revision == "main":
            return space.head
        for commit in space.commits:
            if commit.oid == space.tags.get(revision, revision):
                return commit
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    async def unknown(self, request: web.Request) -> Any:
        raise Refusal(404, f"the loopback Hub has no {request.method} {request.path}")

    async def whoami(self, _: web.Request) -> Any:
        orgs = [{"type": "org", "name": name, "roleInOrg": "write"} for name in self.writable[1:]]
        return {"type": "user", "id": "0", "name": "tester", "orgs": orgs, "auth": {"type": "access_token"}}

    async def create(self, request: web.Request) -> Any:
        wanted = await request.json()
        name = f"{wanted['organization']}/{wanted['name']}"
        if wanted["organization"] not in self.writable:
            raise Refusal(403, "You don't have the rights to create a space under this namespace")
        if self.free_account and wanted["sdk"] != "static" and wanted.get("hardware") != "zero-a10g":
            # Even if the Space exists: huggingface/huggingface_hub issue 4535.
            raise Refusal(402, "Static Spaces are free, hosting Gradio Spaces requires PRO")
        if name in self.spaces:
            raise Refusal(409, "You already created this space repo")
        self.add(name, {}, sdk=wanted["sdk"])
        return {"url": f"{self.url}/spaces/{name}", "name": name}

    async def info(self, request: web.Request) -> Any:
        name, commit = request.match_info["name"], self._commit_of(request)
        files = [{"rfilename": path} for path in sorted(commit.files)]
        return {"id": name, "sha": commit.oid, "sdk": self.spaces[name].sdk, "siblings": files}

    async def refs(self, request: web.Request) -> Any:
        space = self._space(request)
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": space.head.oid}
        tags = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in space.tags.items()]
        return {"branches": [main], "converts": [], "tags": tags}

    async def tree(self, request: web.Request) -> Any:
        files = sorted(self._commit_of(request).files.items())
        folders = sorted({path.rpartition("/")[0] for path, _ in files if "/" in path})
        listing = [{"type": "directory", "path": path, "oid": sha1(path.encode()), "size": 0} for path in folders]
        listing += [{"type": "file", "path": path, "oid": blob_id(one), "size": len(one)} for path, one in files]
        deep = "path" in request.match_info or request.query.get("recursive") == "true"
        return [entry for entry in listing if deep or "/" not in str(entry["path"])]

    async def validate(self, _: web.Request) -> Any:
        return {"errors": [], "warnings": []}

    async def preupload(self, request: web.Request) -> Any:
        files = self._space(request).head.files
        paths = [wanted["path"] for wanted in (await request.json())["files"]]
        blobs = {path: blob_id(files[path]) if path in files else None for path in paths}
        mode = {"uploadMode": "regular", "shouldIgnore": False}
        return {"files": [{"path": path, "oid": oid, **mode} for path, oid in blobs.items()]}

    async def commit(self, request: web.Request) -> Any:
        space = self._space(request)
        header: dict[str, Any] = {}
        files = dict(space.head.files)
        for line in map(json.loads, (await request.read()).splitlines()):
            match line:
                case {"key": "header", "value": value}:
                    header = value
                case {"key": "file", "value": {"path": path, "content": content}}:
                    files[path] = base64.b64decode(content)
                case {"key": "deletedFile", "value": {"path": path}}:
                    del files[path]
        if header.get("parentCommit", space.head.oid) != space.head.oid:
            raise Refusal(412, "A commit has happened since. Please refresh and try again.")
        commit = space.add(files, header.get("summary", ""))
        sdk = re.search(r"^sdk: *(\w+)", files.get("README.md", b"").decode(), flags=re.MULTILINE)
        space.sdk = sdk[1] if sdk else space.sdk
        url = f"{self.url}/spaces/{request.match_info['name']}/commit/{commit.oid}"
        return {"success": True, "commitOid": commit.oid, "commitUrl": url, "hookOutput": ""}

    async def tag(self, request: web.Request) -> Any:
        space = self._space(request)
        tag = (await request.json())["tag"]
        if tag in space.tags:
            raise Refusal(409, "Tag reference exists already")
        space.tags[tag] = self._commit_of(request).oid
        return {}

    async def runtime(self, request: web.Request) -> Any:
        scripted = self.runtimes.get(request.match_info["name"], [{}])
        now = scripted.pop(0) if len(scripted) > 1 else scripted[0]
        return {"stage": "RUNNING", "sha": self._space(request).head.oid, **now}

    async def resolve(self, request: web.Request) -> web.Response:
        commit, file = self._commit_of(request), request.match_info["file"]
        if file not in commit.files:
            raise Refusal(404, "Entry not found", "EntryNotFound")
        content = commit.files[file]
        headers = {"ETag": f'"{blob_id(content)}"', "X-Repo-Commit": commit.oid, "Accept-Ranges": "none"}
        return web.Response(body=content, headers=headers, content_type="text/plain", charset="utf-8")

    def _dataset(self, request: web.Request) -> Mapping[str, Mapping[str, bytes]]:
        name = request.match_info["name"]
        if name.startswith("moved/"):
            raise web.HTTPTemporaryRedirect(request.path.replace("moved/", "o/"))
        if name not in self.datasets:
            raise Refusal(401, "Invalid username or password.", "RepoNotFound")
        return self.datasets[name]

    async def parquet(self, request: web.Request) -> Any:
        return {
            config: {split: [f"{self.url}{request.path}/{config}/{split}/0.parquet"] for split in files}
            for config, files in self._dataset(request).items()
        }

    async def parquet_file(self, request: web.Request) -> web.Response:
        return web.Response(body=self._dataset(request)[request.match_info["config"]][request.match_info["split"]])
