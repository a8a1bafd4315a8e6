"""HTTPS by certificate files."""

import os
import shutil
import signal
import ssl
import subprocess

import pytest

from serving import renyi, tls_context, until


def make(folder):
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.fixture
def files(tmp_path):
    return make(tmp_path)


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
    assert signed_in.headers["Strict-Transport-Security"].startswith("max-age=")
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


@pytest.mark.parametrize("suites, is_served", [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", True), ("ECDHE-ECDSA-CHACHA20-POLY1305", True), ("ECDHE-ECDSA-AES128-SHA256", False),
    ("ECDHE-ECDSA-AES256-SHA", False), ("AES128-GCM-SHA256:AES256-SHA256:AES128-SHA", False),
])
def test_suites_of_tls_1_2(start, tmp_path, suites, is_served):
    # Static RSA needs a key of RSA.
    certificate, key = make(tmp_path)
    if "ECDHE" not in suites:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
    server = start("--tls-certificate", str(certificate), "--tls-key", str(key))
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    client.set_ciphers(suites + ":@SECLEVEL=0")
    with server.socket() as plain:
        if is_served:
            with client.wrap_socket(plain, server_hostname="localhost") as encrypted:
                assert encrypted.version() == "TLSv1.2"
        else:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                client.wrap_socket(plain, server_hostname="localhost")
    server.context = client
    client.maximum_version = ssl.TLSVersion.TLSv1_3
    assert server.is_alive()


def served_certificate(server):
    return ssl.get_server_certificate(("127.0.0.1", server.port))


def test_a_certificate_is_renewed_while_the_server_runs(start, tmp_path):
    certificate, key = make(tmp_path)
    server = start("--tls-certificate", str(certificate), "--tls-key", str(key))
    server.context = tls_context(certificate)
    first = served_certificate(server)
    open_before = server.connect()
    assert server.get("/healthz", connection=open_before).status == 200
    (tmp_path / "new").mkdir()
    for new, old in zip(make(tmp_path / "new"), (certificate, key)):
        shutil.copy(new, old)
    assert served_certificate(server) == first
    server.process.send_signal(signal.SIGHUP)
    until(lambda: served_certificate(server) != first, "the new certificate is served")
    assert server.get("/healthz", connection=open_before).status == 200
    open_before.close()
    server.context = tls_context(certificate)
    assert server.get("/healthz").status == 200
    # Files that cannot be used leave the certificate as it is.
    certificate.write_text("no certificate")
    server.process.send_signal(signal.SIGHUP)
    until(lambda: any(record.get("event") == "certificate not reloaded" for record in server.records()), "it is in the log")
    assert server.get("/healthz").status == 200


def test_sighup_reads_the_tokens_again(start):
    server = start()
    path = server.data / "tokens.json"
    text, times = path.read_text(), path.stat()
    assert server.call("show").status == 200
    # A change that the file does not show: as many bytes, the same time.
    path.write_text(text.replace('"role":"admin"', '"role":"ADMIN"'))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert server.call("show").status == 200
    server.process.send_signal(signal.SIGHUP)
    until(lambda: server.call("show").status == 503, "the file is read")
    assert server.records()[-1] and any(record.get("event") == "tokens not reloaded" for record in server.records())
    path.write_text(text)
    server.process.send_signal(signal.SIGHUP)
    until(lambda: any(record.get("event") == "reloaded" for record in server.records()), "it is in the log")
    assert server.call("show").status == 200


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
