"""A Hugging Face Hub on 127.0.0.1, kept in memory, for tests that publish and load without the internet.

It answers the requests that huggingface_hub and evaluate make (according to their source code), for Spaces
only: look up, create, list, validate the card, commit, tag, download. Standard library only.

    with LoopbackHub() as hub:
        hub.add("org/accuracy", {"accuracy.py": b"..."})
        subprocess.run([...], env={**env, "HF_ENDPOINT": hub.url})
"""

from __future__ import annotations

import base64
import json
import re
import threading
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING
from typing import Any
from typing import Self
from urllib.parse import parse_qs
from urllib.parse import unquote
from urllib.parse import urlsplit

from tests.hub_http import Answer
from tests.hub_http import Refusal
from tests.hub_http import Request
from tests.hub_http import handler_of
from tests.hub_state import Commit
from tests.hub_state import Space
from tests.hub_state import blob_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping

# A made-up token, the only one that this Hub accepts. Tests search every output for it.
TOKEN = "hf_loopback_token_that_must_never_be_shown"  # noqa: S105  # not a secret: it opens nothing but this server

# The files that the real Hub creates in every new repository.
GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"


class LoopbackHub:
    """The server and its state.

    With `free_account` it refuses to create Gradio Spaces with 402, like the Hub for accounts without a plan, unless
    they are for ZeroGPU. `runtimes` holds the runtime of a Space as returned by the first request, the
    second one and so on; the last one stays. Without an entry the Space runs its newest commit.
    """

    def __init__(self, *, token: str = TOKEN, orgs: tuple[str, ...] = ("org",), free_account: bool = False) -> None:
        self.token = token
        self.user = "tester"
        self.orgs = orgs
        self.free_account = free_account
        self.spaces: dict[str, Space] = {}
        self.datasets: dict[str, dict[str, dict[str, bytes]]] = {}
        """The Parquet file of each split of each configuration of each dataset."""
        self.log: list[Request] = []
        self._lock = threading.RLock()
        self.runtimes: dict[str, list[dict[str, object]]] = {}
        self._refusals: dict[str, Refusal] = {}
        self._hooks: dict[str, Callable[[], object]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
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

    def add(
        self, name: str, files: Mapping[str, bytes], *, delete: tuple[str, ...] = (), sdk: str = "gradio"
    ) -> Commit:
        """Commit files to a Space like another user, without checks; the Space is created if necessary."""
        with self._lock:
            if name not in self.spaces:
                self._found(name, sdk)
            space = self.spaces[name]
            kept = {path: content for path, content in space.head.files.items() if path not in delete}
            return space.add("Somebody else's change", kept | dict(files))

    def refuse(self, operation: str, status: int, message: str = "refused by the test") -> None:
        """Answer every request of this kind with an error.

        Kinds: info, refs, tree, create, validate, preupload, commit, tag, whoami, runtime, resolve, parquet,
        parquet_file.
        """
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
        url = urlsplit(target)
        path = unquote(url.path)
        # A wrong token is rejected even for public data.
        if authorization not in {None, f"Bearer {self.token}"}:
            raise Refusal(HTTPStatus.UNAUTHORIZED, "Invalid credentials in Authorization header")
        for verbs, pattern, operation, needs_token in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match is None or method not in verbs:
                continue
            if needs_token and authorization is None:
                raise Refusal(HTTPStatus.UNAUTHORIZED, "Invalid username or password.")
            hook = self._hooks.pop(operation, None)
            if hook is not None:
                hook()
            if operation in self._refusals:
                raise self._refusals[operation]
            with self._lock:
                answer: Callable[..., Answer] = getattr(self, f"_{operation}")
                return answer(**match.groupdict(), query=parse_qs(url.query), body=body)
        raise Refusal(HTTPStatus.NOT_FOUND, f"the loopback Hub has no {method} {path}")

    def _space(self, name: str) -> Space:
        try:
            return self.spaces[name]
        except KeyError:
            raise Refusal(HTTPStatus.NOT_FOUND, "Repository not found", "RepoNotFound") from None

    def _commit_of(self, name: str, revision: str) -> Commit:
        commit = self._space(name).find(revision)
        if commit is None:
            raise Refusal(HTTPStatus.NOT_FOUND, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def _writable(self, name: str) -> Space:
        organization = name.partition("/")[0]
        if organization not in {self.user, *self.orgs}:
            message = f"You don't have the rights to write under the namespace {organization!r}."
            raise Refusal(HTTPStatus.FORBIDDEN, message)
        return self._space(name)

    def _found(self, name: str, sdk: str) -> None:
        self.spaces[name] = Space(sdk)
        card = f"---\ntitle: {name.partition('/')[2]}\nsdk: {sdk}\n---\n"
        self.spaces[name].add("initial commit", {".gitattributes": GITATTRIBUTES, "README.md": card.encode()})

    def _whoami(self, **_: object) -> Answer:
        orgs = [{"type": "org", "name": name, "roleInOrg": "write"} for name in self.orgs]
        return Answer({"type": "user", "id": "0", "name": self.user, "orgs": orgs, "auth": {"type": "access_token"}})

    def _create(self, *, body: bytes, **_: object) -> Answer:
        wanted = json.loads(body)
        name = f"{wanted['organization'] or self.user}/{wanted['name']}"
        if wanted.get("type") != "space":
            raise Refusal(HTTPStatus.BAD_REQUEST, "the loopback Hub has Spaces only")
        url = f"{self.url}/spaces/{name}"
        if name.partition("/")[0] not in {self.user, *self.orgs}:
            message = f"You don't have the rights to create a space under the namespace {name.partition('/')[0]!r}"
            raise Refusal(HTTPStatus.FORBIDDEN, message)
        if self.free_account and wanted["sdk"] != "static" and wanted.get("hardware") != "zero-a10g":
            # Even if the Space exists: huggingface/huggingface_hub issue 4535.
            raise Refusal(HTTPStatus.PAYMENT_REQUIRED, "Static Spaces are free, hosting Gradio Spaces requires PRO")
        if name in self.spaces:
            raise Refusal(HTTPStatus.CONFLICT, "You already created this space repo")
        self._found(name, wanted["sdk"])
        return Answer({"url": url, "name": name})

    def _info(self, *, name: str, revision: str | None = None, **_: object) -> Answer:
        space = self._space(name)
        commit = self._commit_of(name, revision or "main")
        files = [{"rfilename": path} for path in sorted(commit.files)]
        return Answer({"id": name, "sha": commit.oid, "sdk": space.sdk, "private": False, "siblings": files})

    def _refs(self, *, name: str, **_: object) -> Answer:
        space = self._space(name)
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": space.head.oid}
        tags = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in space.tags.items()]
        return Answer({"branches": [main], "converts": [], "tags": tags})

    def _tree(self, *, name: str, revision: str, query: Mapping[str, list[str]], **_: object) -> Answer:
        if query.get("recursive", ["false"])[0].lower() != "true":
            raise Refusal(HTTPStatus.BAD_REQUEST, "the loopback Hub lists recursively only")
        files = self._commit_of(name, revision).files
        folders = sorted({path.rpartition("/")[0] for path in files if "/" in path})
        listing = [{"type": "directory", "path": path, "oid": blob_id(path.encode()), "size": 0} for path in folders]
        for path, content in sorted(files.items()):
            listing.append({"type": "file", "path": path, "oid": blob_id(content), "size": len(content)})
        return Answer(listing)

    def _validate(self, *, body: bytes, **_: object) -> Answer:
        """Check the fields that the real Hub is known to check, without a YAML parser."""
        content = json.loads(body)["content"]
        match = re.match(r"---\n(.*?)\n---\n", content, flags=re.DOTALL)
        if match is None:
            return Answer({"errors": [], "warnings": [{"message": "empty or missing yaml metadata in repo card"}]})
        values = dict(line.partition(":")[::2] for line in match[1].splitlines() if ":" in line and line[0] != " ")
        if values.get("sdk", "").strip() not in {"gradio", "docker", "static"}:
            raise Refusal(HTTPStatus.BAD_REQUEST, '"sdk" must be one of [gradio, docker, static]')
        most = 60
        if len(values.get("short_description", "").strip().strip("\"'")) > most:
            raise Refusal(HTTPStatus.BAD_REQUEST, '"short_description" length must be <= 60 characters')
        return Answer({"errors": [], "warnings": []})

    def _preupload(self, *, name: str, body: bytes, **_: object) -> Answer:
        files = self._writable(name).head.files
        entries = []
        for wanted in json.loads(body)["files"]:
            path = wanted["path"]
            if b"\0" in base64.b64decode(wanted["sample"]):
                raise Refusal(HTTPStatus.BAD_REQUEST, f"the loopback Hub stores text only, and {path} is binary")
            oid = blob_id(files[path]) if path in files else None
            entries.append({"path": path, "uploadMode": "regular", "shouldIgnore": False, "oid": oid})
        return Answer({"files": entries})

    def _commit(self, *, name: str, body: bytes, **_: object) -> Answer:
        space = self._writable(name)
        header: dict[str, Any] = {}
        files = dict(space.head.files)
        for key, value in _ndjson(body):
            if key == "header":
                header = value
            elif key == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif key == "deletedFile" and value["path"] in files:
                del files[value["path"]]
            else:
                raise Refusal(HTTPStatus.BAD_REQUEST, f"the loopback Hub cannot do {key} of {value.get('path')}")
        if header.get("parentCommit", space.head.oid) != space.head.oid:
            raise Refusal(HTTPStatus.PRECONDITION_FAILED, "A commit has happened since. Please refresh and try again.")
        commit = space.add(header["summary"], files)
        sdk = re.search(r"^sdk: *(\w+)", files.get("README.md", b"").decode(), flags=re.MULTILINE)
        space.sdk = sdk[1] if sdk else space.sdk
        url = f"{self.url}/spaces/{name}/commit/{commit.oid}"
        return Answer({"success": True, "commitOid": commit.oid, "commitUrl": url, "hookOutput": ""})

    def _tag(self, *, name: str, revision: str, body: bytes, **_: object) -> Answer:
        space = self._writable(name)
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
        head = self._space(name).head.oid
        scripted = self.runtimes.get(name, [{}])
        now = scripted.pop(0) if len(scripted) > 1 else scripted[0]
        hardware = {"current": "cpu-basic", "requested": "cpu-basic"}
        return Answer({"stage": "RUNNING", "hardware": hardware, "storage": None, "sha": head, **now})

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


def _ndjson(body: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in body.splitlines():
        item = json.loads(line)
        yield item["key"], item["value"]
