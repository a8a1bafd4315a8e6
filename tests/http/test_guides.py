"""The commands of the guides about servers, block by block, in one directory and with the programs that they name."""

import os
import pathlib
import re
import subprocess

import pytest

from serving import PATIENCE, RENYI, ROOT, renyi

GUIDES = ROOT / "docs/guide"
NOT_RUN = {"make serve"}  # builds the page and runs the next line


def said_by_unit(name):
    (unit,) = blocks("server.md", "ini")
    (line,) = [line.removeprefix(name + "=") for line in unit if line.startswith(name + "=")]
    return line


def blocks(page, kind="sh"):
    """The commands of each block, one a line, without continuations."""
    text = (GUIDES / page).read_text(encoding="utf-8")
    for block in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL):
        yield [line.partition("  #")[0].strip() for line in block.replace("\\\n", " ").splitlines()]


class Reader:
    """Follows a guide: runs its commands, with this machine's places and names instead of those of the guide."""

    def __init__(self, folder, start):
        self.folder, self.start, self.servers, self.names = folder, start, [], {}
        (folder / "share").mkdir()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("RENYI_")}
        self.environment |= {"PATH": f"{pathlib.Path(RENYI).parent}:{os.environ['PATH']}", "HOME": str(folder),
                             "XDG_DATA_HOME": str(folder / "share")}

    def said(self, line):
        for name, value in self.names.items():
            line = line.replace(name, str(value))
        return line

    def serve(self, line):
        """The server goes on while the guide does."""
        words = self.said(line).split()[2:]
        if "--listen" in words:
            words[words.index("--listen") + 1] = "127.0.0.1:0"
        data = "share/renyi"
        if "--data" in words:
            at = words.index("--data")
            data = words[at + 1]
            del words[at:at + 2]
        self.servers.append(self.start(*words, data=data))
        return self.servers[-1]

    def run(self, line):
        exported = re.fullmatch(r"export (\w+)=(\S+)", self.said(line))
        if exported:
            self.environment[exported[1]] = exported[2]
            return ""
        done = subprocess.run(["bash", "-ec", self.said(line)], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=PATIENCE)
        assert done.returncode == 0, f"$ {line}\n{done.stdout}{done.stderr}"
        assert '"error"' not in done.stdout, f"$ {line}\n{done.stdout}"
        return done.stdout

    def follow(self, page):
        """Yields each line, and what it has printed."""
        for commands in blocks(page):
            for line in filter(None, commands):
                if line in NOT_RUN:
                    continue
                yield line, self.serve(line) if line.startswith("renyi serve") else self.run(line)


@pytest.fixture
def reader(start, tmp_path):
    return Reader(tmp_path, start)


def test_server_md(reader, tmp_path):
    certificate = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                   "-days", "2", "-subj", "/CN=localhost", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(certificate, cwd=tmp_path, check=True, capture_output=True)
    reader.names = {"/var/lib/renyi": tmp_path / "data", "--tls-certificate ": f"--tls-certificate {tmp_path}/",
                    "--tls-key ": f"--tls-key {tmp_path}/", "--ledger restored": f"--ledger {tmp_path}/restored"}
    done = []
    for line, _ in reader.follow("server.md"):
        done.append(line)
        if line == "renyi serve --data /var/lib/renyi":  # the server of the rest of the page
            main = reader.servers[-1]
            main.add_scope("clinic", 1)
            reader.names["systemctl reload renyi"] = said_by_unit("ExecReload").replace("$MAINPID", str(main.process.pid))
            for name in ("https://budgets.example.org", "http://localhost:8080", "localhost:8080"):
                reader.names[name] = f"http://127.0.0.1:{main.port}"
            reader.environment["RENYI_TOKEN"] = main.token
    assert sum(line.startswith("renyi serve") for line in done) == 4
    assert main.is_alive()
    restored = reader.servers[-1]
    assert restored.call("verify", token=main.token).json["valid"]
    assert [scope["scope"] for scope in restored.call("show", token=main.token).json["scopes"]] == ["clinic"]
    assert main.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 1  # that of curl


def test_the_unit_of_systemd_starts_the_server_as_it_is_written(tmp_path):
    words = said_by_unit("ExecStart").replace("/var/lib/renyi", str(tmp_path / "data")).split()
    assert words[0] == "/usr/bin/renyi"
    renyi(*words[1:], "--check")


def test_client_md(reader, tmp_path):
    server = reader.serve("renyi serve")
    server.add_scope("clinic", 1)
    # The example token is an analyst's; to export and to verify needs one that reads everything.
    reader.names = {"https://budget.example.org": f"http://127.0.0.1:{server.port}", "RENYI_TOKEN=renyi_...": f"RENYI_TOKEN={server.token}"}
    lines = [line for line, _ in reader.follow("client.md")]
    assert sum(line.startswith("renyi ledger") for line in lines) == 5 and lines[0].startswith("renyi token new ana")
    assert (tmp_path / "server.jsonl").read_text().count("\n") == len(server.history())
    assert {token["name"] for token in server.get("/v1/tokens", token=server.token).json["tokens"]} == {"admin", "ana"}


def test_budgets_md(reader, tmp_path):
    lines = dict(reader.follow("budgets.md"))
    (server,) = reader.servers
    ana = next(said for line, said in lines.items() if line.startswith("renyi token new ana")).strip()
    server.secrets.add(ana)
    session = server.get("/v1/session", token=ana).json
    assert (session["role"], session["scopes"]) == ("analyst", ["clinic"])
    assert [scope["scope"] for scope in server.call("show", token=ana).json["scopes"]] == ["clinic"]
    assert len(lines) == 3 and server.get("/").status == 200
