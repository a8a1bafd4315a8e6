import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from serving import Server  # noqa: E402


@pytest.fixture
def start(tmp_path):
    """Starts servers; at the end all are stopped, and no secret is in their logs."""
    servers = []

    def begin(*flags, data="data", **options):
        servers.append(Server(tmp_path / data, *flags, **options))
        return servers[-1]

    yield begin
    for server in servers:
        if server.process.poll() is None:
            assert server.stop() == 0
        server.check_log()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tests of a file that do not disturb each other."""
    shared = Server(tmp_path_factory.mktemp("server") / "data")
    yield shared
    assert shared.is_alive()
    assert shared.stop() == 0
    shared.check_log()
