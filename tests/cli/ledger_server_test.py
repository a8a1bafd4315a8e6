"""renyi ledger --server says what renyi ledger says of a file, for every verb and format; what is lost on the way is
charged once. Usage: ledger_server_test.py RENYI"""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

RENYI = pathlib.Path(sys.argv[1])
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("RENYI_")}

# Each is asked of both. {hash} and {ledger} are those of the head before; SECRET is what `reserve` printed last.
STEPS = ["--noise-multiplier", "4"]
ASKED = [
    ["scope", "clinic", "--kind", "zcdp", "--rho", "0.5", "--cap", "rho=1"],
    ["scope", "clinic/a", "--kind", "gdp", "--mu", "0.5", "--no-cancel", "--comment", "für Köln"],
    ["scope", "visits", "--kind", "zcdp", "--rho", "0.5", "--block-rule", "the month", "--one-block-per-unit",
     "--block", "2026-10", "--block", "2026-11"],
    ["scope", "visits", "--add-block", "2026-12"],
    ["scope", "clinic", "--lower", "--rho", "0.4"],
    ["scope", "clinic", "--raise", "--rho", "0.8", "--reason", "the board"],
    ["scope", "clinic", "--raise", "--rho", "8", "--reason", "the board"],
    ["scope", "clinic", "--rho", "8"],
    ["charge", "clinic", *STEPS],
    ["charge", "clinic", *STEPS, "--dry-run"],
    ["charge", "clinic", "--noise-multiplier", "0.1", "--dry-run"],
    ["charge", "clinic", "--noise-multiplier", "0.1"],
    ["charge", "clinic", *STEPS, "--key", "november"],
    ["charge", "clinic", *STEPS, "--key", "november"],
    ["charge", "clinic", "--noise-multiplier", "5", "--count", "2", "--person", "ana", "--comment", "c"],
    ["charge", "visits", *STEPS, "--block", "2026-10"],
    ["charge", "visits", *STEPS, "--block", "2026-09"],
    ["charge", "nowhere", *STEPS],
    ["charge", "clinic", "--scale", "-1"],
    ["reserve", "clinic", *STEPS, "--expires", "30m"],
    ["open", "TICKET"],
    ["open", "TICKET"],
    ["commit", "TICKET", "--output", "OUTPUT"],
    ["cancel", "TICKET"],
    ["reserve", "clinic", *STEPS],
    ["cancel", "TICKET"],
    ["cancel", "999"],
    ["show"],
    ["show", "--delta", "1e-6"],
    ["show", "clinic"],
    ["show", "visits"],
    ["show", "nowhere"],
    ["show", "clinic", "--burn-down"],
    ["show", "--ticket", "TICKET"],
    ["history"],
    ["history", "--scope", "clinic", "--limit", "3"],
    ["history", "--since", "never"],
    ["history", "--last", "3"],
    ["history", "--scope", "clinic", "--last", "2000"],
    ["history", "--pending"],
    ["history", "--releases", "--last", "1"],
    ["history", "--last", "3", "--limit", "3"],
    ["verify"],
    ["verify", "--head", "{ledger}:0:{hash}"],
    ["head"],
    ["head", "--sign-with", "KEY"],
    ["export"],
]
WITH_CSV = {"show", "history"}
WITHOUT_FORMAT = {"export"}


def run(words, given="", **environment):
    """Status, standard output and standard error."""
    given_environment = {**CLEAN, **environment}
    done = subprocess.run([RENYI, *words], input=given, capture_output=True, encoding="utf-8", env=given_environment)
    return done.returncode, done.stdout, done.stderr


