"""A Hugging Face Hub on 127.0.0.1, kept in memory, for tests that publish and load without the internet.

It answers the requests that huggingface_hub and evaluate make (according to their source code), for Spaces
only: look up, create, list, validate the card, commit, tag, download. Standard library only.

    with LoopbackHub() as hub:
        hub.add("org/accuracy", {"accuracy.py": b"..."})
        subprocess.run([...], env={**env, "HF_ENDPOINT": hub.url})
"""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import unquote, urlsplit

# A made-up token, the only one that this Hub accepts. Tests search every output for it.
TOKEN = "hf_loopback_token_that_must_never_be_shown"  # noqa: S105  # not a secret: it opens nothing but this server
# The file that the real Hub creates in every new repository, next to the card.
GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"


@dataclass(frozen=True)
class Request:
    """One line of the server's log. The token is not stored, only whether one was sent."""

    method: str
    path: str
    status: int
    with_token: bool


@dataclass(frozen=True)
class Answer:
    """The response to a request: JSON (`body` not bytes) or a file."""

    body: object
    headers: Mapping[str, str] = field(default_factory=dict)


class Refusal(Exception):  # noqa: N818  # an answer that ends the handling of a request, not a fault
    """An HTTP error answer, in the headers and body that huggingface_hub reads."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.answer = Answer(
            {"error": message, "errors": [{"message": message}]},
            {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {}),
        )


def sha1(text: bytes) -> str:
    return hashlib.sha1(text).hexdigest()  # noqa: S324  # git's own choice


def blob_id(content: bytes) -> str:
    """Return git's name of a file's content, which the Hub calls its oid and sends as its ETag."""
    return sha1(b"blob %d\0" % len(content) + content)


@dataclass(frozen=True)
class Commit:
    """One state of a Space: all its files, by path."""

    oid: str
    files: Mapping[str, bytes]


@dataclass
class Space:
    """A Space's history, oldest commit first, and its tags (name to commit id)."""

    sdk: str
    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        return self.commits[-1]

    def add(self, files: Mapping[str, bytes]) -> Commit:
        """Append a commit whose state is exactly `files`."""
        state = [len(self.commits), sorted((path, blob_id(content)) for path, content in files.items())]
        self.commits.append(Commit(sha1(repr(state).encode()), dict(files)))
        return self.head


