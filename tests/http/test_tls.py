"""HTTPS by certificate files."""

import ssl
import subprocess

import pytest

from serving import renyi, tls_context


@pytest.fixture
def files(tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def test_https(start, files):
    certificate, key = files
    server = start("--tls-certificate", str(certificate), "--tls-key", str(key))
    server.context = tls_context(certificate)
    assert server.scheme == "https"
    connection = server.connect()
    for _ in range(3):
        assert server.get("/healthz", connection=connection).status == 200
    connection.close()
    server.add_scope("clinic", 1)
    assert server.charge("clinic", "tls").json["accepted"]
    assert server.ask(b"x" * (2 << 20)).status == 413
    signed_in = server.request("POST", "/v1/session", {"token": server.token})
    assert "Secure" in signed_in.headers["Set-Cookie"].split("; ")
    server.secrets.add(signed_in.json["csrf"])
    # Who speaks no TLS, or only an old one, is not served.
    with server.socket() as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        try:
            while piece := plain.recv(1000):
                received += piece
        except ConnectionResetError:
            pass
        assert b"HTTP" not in received
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    with pytest.warns(DeprecationWarning):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with server.socket() as plain, pytest.raises((ssl.SSLError, ConnectionError)):
        old.wrap_socket(plain, server_hostname="localhost")
    assert server.is_alive()


def test_handshakes_have_a_deadline(start, files):
    server = start("--tls-certificate", str(files[0]), "--tls-key", str(files[1]), "--request-timeout", "500ms")
    server.context = tls_context(files[0])
    with server.socket() as silent:
        assert silent.recv(10) == b""
    assert server.is_alive()


def test_the_files_are_checked(files, tmp_path):
    flags = ["--data", tmp_path / "data", "--listen", "0.0.0.0:8443"]
    assert "are good" in renyi("serve", "--check", *flags, "--tls-certificate", files[0], "--tls-key", files[1])
    renyi("serve", "--check", *flags, "--tls-certificate", files[1], "--tls-key", files[0], status=2)
    assert not (tmp_path / "data").exists()
