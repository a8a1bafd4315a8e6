"""Ledgers in PostgreSQL, and a witness there, as a dump of plain SQL that a later version is pointed at.

A dump that was restored is a copy, so that it is given the fact that says which place it is, as somebody does who owns
the tables. The server is that of tools/postgresql; statements go to it through libpq, which ledgers need anyway.
"""

import atexit
import contextlib
import ctypes
import functools
import itertools
import re
import subprocess

import renyi

import corpus
import ledgers

FILES = ("postgresql/*",)
NAMES = "renyi_ledger", "witness"
PLACE = f"""UPDATE {NAMES[0]}.facts SET value = 'postgresql:' || (SELECT system_identifier FROM pg_control_system()) ||
  '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) ||
  '/' || (SELECT oid FROM pg_namespace WHERE nspname = '{NAMES[0]}') WHERE name = 'place'"""


class Server:
    def __init__(self):
        program = corpus.ROOT.parents[1] / "tools/postgresql"
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        ready = self.process.stdout.readline().split()
        assert ready and ready[0] == "ready", "no PostgreSQL server; has `tools/postgresql fetch` run?"
        self.host, self.numbers = ready[1], itertools.count()

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def uri(self, schema):
        return f"postgresql://renyi@/postgres?host={self.host}&schema={schema}"

    def run(self, script):
        """Runs statements, all of them or none, and returns the first value of the last one's answer."""
        pq = _libpq()
        connection = pq.PQconnectdb(f"host={self.host} user=renyi dbname=postgres".encode())
        try:
            result = pq.PQexec(connection, script.encode())
            status = pq.PQresultStatus(result)
            if status not in (1, 2):
                raise renyi.InvalidArgument("dump", pq.PQresultErrorMessage(result).decode(), "statements")
            return pq.PQgetvalue(result, 0, 0).decode() if status == 2 and pq.PQntuples(result) else None
        finally:
            pq.PQfinish(connection)


@functools.cache
def _libpq():
    library = ctypes.CDLL("libpq.so.5")
    for name in ("PQconnectdb", "PQexec"):
        getattr(library, name).restype = ctypes.c_void_p
    for name in ("PQresultErrorMessage", "PQgetvalue"):
        getattr(library, name).restype = ctypes.c_char_p
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    library.PQconnectdb.argtypes = [text]
    library.PQexec.argtypes = [pointer, text]
    library.PQgetvalue.argtypes = [pointer, number, number]
    for name in ("PQresultStatus", "PQresultErrorMessage", "PQntuples", "PQfinish"):
        getattr(library, name).argtypes = [pointer]
    return library


@functools.cache
def server():
    return Server()


def make(folder):
    where = folder / "postgresql"
    where.mkdir()
    ledgers.keep(renyi.Ledger.create(server().uri(NAMES[0]), server().uri(NAMES[1])), where, "clinic")
    words = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", *(f"--schema={name}" for name in NAMES), "--host",
             server().host, "--username", "renyi", "postgres"]
    dump = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    # Without what only psql reads, without remarks, and as if the witness were on a server that is installed.
    lines = [line for line in dump.splitlines() if line and not line.startswith(("--", "\\"))]
    text = "\n".join(lines).replace(server().host, "/run/postgresql")
    (where / "clinic.sql").write_text(text + "\n", encoding="utf-8")
    _drop()


def _drop():
    with contextlib.suppress(renyi.InvalidArgument):
        drop = "".join(f"DROP SCHEMA IF EXISTS {name} CASCADE;" for name in NAMES)
        server().run("SET client_min_messages = warning;" + drop)


def meaning(path):
    where = path.parent
    if path.suffix not in (".sql", ".json") or ".head" in path.name:
        return ledgers.meaning(path)
    try:
        server().run((where / "clinic.sql").read_text(encoding="utf-8"))
        copied = _fault()
        server().run(PLACE)
        ledger = renyi.Ledger(server().uri(NAMES[0]), server().uri(NAMES[1]))
        said = ledgers.says(ledger, "clinic", where)
        return {"copy": copied, "ledger": said, "goes on": ledgers.goes_on(ledger, "clinic", where)}
    finally:
        _drop()


def _fault():
    try:
        renyi.Ledger(server().uri(NAMES[0]), server().uri(NAMES[1])).scopes()
    except renyi.StoreFailure as error:
        return error.fault
    return None


def places(path):
    """Of a dump: the values of its rows, as in `ledgers`. How tables are made is not what they say."""
    content = path.read_bytes()
    if path.suffix != ".sql":
        return ledgers.places(path)
    said = rb"(?m)^INSERT INTO (?!\S*(?:facts|cells|schema_version) )\S+ VALUES \((.*)\);$"
    rows = re.finditer(said, content)
    return [at for row in rows for at in range(*row.span(1)) if corpus.is_meaning(content[at])]
