"""The ledger of a server: the calls of ``Ledger``, over HTTP."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

from ._files import Path
from ._numbers import Number, to_float
from ._server_ledger import ServerLedger
from .errors import InvalidArgument
from .ledger import AnyLedger
from .receipts import Receipt
from .requests import request_text

_LONGEST = 1e6


class Client(AnyLedger):
    """The ledger of a server (``renyi serve``), with the methods, the answers and the errors of ``Ledger``.

    >>> import renyi
    >>> client = renyi.Client("http://127.0.0.1:8080", token="renyi_...")  # connects with the first call
    >>> client
    <Client of http://127.0.0.1:8080>
    >>> try:
    ...     renyi.Client("http://budget.example.org")
    ... except renyi.InvalidArgument as error:
    ...     print(error.field)  # whoever listens could read the token
    url

    token: says who asks; if it is not given, RENYI_TOKEN does. It is in no message, and a client is pickled without it.
    timeout: how many seconds a call may take, with all its attempts.
    certificate: a file with the certificate of the CA (PEM) that signed that of the server; if it is not given, those
      that the system trusts.
    insecure: takes http:// to another machine, over which whoever listens can read the token.

    Calls that write carry their ``key``, or a new one, and are repeated with it if the connection fails: what was
    charged although its answer was lost is not charged again. If no answer comes in time, ``StoreFailure`` is raised;
    its ``fault`` is "unknown" if the change may have been made, and its message says with which key to repeat the call.
    A token that does not suffice raises ``InvalidArgument`` about the ``token``.

    The ``person`` of an entry is the name of the token. Several threads may use one client, which keeps its
    connections; a process that was forked connects again. ``with client:`` closes them at its end.
    """

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        *,
        timeout: Number = 30,
        certificate: Optional[Path] = None,
        insecure: bool = False,
    ) -> None:
        from ._http import Server  # which loads what few programs need

        seconds = to_float("timeout", timeout)
        if not 0 < seconds <= _LONGEST:
            raise InvalidArgument("timeout", repr(timeout), "seconds, above 0 and up to 1e6")
        file = None if certificate is None else os.fsdecode(certificate)
        self._place = url, seconds, file, bool(insecure)
        self._ledger = ServerLedger(Server(url, token, seconds, file, bool(insecure)))
        self._begin(self._ledger)

    @property
    def url(self) -> str:
        """Where the server is."""
        return self._place[0]

    def ask(self, request: Union[Mapping[str, Any], str]) -> dict[str, Any]:
        """Answers one request of the table, as ``renyi.ask`` does, on the server."""
        return dict(self._ledger.server.ask("/v1/ask", json.loads(request_text(request))))

    def session(self) -> dict[str, Any]:
        """Returns who the token says that is asking: its ``name``, its ``role``, its ``scopes`` and when it
        ``expires``."""
        found = dict(self._ledger.server.ask("/v1/session", None))
        found.pop("csrf", None)  # that of browsers
        return found

    def close(self) -> None:
        """Ends the connections. The next call makes a new one."""
        self._ledger.server.close()

    def _answer_within(self, scope: str, key: str) -> Optional[Receipt]:
        row = self._ledger.answer_to(key, scope)
        return None if row is None else Receipt._read(row)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _connected_again, self._place

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"


def _connected_again(url: str, timeout: float, certificate: Optional[str], insecure: bool) -> Client:
    """Makes a client that was pickled. Its token is that of RENYI_TOKEN."""
    return Client(url, timeout=timeout, certificate=certificate, insecure=insecure)
