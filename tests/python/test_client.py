"""A server's ledger from Python: lost answers, tokens, restarts, TLS, threads and forks. What a ledger answers is
tested by test_ledger.py, on both."""

import os
import pathlib
import pickle
import re
import socket
import subprocess
import threading

import pytest

import renyi
from renyi import Budget, Client, Gaussian
from served import Served
from support import COMMAND

pytestmark = pytest.mark.skipif(not COMMAND.exists(), reason="an installed package")

EIGHTH = Gaussian(2.0)  # rho 0.125


@pytest.fixture
def server(tmp_path):
    with Served(tmp_path / "data") as served:
        yield served


@pytest.fixture
def client(server):
    with server.client(timeout=20) as made:
        made.add_scope("clinic", Budget.zcdp(0.5))
        yield made


def spent(ledger):
    return round(ledger.scope("clinic").balances[0].spent, 9)


class Proxy:
    """Stands before a server. ``cut`` says of how many requests the answer is lost, ``refuse`` how many connections end
    before a request was passed on."""

    def __init__(self, url):
        self._target = url.rpartition(":")[2]
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.cut = self.refuse = self.passed = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            while request := _message(connection):
                if self.refuse > 0:
                    self.refuse -= 1
                    return
                with socket.create_connection(("127.0.0.1", int(self._target))) as target:
                    target.sendall(request)
                    answer = _message(target)
                self.passed += 1
                if self.cut > 0:
                    self.cut -= 1
                    connection.sendall(answer[: len(answer) // 2])
                    return
                connection.sendall(answer)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._socket.close()


def _message(connection):
    """A request or a response with its body; empty at the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < int(lengths[0] if lengths else 0):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


# ---- lost answers


@pytest.mark.parametrize("cut, refuse", [(1, 0), (3, 0), (0, 2), (2, 2)])
def test_what_was_charged_although_its_answer_was_lost_is_charged_once(server, client, cut, refuse):
    with Proxy(server.url) as proxy, Client(proxy.url, server.token) as lossy:
        lossy.may_run("clinic", EIGHTH)  # the relation of the scope is known now
        proxy.cut, proxy.refuse, ran = cut, refuse, []
        with lossy.charge("clinic", EIGHTH) as ticket:
            ran.append(ticket.receipt.repeated)
        assert ran == [False] and spent(client) == 0.125 and proxy.cut == proxy.refuse == 0
        proxy.cut = 1
        with lossy.reserve("clinic", EIGHTH) as ticket:
            proxy.cut = 2
            ticket.output = b"\xff 1203"  # no text
        assert client.output(ticket.number) == b"\xff 1203" and spent(client) == 0.25
    assert [entry.verb for entry in client.history()] == ["init", "token", "scope", "charge", "reserve", "open", "commit"]


def test_a_key_of_the_caller_stays_safe_if_its_answer_is_lost(server, client):
    with Proxy(server.url) as proxy, Client(proxy.url, server.token) as lossy:
        lossy.may_run("clinic", EIGHTH)
        proxy.cut = 1
        with pytest.raises(renyi.AlreadyOpened):  # nobody knows whether an earlier program has run the block
            with lossy.charge("clinic", EIGHTH, key="visits of November, 100 % — Köln"):
                pytest.fail("it may have run")
    again = client.charge("clinic", EIGHTH, key="visits of November, 100 % — Köln").receipt
    assert again.repeated and again.key == "visits of November, 100 % — Köln" and spent(client) == 0.125
    assert client.answer_to(again.key).entry == again.entry and client.answer_to("another") is None
    with pytest.raises(renyi.InvalidArgument, match="entry 3 has it") as other:
        client.charge("clinic", Gaussian(8.0), key=again.key)
    assert other.value.field == "key"


def test_no_answer_at_all_says_with_which_key_to_repeat(server, client):
    with Proxy(server.url) as proxy, Client(proxy.url, server.token, timeout=20) as lossy:
        lossy.may_run("clinic", EIGHTH)
        proxy.cut = 100
        with pytest.raises(renyi.StoreFailure, match="repeat the call with key='client-") as lost:
            lossy.charge("clinic", EIGHTH)
        assert lost.value.fault == "unknown" and server.token not in str(lost.value)
        key = str(lost.value).partition("key='")[2].partition("'")[0]
        with pytest.raises(renyi.StoreFailure) as read:
            lossy.scopes()
        assert read.value.fault == "unreachable" and "key" not in str(read.value)
    assert client.charge("clinic", EIGHTH, key=key).receipt.repeated and spent(client) == 0.125


def test_a_server_that_is_started_again_is_found_again(server, client):
    client.charge("clinic", EIGHTH)
    server.stop()
    with pytest.raises(renyi.StoreFailure) as gone:
        server.client(timeout=0.5).scopes()
    assert gone.value.fault == "unreachable"
    later = threading.Timer(0.5, server.start)
    later.start()
    client.charge("clinic", EIGHTH)  # waits for it
    later.join()
    assert spent(client) == 0.25 and client.verify()


# ---- tokens


def test_a_token_says_who_may_do_what(server, client):
    client.add_scope("clinic/a", Budget.zcdp(0.25))
    analyst = Client(server.url, server.new_token("ana", "--role", "analyst", "--scope", "clinic/a"))
    assert analyst.session()["name"] == "ana" and analyst.session()["role"] == "analyst"
    assert analyst.charge("clinic/a", EIGHTH, key="k") and [scope.name for scope in analyst.scopes()] == ["clinic/a"]
    assert analyst.answer_to("k") is not None and client.answer_to("k") is None  # the key of another token
    assert client.charge("clinic", EIGHTH, key="k").receipt.entry == client.answer_to("k").entry
    for wrong in (
        lambda: analyst.charge("clinic", EIGHTH),
        lambda: analyst.add_scope("clinic/b", Budget.zcdp(0.1)),
        lambda: analyst.head(),
        lambda: Client(server.url, "renyi_" + 43 * "x").scopes(),
        lambda: Client(server.url, "").scopes(),
    ):
        with pytest.raises(renyi.InvalidArgument) as denied:
            wrong()
        assert denied.value.field == "token" and "xxx" not in str(denied.value)
    account = renyi.LedgerAccountant(analyst, "clinic/a", steps_per_epoch=1, noise_multiplier=8.0, run="r")
    with account.epoch():
        account.step()
    with pytest.raises(renyi.AlreadyOpened):
        renyi.LedgerAccountant(analyst, "clinic/a", steps_per_epoch=1, noise_multiplier=8.0, run="r").begin_epoch()
    assert client.history("clinic/a") and client.verify()


def test_tokens_that_were_revoked_or_have_expired_are_refused(server, client):
    short = Client(server.url, server.new_token("short", "--role", "auditor", "--expires-in", "1s"), timeout=5)
    named = Client(server.url, server.new_token("gone", "--role", "auditor"))
    assert named.scopes()
    subprocess.run([COMMAND, "token", "revoke", "gone", "--tokens", server.folder / "tokens.json"], check=True,
                   capture_output=True)  # fmt: skip
    for refused in (named, short):
        with pytest.raises(renyi.InvalidArgument, match="token"):
            while True:
                refused.scopes()
    assert client.scopes()


def test_the_token_is_told_to_nobody(server, client, monkeypatch):
    assert server.token not in repr(client) + repr(vars(client)) + repr(vars(client._engine))
    assert server.token.encode() not in pickle.dumps(client)
    monkeypatch.setenv("RENYI_TOKEN", server.token)
    assert pickle.loads(pickle.dumps(client)).scopes() == Client(server.url).scopes() == client.scopes()
    monkeypatch.delenv("RENYI_TOKEN")
    with pytest.raises(renyi.InvalidArgument, match="token"):
        pickle.loads(pickle.dumps(client)).scopes()


# ---- addresses and TLS


@pytest.mark.parametrize(
    "field, make",
    [
        ("url", lambda: Client("http://budget.example.org")),
        ("url", lambda: Client("ftp://127.0.0.1")),
        ("url", lambda: Client("127.0.0.1:8080")),
        ("url", lambda: Client("http://127.0.0.1:99999")),
        ("url", lambda: Client("http://user:hidden@127.0.0.1")),
        ("url", lambda: Client("http://127.0.0.1/?a=b")),
        ("url", lambda: Client("http://127.0.0.1/\r\nX: y")),
        ("url", lambda: Client(None)),
        ("token", lambda: Client("http://127.0.0.1", "two\nlines")),
        ("token", lambda: Client("http://127.0.0.1", 3)),
        ("timeout", lambda: Client("http://127.0.0.1", "", timeout=0)),
        ("certificate", lambda: Client("https://127.0.0.1", "", certificate="/nowhere")),
    ],
)
def test_bad_settings_are_refused_before_anything_is_sent(field, make):
    with pytest.raises(renyi.InvalidArgument) as refused:
        make()
    assert refused.value.field == field and "hidden" not in str(refused.value)


def test_another_machine_is_asked_over_http_only_if_told_to():
    assert Client("http://budget.example.org", "", insecure=True).url == "http://budget.example.org"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{",
        b"nonsense\r\n\r\n",
    ],
)
def test_what_is_no_server_of_ours_is_no_answer(answer):
    with socket.create_server(("127.0.0.1", 0)) as fake:

        def serve():
            while True:
                try:
                    connection, _ = fake.accept()
                except OSError:
                    return
                with connection:
                    _message(connection)
                    connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(renyi.StoreFailure) as failed:
            Client(f"http://127.0.0.1:{fake.getsockname()[1]}", "renyi_secret", timeout=2).scopes()
        assert failed.value.fault == "unreachable" and "renyi_secret" not in str(failed.value)
        fake.shutdown(socket.SHUT_RDWR)


def test_a_certificate_is_checked(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    with Served(tmp_path / "data", "--tls-certificate", certificate, "--tls-key", key) as server:
        assert server.url.startswith("https://")
        client = server.client(certificate=certificate)
        client.add_scope("clinic", Budget.zcdp(0.5))
        assert client.charge("clinic", EIGHTH) and spent(client) == 0.125
        with pytest.raises(renyi.StoreFailure, match="certificate"):
            server.client().scopes()
        with pytest.raises(renyi.StoreFailure, match="certificate"):  # it is one of another host
            Client(server.url.replace("127.0.0.1", "localhost"), server.token, certificate=certificate).scopes()
        with pytest.raises(renyi.StoreFailure):
            Client(server.url.replace("https", "http"), server.token, timeout=2).scopes()


# ---- the rest


def test_the_guide_runs_as_it_is_written(server, client, tmp_path, monkeypatch, capsys):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "client.md").read_text(encoding="utf-8")
    monkeypatch.setenv("RENYI_TOKEN", server.token)
    monkeypatch.chdir(tmp_path)
    names = {}
    for text in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(text.replace("https://budget.example.org", server.url), names)
    names["client"].close()
    assert capsys.readouterr().out.startswith("admin\n3\nclinic: rho would be")


def test_questions_are_asked_on_the_server(client):
    request = {"op": "rdp", "steps": [{"mechanism": "pure-dp", "epsilon": 0.5}], "orders": ["inf"]}
    assert client.ask(request) == renyi.ask(request) == {"rdp": [0.5]}
    for wrong in ({"op": "rdp"}, {"op": "unknown"}):
        with pytest.raises(renyi.InvalidArgument) as there:
            client.ask(wrong)
        with pytest.raises(renyi.InvalidArgument) as here:
            renyi.ask(wrong)
        assert str(there.value) == str(here.value) and there.value.field == here.value.field
    with pytest.raises(renyi.InvalidArgument):
        client.ask({"op": "ledger", "verb": "show", "ledger": "/etc/passwd"})


def test_a_release_needs_its_ledger_here(client):
    about = {"value": 1017, "integer": True, "l1_sensitivity": 1}
    with pytest.raises(renyi.Unsupported, match="reserve"):
        renyi.release({"visits": about}, ledger=client, scope="clinic", key="k", rho=0.02)
    assert spent(client) == 0


def test_a_log_that_was_changed_on_the_way_is_noticed(server, client):
    client.charge("clinic", EIGHTH, comment="visits")
    original = client._engine.server.ask

    def changed(path, body, key=""):
        found = original(path, body, key)
        found.data = found.data.replace(b"visits", b"nobody")
        return found

    client._engine.server.ask = changed
    with pytest.raises(renyi.StoreFailure, match="entry 3") as failed:
        list(client.history())
    assert failed.value.fault == "corrupt"


def test_threads_and_forked_processes_connect_by_themselves(client):
    def work():
        for _ in range(5):
            client.charge("clinic", Gaussian(16.0))  # rho 1/512

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            client.charge("clinic", EIGHTH)
            status = 0
        finally:
            os._exit(status)
    assert client.charge("clinic", EIGHTH)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert spent(client) == 0.25 + 20 / 512 and client.verify()
