"""A server of the build's own command, for tests."""

import os
import pathlib
import re
import subprocess
import time

import renyi
from support import COMMAND

NO_TOKEN = {name: value for name, value in os.environ.items() if not name.startswith("RENYI_")}


class Served:
    """``renyi serve`` with its data in a folder; ``with`` ends it. The log names its first token, unless it ``has_token``
    before it starts."""

    def __init__(self, folder, *flags, listen="127.0.0.1:0", has_token=False):
        self.folder, self.flags, self.listen, self.token = pathlib.Path(folder), flags, listen, None
        self.folder.mkdir(mode=0o700, exist_ok=True)
        if has_token:
            self.token = self.new_token("admin", "--role", "admin")
        self.start()

    def start(self):
        run = [COMMAND, "serve", "--listen", self.listen, "--data", self.folder, *self.flags]
        log = self.folder / "log"
        with open(log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen(list(map(os.fspath, run)), stdout=file, stderr=file, env=NO_TOKEN)
        while not (listening := re.search(r"listening on (\S+)\n", said := log.read_text(encoding="utf-8"))):
            assert self.process.poll() is None, said
            time.sleep(0.01)
        token = re.search(r"renyi_[-\w]{43}", said)
        self.token, self.url = token[0] if token else self.token, listening[1]
        self.listen = re.sub(r"^https?://", "", self.url)  # where it is found again

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0

    def client(self, **options):
        return renyi.Client(self.url, self.token, **options)

    def new_token(self, *flags):
        """A token of ``renyi token new``."""
        words = [COMMAND, "token", "new", *flags, "--tokens", self.folder / "tokens.json"]
        made = subprocess.run(list(map(os.fspath, words)), capture_output=True, text=True, check=True, env=NO_TOKEN)
        return re.search(r"renyi_[-\w]{43}", made.stdout)[0]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(30)
