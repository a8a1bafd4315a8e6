"""``python -m renyi`` does what the native command does: output to the last byte, exit codes, pipes, signals.

RENYI_BINARY names the native command; without it, the one that ``make build`` makes.
"""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

import pytest

NATIVE = pathlib.Path(os.environ.get("RENYI_BINARY") or pathlib.Path(__file__).parents[2] / "build/bin/renyi")
if not NATIVE.exists():
    pytest.skip(f"there is no native command to compare with: {NATIVE} (make build)", allow_module_level=True)
BOTH = {"native": [str(NATIVE)], "python": [sys.executable, "-m", "renyi"]}

RUN = ["--sampling-rate", "0.01", "--noise-multiplier", "1.1", "--steps", "10000"]
REQUEST = b'{"op":"rdp","steps":[{"mechanism":"gaussian","noise_multiplier":2}],"orders":[2]}\n'
COMMANDS = {
    "version": (0, ["--version"]),
    "help": (0, ["epsilon", "--help"]),
    "man": (0, ["man"]),
    "a table": (0, ["epsilon", *RUN, "--delta", "1e-5"]),
    "JSON": (
        0,
        [
            "calibrate",
            "--solve",
            "noise-multiplier",
            *RUN[:2],
            *RUN[4:],
            "--epsilon",
            "3",
            "--delta",
            "1e-5",
            "--format",
            "json",
        ],
    ),
    "standard input": (0, ["batch"]),
    "a certificate": (0, ["certify", "--noise-multiplier", "4", "--delta", "1e-5"]),
    "no certificate": (2, ["verify", "-"]),
    "a bad flag": (2, ["epsilon", "--nois", "1"]),
    "a bad value": (2, ["epsilon", "--noise-multiplier", "-1", "--delta", "1e-5"]),
    "an argument that is no text": (2, ["epsilon", b"\xff\xfe.json", "--delta", "1e-5"]),
    "no answer": (
        3,
        ["calibrate", "--solve", "steps", "--noise-multiplier", "1", "--epsilon", "0.1", "--delta", "1e-5"],
    ),
    "a file that cannot be written": (2, ["report", *RUN, "--delta", "1e-5", "--out", "/proc/no/such.md"]),
}


def run(command, *arguments, **options):
    done = subprocess.run([*command, *arguments], stderr=subprocess.PIPE, timeout=3600, **options)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("code, arguments", COMMANDS.values(), ids=COMMANDS.keys())
def test_output_and_exit_code_are_those_of_the_native_command(code, arguments):
    native, python = (run(c, *arguments, input=REQUEST, stdout=subprocess.PIPE) for c in BOTH.values())
    assert python == native
    assert native[0] == code


def test_what_one_certifies_the_other_verifies(tmp_path):
    _, certificate, _ = run(
        BOTH["python"], "certify", "--noise-multiplier", "4", "--delta", "1e-5", stdout=subprocess.PIPE
    )
    code, verdict, _ = run(BOTH["native"], "verify", "-", input=certificate, stdout=subprocess.PIPE)
    assert (code, verdict[:5]) == (0, b"VALID")
    document = json.loads(certificate)
    document["claims"] = document["claims"][1:]
    altered = json.dumps(document).encode()
    native, python = (run(c, "verify", "-", input=altered, stdout=subprocess.PIPE) for c in BOTH.values())
    assert python == native
    assert native[0] in (1, 2)


def without_reader():
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "wb")


@pytest.mark.parametrize("output", [without_reader, lambda: open("/dev/full", "wb")], ids=["broken pipe", "full disk"])
def test_output_that_cannot_be_written(output):
    found = []
    for command in BOTH.values():
        with output() as stdout:
            found.append(run(command, "mechanisms", "--markdown", stdout=stdout))
    assert found[0] == found[1]
    assert found[0][0] == 2


def test_a_file_over_the_size_limit_ends_the_command(tmp_path):
    """Python itself ignores that signal."""
    for command in BOTH.values():
        with open(tmp_path / "page", "wb") as file:
            code, _, _ = run(
                command, "man", stdout=file, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
            )
        assert code == -signal.SIGXFSZ


def start(command, handling=signal.SIG_DFL, **options):
    """Starts a command with the given handling of control-C; that of the tests may be anything."""
    return subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, handling), **options)


def dialogue(command, handling=signal.SIG_DFL):
    """Starts a batch that has answered one request and waits for the next."""
    process = start([*command, "batch"], handling, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    process.stdin.write(REQUEST)
    assert process.stdout.readline().startswith(b'{"rdp"')
    return process


@pytest.mark.parametrize("command", BOTH.values(), ids=BOTH.keys())
def test_control_c_ends_the_command_at_once(command):
    with dialogue(command) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=3600) == -signal.SIGINT


@pytest.mark.parametrize("command", BOTH.values(), ids=BOTH.keys())
def test_a_signal_that_is_ignored_stays_ignored(command):
    with dialogue(command, signal.SIG_IGN) as process:
        process.send_signal(signal.SIGINT)
        process.stdin.write(REQUEST)
        assert process.stdout.readline().startswith(b'{"rdp"')
        process.stdin.close()
        assert process.wait(timeout=3600) == 0


@pytest.mark.parametrize("command", BOTH.values(), ids=BOTH.keys())
def test_an_interrupted_sweep_says_so_by_its_exit_code(command, tmp_path):
    step = {
        "mechanism": "gaussian",
        "noise_multiplier": {"from": 0.8, "to": 8, "points": 3000},
        "count": {"from": 1, "to": 3000, "points": 3000},
    }
    grid = {"renyi-sweep": 1, "request": {"op": "epsilon", "steps": [step], "delta": 1e-5, "want": ["renyi"]}}
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    rows = tmp_path / "rows.csv"
    sweep = [*command, "sweep", "grid.json", "--out", "rows.csv"]
    with start(sweep, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (rows.exists() and rows.stat().st_size > 0):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=3600)
    assert process.returncode == 128 + signal.SIGINT
    assert b"interrupted" in message or b"resume" in message