class LoopbackHub:
    """The server and its state.

    With `free_account` it refuses to create Gradio Spaces with 402, like the Hub for accounts without a plan, unless
    they are for ZeroGPU. `runtimes` holds the runtime of a Space as returned by the first request, the
    second one and so on; the last one stays. Without an entry the Space runs its newest commit. `datasets` holds the
    Parquet file of each split of each configuration of each dataset.
    """

    def __init__(self, *, org: str = "org") -> None:
        self.writable = ("tester", org)
        self.free_account = False
        self.spaces: dict[str, Space] = {}
        self.datasets: dict[str, dict[str, dict[str, bytes]]] = {}
        self.runtimes: dict[str, list[dict[str, object]]] = {}
        self.log: list[Request] = []
        self._lock = threading.RLock()
        self._refusals: dict[str, Refusal] = {}
        self._hooks: dict[str, Callable[[], object]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        """The address for HF_ENDPOINT."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening: from now on a connection is refused. May be called twice."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    # Direct access to the state, for tests

    def add(self, name: str, files: Mapping[str, bytes], *, sdk: str = "gradio") -> Commit:
        """Commit files to a Space like another user, without checks; the Space is created if necessary."""
        with self._lock:
            if name not in self.spaces:
                card = f"---\ntitle: {name.partition('/')[2]}\nsdk: {sdk}\n---\n"
                self.spaces[name] = Space(sdk)
                self.spaces[name].add({".gitattributes": GITATTRIBUTES, "README.md": card.encode()})
            space = self.spaces[name]
            return space.add({**space.head.files, **files}) if files else space.head

    def refuse(self, operation: str, status: int, message: str = "refused by the test") -> None:
        """Answer every request of this kind, the name of a method below, with an error."""
        self._refusals[operation] = Refusal(status, message)

    def allow(self, operation: str) -> None:
        """Withdraw a refusal."""
        del self._refusals[operation]

    def before(self, operation: str, hook: Callable[[], object]) -> None:
        """Call `hook` once, just before the next request of this kind is handled: for races."""
        self._hooks[operation] = hook

    def requests(self, method: str, ending: str) -> list[Request]:
        """Return the logged requests by this method whose path, without the query, matches `ending` at its end."""
        return [
            request
            for request in self.log
            if request.method == method and re.search(f"(?:{ending})$", urlsplit(request.path).path)
        ]

    # The endpoints

    def handle(self, method: str, target: str, authorization: str | None, body: bytes) -> Answer:
        """Answer one request, or raise a `Refusal`."""
        # A wrong token is rejected even for public data.
        if authorization not in {None, f"Bearer {TOKEN}"}:
            raise Refusal(HTTPStatus.UNAUTHORIZED, "Invalid credentials in Authorization header")
        for verbs, pattern, operation, needs_token in _ROUTES:
            match = re.fullmatch(pattern, unquote(urlsplit(target).path))
            if match is None or method not in verbs:
                continue
            if needs_token and authorization is None:
                raise Refusal(HTTPStatus.UNAUTHORIZED, "Invalid username or password.")
            self._hooks.pop(operation, lambda: None)()
            if operation in self._refusals:
                raise self._refusals[operation]
            with self._lock:
                answer: Answer = getattr(self, f"_{operation}")(**match.groupdict(), body=body)
                return answer
        raise Refusal(HTTPStatus.NOT_FOUND, f"the loopback Hub has no {method} {target}")

    def _space(self, name: str, *, to_write: bool = False) -> Space:
        if to_write and name.partition("/")[0] not in self.writable:
            raise Refusal(HTTPStatus.FORBIDDEN, f"You don't have the rights to write to {name}.")
        if name not in self.spaces:
            raise Refusal(HTTPStatus.NOT_FOUND, "Repository not found", "RepoNotFound")
        return self.spaces[name]

    def _commit_of(self, name: str, revision: str) -> Commit:
        """Return the commit named by `main`, a tag or a commit id."""
        space = self._space(name)
        if revision == "main":
            return space.head
        for commit in space.commits:
            if commit.oid == space.tags.get(revision, revision):
                return commit
        raise Refusal(HTTPStatus.NOT_FOUND, f"Invalid rev id: {revision}", "RevisionNotFound")

    def _whoami(self, **_: object) -> Answer:
        orgs = [{"type": "org", "name": name, "roleInOrg": "write"} for name in self.writable[1:]]
        return Answer({"type": "user", "id": "0", "name": "tester", "orgs": orgs, "auth": {"type": "access_token"}})

    def _create(self, *, body: bytes, **_: object) -> Answer:
        wanted = json.loads(body)
        name = f"{wanted['organization']}/{wanted['name']}"
        if wanted["organization"] not in self.writable:
            raise Refusal(HTTPStatus.FORBIDDEN, "You don't have the rights to create a space under this namespace")
        if self.free_account and wanted["sdk"] != "static" and wanted.get("hardware") != "zero-a10g":
            # Even if the Space exists: huggingface/huggingface_hub issue 4535.
            raise Refusal(HTTPStatus.PAYMENT_REQUIRED, "Static Spaces are free, hosting Gradio Spaces requires PRO")
        if name in self.spaces:
            raise Refusal(HTTPStatus.CONFLICT, "You already created this space repo")
        self.add(name, {}, sdk=wanted["sdk"])
        return Answer({"url": f"{self.url}/spaces/{name}", "name": name})

    def _info(self, *, name: str, revision: str = "main", **_: object) -> Answer:
        commit = self._commit_of(name, revision)
        files = [{"rfilename": path} for path in sorted(commit.files)]
        sdk = self.spaces[name].sdk
        return Answer({"id": name, "sha": commit.oid, "sdk": sdk, "private": False, "siblings": files})

    def _refs(self, *, name: str, **_: object) -> Answer:
        space = self._space(name)
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": space.head.oid}
        tags = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in space.tags.items()]
        return Answer({"branches": [main], "converts": [], "tags": tags})

    def _tree(self, *, name: str, revision: str, **_: object) -> Answer:
        files = sorted(self._commit_of(name, revision).files.items())
        folders = sorted({path.rpartition("/")[0] for path, _ in files if "/" in path})
        listing = [{"type": "directory", "path": path, "oid": sha1(path.encode()), "size": 0} for path in folders]
        listing += [
            {"type": "file", "path": path, "oid": blob_id(content), "size": len(content)} for path, content in files
        ]
        return Answer(listing)

    def _validate(self, **_: object) -> Answer:
        return Answer({"errors": [], "warnings": []})

    def _preupload(self, *, name: str, body: bytes, **_: object) -> Answer:
        files = self._space(name, to_write=True).head.files
        paths = [wanted["path"] for wanted in json.loads(body)["files"]]
        blobs = {path: blob_id(files[path]) if path in files else None for path in paths}
        how = {"uploadMode": "regular", "shouldIgnore": False}
        return Answer({"files": [{"path": path, "oid": oid, **how} for path, oid in blobs.items()]})

    def _commit(self, *, name: str, body: bytes, **_: object) -> Answer:
        space = self._space(name, to_write=True)
        header: dict[str, Any] = {}
        files = dict(space.head.files)
        for line in map(json.loads, body.splitlines()):
            match line:
                case {"key": "header", "value": value}:
                    header = value
                case {"key": "file", "value": {"path": path, "content": content}}:
                    files[path] = base64.b64decode(content)
                case {"key": "deletedFile", "value": {"path": path}}:
                    del files[path]
        if header.get("parentCommit", space.head.oid) != space.head.oid:
            raise Refusal(HTTPStatus.PRECONDITION_FAILED, "A commit has happened since. Please refresh and try again.")
        commit = space.add(files)
        sdk = re.search(r"^sdk: *(\w+)", files.get("README.md", b"").decode(), flags=re.MULTILINE)
        space.sdk = sdk[1] if sdk else space.sdk
        url = f"{self.url}/spaces/{name}/commit/{commit.oid}"
        return Answer({"success": True, "commitOid": commit.oid, "commitUrl": url, "hookOutput": ""})

    def _tag(self, *, name: str, revision: str, body: bytes, **_: object) -> Answer:
        space = self._space(name, to_write=True)
        tag = json.loads(body)["tag"]
        if tag in space.tags:
            raise Refusal(HTTPStatus.CONFLICT, "Tag reference exists already")
        space.tags[tag] = self._commit_of(name, revision).oid
        return Answer({})

    def _parquet(self, *, name: str, **_: object) -> Answer:
        listed = {
            config: {split: [f"{self.url}/api/datasets/{name}/parquet/{config}/{split}/0.parquet"] for split in splits}
            for config, splits in self._dataset(name).items()
        }
        return Answer(listed)

    def _parquet_file(self, *, name: str, config: str, split: str, **_: object) -> Answer:
        try:
            return Answer(self._dataset(name)[config][split])
        except KeyError:
            raise Refusal(HTTPStatus.NOT_FOUND, "Not found") from None

    def _dataset(self, name: str) -> Mapping[str, Mapping[str, bytes]]:
        if name not in self.datasets:
            raise Refusal(HTTPStatus.UNAUTHORIZED, "Invalid username or password.", "RepoNotFound")
        return self.datasets[name]

    def _runtime(self, *, name: str, **_: object) -> Answer:
        scripted = self.runtimes.get(name, [{}])
        now = scripted.pop(0) if len(scripted) > 1 else scripted[0]
        hardware = {"current": "cpu-basic", "requested": "cpu-basic"}
        sha = self._space(name).head.oid
        return Answer({"stage": "RUNNING", "hardware": hardware, "storage": None, "sha": sha, **now})

    def _resolve(self, *, name: str, revision: str, file: str, **_: object) -> Answer:
        commit = self._commit_of(name, revision)
        if file not in commit.files:
            raise Refusal(HTTPStatus.NOT_FOUND, "Entry not found", "EntryNotFound")
        content = commit.files[file]
        return Answer(content, {"ETag": f'"{blob_id(content)}"', "X-Repo-Commit": commit.oid, "Accept-Ranges": "none"})


_ID = r"(?P<name>[\w.-]+/[\w.-]+)"
_REVISION = r"(?P<revision>[^/]+)"
# Verbs, path, name of the operation and of its method, whether a token is needed. The first that matches is taken.
_ROUTES = (
    ({"GET"}, r"/api/whoami-v2", "whoami", True),
    ({"POST"}, r"/api/repos/create", "create", True),
    ({"POST"}, r"/api/validate-yaml", "validate", False),
    ({"GET"}, rf"/api/spaces/{_ID}", "info", False),
    ({"GET"}, rf"/api/spaces/{_ID}/revision/{_REVISION}", "info", False),
    ({"GET"}, rf"/api/spaces/{_ID}/runtime", "runtime", False),
    ({"GET"}, rf"/api/spaces/{_ID}/refs", "refs", False),
    ({"GET"}, rf"/api/spaces/{_ID}/tree/{_REVISION}", "tree", False),
    ({"POST"}, rf"/api/spaces/{_ID}/preupload/main", "preupload", True),
    ({"POST"}, rf"/api/spaces/{_ID}/commit/main", "commit", True),
    ({"POST"}, rf"/api/spaces/{_ID}/tag/{_REVISION}", "tag", True),
    ({"GET"}, rf"/api/datasets/{_ID}/parquet", "parquet", False),
    ({"GET"}, rf"/api/datasets/{_ID}/parquet/(?P<config>[^/]+)/(?P<split>[^/]+)/0\.parquet", "parquet_file", False),
    ({"GET", "HEAD"}, rf"/spaces/{_ID}/resolve/{_REVISION}/(?P<file>.+)", "resolve", False),
)


def _handler_of(hub: LoopbackHub) -> type[BaseHTTPRequestHandler]:
    """Return a handler class for this Hub: http.server takes only a class and creates the objects."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # headers and body are two writes: the second would wait 40 ms for the first

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            authorization = self.headers.get("Authorization")
            status: int = HTTPStatus.OK
            try:
                answer = hub.handle(self.command, self.path, authorization, body)
            except Refusal as refusal:
                status, answer = refusal.status, refusal.answer
            hub.log.append(Request(self.command, self.path, status, with_token=authorization is not None))
            is_file = isinstance(answer.body, bytes)
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8" if is_file else "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_HEAD = do_POST = _answer  # noqa: N815  # http.server's names

        def log_message(self, *_: object) -> None:
            """Print nothing to stderr: the log is `hub.log`."""

    return Handler
