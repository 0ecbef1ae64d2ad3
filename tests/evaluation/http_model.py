"""A server that speaks OpenAI's protocol, and a proxy that breaks its replies: for tests over real HTTP.

    with Served(answer) as server, Proxy(server.url, fault) as proxy: ...      proxy.url ends with /v1

`fault(n, body)` names what happens to the n-th request (0-based): "" forwards it, "429", "500", "cut" (half a
reply, then the end of the connection), "hang", "garbage" (no JSON), "odd" (JSON that is no reply), "short"
(of a stream, asked for with `-M stream=true`: the last events are missing, and it ends as if that were all),
"later 1" and "at 2" (a 429 that says when to come back, in seconds or as the date so many seconds from now).
"""

from __future__ import annotations

import email.utils
import json
import threading
import time
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

FAULTS = ("429", "500", "cut", "hang", "garbage", "odd")


class Server:
    """An HTTP server on loopback, in a thread; a context."""

    def __init__(self) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if outer.is_hanging:
                    outer.ended.wait(60)
                send(self, 404, b"{}")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.reply(self, body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.ended = threading.Event()
        self.is_hanging = False
        """Whether it takes connections and answers none of them."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Any:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def reply(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        raise NotImplementedError


def send(handler: BaseHTTPRequestHandler, status: int, content: bytes, **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in {"Content_Type": "application/json", **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


class Served(Server):
    """Answers chat completions by a function of the request; the reply may be a text or a whole message."""

    def __init__(self, answer: Callable[[dict[str, Any]], str | dict[str, Any]]) -> None:
        super().__init__()
        self.answer = answer
        self.requests: list[dict[str, Any]] = []

    def reply(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        request = json.loads(body)
        self.requests.append(request)
        said = self.answer(request)
        message = {"role": "assistant", "content": said} if isinstance(said, str) else dict(said)
        finish = message.pop("finish_reason", "stop")
        served = message.pop("served", request["model"])
        details = {"reasoning_tokens": message.pop("reasoning_tokens", 0)}
        logprobs = message.pop("logprobs", None)
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": logprobs}
        usage = {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57}
        usage["completion_tokens_details"] = details  # type: ignore[assignment]
        whole = {"id": "x", "object": "chat.completion", "created": 1, "model": served}
        if request.get("stream"):
            send(handler, 200, as_events(whole, choice, usage), Content_Type="text/event-stream")
        else:
            send(handler, 200, json.dumps({**whole, "choices": [choice], "usage": usage}).encode())


def as_events(whole: dict[str, Any], choice: dict[str, Any], usage: dict[str, Any]) -> bytes:
    """The same reply as server-sent events, three characters each."""
    text = choice["message"]["content"]
    pieces: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    pieces += [{"content": text[at : at + 3]} for at in range(0, len(text), 3)]
    choices: list[list[dict[str, Any]]] = [
        *([{"index": 0, "delta": piece, "finish_reason": None}] for piece in pieces),
        [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}],
        [],
    ]
    chunk = {**whole, "object": "chat.completion.chunk"}
    events = [json.dumps({**chunk, "choices": one, "usage": None if one else usage}) for one in choices]
    return "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode()


class Proxy(Server):
    """Forwards, or breaks; remembers every request that came in."""

    hang_s = 60.0
    """How long a reply that hangs is held before its connection ends."""

    def __init__(self, upstream: str, fault: Callable[[int, dict[str, Any]], str]) -> None:
        super().__init__()
        self.upstream = upstream
        self.fault = fault
        self.requests: list[dict[str, Any]] = []
        self.broken: list[str] = []
        self.times: list[float] = []
        self._lock = threading.Lock()

    def reply(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        with self._lock:
            number = len(self.requests)
            self.requests.append(json.loads(body))
            self.times.append(time.monotonic())
            fault = self.fault(number, self.requests[-1])
            self.broken += [fault] if fault else []
        handler.close_connection = bool(fault)
        if fault == "429":
            send(handler, 429, b'{"error": {"message": "slow down"}}', Retry_After="0")
        elif fault.startswith(("later ", "at ")):
            wait_s = fault.split()[1]
            date = email.utils.formatdate(time.time() + int(wait_s), usegmt=True)
            said = wait_s if fault.startswith("later") else date
            send(handler, 429, b'{"error": {"message": "slow down"}}', Retry_After=said)
        elif fault == "500":
            send(handler, 500, b'{"error": {"message": "broken"}}')
        elif fault == "garbage":
            send(handler, 200, b"<html>It works!</html>")
        elif fault == "odd":
            send(handler, 200, b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m"}')
        elif fault == "hang":
            self.ended.wait(self.hang_s)
        else:
            content = self.forwarded(handler, body)
            kind = "text/event-stream" if self.requests[number].get("stream") else "application/json"
            if fault == "short":
                events = content.decode().split("\n\n")
                half = "\n\n".join(events[: len(events) // 2 + 1]) + "\n\n"
                send(handler, 200, half.encode(), Content_Type=kind)
            elif fault == "cut":
                handler.send_response(200)
                handler.send_header("Content-Type", kind)
                handler.send_header("Content-Length", str(len(content)))
                handler.end_headers()
                handler.wfile.write(content[: len(content) // 2])
            else:
                send(handler, 200, content, Content_Type=kind)

    def forwarded(self, handler: BaseHTTPRequestHandler, body: bytes) -> bytes:
        url = self.upstream + handler.path.removeprefix("/v1")
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as reply:
            return bytes(reply.read())
