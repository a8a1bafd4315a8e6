"""Asks a server over HTTP: connections that are kept, attempts that are repeated with the same key, typed errors."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import json
import os
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
from typing import Any, Iterator, Mapping, Optional

from ._numbers import to_text
from ._native import version
from .errors import Error, InvalidArgument, LimitReached, NotConverged, StoreFailure, Unsupported

_A_URL = "the address of a server, such as https://budget.example.org or http://127.0.0.1:8080"
_A_TOKEN = "a token as `renyi token new` prints it: visible ASCII characters"
_ATTEMPTS = 6
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0
#: Answers that say that nothing was decided, so that the same call may be made again; 502 and 504 are those of proxies.
_PASSING = (408, 429, 502, 503, 504)
_LONGEST_ANSWER = 256 << 20


class Server:
    """One server and the token with which it is asked. Several threads may use it; a forked process connects again."""

    def __init__(
        self, url: str, token: Optional[str], timeout: float, certificate: Optional[str], insecure: bool
    ) -> None:
        self.url = url
        parts = _parts_of(url)
        self._host, self._port, self._prefix = str(parts.hostname), parts.port, parts.path.rstrip("/")
        if parts.scheme == "http" and not insecure and not _is_loopback(self._host):
            allowed = "https://...: over http:// whoever listens can read the token; insecure=True takes it all the same"
            raise InvalidArgument("url", repr(url), allowed)
        self._context = _context_of(certificate) if parts.scheme == "https" else None
        self._token, self._timeout = _checked_token(token), timeout
        self._lock, self._idle, self._process = threading.Lock(), list[http.client.HTTPConnection](), os.getpid()

    def ask(self, path: str, body: Optional[Mapping[str, Any]], key: str = "") -> Any:
        """Returns what the server answers to ``POST path``, or to ``GET path`` if there is no body. A call with a key
        writes. If it fails in a way that may pass, it is made again with the same key: it is carried out once."""
        text = None if body is None else json.dumps(body, allow_nan=False)
        end, pause = time.monotonic() + self._timeout, _FIRST_PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._answer(path, text, key, end)
            except _Failed as failed:
                rest = end - time.monotonic()
                if not failed.passes or attempt == _ATTEMPTS or rest < pause:
                    raise failed.error(self.url, key) from failed.__cause__
                time.sleep(min(max(pause * random.uniform(0.5, 1), failed.wait), rest))
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    def _answer(self, path: str, text: Optional[str], key: str, end: float) -> Any:
        is_sent = False
        try:
            with self._connection(end) as (connection, is_new):
                if is_new:
                    connection.connect()
                is_sent = True  # from here on nobody knows
                try:
                    response = self._send(connection, path, text, key)
                except (OSError, http.client.HTTPException):
                    if is_new:
                        raise
                    # The server has ended a connection that nobody used; a new one shows whether it is there.
                    connection.close()
                    connection.connect()
                    response = self._send(connection, path, text, key)
                if (response.length or 0) > _LONGEST_ANSWER:
                    raise http.client.HTTPException("the answer is too large")
                data = response.read()  # raises IncompleteRead if it is cut off
        except ssl.SSLCertVerificationError as error:
            instead = "certificate=FILE names the CA that signed it"
            raise _Failed(f"its certificate is not trusted ({error.verify_message})", instead, passes=False) from error
        except ssl.SSLError as error:
            raise _Failed(f"TLS failed ({error.reason})", "is it a server with TLS?", passes=is_sent) from error
        except (OSError, http.client.HTTPException) as error:
            raise _Failed(_why(error), "is it running, and is the address right?", sent=is_sent) from error
        return _read(response, data)

    def _send(
        self, connection: http.client.HTTPConnection, path: str, text: Optional[str], key: str
    ) -> http.client.HTTPResponse:
        headers = {"Accept": "application/json", "User-Agent": f"renyi-python/{version}"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if text is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        body = None if text is None else text.encode()
        connection.request("GET" if body is None else "POST", self._prefix + path, body, headers)
        return connection.getresponse()

    @contextlib.contextmanager
    def _connection(self, end: float) -> Iterator[tuple[http.client.HTTPConnection, bool]]:
        """Lends a connection, and whether it is new. One on which something failed is closed."""
        with self._lock:
            if self._process != os.getpid():
                self._idle, self._process = [], os.getpid()  # those of the parent are its own
            lent = self._idle.pop() if self._idle else None
        connection = lent or self._new_connection()
        connection.timeout = max(end - time.monotonic(), 0.1)
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            yield connection, lent is None
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if connection.sock is not None:
                self._idle.append(connection)

    def _new_connection(self) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port)
        return http.client.HTTPSConnection(self._host, self._port, context=self._context)

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_idle"):  # else it was never made
            self.close()


class _Failed(Exception):
    """An attempt that got no answer. ``wait`` is how long the server asks for patience."""

    def __init__(
        self,
        why: str,
        instead: str,
        *,
        fault: str = "",
        sent: bool = False,
        passes: bool = True,
        wait: float = 0,
    ) -> None:
        super().__init__(why)
        self.why, self.instead, self.fault, self.sent = why, instead, fault, sent
        self.passes, self.wait = passes, wait

    def error(self, url: str, key: str) -> StoreFailure:
        """Returns what is raised in the end. Only a call that writes and was sent may have changed something."""
        fault = self.fault or ("unknown" if self.sent and key else "unreachable")
        instead = self.instead
        if fault == "unknown" and key:
            instead = f"repeat the call with key={urllib.parse.unquote(key)!r}, which is carried out once"
        return StoreFailure(fault, f"the server {url} gave no answer: {self.why}; {instead}")



def _read(response: http.client.HTTPResponse, data: bytes) -> Any:
    if 300 <= response.status < 400:
        why = f"it redirects (HTTP {response.status}), which is not followed"
        raise _Failed(why, "give the address where the server is", passes=False)
    try:
        answer = json.loads(data)
    except ValueError:
        answer = None
    if response.status == 200 and isinstance(answer, dict):
        return Answer(answer, data)
    if response.status == 200 and answer is None:
        raise _Failed("its answer is cut off", "is the address that of a renyi server?", sent=True)
    stated = answer.get("error") if isinstance(answer, dict) else None
    told = {name: str(value) for name, value in stated.items()} if isinstance(stated, dict) else {}
    kind, message = told.get("kind", ""), told.get("message", "")
    if kind == "store_failure" and told.get("fault") != "unknown":
        raise StoreFailure(told.get("fault", "unreachable"), message)
    if response.status in _PASSING:
        pause = response.headers.get("Retry-After", "")
        is_unknown = kind == "store_failure"  # the store lost its connection while it wrote
        raise _Failed(
            message or f"HTTP {response.status}",
            "it has too much to do, or is starting; try again later",
            fault="unknown" if is_unknown else "busy",
            wait=float(pause) if re.fullmatch(r"[0-9]{1,4}", pause) else 0,
        )
    if response.status in (401, 403) and kind in ("unauthorized", "forbidden", ""):
        allowed = "a token of this server that is valid and has the role and the scopes for this"
        raise InvalidArgument("token", message or f"one that the server answers with HTTP {response.status}", allowed)
    if kind:
        raise error_of(kind, message, told.get("path", ""))
    raise _Failed(
        f"HTTP {response.status}, and no answer of renyi serve",
        "is the address that of a renyi server?",
        passes=False,
        sent=response.status >= 500,
    )


class Answer(dict[str, Any]):
    """The members of an answer, and the text that they were read from."""

    def __init__(self, members: Mapping[str, Any], data: bytes) -> None:
        super().__init__(members)
        self.data = data


def error_of(kind: str, message: str, path: str) -> Error:
    """Returns the error whose message a server has written."""
    said = message[len(path) + 2 :] if path and message.startswith(f"{path}: ") else message
    if kind == "conflict":
        return InvalidArgument("key", "another request than before", said)
    if kind in ("invalid_argument", "too_large", "not_found"):
        value, between, allowed = said.removeprefix("got ").partition(", allowed: ")
        if between:
            return InvalidArgument(path, value, allowed)
        return InvalidArgument(path or "request", said, "what the server takes")
    if kind == "not_converged":
        return NotConverged(path, message)
    why, _, instead = said.partition("; ")
    if kind == "limit_reached":
        return LimitReached(path, "memory" if "memory" in why else "time", why, instead or "ask for less")
    if kind == "unsupported":
        return Unsupported(path, why, instead or "see docs/limitations.md")
    return StoreFailure("unknown", f"the server failed: {message}")


def _why(error: Exception) -> str:
    if isinstance(error, (TimeoutError, socket.timeout)):  # two classes before Python 3.10
        return "it took too long"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text or type(error).__name__


def _parts_of(url: str) -> urllib.parse.SplitResult:
    parts = urllib.parse.urlsplit(to_text("url", url, _A_URL))
    if "@" in parts.netloc:  # what stands before it may be a password, and is not repeated
        raise InvalidArgument("url", "an address with a name or a password", _A_URL)
    try:
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        has_port = False
    strange = parts.query or parts.fragment or re.search(r"[\x00-\x20\x7f]", url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not has_port or strange:
        raise InvalidArgument("url", repr(url), _A_URL)
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _context_of(certificate: Optional[str]) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=certificate)
    except (OSError, ssl.SSLError):
        raise InvalidArgument("certificate", repr(certificate), "a file with the certificate of a CA (PEM)") from None


def _checked_token(token: Optional[str]) -> str:
    """Returns the token. It is not part of any message."""
    found = os.environ.get("RENYI_TOKEN", "") if token is None else token
    if not isinstance(found, str) or not re.fullmatch(r"[\x21-\x7e]*", found):
        raise InvalidArgument("token", "something else", _A_TOKEN)
    return found