class Served:
    def __init__(self, folder):
        self.log = open(folder / "log", "w+", encoding="utf-8")
        words = [RENYI, "serve", "--listen", "127.0.0.1:0", "--data", folder / "data"]
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=CLEAN)
        while "listening on" not in self.said():
            assert self.process.poll() is None, self.said()
            time.sleep(0.01)
        self.url = re.search(r"listening on (\S+)", self.said())[1]
        self.token = re.search(r"renyi_[-\w]{43}", self.said())[0]

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def plain(text, location):
    """The text without what differs between two ledgers: ids, hashes, times, keys, secrets, who asks."""
    text = text.replace(location, "LEDGER")
    text = re.sub(r"\badmin for ", "", text)
    text = re.sub(r',"person":"admin"|\badmin\b', "", text)
    text = re.sub(r',"person":"(renyi serve|user \w+)"|\b(renyi serve|user \w+)\b', "", text)
    text = re.sub(r'(\bmade\s+|"id":")[0-9a-f]{12}\b', r"\1TOKEN", text)
    text = re.sub(r"\b[0-9a-f]{128}\b", "SIGNATURE", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    text = re.sub(r"\b[0-9a-f]{32}\b(?<!client)", "ID", text)
    text = re.sub(r"\btoken-[0-9a-f]{12}:[^:\"]*:", "", text)  # whose key it is
    text = re.sub(r"\b(auto-[-0-9a-z]+|client-(ID|[0-9a-f]+))", "KEY", text)
    text = re.sub(r"\b2\d\d\d-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+Z)?)?", "TIME", text)
    text = re.sub(r'(secret *|"secret":")\S+?(?="|\n)', r"\1SECRET", text)
    # Where the persons of the first token have names of different lengths, texts beside them break at different words.
    return re.sub(r"\s+" if re.search(r"\bmade\s+TOKEN", text) else r"[ ]+", " ", text)


class SameAnswers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.server = Served(self.folder)
        self.addCleanup(self.server.stop)
        self.file = os.fspath(self.folder / "test.ledger")

    def local(self, words, secret=""):
        return run(["ledger", *words], secret, RENYI_LEDGER=self.file)

    def remote(self, words, secret=""):
        return run(["ledger", *words], secret, RENYI_SERVER=self.server.url, RENYI_TOKEN=self.server.token)

    def test_every_verb_says_the_same(self):
        run(["ledger", "init", self.file])
        # The log of the server begins with its first token.
        run(["token", "new", "admin", "--role", "admin", "--tokens", self.folder / "tokens.json", "--ledger", self.file])
        (self.folder / "output").write_text("1203 visits\n", encoding="utf-8")
        key = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.folder / "key"]
        subprocess.run(key, check=True, capture_output=True)
        told = {self.local: {}, self.remote: {}}
        for words in ASKED:
            formats = ["table"] if words[0] in WITHOUT_FORMAT else ["table", "json"]
            if words[0] in WITH_CSV and "--ticket" not in words:
                formats.append("csv")
            for form in formats:
                answers = []
                for ask, known in told.items():
                    filled = [self.filled(word, known) for word in words]
                    if words[0] not in WITHOUT_FORMAT:
                        filled += ["--format", form]
                    status, out, error = ask(filled, known.get("secret", ""))
                    self.learn(out, known)
                    location = self.file if ask == self.local else self.server.url
                    answers.append((words, form, status, plain(out, location), plain(error, location)))
                self.assertEqual(*answers)
                self.assertNotIn(self.server.token, "".join(map(str, answers)))

    def filled(self, word, known):
        files = {"OUTPUT": "output", "KEY": "key"}
        if word in files:
            return os.fspath(self.folder / files[word])
        if word == "TICKET":
            return known["ticket"]
        return word.format(**known) if "{" in word else word

    def learn(self, out, known):
        for name, pattern in {
            "ticket": r"Reserved: ticket (\d+)",
            "secret": r"secret +(\S+)",
            "ledger": r"\bid +(\w{32})",
        }.items():
            if found := re.search(pattern, out):
                known[name] = found[1]
        if found := re.search(r'"entry":0,.*?"hash":"(\w{64})"', out):
            known["hash"] = found[1]

    def test_what_only_a_file_can_do_is_refused_with_the_reason(self):
        for words, said in (
            (["init"], "a server has one ledger"),
            (["show", "--witness", "w"], "the ledger is on a server"),
            (["show", "--ledger", "x", "--server", self.server.url], "one of --server and --ledger"),
        ):
            status, _, error = run(["ledger", *words], RENYI_TOKEN=self.server.token,
                                   **({} if "--server" in words else {"RENYI_SERVER": self.server.url}))
            self.assertNotEqual(status, 0)
            self.assertIn(said, error)

    def test_addresses_and_tokens_are_checked_before_anything_is_sent(self):
        for words, environment, said in (
            (["--server", "http://budget.example.org"], {}, "--insecure"),
            (["--server", "ftp://127.0.0.1"], {}, "the address of a server"),
            (["--server", "http://a:hidden@127.0.0.1"], {}, "a name or a password"),
            (["--server", "http://127.0.0.1:0"], {}, "the address of a server"),
            (["--server", self.server.url], {"RENYI_TOKEN": "renyi_wrong"}, "RENYI_TOKEN"),
            (["--server", self.server.url], {"RENYI_TOKEN": "renyi wrong"}, "RENYI_TOKEN"),
            (["--server", self.server.url], {}, "RENYI_TOKEN"),
            (["--server", "https://127.0.0.1", "--ca", "/nowhere"], {}, "--ca"),
            (["--server", self.server.url], {"RENYI_SERVER": "x", "RENYI_LEDGER": "y"}, "RENYI_TOKEN"),
            ([], {"RENYI_SERVER": "http://x", "RENYI_LEDGER": "y"}, "one of RENYI_SERVER and RENYI_LEDGER"),
        ):
            status, out, error = run(["ledger", "show", *words], **environment)
            self.assertIn(status, (2, 3), error)
            self.assertIn(said, error)
            for secret in ("hidden", "renyi_wrong", "renyi wrong"):
                self.assertNotIn(secret, out + error)
        token = self.folder / "token"
        token.write_text(self.server.token + "\n", encoding="utf-8")
        status, out, _ = run(["ledger", "head", self.server.url, "--token-file", os.fspath(token)])
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^\w{32}:\d+:\w{64}\n$")

    def test_a_lost_answer_is_charged_once(self):
        self.remote(["scope", "lossy", "--kind", "zcdp", "--rho", "0.5"])
        port = int(self.server.url.rpartition(":")[2])
        with socket.create_server(("127.0.0.1", 0)) as listening:
            left = [2]

            def serve():
                while True:
                    try:
                        connection, _ = listening.accept()
                    except OSError:
                        return
                    with connection, socket.create_connection(("127.0.0.1", port)) as target:
                        target.sendall(message(connection))
                        answer = message(target)
                        left[0] -= 1
                        connection.sendall(answer if left[0] < 0 else answer[:-7])

            threading.Thread(target=serve, daemon=True).start()
            proxy = f"http://127.0.0.1:{listening.getsockname()[1]}"
            charge = ["ledger", "charge", "lossy", *STEPS, "--server", proxy]
            status, out, error = run(charge, RENYI_TOKEN=self.server.token)
            self.assertEqual(status, 0, error)
            self.assertNotIn("same call before", out)
            left[0] = 100
            status, _, error = run(charge, RENYI_TOKEN=self.server.token)
            listening.shutdown(socket.SHUT_RDWR)
        self.assertEqual(status, 3)
        key = re.search(r"--key (client-\w+)", error)[1]
        status, out, _ = self.remote(["charge", "lossy", *STEPS, "--key", key])
        self.assertIn("same call before", out)
        _, out, _ = self.remote(["show", "lossy", "--format", "csv"])
        self.assertRegex(out, r"lossy,zcdp,rho,0.5,0.062\d+,0.43\d+,2,0")

    def test_pictures_show_what_a_server_says(self):
        self.remote(["scope", "drawn", "--kind", "zcdp", "--rho", "0.5"])
        self.remote(["charge", "drawn", *STEPS])
        picture = self.folder / "picture.svg"
        status, _, error = self.remote(["show", "drawn", "--plot", os.fspath(picture)])
        self.assertEqual(status, 0, error)
        self.assertIn("What drawn has spent: rho", picture.read_text(encoding="utf-8"))


def message(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
