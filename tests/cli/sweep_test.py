"""Tests `renyi sweep` as a real process: killed at any moment, interrupted, watched on a terminal.

Usage: sweep_test.py RENYI [TEST...]. RENYI_SWEEP_SEED repeats a failure.
"""

import json
import os
import pathlib
import pty
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RENYI = os.path.abspath(sys.argv.pop(1))
SEED = int(os.environ.get("RENYI_SWEEP_SEED", random.randrange(10**6)))


def grid(points, mechanism="gaussian", **asked):
    """Two axes of a step, `points` values each."""
    step = {"mechanism": mechanism, "noise_multiplier": {"from": 0.8, "to": 8, "points": points},
            "count": {"from": 10_000, "to": 1_000_000, "points": points, "scale": "log"}}
    if mechanism == "sampled-gaussian":
        step["sampling_rate"] = 0.01
    return {"renyi-sweep": 1, "request": {"op": "epsilon", "steps": [step], "delta": 1e-5, "want": ["exact"]} | asked}


class Sweep(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-sweep-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name)

    def write_grid(self, document):
        (self.here / "grid.json").write_text(json.dumps(document))

    def command(self, out, *flags):
        return [RENYI, "sweep", "grid.json", "--out", out, *flags]

    def start(self, out, *flags, **options):
        return subprocess.Popen(self.command(out, *flags), cwd=self.here, stderr=subprocess.PIPE, text=True, **options)

    def finish(self, out, *flags):
        return subprocess.run(self.command(out, *flags), cwd=self.here, capture_output=True, text=True, timeout=3600)

    def expected(self, suffix):
        done = self.finish("expected" + suffix)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return (self.here / ("expected" + suffix)).read_bytes()

    def begun(self, out, rows):
        """A sweep that has made more than so many rows, still running."""
        file = self.here / out
        before = file.read_bytes().count(b"\n") if file.exists() else 0
        process = self.start(out)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while process.poll() is None:
            if file.exists() and file.read_bytes().count(b"\n") > before + rows:
                return process
            time.sleep(0.002)
        self.fail("over too soon")

    def test_any_number_of_threads_writes_the_same(self):
        self.write_grid(grid(20, "sampled-gaussian"))
        for suffix in (".csv", ".jsonl"):
            expected = self.expected(suffix)
            self.assertEqual(len(expected.splitlines()), 400 + (suffix == ".csv"))
            for jobs in ("1", "2", "7"):
                done = self.finish(jobs + suffix, "--jobs", jobs)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((self.here / (jobs + suffix)).read_bytes(), expected)

    def test_killed_at_any_moment_nothing_is_lost_or_doubled(self):
        chance = random.Random(SEED)
        for suffix in (".csv", ".jsonl"):
            self.write_grid(grid(100, "sampled-gaussian"))
            start = time.monotonic()
            expected = self.expected(suffix)
            whole = time.monotonic() - start
            kills, out = 0, "rows" + suffix
            state = self.here / (out + ".sweep")
            while kills < 200:
                process = self.start(out)
                try:
                    process.wait(timeout=chance.choice([0.02, whole / 20, whole / 5]) * chance.random())
                except subprocess.TimeoutExpired:
                    process.kill()
                    kills += 1
                error = process.communicate()[1]
                if process.returncode == 0:
                    break
                self.assertEqual(process.returncode, -signal.SIGKILL, error)
                # A kill after the last row, before the program could exit, leaves a finished sweep.
                if not state.exists() and (self.here / out).exists():
                    break
            self.assertGreater(kills, 3, f"seed {SEED}")
            # All of it may have been killed before it began.
            if state.exists():
                self.assertEqual(self.finish(out).returncode, 0)
            self.assertEqual((self.here / out).read_bytes(), expected, f"seed {SEED}, {kills} kills")
            self.assertFalse(state.exists())

    def test_cut_off_at_any_byte(self):
        self.write_grid(grid(300, "sampled-gaussian"))
        process = self.begun("rows.csv", 10)
        process.kill()
        process.wait()
        state = (self.here / "rows.csv.sweep").read_text()
        small = grid(2, want=["renyi"])
        state = state.replace(json.dumps(grid(300, "sampled-gaussian"), separators=(",", ":")),
                              json.dumps(small, separators=(",", ":")))
        self.write_grid(small)
        expected = self.expected(".csv")
        for bytes_left in range(len(expected) + 1):
            (self.here / "rows.csv").write_bytes(expected[:bytes_left])
            (self.here / "rows.csv.sweep").write_text(state)
            done = self.finish("rows.csv", "--jobs", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.here / "rows.csv").read_bytes(), expected)
            rows = max(0, expected[:bytes_left].count(b"\n") - 1)
            self.assertEqual(done.stderr, f"renyi: continuing at row {rows} of 4\n" if rows else "")

    def test_other_rows_are_refused(self):
        self.write_grid(grid(300, "sampled-gaussian"))
        process = self.begun("rows.csv", 10)
        process.kill()
        process.wait()
        file = self.here / "rows.csv"
        lines = file.read_bytes().splitlines(keepends=True)
        for wrong in ([*lines[:5], *lines[4:]], [*lines[:5], *lines[6:]], lines[1:], [b"a,b\n"]):
            file.write_bytes(b"".join(wrong))
            done = self.finish("rows.csv")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--force", done.stderr)
            self.assertEqual(file.read_bytes(), b"".join(wrong))

    def test_a_signal_ends_it_in_order(self):
        self.write_grid(grid(120, "sampled-gaussian"))
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.begun("rows.csv", 20)
            process.send_signal(number)
            error = process.communicate(timeout=3600)[1]
            self.assertEqual(process.returncode, code, error)
            said = re.search(r"^renyi: interrupted after (\d+) of 14400 rows; the same command", error, re.M)
            self.assertTrue(said, error)
            lines = (self.here / "rows.csv").read_bytes().splitlines(keepends=True)
            self.assertEqual(len(lines) - 1, int(said[1]))
            self.assertTrue(lines[-1].endswith(b"\n"))
            self.assertTrue(lines[-1].startswith(b"%d," % (len(lines) - 2)))
        done = self.finish("rows.csv")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^renyi: continuing at row \d+ of 14400\n$")
        self.assertEqual((self.here / "rows.csv").read_bytes(), self.expected(".csv"))

    def test_one_program_a_file(self):
        self.write_grid(grid(300, "sampled-gaussian"))
        process = self.begun("rows.csv", 1)
        for flags in ((), ("--force",)):
            second = self.finish("rows.csv", *flags)
            self.assertEqual(second.returncode, 2)
            self.assertIn("another program", second.stderr)
        self.assertIsNone(process.poll())

    def test_a_reader_that_leaves_ends_it(self):
        self.write_grid(grid(300))
        process = subprocess.Popen([RENYI, "sweep", "grid.json"], cwd=self.here, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=3600), 2)

    def on_terminal(self, *flags, columns=80):
        """Returns what is written to a terminal on standard error."""
        leader, follower = pty.openpty()
        subprocess.run(["stty", "cols", str(columns)], stdin=follower, check=True)
        process = subprocess.Popen(self.command("rows.csv", *flags), cwd=self.here, stderr=follower)
        os.close(follower)
        seen = b""
        while True:
            readable, _, _ = select.select([leader], [], [], 60)
            self.assertTrue(readable, "nothing for a minute")
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other side is closed
                part = b""
            if not part:
                break
            seen += part
        os.close(leader)
        self.assertEqual(process.wait(timeout=3600), 0)
        return seen.decode()

    def test_a_terminal_sees_how_far_it_is(self):
        self.write_grid(grid(100, "sampled-gaussian"))
        lines = self.on_terminal().split("\r")
        form = r"\[[#.]+\] +\d+ %  [\d,]+ of 10,000(  [\d.,]+/s  ((\d+ (s|min) left)|in \d+ s))? *"
        for line in lines[1:-1]:
            self.assertRegex(line, f"^{form}$")
            self.assertLess(len(line), 80)
        # The end of the terminal's line is \r\n.
        self.assertRegex(lines[-2], r"^\[#+\]  100 %  10,000 of 10,000  [\d,]+/s  in \d+ s *$")
        self.assertEqual(lines[-1], "\n")
        self.assertGreater(len(lines), 3)
        narrow = self.on_terminal("--force", columns=30).split("\r")
        self.assertTrue(all(len(line) < 30 for line in narrow), narrow)


if __name__ == "__main__":
    print("seed", SEED)
    unittest.main(verbosity=2)
