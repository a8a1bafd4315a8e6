"""A page that is there when the program is built becomes a part of it, and one that changes or goes is noticed by the next build."""

import gzip
import subprocess

from serving import ROOT


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def embedded(build):
    run("cmake", "--build", build)
    files = {}
    for line in run(build / "list_page").splitlines():
        path, tag, content, compressed = line.split(" ")
        files[path] = tag, bytes.fromhex(content), bytes.fromhex(compressed)
    return files


def test_the_page_becomes_a_part_of_the_program(tmp_path):
    build, web = tmp_path / "build", tmp_path / "build/web"
    run("cmake", "-G", "Ninja", "-S", ROOT / "tests/http/embedding", "-B", build, f"-DRENYI_SOURCE_DIR={ROOT}")
    assert embedded(build) == {}
    # `make web` ran.
    (web / "assets").mkdir(parents=True)
    page = b"<!doctype html>" + b"<p>text</p>" * 100
    (web / "index.html").write_bytes(page)
    (web / "assets/short-1.js").write_bytes(b"x")
    (web / "assets/all-bytes.wasm").write_bytes(bytes(range(256)))
    first = embedded(build)
    assert set(first) == {"/index.html", "/assets/short-1.js", "/assets/all-bytes.wasm"}
    tag, content, compressed = first["/index.html"]
    assert content == page and gzip.decompress(compressed) == page and len(compressed) < len(page)
    assert compressed[4:8] == bytes(4)  # no time: the same page makes the same program
    assert first["/assets/short-1.js"][1:] == (b"x", b"")
    assert first["/assets/all-bytes.wasm"][1] == bytes(range(256))
    # It ran again, with other content.
    (web / "index.html").write_bytes(page + b"more")
    second = embedded(build)
    assert second["/index.html"][1] == page + b"more" and second["/index.html"][0] != tag
    assert gzip.decompress(second["/index.html"][2]) == page + b"more"
    # And was removed.
    (web / "index.html").unlink()
    assert embedded(build) == {}
